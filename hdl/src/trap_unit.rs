//! Keeps the first trap and stops the core.
//!
//! ```text
//!                  +----------+
//!   frontend_* --->|          |---> trap_valid, trap_cause, trap_warp, trap_row, trap_lane, trap_pc, trap_value
//!    execute_* --->| TrapUnit |---> halt
//!     memory_* --->|          |
//! divergence_* --->|          |
//!                  +----------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `execute_valid`, `execute_cause`, `execute_warp`, `execute_row`, `execute_lane`, `execute_pc`, `execute_value` | 1, TrapCause, w, w, l, 32, 32 | illegal instruction, ecall, ebreak, jump faults; the value is the instruction word or the target |
//! | `memory_...` | the same | misaligned or unmapped access; the value is the address |
//! | `frontend_valid`, `frontend_warp`, `frontend_pc` | 1, w, 32 | fetch outside the instruction memory |
//! | `divergence_valid`, `divergence_warp`, `divergence_pc` | 1, w, 32 | reconvergence stack overflow: which branch |
//! | `divergence_mismatch` | 1 | warps of one CTA-wide entry came to different ends: which warp, and where, as above |
//! | `trap_valid` | 1 | sticky until `reset` or `clear` |
//! | `trap_*` | | of the first trap (row and lane are the thread's; if the source blames the whole warp: the warp's number and 0); within a cycle memory, execute, divergence, frontend: the oldest instruction first |
//! | `halt` | 1 | issue and fetch nothing from this cycle on (combinational from the sources) |
//! | `clear` | 1 | a new launch forgets the trap |
//!
//! Latency 1. State: the trap kept.
use crate::interface::{Trap, TrapCause, WarpFault};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct TrapUnit: clock, reset {
        pub clear: Signal<In, Bit>,
        pub frontend: WarpFault<In> = WarpFault::of(config),
        pub execute: Trap<In> = Trap::new(config),
        pub memory: Trap<In> = Trap::new(config),
        pub divergence: WarpFault<In> = WarpFault::of(config),
        pub divergence_mismatch: Signal<In, Bit>,
        pub trap: Trap<Out> = Trap::new(config),
        pub halt: Signal<Out, Bit>,

        kept: StateRegister<Bit>,
        cause: StateRegister<TrapCause>,
        warp: Flop = Flop::new(w),
        row: Flop = Flop::new(w),
        lane: Flop = Flop::new(l),
        pc: Flop = Flop::new(32),
        value: Flop = Flop::new(32),
        arriving: Signal<Local, Bit>,
    }
    /// The trap unit of a core.
    pub fn new(config: &CoreConfig) {
        let (w, l) = (config.warp_width(), config.lane_width());
    }
}

impl Logic for TrapUnit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module TrapUnit");
        dff_setup!(self, clock, kept, cause, warp, row, lane, pc, value);

        self.arriving.next = self.memory.valid.val()
            | self.execute.valid.val()
            | self.divergence.valid.val()
            | self.divergence_mismatch.val()
            | self.frontend.valid.val();
        if !self.kept.q.val() & self.arriving.val() {
            self.kept.d.next = true;
            if self.memory.valid.val() {
                self.cause.d.next = self.memory.cause.val();
                self.warp.d.next = self.memory.warp.val();
                self.row.d.next = self.memory.row.val();
                self.lane.d.next = self.memory.lane.val();
                self.pc.d.next = self.memory.pc.val();
                self.value.d.next = self.memory.value.val();
            } else if self.execute.valid.val() {
                self.cause.d.next = self.execute.cause.val();
                self.warp.d.next = self.execute.warp.val();
                self.row.d.next = self.execute.row.val();
                self.lane.d.next = self.execute.lane.val();
                self.pc.d.next = self.execute.pc.val();
                self.value.d.next = self.execute.value.val();
            } else if self.divergence.valid.val() | self.divergence_mismatch.val() {
                self.cause.d.next = TrapCause::StackOverflow;
                if self.divergence_mismatch.val() {
                    self.cause.d.next = TrapCause::GatherMismatch;
                }
                self.warp.d.next = self.divergence.warp.val();
                self.row.d.next = self.divergence.warp.val();
                self.lane.d.next = 0.into();
                self.pc.d.next = self.divergence.pc.val();
                self.value.d.next = 0.into();
            } else {
                self.cause.d.next = TrapCause::FetchFault;
                self.warp.d.next = self.frontend.warp.val();
                self.row.d.next = self.frontend.warp.val();
                self.lane.d.next = 0.into();
                self.pc.d.next = self.frontend.pc.val();
                self.value.d.next = self.frontend.pc.val();
            }
        }
        if self.clear.val() {
            self.kept.d.next = false;
            self.cause.d.next = TrapCause::None;
        }
        self.halt.next = self.kept.q.val() | self.arriving.val();
        self.trap.valid.next = self.kept.q.val();
        self.trap.cause.next = self.cause.q.val();
        self.trap.warp.next = self.warp.q.val();
        self.trap.row.next = self.row.q.val();
        self.trap.lane.next = self.lane.q.val();
        self.trap.pc.next = self.pc.q.val();
        self.trap.value.next = self.value.q.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_first_and_the_oldest_stage_first() {
        let mut unit = TrapUnit::new(&CoreConfig::tiny());
        unit.connect_all();
        simulate(&mut unit, 100);
        let edge = |unit: &mut TrapUnit| {
            simulate(unit, 100);
            for _ in 0..2 {
                unit.clock.next = !unit.clock.val();
                simulate(unit, 100);
            }
        };
        edge(&mut unit);
        assert!(!unit.halt.val());
        unit.frontend.valid.next = true;
        unit.memory.valid.next = true;
        unit.memory.cause.next = TrapCause::UnmappedAccess;
        unit.memory.row.next = 3.into();
        unit.memory.value.next = 0x1234.into();
        simulate(&mut unit, 100);
        assert!(unit.halt.val(), "at once");
        edge(&mut unit);
        unit.memory.valid.next = false;
        unit.execute.valid.next = true;
        unit.execute.cause.next = TrapCause::Breakpoint;
        edge(&mut unit);
        assert!(unit.trap.valid.val());
        assert_eq!(unit.trap.cause.val(), TrapCause::UnmappedAccess);
        assert_eq!((unit.trap.row.val().value(), unit.trap.value.val().value()), (3, 0x1234));
        unit.frontend.valid.next = false;
        unit.execute.valid.next = false;
        unit.clear.next = true;
        edge(&mut unit);
        assert!(!unit.trap.valid.val() && !unit.halt.val());
    }
}
