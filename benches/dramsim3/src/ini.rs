//! The file from which DRAMsim3 takes its DRAM.
use std::fmt;

use warploom_hdl::memory_system::dram::DramTiming;

use crate::traces::{BURSTS, COLUMN_WIDTH, ROW_WIDTH, burst_bytes};

/// Beats of a burst. With them DRAMsim3's GDDR5 takes two clocks for a burst, as both our kinds do; it knows no GDDR3, whose beats are half as many and twice as wide.
const BEATS: usize = 8;
/// Later than any run.
const NEVER: usize = 2_000_000_000;

/// What stands in it.
#[derive(Clone)]
pub struct Ini {
    /// Times.
    pub timing: DramTiming,
    /// Bursts that wait before the queues of the banks.
    pub transactions: usize,
    /// Bursts that wait in the queue of each bank.
    pub of_bank: usize,
    /// Reads and writes wait in one queue.
    pub unified: bool,
}

impl Ini {
    /// As many bursts wait as in our queue of `queue` lines, and eight more for each bank, as in all files that come with DRAMsim3.
    pub fn new(timing: &DramTiming, queue: usize) -> Self {
        Self { timing: timing.clone(), transactions: queue * BURSTS, of_bank: 8, unified: true }
    }
}

impl fmt::Display for Ini {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let t = &self.timing;
        let burst_bytes = burst_bytes(t);
        let bus_bits = burst_bytes * 8 / BEATS;
        let megabytes = ((t.banks << (ROW_WIDTH + COLUMN_WIDTH)) * burst_bytes) >> 20;
        let or_never = |clocks: usize| if clocks > 0 { clocks } else { NEVER };
        let structure = [
            ("bankgroups", t.groups),
            ("banks_per_group", t.banks / t.groups),
            ("rows", 1 << ROW_WIDTH),
            ("columns", 1 << COLUMN_WIDTH),
            ("device_width", 32),
            ("BL", BEATS),
        ];
        // DRAMsim3 makes RD to WR of CL + BL - CWL + tRTRS, WR to RD of CWL + BL + tWTR, WR to PRE of CWL + BL + tWR, and tRC of tRAS + tRP. It reads tRTP, and not the tRTP_S and
        // tRTP_L of its own files for GDDR5.
        let times = [
            ("CL", t.read_latency),
            ("CWL", t.write_latency),
            ("tRCDRD", t.rcd),
            ("tRCDWR", t.rcd_write),
            ("tRP", t.rp),
            ("tRAS", t.ras),
            ("tRRD_S", t.rrd),
            ("tRRD_L", t.rrd),
            ("tCCD_S", t.ccd),
            ("tCCD_L", t.ccd.max(t.ccd_group)),
            ("tWTR_S", t.cdlr),
            ("tWTR_L", t.cdlr),
            ("tWR", t.wr),
            ("tRTP", t.rtp),
            ("tRTRS", t.turn),
            ("tPPD", 0),
            ("tFAW", t.faw),
            ("t32AW", 0),
            ("tREFI", or_never(t.refi)),
            ("tRFC", t.rfc),
        ];
        let system = [
            ("channel_size", megabytes),
            ("channels", 1),
            ("bus_width", bus_bits),
            ("cmd_queue_size", self.of_bank),
            ("trans_queue_size", self.transactions),
        ];
        let section = |f: &mut fmt::Formatter, name: &str, values: &[(&str, usize)]| {
            writeln!(f, "[{name}]")?;
            values.iter().try_for_each(|(name, value)| writeln!(f, "{name} = {value}"))
        };
        section(f, "dram_structure", &structure)?;
        writeln!(f, "protocol = GDDR5")?;
        section(f, "timing", &times)?;
        writeln!(f, "tCK = 1.0")?;
        section(f, "system", &system)?;
        writeln!(f, "unified_queue = {}", self.unified)?;
        writeln!(f, "address_mapping = rochrabgbaco\nqueue_structure = PER_BANK\nrow_buf_policy = OPEN_PAGE")?;
        section(f, "other", &[("epoch_period", NEVER), ("output_level", 0)])
    }
}
