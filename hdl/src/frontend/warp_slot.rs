//! One warp's slot of the [`WarpBuffer`](super::WarpBuffer): what the scheduler watches every cycle.
//!
//! ```text
//!                      +----------+
//!  write, written_* -->| WarpSlot |---> valid, rs1, rs2, rd, flags
//!              take -->|          |
//!                      +----------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `write` | 1 | a decoded instruction enters at the edge |
//! | `written_rs1`, `written_rs2`, `written_rd` | 5 | its registers |
//! | `written_flags` | 7 | {control, memory, divide, multiply, writes_rd, reads_rs2, reads_rs1} |
//! | `take` | 1 | the instruction issues: the slot is empty after the edge |
//! | `valid`, `rs1`, `rs2`, `rd`, `flags` | 1, 5, 5, 5, 7 | the instruction held |
//!
//! Latency 1. State: 23 bits.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct WarpSlot: clock, reset {
        pub write: Signal<In, Bit>,
        pub written_rs1: Net<In> = 5,
        pub written_rs2: Net<In> = 5,
        pub written_rd: Net<In> = 5,
        pub written_flags: Net<In> = 7,
        pub take: Signal<In, Bit>,
        pub valid: Signal<Out, Bit>,
        pub rs1: Net<Out> = 5,
        pub rs2: Net<Out> = 5,
        pub rd: Net<Out> = 5,
        pub flags: Net<Out> = 7,

        occupied: StateRegister<Bit>,
        held_rs1: Flop = Flop::new(5),
        held_rs2: Flop = Flop::new(5),
        held_rd: Flop = Flop::new(5),
        held_flags: Flop = Flop::new(7),
    }
}

impl Logic for WarpSlot {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module WarpSlot");
        dff_setup!(self, clock, occupied, held_rs1, held_rs2, held_rd, held_flags);
        if self.take.val() {
            self.occupied.d.next = false;
        }
        if self.write.val() {
            self.occupied.d.next = true;
            self.held_rs1.d.next = self.written_rs1.val();
            self.held_rs2.d.next = self.written_rs2.val();
            self.held_rd.d.next = self.written_rd.val();
            self.held_flags.d.next = self.written_flags.val();
        }
        self.valid.next = self.occupied.q.val();
        self.rs1.next = self.held_rs1.q.val();
        self.rs2.next = self.held_rs2.q.val();
        self.rd.next = self.held_rd.q.val();
        self.flags.next = self.held_flags.q.val();
    }
}
