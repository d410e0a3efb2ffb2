//! Keeps the first trap and stops the core.
//!
//! ```text
//!                  +----------+
//!   frontend_* --->|          |---> trap_valid, trap_cause, trap_warp, trap_home_warp, trap_lane, trap_pc, trap_value
//!    execute_* --->| TrapUnit |---> halt
//!     memory_* --->|          |
//! divergence_* --->|          |
//!                  +----------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `execute_valid`, `execute_cause`, `execute_warp`, `execute_home_warp`, `execute_lane`, `execute_pc`, `execute_value` | 1, TrapCause, w, w, l, 32, 32 | illegal instruction, ecall, ebreak, jump faults; the value is the instruction word or the target |
//! | `memory_...` | the same | misaligned or unmapped access; the value is the address |
//! | `frontend_valid`, `frontend_warp`, `frontend_pc` | 1, w, 32 | fetch outside the instruction memory |
//! | `divergence_valid`, `divergence_warp`, `divergence_pc` | 1, w, 32 | reconvergence stack overflow: which branch |
//! | `divergence_mismatch` | 1 | warps of one CTA-wide entry came to different ends: which warp, and where, as above |
//! | `trap_valid` | 1 | sticky until `reset` or `clear` |
//! | `trap_*` | | of the first trap (home warp and lane are the thread's; if the source blames the whole warp: the warp's number and 0); within a cycle memory, execute, divergence, frontend: the oldest instruction first |
//! | `halt` | 1 | issue and fetch nothing from this cycle on (combinational from the sources) |
//! | `clear` | 1 | a new launch forgets the trap |
//!
//! Latency 1. State: the trap kept.
use crate::interface::{Trap, TrapCause, TrapRegister, WarpFault};
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

        kept: TrapRegister = TrapRegister::new(config) => { q: trap },
        arriving: Signal<Local, Bit>,
    }
    /// The trap unit of a core.
    pub fn new(config: &CoreConfig) {}
}

impl Logic for TrapUnit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module TrapUnit");
        self.arriving.next = self.memory.valid.val()
            | self.execute.valid.val()
            | self.divergence.valid.val()
            | self.divergence_mismatch.val()
            | self.frontend.valid.val();
        wire::join(&mut self.kept.q, &mut self.kept.d);
        if !self.kept.q.valid.val() & self.arriving.val() {
            if self.memory.valid.val() {
                wire::join(&mut self.memory, &mut self.kept.d);
            } else if self.execute.valid.val() {
                wire::join(&mut self.execute, &mut self.kept.d);
            } else if self.divergence.valid.val() | self.divergence_mismatch.val() {
                self.kept.d.cause.next = TrapCause::StackOverflow;
                if self.divergence_mismatch.val() {
                    self.kept.d.cause.next = TrapCause::GatherMismatch;
                }
                self.kept.d.warp.next = self.divergence.warp.val();
                self.kept.d.home_warp.next = self.divergence.warp.val();
                self.kept.d.lane.next = 0.into();
                self.kept.d.pc.next = self.divergence.pc.val();
                self.kept.d.value.next = 0.into();
            } else {
                self.kept.d.cause.next = TrapCause::FetchFault;
                self.kept.d.warp.next = self.frontend.warp.val();
                self.kept.d.home_warp.next = self.frontend.warp.val();
                self.kept.d.lane.next = 0.into();
                self.kept.d.pc.next = self.frontend.pc.val();
                self.kept.d.value.next = self.frontend.pc.val();
            }
            self.kept.d.valid.next = true;
        }
        if self.clear.val() {
            self.kept.d.valid.next = false;
            self.kept.d.cause.next = TrapCause::None;
        }
        self.halt.next = self.kept.q.valid.val() | self.arriving.val();
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
        unit.memory.home_warp.next = 3.into();
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
        assert_eq!((unit.trap.home_warp.val().value(), unit.trap.value.val().value()), (3, 0x1234));
        unit.frontend.valid.next = false;
        unit.execute.valid.next = false;
        unit.clear.next = true;
        edge(&mut unit);
        assert!(!unit.trap.valid.val() && !unit.halt.val());
    }
}
