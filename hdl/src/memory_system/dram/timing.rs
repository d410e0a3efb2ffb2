//! Kinds of DRAM: how many banks there are, and how long they take, in clocks of the command bus.
use serde::{Deserialize, Serialize};

use crate::prelude::*;

hardware_enum! {
    /// What the command bus says in a clock.
    pub enum DramCommand {
        /// Nothing.
        Nop,
        /// Open a row of a bank.
        Activate,
        /// Read a burst of the open row.
        Read,
        /// Write one.
        Write,
        /// Close the row of a bank.
        Precharge,
        /// Refresh all banks, which are closed.
        Refresh,
    }
}

/// A kind of DRAM. Times are from command to command; 0: there is no such rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DramTiming {
    /// Banks of a channel.
    pub banks: usize,
    /// Groups of as many banks each; 1: none.
    pub groups: usize,
    /// Read to its first data (tCL).
    pub read_latency: usize,
    /// Write to its first data (tWL).
    pub write_latency: usize,
    /// Clocks of the data bus that a burst takes (BL).
    pub burst: usize,
    /// Clocks in which nobody drives the data bus before the controller does.
    pub turn: usize,
    /// Activate to read (tRCD).
    pub rcd: usize,
    /// Activate to write.
    pub rcd_write: usize,
    /// Precharge to activate, and to refresh (tRP).
    pub rp: usize,
    /// Activate to activate of the same bank (tRC).
    pub rc: usize,
    /// Activate to precharge (tRAS).
    pub ras: usize,
    /// Activate to activate of any bank (tRRD).
    pub rrd: usize,
    /// Read or write to read or write (tCCD).
    pub ccd: usize,
    /// The same within a group (tCCDL).
    pub ccd_group: usize,
    /// Last data written to read (tCDLR).
    pub cdlr: usize,
    /// Last data written to precharge (tWR).
    pub wr: usize,
    /// Read to precharge (tRTP).
    pub rtp: usize,
    /// Read of any bank of the group to precharge (tRTPL).
    pub rtp_group: usize,
    /// Activate to the fourth activate after it (tFAW).
    pub faw: usize,
    /// Refresh to refresh, on average (tREFI).
    pub refi: usize,
    /// Refresh to activate, and to refresh (tRFC).
    pub rfc: usize,
}

impl DramTiming {
    /// Read to write: the data of one must have left the bus (tRTW).
    pub fn read_to_write(&self) -> usize {
        self.read_latency + self.burst + self.turn - self.write_latency
    }

    /// Write to read (tWTR).
    pub fn write_to_read(&self) -> usize {
        self.write_latency + self.burst + self.cdlr
    }

    /// Write to precharge of its bank (tWTP).
    pub fn write_to_precharge(&self) -> usize {
        self.write_latency + self.burst + self.wr
    }

    /// The group of a bank.
    pub fn group(&self, bank: usize) -> usize {
        bank * self.groups / self.banks
    }

    /// Whether banks of a group keep another distance.
    pub fn has_group_distance(&self) -> bool {
        self.groups > 1 && self.ccd_group > self.ccd
    }
}

/// Of 800 MHz; Fung & Aamodt 2011, Table 2, and what it leaves open as GPGPU-Sim has it.
pub const GDDR3: DramTiming = DramTiming {
    banks: 8,
    groups: 1,
    read_latency: 10,
    write_latency: 7,
    burst: 2,
    turn: 2,
    rcd: 12,
    rcd_write: 4,
    rp: 10,
    rc: 35,
    ras: 25,
    rrd: 8,
    ccd: 2,
    ccd_group: 0,
    cdlr: 6,
    wr: 11,
    rtp: 2,
    rtp_group: 0,
    faw: 0,
    refi: 0,
    rfc: 0,
};

/// Of 924 MHz; Wang 2020, chapter 4, and what it leaves open as GPGPU-Sim has it.
pub const GDDR5: DramTiming = DramTiming {
    banks: 16,
    groups: 4,
    read_latency: 12,
    write_latency: 4,
    burst: 2,
    turn: 2,
    rcd: 12,
    rcd_write: 7,
    rp: 12,
    rc: 40,
    ras: 28,
    rrd: 6,
    ccd: 2,
    ccd_group: 3,
    cdlr: 5,
    wr: 12,
    rtp: 2,
    rtp_group: 2,
    faw: 0,
    refi: 0,
    rfc: 0,
};

/// A channel and its controller.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChannelConfig {
    /// Its DRAM.
    pub timing: DramTiming,
    /// Requests that wait at most.
    pub queue: usize,
    /// A request that has waited for so many clocks is served before all others; 0: never.
    pub starve: usize,
    /// Bits of the number of a row.
    pub row_width: usize,
    /// Bits of the number of a burst in a row.
    pub column_width: usize,
    /// Bursts of a line, a power of two.
    pub bursts: usize,
    /// Words of 32 bits of a burst.
    pub burst_words: usize,
    /// Bits of what names a request.
    pub id_width: usize,
    /// Bursts that have been read and not been taken, at most.
    pub returns: usize,
    /// Clocks of the cores that a read waits before the controller gets it.
    pub read_delay: usize,
}

impl ChannelConfig {
    /// A channel for lines of `line_bytes`, whose requests have names of `id_width` bits; rows as machines with this DRAM have them.
    pub fn new(timing: &DramTiming, line_bytes: usize, id_width: usize) -> Self {
        let (row_width, row_bytes, burst_bytes) = if timing.groups > 1 { (12, 4096, 64) } else { (14, 2048, 32) };
        Self {
            timing: timing.clone(),
            queue: 16,
            starve: 2048,
            row_width,
            column_width: index_width(row_bytes / burst_bytes),
            bursts: line_bytes.div_ceil(burst_bytes),
            burst_words: burst_bytes / 4,
            id_width,
            returns: 8,
            read_delay: 0,
        }
    }

    /// Bits of the number of a bank.
    pub fn bank_width(&self) -> usize {
        index_width(self.timing.banks)
    }

    /// Bits of the number of a burst in its line.
    pub fn burst_width(&self) -> usize {
        index_width(self.bursts)
    }

    /// Words of 32 bits of a line.
    pub fn line_words(&self) -> usize {
        self.bursts * self.burst_words
    }

    /// Bursts whose commands have been given and whose data are not over, at most.
    pub fn on_the_way(&self, latency: usize) -> usize {
        (latency + self.timing.burst).div_ceil(self.timing.ccd) + 1
    }

    /// Lines to be written that are kept: those of the requests in the queue, and those whose data are not over.
    pub fn write_slots(&self) -> usize {
        (self.queue + self.on_the_way(self.timing.write_latency)).min(64)
    }

    /// Bits of the number of such a line.
    pub fn slot_width(&self) -> usize {
        index_width(self.write_slots())
    }

    /// Words of 32 bits that the data bus carries in a clock.
    pub fn beat_words(&self) -> usize {
        self.burst_words / self.timing.burst
    }
}
