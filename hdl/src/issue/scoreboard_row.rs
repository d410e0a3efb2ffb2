//! One warp's pending bits in the [`Scoreboard`](super::Scoreboard), and the hazard of its next instruction.
//!
//! ```text
//!                           +---------------+
//!  rs1, rs2, rd, reads... ->|               |---> hazard
//!        set, set_mask ---->| ScoreboardRow |
//!    clear, clear_mask ---->|               |
//!                           +---------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `rs1`, `rs2`, `rd` | 5 | registers of the instruction in the warp's slot |
//! | `reads_rs1`, `reads_rs2`, `writes_rd` | 1 | which of them count |
//! | `set`, `set_mask` | 1, 32 | this warp issues: these registers become pending at the edge |
//! | `clear`, `clear_mask` | 1, 32 | this warp's results arrive: these are pending no more |
//! | `hazard` | 1 | a register that counts is pending |
//!
//! Latency 1 for set and clear. State: 32 bits. A destination counts as well: one writer at a time
//! per register keeps results in order although units have different latencies.
use crate::prelude::*;

/// See the [module documentation](self).
#[derive(LogicBlock)]
pub struct ScoreboardRow {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub rs1: Net<In>,
    pub rs2: Net<In>,
    pub rd: Net<In>,
    pub reads_rs1: Signal<In, Bit>,
    pub reads_rs2: Signal<In, Bit>,
    pub writes_rd: Signal<In, Bit>,
    pub set: Signal<In, Bit>,
    pub set_mask: Net<In>,
    pub clear: Signal<In, Bit>,
    pub clear_mask: Net<In>,
    pub hazard: Signal<Out, Bit>,

    pending: Register,
    kept: Net<Local>,
}

impl Default for ScoreboardRow {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            rs1: Net::new(5),
            rs2: Net::new(5),
            rd: Net::new(5),
            reads_rs1: Default::default(),
            reads_rs2: Default::default(),
            writes_rd: Default::default(),
            set: Default::default(),
            set_mask: Net::new(32),
            clear: Default::default(),
            clear_mask: Net::new(32),
            hazard: Default::default(),
            pending: Register::new(32),
            kept: Net::new(32),
        }
    }
}

impl Logic for ScoreboardRow {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ScoreboardRow");
        clock!(self, clock, pending);
        self.pending.reset.next = self.reset.val();
        self.hazard.next = (self.reads_rs1.val() & self.pending.q.val().get_bit(self.rs1.val().index()))
            | (self.reads_rs2.val() & self.pending.q.val().get_bit(self.rs2.val().index()))
            | (self.writes_rd.val() & self.pending.q.val().get_bit(self.rd.val().index()));
        self.kept.next = self.pending.q.val();
        if self.clear.val() {
            self.kept.next = self.pending.q.val() & !self.clear_mask.val();
        }
        self.pending.d.next = self.kept.val();
        if self.set.val() {
            self.pending.d.next = self.kept.val() | self.set_mask.val();
        }
    }
}
