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

    /// One line a cycle: `memory execute divergence mismatch frontend clear | halt, trap: cause warp home_warp lane pc value`.
    const TRAPS: &str = "
        - - - - - - | 0 -
        m - - - - - | 1 -
        - - - - - - | 1 UnmappedAccess 1 3 2 10 1234
        - e - - - - | 1 UnmappedAccess 1 3 2 10 1234   the first is kept
        - - - - - c | 1 UnmappedAccess 1 3 2 10 1234
        - e - - - - | 1 -                              forgotten
        - - - - - c | 1 Breakpoint 2 1 3 20 73
        - - d - - - | 1 -
        - - - - - c | 1 StackOverflow 3 3 0 30 0
        - - - g - - | 1 -
        - - - - - c | 1 GatherMismatch 3 3 0 30 0
        - - - - f - | 1 -
        - - - - - c | 1 FetchFault 2 2 0 40 40
        m e d g f - | 1 -                              the oldest instruction
        - - - - - c | 1 UnmappedAccess 1 3 2 10 1234
        - e d g f - | 1 -
        - - - - - c | 1 Breakpoint 2 1 3 20 73
        - - d g f - | 1 -
        - - - - - c | 1 GatherMismatch 3 3 0 30 0
        - - d - f - | 1 -
        - - - - - c | 1 StackOverflow 3 3 0 30 0
        m - - - - c | 1 -                              a launch begins without
        - - - - - - | 0 -";

    #[test]
    fn keeps_the_first_and_the_oldest_stage_first() {
        let mut unit = TrapUnit::new(&CoreConfig::tiny());
        unit.connect_all();
        let traps = [
            (&mut unit.memory, TrapCause::UnmappedAccess, [1usize, 3, 2, 0x10, 0x1234]),
            (&mut unit.execute, TrapCause::Breakpoint, [2, 1, 3, 0x20, 0x73]),
        ];
        for (trap, cause, [warp, home_warp, lane, pc, value]) in traps {
            trap.cause.next = cause;
            trap.warp.next = warp.into();
            trap.home_warp.next = home_warp.into();
            trap.lane.next = lane.into();
            trap.pc.next = pc.into();
            trap.value.next = value.into();
        }
        for (fault, warp, pc) in [(&mut unit.divergence, 3usize, 0x30usize), (&mut unit.frontend, 2, 0x40)] {
            fault.warp.next = warp.into();
            fault.pc.next = pc.into();
        }
        for line in TRAPS.trim().lines().map(str::trim) {
            let fields: Vec<&str> = line.split_whitespace().collect();
            unit.memory.valid.next = fields[0] == "m";
            unit.execute.valid.next = fields[1] == "e";
            unit.divergence.valid.next = fields[2] == "d";
            unit.divergence_mismatch.next = fields[3] == "g";
            unit.frontend.valid.next = fields[4] == "f";
            unit.clear.next = fields[5] == "c";
            simulate(&mut unit, 100);
            let Trap { valid, cause, warp, home_warp, lane, pc, value } = &unit.trap;
            let numbers = [warp, home_warp, lane, pc, value].map(|port| format!("{:x}", port.val().value()));
            let trap = if valid.val() { format!("{:?} {}", cause.val(), numbers.join(" ")) } else { "-".into() };
            let found = format!("{} {trap}", unit.halt.val() as u8);
            assert!(fields[7..].join(" ").starts_with(&found), "{line}: {found}");
            tick!(unit);
        }
    }
}
