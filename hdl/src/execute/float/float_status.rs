//! Rounding mode and accrued flags of every thread: `frm`, `fflags`, and both as `fcsr`.
//!
//! ```text
//!                  EXECUTE
//!  home_warps[R] --------> frm   [W per lane] ---> rounding[L], illegal[L]
//!                   |        ^                |
//!                   |        |                +--> value[L], next_flags[L]     of a CSR instruction
//!                   |        |                |
//!                   +----> fflags [W per lane]
//!                            ^
//!  write_* ------------------+                       WRITEBACK: accrues, or replaces
//!  launch_* -----------------+                       a warp starts: both are 0
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `home_warps[R]` | w | EXECUTE: of the instruction |
//! | `controls_*` | | the instruction, from the decoder |
//! | `valid`, `mask` | 1, L | it is a legal one, of these lanes: a CSR instruction writes `frm` at the edge |
//! | `rs1[L]` | 32 | its operand |
//! | `rounding[L]` | 3 | the thread's mode, if the instruction is dynamic; else its own |
//! | `illegal` | L | dynamic, and the thread's `frm` is no rounding mode |
//! | `value[L]` | 32 | what a CSR instruction reads |
//! | `next_flags[L]` | 5 | and what it makes of `fflags`, to be written with its result |
//! | `write_*` | | a result that is written back, with its flags |
//! | `launch_valid`, `launch_warp` | 1, w | a warp starts |
//!
//! Latency: reads 0, writes 1. State: 8 bits per thread. `frm` is written in EXECUTE, so that the next instruction of the thread finds it; `fflags` when the result arrives, as by all others
//! that raise flags. So they are in order, if an instruction that reads or writes them waits for all results of its threads, and makes its own `rd` pending.
//! RISC-V unprivileged specification, 20.2.
use super::operation::{FLAGS, FloatControls, FloatCsr};
use crate::interface::{LaneResult, Launch};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct FloatStatus: clock {
        pub home_warps: Vec<Net<In>> = Net::vec(config.home_warps(), config.warp_width()),
        pub controls: FloatControls<In> = FloatControls::new(),
        pub valid: Signal<In, Bit>,
        pub mask: Net<In> = lanes,
        pub rs1: Vec<Net<In>> = Net::vec(lanes, 32),
        pub rounding: Vec<Net<Out>> = Net::vec(lanes, 3),
        pub illegal: Net<Out> = lanes,
        pub value: Vec<Net<Out>> = Net::vec(lanes, 32),
        pub next_flags: Vec<Net<Out>> = Net::vec(lanes, FLAGS),
        pub write: LaneResult<In> = LaneResult::new(config),
        pub launch: Launch<In> = Launch::of(config),

        modes: Vec<Memory> = (0..lanes).map(|_| Memory::new(3, config.warps, 1, 2, ReadKind::Asynchronous)).collect() => |lane| {
            write_address[1]: launch.warp, write_enable[1]: launch.valid,
        },
        flags: Vec<Memory> = (0..lanes).map(|_| Memory::new(FLAGS, config.warps, 2, 2, ReadKind::Asynchronous)).collect() => |lane| {
            write_address[1]: launch.warp, write_enable[1]: launch.valid,
        },
        writes_mode: Signal<Local, Bit>,
        // Of one lane after the other.
        mode: Net<Local> = 3,
        accrued: Net<Local> = FLAGS,
        operand: Net<Local> = 32,
        /// {frm, fflags}, and what becomes of them.
        both: Net<Local> = 8,
        seen: Net<Local> = 8,
        changed: Net<Local> = 8,
        next: Net<Local> = 8,
    }
    /// Of the threads of a core with floats.
    pub fn new(config: &CoreConfig) {
        let lanes = config.lanes;
    }
}

impl Logic for FloatStatus {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module FloatStatus");
        self.writes_mode.next = self.valid.val()
            & self.controls.csr_writes.val()
            & ((self.controls.csr.val() == FloatCsr::Rounding) | (self.controls.csr.val() == FloatCsr::Both));
        self.illegal.next = 0.into();
        for lane in 0..self.modes.len() {
            self.modes[lane].read_address[0].next = self.home_warps[0].val();
            self.modes[lane].write_address[0].next = self.home_warps[0].val();
            self.flags[lane].read_address[0].next = self.home_warps[0].val();
            self.flags[lane].read_address[1].next = self.write.destination.home_warps[0].val();
            self.flags[lane].write_address[0].next = self.write.destination.home_warps[0].val();
        }
        // One for each lane, where threads of several warps are together; else the one for all, once more.
        for i in 0..self.home_warps.len() {
            self.modes[i].read_address[0].next = self.home_warps[i].val();
            self.modes[i].write_address[0].next = self.home_warps[i].val();
            self.flags[i].read_address[0].next = self.home_warps[i].val();
            self.flags[i].read_address[1].next = self.write.destination.home_warps[i].val();
            self.flags[i].write_address[0].next = self.write.destination.home_warps[i].val();
        }
        for lane in 0..self.modes.len() {
            self.mode.next = self.modes[lane].read_data[0].val();
            self.accrued.next = self.flags[lane].read_data[0].val();
            self.rounding[lane].next = self.controls.rounding.val();
            if self.controls.dynamic.val() {
                self.rounding[lane].next = self.mode.val();
                self.illegal.next = self.illegal.val().replace_bit(lane, self.mode.val() > 4);
            }

            // CSR instructions
            self.both.next = (bit_cast_to(self.mode.val(), 8) << 5) | bit_cast_to(self.accrued.val(), 8);
            match self.controls.csr.val() {
                FloatCsr::None => self.seen.next = 0.into(),
                FloatCsr::Flags => self.seen.next = self.both.val() & 0x1f,
                FloatCsr::Rounding => self.seen.next = self.both.val() >> 5,
                FloatCsr::Both => self.seen.next = self.both.val(),
            }
            self.value[lane].next = bit_cast_to(self.seen.val(), 32);
            self.operand.next = self.rs1[lane].val();
            if self.controls.csr_is_immediate.val() {
                self.operand.next = bit_cast_to(self.controls.csr_immediate.val(), 32);
            }
            self.changed.next = bit_cast_to(self.operand.val(), 8);
            if self.controls.csr_sets.val() {
                self.changed.next = self.seen.val() | bit_cast_to(self.operand.val(), 8);
            }
            if self.controls.csr_clears.val() {
                self.changed.next = self.seen.val() & !bit_cast_to(self.operand.val(), 8);
            }
            self.next.next = self.both.val();
            if self.controls.csr_writes.val() {
                match self.controls.csr.val() {
                    FloatCsr::None => self.next.next = self.both.val(),
                    FloatCsr::Flags => self.next.next = (self.both.val() & 0xe0) | (self.changed.val() & 0x1f),
                    FloatCsr::Rounding => self.next.next = (self.both.val() & 0x1f) | (self.changed.val() << 5),
                    FloatCsr::Both => self.next.next = self.changed.val(),
                }
            }
            self.next_flags[lane].next = bit_cast_to(self.next.val(), FLAGS);
            self.modes[lane].write_enable[0].next = self.writes_mode.val() & self.mask.val().get_bit(lane);
            self.modes[lane].write_data[0].next = bit_cast_to(self.next.val() >> 5, 3);
            self.modes[lane].write_data[1].next = 0.into();

            // Write-back
            self.flags[lane].write_data[1].next = 0.into();
            for p in 0..self.write.destination.raises.len() {
                self.flags[lane].write_enable[0].next = self.write.valid.val()
                    & self.write.destination.raises[p].val().any()
                    & self.write.destination.mask.val().get_bit(lane);
                self.flags[lane].write_data[0].next =
                    self.flags[lane].read_data[1].val() | self.write.flags[lane].val();
                if self.write.destination.replaces[p].val().any() {
                    self.flags[lane].write_data[0].next = self.write.flags[lane].val();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Mechanism;

    /// What a CSR instruction of one thread does: `csr way operand immediate | value, then frm fflags`. The thread begins with frm 3, fflags 0b10001.
    /// fflags are what the instruction brings to WRITEBACK.
    const ACCESSES: &str = "
        Flags    reads  0   - | 11 3 11
        Rounding reads  0   - | 03 3 11
        Both     reads  0   - | 71 3 11
        Flags    writes 2a  - | 11 3 0a
        Rounding writes 2a  - | 03 2 11
        Both     writes 8a  - | 71 4 0a
        Flags    sets   06  - | 11 3 17
        Rounding sets   04  - | 03 7 11
        Both     sets   86  - | 71 7 17
        Flags    clears 13  - | 11 3 00
        Rounding clears 01  - | 03 2 11
        Both     clears 30  - | 71 2 01
        Both     writes 00 1f | 71 0 1f
        Rounding sets   00  4 | 03 7 11
        None     writes ff  - | 00 3 11";

    fn status() -> FloatStatus {
        let tiny = CoreConfig { floats: true, mechanism: Mechanism::Tbc, ..CoreConfig::tiny() };
        let mut status = FloatStatus::new(&tiny);
        status.connect_all();
        simulate(&mut status, 1000);
        status
    }

    /// A CSR instruction, in EXECUTE, with all lanes of `mask`, threads of this home warp.
    fn access(status: &mut FloatStatus, csr: FloatCsr, way: &str, operand: usize, mask: usize, home_warp: usize) {
        status.home_warps.iter_mut().for_each(|port| port.next = home_warp.into());
        status.controls.csr.next = csr;
        status.controls.csr_sets.next = way == "sets";
        status.controls.csr_clears.next = way == "clears";
        status.controls.csr_writes.next = way != "reads";
        status.rs1.iter_mut().for_each(|port| port.next = operand.into());
        (status.valid.next, status.mask.next) = (true, mask.into());
        simulate(status, 1000);
    }

    /// And its result, in WRITEBACK.
    fn write(status: &mut FloatStatus, flags: usize, replaces: bool, mask: usize, home_warp: usize) {
        status.valid.next = false;
        status.write.valid.next = true;
        let destination = &mut status.write.destination;
        destination.home_warps.iter_mut().for_each(|port| port.next = home_warp.into());
        (destination.mask.next, destination.raises[0].next) = (mask.into(), 1.into());
        destination.replaces[0].next = usize::from(replaces).into();
        status.write.flags.iter_mut().for_each(|port| port.next = flags.into());
        tick!(*status);
        status.write.valid.next = false;
    }

    fn launch(status: &mut FloatStatus, warp: usize) {
        (status.launch.valid.next, status.launch.warp.next) = (true, warp.into());
        tick!(*status);
        status.launch.valid.next = false;
    }

    /// frm and fflags of the threads of a home warp.
    fn state(status: &mut FloatStatus, home_warp: usize) -> Vec<(usize, usize)> {
        access(status, FloatCsr::Both, "reads", 0, 15, home_warp);
        status.valid.next = false;
        status.value.iter().map(|port| port.val().index()).map(|both| (both >> 5, both & 31)).collect()
    }

    #[test]
    fn csr_instructions_read_and_write() {
        let mut status = status();
        for line in ACCESSES.trim().lines().map(str::trim) {
            let field: Vec<&str> = line.split_whitespace().collect();
            let hex = |text: &str| usize::from_str_radix(text, 16).unwrap();
            launch(&mut status, 1);
            access(&mut status, FloatCsr::Both, "writes", 0x71, 15, 1);
            tick!(status);
            write(&mut status, 0x11, true, 15, 1);
            let csr = [FloatCsr::None, FloatCsr::Flags, FloatCsr::Rounding, FloatCsr::Both];
            let csr = csr.into_iter().find(|csr| format!("{csr:?}") == field[0]).unwrap();
            status.controls.csr_is_immediate.next = field[3] != "-";
            status.controls.csr_immediate.next = if field[3] == "-" { 0 } else { hex(field[3]) }.into();
            access(&mut status, csr, field[1], hex(field[2]), 0b0110, 1);
            let (value, flags) = (status.value[1].val(), status.next_flags[1].val());
            tick!(status);
            write(&mut status, flags.index(), true, 0b0110, 1);
            status.controls.csr_is_immediate.next = false;
            let threads = state(&mut status, 1);
            let found = format!("{:02x} {} {:02x}", value.value(), threads[1].0, threads[1].1);
            assert_eq!(found, field[5..].join(" "), "{line}");
            assert_eq!((threads[0], threads[2], threads[3]), ((3, 0x11), threads[1], (3, 0x11)), "{line}");
        }
    }

    #[test]
    fn flags_accrue_and_a_warp_starts_without_any() {
        let mut status = status();
        [0, 2].iter().for_each(|&warp| launch(&mut status, warp));
        write(&mut status, 0b00001, false, 0b0011, 2);
        write(&mut status, 0b10000, false, 0b0110, 2);
        assert_eq!(state(&mut status, 2), [(0, 1), (0, 17), (0, 16), (0, 0)]);
        assert_eq!(state(&mut status, 0), [(0, 0); 4], "another warp");
        // A result that raises none, and none at all.
        status.write.destination.raises[0].next = 0.into();
        status.write.valid.next = true;
        tick!(status);
        status.write.valid.next = false;
        status.write.destination.raises[0].next = 1.into();
        tick!(status);
        assert_eq!(state(&mut status, 2), [(0, 1), (0, 17), (0, 16), (0, 0)]);
        launch(&mut status, 2);
        assert_eq!(state(&mut status, 2), [(0, 0); 4]);
    }

    #[test]
    fn each_thread_has_its_rounding_mode() {
        let mut status = status();
        (0..4).for_each(|warp| launch(&mut status, warp));
        // Lane 1 has thread 1 of warp 3, the others are of warp 0. What is not valid writes nothing.
        access(&mut status, FloatCsr::Rounding, "writes", 5, 0b0010, 3);
        tick!(status);
        access(&mut status, FloatCsr::Rounding, "writes", 4, 0b1000, 0);
        tick!(status);
        access(&mut status, FloatCsr::Rounding, "writes", 7, 0b1111, 0);
        status.valid.next = false;
        tick!(status);
        status.home_warps[1].next = 3.into();
        (status.controls.dynamic.next, status.controls.rounding.next) = (true, 7.into());
        simulate(&mut status, 1000);
        let modes = |status: &FloatStatus| status.rounding.iter().map(|port| port.val().index()).collect::<Vec<_>>();
        assert_eq!((modes(&status), status.illegal.val()), (vec![0, 5, 0, 4], 0b0010.into()));
        // Every lane has a comparison of its own.
        for lane in 0..4 {
            for (mode, is_illegal) in [(4, false), (5, true), (7, true), (0, false)] {
                access(&mut status, FloatCsr::Rounding, "writes", mode, 1 << lane, 2);
                tick!(status);
                status.valid.next = false;
                simulate(&mut status, 1000);
                assert_eq!(status.illegal.val().get_bit(lane), is_illegal, "mode {mode} in lane {lane}");
            }
        }
        (status.controls.dynamic.next, status.controls.rounding.next) = (false, 2.into());
        simulate(&mut status, 1000);
        assert_eq!((modes(&status), status.illegal.val()), (vec![2; 4], 0.into()));
    }
}
