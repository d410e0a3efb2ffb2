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
//! | `divergence_valid`, `divergence_warp`, `divergence_pc` | 1, w, 32 | reconvergence stack overflow; or |
//! | `divergence_mismatch` | 1 | warps of one CTA-wide entry came to different ends |
//! | `trap_valid` | 1 | sticky until `reset` or `clear` |
//! | `trap_*` | | of the first trap (row and lane are the thread's; if the source blames the whole warp: the warp's number and 0); within a cycle memory, execute, divergence, frontend: the oldest instruction first |
//! | `halt` | 1 | issue and fetch nothing from this cycle on (combinational from the sources) |
//! | `clear` | 1 | a new launch forgets the trap |
//!
//! Latency 1. State: the trap kept.
use crate::interface::TrapCause;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct TrapUnit: clock, reset {
        pub clear: Signal<In, Bit>,
        pub frontend_valid: Signal<In, Bit>,
        pub frontend_warp: Net<In> = w,
        pub frontend_pc: Net<In> = 32,
        pub execute_valid: Signal<In, Bit>,
        pub execute_cause: Signal<In, TrapCause>,
        pub execute_warp: Net<In> = w,
        pub execute_row: Net<In> = w,
        pub execute_lane: Net<In> = l,
        pub execute_pc: Net<In> = 32,
        pub execute_value: Net<In> = 32,
        pub memory_valid: Signal<In, Bit>,
        pub memory_cause: Signal<In, TrapCause>,
        pub memory_warp: Net<In> = w,
        pub memory_row: Net<In> = w,
        pub memory_lane: Net<In> = l,
        pub memory_pc: Net<In> = 32,
        pub memory_value: Net<In> = 32,
        pub divergence_valid: Signal<In, Bit>,
        pub divergence_mismatch: Signal<In, Bit>,
        pub divergence_warp: Net<In> = w,
        pub divergence_pc: Net<In> = 32,
        pub trap_valid: Signal<Out, Bit>,
        pub trap_cause: Signal<Out, TrapCause>,
        pub trap_warp: Net<Out> = w,
        pub trap_row: Net<Out> = w,
        pub trap_lane: Net<Out> = l,
        pub trap_pc: Net<Out> = 32,
        pub trap_value: Net<Out> = 32,
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

        self.arriving.next = self.memory_valid.val()
            | self.execute_valid.val()
            | self.divergence_valid.val()
            | self.frontend_valid.val();
        if !self.kept.q.val() & self.arriving.val() {
            self.kept.d.next = true;
            if self.memory_valid.val() {
                self.cause.d.next = self.memory_cause.val();
                self.warp.d.next = self.memory_warp.val();
                self.row.d.next = self.memory_row.val();
                self.lane.d.next = self.memory_lane.val();
                self.pc.d.next = self.memory_pc.val();
                self.value.d.next = self.memory_value.val();
            } else if self.execute_valid.val() {
                self.cause.d.next = self.execute_cause.val();
                self.warp.d.next = self.execute_warp.val();
                self.row.d.next = self.execute_row.val();
                self.lane.d.next = self.execute_lane.val();
                self.pc.d.next = self.execute_pc.val();
                self.value.d.next = self.execute_value.val();
            } else if self.divergence_valid.val() {
                self.cause.d.next = TrapCause::StackOverflow;
                if self.divergence_mismatch.val() {
                    self.cause.d.next = TrapCause::GatherMismatch;
                }
                self.warp.d.next = self.divergence_warp.val();
                self.row.d.next = self.divergence_warp.val();
                self.lane.d.next = 0.into();
                self.pc.d.next = self.divergence_pc.val();
                self.value.d.next = 0.into();
            } else {
                self.cause.d.next = TrapCause::FetchFault;
                self.warp.d.next = self.frontend_warp.val();
                self.row.d.next = self.frontend_warp.val();
                self.lane.d.next = 0.into();
                self.pc.d.next = self.frontend_pc.val();
                self.value.d.next = self.frontend_pc.val();
            }
        }
        if self.clear.val() {
            self.kept.d.next = false;
            self.cause.d.next = TrapCause::None;
        }
        self.halt.next = self.kept.q.val() | self.arriving.val();
        self.trap_valid.next = self.kept.q.val();
        self.trap_cause.next = self.cause.q.val();
        self.trap_warp.next = self.warp.q.val();
        self.trap_row.next = self.row.q.val();
        self.trap_lane.next = self.lane.q.val();
        self.trap_pc.next = self.pc.q.val();
        self.trap_value.next = self.value.q.val();
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
        unit.frontend_valid.next = true;
        unit.memory_valid.next = true;
        unit.memory_cause.next = TrapCause::UnmappedAccess;
        unit.memory_row.next = 3.into();
        unit.memory_value.next = 0x1234.into();
        simulate(&mut unit, 100);
        assert!(unit.halt.val(), "at once");
        edge(&mut unit);
        unit.memory_valid.next = false;
        unit.execute_valid.next = true;
        unit.execute_cause.next = TrapCause::Breakpoint;
        edge(&mut unit);
        assert!(unit.trap_valid.val());
        assert_eq!(unit.trap_cause.val(), TrapCause::UnmappedAccess);
        assert_eq!((unit.trap_row.val().value(), unit.trap_value.val().value()), (3, 0x1234));
        unit.frontend_valid.next = false;
        unit.execute_valid.next = false;
        unit.clear.next = true;
        edge(&mut unit);
        assert!(!unit.trap_valid.val() && !unit.halt.val());
    }
}
