//! What a channel of DRAM uses, from the commands that were counted and the currents of its data sheet.
//!
//! As Micron calculates it (TN-41-01, "Calculating memory system power for DDR3"): a command is charged with what it draws above standby, and standby is charged with the clocks. For
//! each device of the channel, in mA, ns and V, which makes pJ:
//!
//! | kind | energy |
//! |---|---|
//! | activate, and the precharge that ends it | `V (IDD0 tRC - IDD3N tRAS - IDD2N (tRC - tRAS))` |
//! | burst read, written | `V (IDD4R - IDD3N) tBURST`, `V (IDD4W - IDD3N) tBURST` |
//! | refresh | `V (IDD5 - IDD3N) tRFC` |
//! | background | `V (f / fPART) (IDD3N tOPEN + IDD2N tCLOSED)` |
//!
//! Currents are stated at the part's own clock, and the machine's is another. As in the technical note, what flows with the clock is proportional to it: standby has the ratio of the
//! clocks, and tBURST counts clocks of the part, so that a burst always takes the same charge. tRC and tRAS are the part's as well: IDD0 was measured with them.
//! While all banks are refreshed rows are open inside the device, so that tRFC counts as tOPEN.
//!
//! Left out: the pins (termination, and the current of the outputs: data sheets measure with outputs open and termination off), which the memory controller pays for in part; the
//! controller's own PHY and PLL; power-down and self refresh, which the controller does not use; temperature, and the voltage that a board really has.
use warploom_hdl::counters;
use warploom_hdl::memory_system::dram::{CHANNEL_COUNTERS, DramTiming};

/// A device, and how many of them make the data bus of a channel. Every command goes to all of them.
#[derive(Clone, Debug, PartialEq)]
pub struct DramPart {
    /// What it is.
    pub name: &'static str,
    /// Where the currents stand, and what of it is a stand-in.
    pub source: &'static str,
    /// Devices of a channel.
    pub devices: u32,
    /// Supply (VDD), in V.
    pub volts: f64,
    /// Clock of the command bus at which the currents are stated, in MHz.
    pub mhz: f64,
    /// Activate to activate of IDD0 (tRC), in ns.
    pub row_cycle_ns: f64,
    /// Activate to precharge of IDD0 (tRAS), in ns.
    pub row_active_ns: f64,
    /// One bank, activate and precharge in turn (IDD0), in mA.
    pub idd0: f64,
    /// No row open, clock running (IDD2N), in mA.
    pub idd2n: f64,
    /// A row open, clock running (IDD3N), in mA.
    pub idd3n: f64,
    /// Reads without a pause (IDD4R), in mA.
    pub idd4r: f64,
    /// Writes without a pause (IDD4W), in mA.
    pub idd4w: f64,
    /// Refreshes without a pause (IDD5), in mA.
    pub idd5: f64,
}

/// For the timing `GDDR3`: a bus of 64 bits at 800 MHz. Of the part that the times are of (Samsung K4J52324QH-HC12, says GPGPU-Sim) no public table of currents was found.
pub const GDDR3_PART: DramPart = DramPart {
    name: "Qimonda HYB18H1G321AF-11",
    source: "data sheet Rev. 0.92 of October 2007, table 20, typical; IDD2N is its IDD2F, IDD5 its IDD5B, and tRC and tRAS are those of the timing GDDR3 instead of the part's",
    devices: 2,
    volts: 1.8,
    mhz: 900.0,
    row_cycle_ns: 43.75,
    row_active_ns: 31.25,
    idd0: 350.0,
    idd2n: 275.0,
    idd3n: 360.0,
    idd4r: 470.0,
    idd4w: 495.0,
    idd5: 550.0,
};

/// For the timing `GDDR5`: a bus of 64 bits at 924 MHz.
pub const GDDR5_PART: DramPart = DramPart {
    name: "GDDR5 of 1 Gbit, 32 bits wide",
    source: "GDDR5_1Gb_x32.ini of DRAMsim3, which names no part; its IDD5AB is its IDD3N, so that refreshes cost no more than open rows do",
    devices: 2,
    volts: 1.5,
    mhz: 1500.0,
    row_cycle_ns: 40.0,
    row_active_ns: 28.0,
    idd0: 490.0,
    idd2n: 250.0,
    idd3n: 450.0,
    idd4r: 1080.0,
    idd4w: 1160.0,
    idd5: 450.0,
};

/// What a channel has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChannelActivity {
    /// Rows opened.
    pub activates: u64,
    /// Bursts read.
    pub reads: u64,
    /// Bursts written.
    pub writes: u64,
    /// Refreshes of all banks.
    pub refreshes: u64,
    /// Clocks of the command bus.
    pub clocks: u64,
    /// Those in which a row of any bank was open. Not counted: all of them, which is the most it can be. With open rows it is nearly so, for a bank closes only to open again.
    pub open_clocks: Option<u64>,
}

impl ChannelActivity {
    /// From counters in the order of [`CHANNEL_COUNTERS`], those that are missing being 0.
    pub fn new(counts: &[u64], clocks: u64) -> Self {
        let count = |name| counts.get(counters::place(CHANNEL_COUNTERS, name)).copied().unwrap_or_default();
        Self {
            activates: count("activates"),
            reads: count("reads"),
            writes: count("writes"),
            refreshes: count("refreshes"),
            clocks,
            open_clocks: None,
        }
    }
}

/// What a channel has used, in nJ.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DramEnergy {
    /// Rows opened and closed.
    pub activate_nj: f64,
    /// Bursts read.
    pub read_nj: f64,
    /// Bursts written.
    pub write_nj: f64,
    /// Refreshes.
    pub refresh_nj: f64,
    /// Standby.
    pub background_nj: f64,
    /// How long it took, in ns.
    pub time_ns: f64,
}

impl DramEnergy {
    /// Of a channel of `part` whose command bus has a clock of `mhz`.
    pub fn new(activity: &ChannelActivity, timing: &DramTiming, part: &DramPart, mhz: f64) -> Self {
        let of = |milliamperes_ns: f64| f64::from(part.devices) * part.volts * milliamperes_ns / 1000.0;
        let ns = |clocks: u64| clocks as f64 * 1000.0 / mhz;
        let burst_ns = timing.burst as f64 * 1000.0 / part.mhz;
        let refresh_clocks = activity.refreshes * timing.rfc as u64;
        let open = activity.open_clocks.map_or(activity.clocks, |open| activity.clocks.min(open + refresh_clocks));
        let closed = activity.clocks - open;
        let row = part.idd0 * part.row_cycle_ns
            - part.idd3n * part.row_active_ns
            - part.idd2n * (part.row_cycle_ns - part.row_active_ns);
        Self {
            activate_nj: activity.activates as f64 * of(row),
            read_nj: activity.reads as f64 * of((part.idd4r - part.idd3n) * burst_ns),
            write_nj: activity.writes as f64 * of((part.idd4w - part.idd3n) * burst_ns),
            refresh_nj: of((part.idd5 - part.idd3n) * ns(refresh_clocks)),
            background_nj: of((part.idd3n * ns(open) + part.idd2n * ns(closed)) * mhz / part.mhz),
            time_ns: ns(activity.clocks),
        }
    }

    /// All of it, in nJ.
    pub fn total_nj(&self) -> f64 {
        self.activate_nj + self.read_nj + self.write_nj + self.refresh_nj + self.background_nj
    }

    /// On average, in mW; 0 if no time has passed.
    pub fn average_mw(&self) -> f64 {
        if self.time_ns > 0.0 { self.total_nj() / self.time_ns * 1000.0 } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use warploom_hdl::memory_system::dram::{GDDR3, GDDR5};

    use super::*;

    /// Round numbers: a device that draws 100 mA at 1 V and 1 GHz when idle.
    const ROUND: DramPart = DramPart {
        name: "round",
        source: "none",
        devices: 1,
        volts: 1.0,
        mhz: 1000.0,
        row_cycle_ns: 40.0,
        row_active_ns: 30.0,
        idd0: 250.0,
        idd2n: 100.0,
        idd3n: 200.0,
        idd4r: 700.0,
        idd4w: 800.0,
        idd5: 600.0,
    };

    fn agree(energy: f64, expected: f64) {
        assert!((energy - expected).abs() < 1e-9 * expected.abs().max(1.0), "{energy} nJ for {expected} nJ");
    }

    #[test]
    fn every_kind_is_what_the_formula_says() {
        let timing = DramTiming { rfc: 60, ..GDDR5 };
        let activity = ChannelActivity {
            activates: 1000,
            reads: 2000,
            writes: 3000,
            refreshes: 10,
            clocks: 100_000,
            open_clocks: Some(39_400),
        };
        let energy = DramEnergy::new(&activity, &timing, &ROUND, 1000.0);
        // 250 * 40 - 200 * 30 - 100 * 10 = 3000 pJ each.
        agree(energy.activate_nj, 3000.0);
        // Bursts of 2 ns: 500 mA and 600 mA above standby.
        agree(energy.read_nj, 2000.0);
        agree(energy.write_nj, 3600.0);
        // 400 mA for 600 ns.
        agree(energy.refresh_nj, 240.0);
        // Rows are open for 39,400 ns and 600 ns of refreshes, closed for 60,000 ns.
        agree(energy.background_nj, 8000.0 + 6000.0);
        agree(energy.total_nj(), 22_840.0);
        // In 100 us.
        agree(energy.average_mw(), 228.4);
    }

    #[test]
    fn a_slower_clock_changes_standby_and_no_burst() {
        let activity = ChannelActivity { reads: 1000, clocks: 50_000, ..Default::default() };
        let energy = DramEnergy::new(&activity, &GDDR5, &ROUND, 500.0);
        agree(energy.read_nj, 1000.0);
        // 100 us at half the clock, rows open: 200 mA / 2.
        agree(energy.background_nj, 10_000.0);
        agree(energy.time_ns, 100_000.0);
    }

    #[test]
    fn refreshes_make_no_more_open_clocks_than_there_are() {
        let timing = DramTiming { rfc: 60, ..GDDR5 };
        let activity = ChannelActivity { refreshes: 3, clocks: 100, open_clocks: Some(50), ..Default::default() };
        agree(DramEnergy::new(&activity, &timing, &ROUND, 1000.0).background_nj, 20.0);
    }

    #[test]
    fn nothing_takes_no_power() {
        assert_eq!(DramEnergy::new(&ChannelActivity::default(), &GDDR3, &GDDR3_PART, 800.0).average_mw(), 0.0);
    }

    /// Two devices each.
    #[test]
    fn of_the_parts_that_are_known() {
        let one = ChannelActivity { activates: 1, reads: 1, writes: 1, clocks: 1000, ..Default::default() };
        let gddr3 = DramEnergy::new(&one, &GDDR3, &GDDR3_PART, 800.0);
        // 350 * 43.75 - 360 * 31.25 - 275 * 12.5 = 625; 110 and 135 mA for 2 clocks of 900 MHz; 320 mA for 1250 ns.
        agree(gddr3.activate_nj, 2.25);
        agree(gddr3.read_nj, 0.88);
        agree(gddr3.write_nj, 1.08);
        agree(gddr3.background_nj, 1440.0);
        let gddr5 = DramEnergy::new(&one, &GDDR5, &GDDR5_PART, 924.0);
        // 490 * 40 - 450 * 28 - 250 * 12 = 4000; 630 and 710 mA for 2 clocks of 1500 MHz; 277.2 mA for 1000 clocks of 924 MHz, which are 300 mA us.
        agree(gddr5.activate_nj, 12.0);
        agree(gddr5.read_nj, 2.52);
        agree(gddr5.write_nj, 2.84);
        agree(gddr5.background_nj, 900.0);
    }

    #[test]
    fn counters_are_taken_by_name() {
        let counts: Vec<u64> = (1..=CHANNEL_COUNTERS.len() as u64).collect();
        let activity = ChannelActivity::new(&counts, 77);
        let expected =
            ChannelActivity { activates: 1, reads: 2, writes: 3, refreshes: 5, clocks: 77, open_clocks: None };
        assert_eq!(activity, expected);
        assert_eq!(ChannelActivity::new(&[], 0), ChannelActivity::default());
    }
}
