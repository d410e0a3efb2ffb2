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
