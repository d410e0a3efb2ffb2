//! One warp's pending bits in the [`Scoreboard`](super::Scoreboard), and the hazard of its next instruction.
//!
//! ```text
//!                           +---------------+
//!  rs1, rs2, rd, reads... ->|               |---> hazard
//!        set, set_mask ---->| ScoreboardRow |
//!    clear, clear_mask ---->|               |---> orphans
//!       leave, foreign ---->|               |
//!                           +---------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `rs1`, `rs2`, `rd` | 5 | registers of the instruction in the warp's slot |
//! | `reads_rs1`, `reads_rs2`, `writes_rd` | 1 | which of them count |
//! | `set`, `set_mask` | 1, 32 | this warp issues: these registers become pending at the edge |
//! | `clear`, `clear_mask` | 1, 32 | this warp's results arrive: these are pending no more |
//! | `leave` | 1 | threads leave this warp slot: what is pending after this cycle is orphaned too |
//! | `orphans` | 32 | pending registers of threads that have left |
//! | `foreign` | 32 | orphans of all slots of this warp's CTA: they count as pending |
//! | `hazard` | 1 | a register that counts is pending |
//!
//! Latency 1 for set and clear. State: 32 bits, 64 where warps are compacted (Vec of one); see
//! docs/decisions/0006-orphaned-registers.md. A destination counts as well: one writer at a time
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
    pub leave: Signal<In, Bit>,
    pub foreign: Net<In>,
    pub orphans: Net<Out>,
    pub hazard: Signal<Out, Bit>,

    pending: Register,
    kept: Net<Local>,
    /// Where warps are compacted: one, else none.
    orphaned: Vec<Register>,
    counts: Net<Local>,
    still_pending: Net<Local>,
    still_orphaned: Net<Local>,
}

impl ScoreboardRow {
    /// A row; one that remembers orphans if the core `compacts`.
    pub fn new(compacts: bool) -> Self {
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
            leave: Default::default(),
            foreign: Net::new(32),
            orphans: Net::new(32),
            hazard: Default::default(),
            pending: Register::new(32),
            kept: Net::new(32),
            orphaned: Register::vec(compacts as usize, 32),
            counts: Net::new(32),
            still_pending: Net::new(32),
            still_orphaned: Net::new(32),
        }
    }
}

impl Logic for ScoreboardRow {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ScoreboardRow");
        clock!(self, clock, pending);
        self.pending.reset.next = self.reset.val();
        self.counts.next = self.pending.q.val() | self.foreign.val();
        self.hazard.next = (self.reads_rs1.val() & self.counts.val().get_bit(self.rs1.val().index()))
            | (self.reads_rs2.val() & self.counts.val().get_bit(self.rs2.val().index()))
            | (self.writes_rd.val() & self.counts.val().get_bit(self.rd.val().index()));
        self.kept.next = self.pending.q.val();
        if self.clear.val() {
            self.kept.next = self.pending.q.val() & !self.clear_mask.val();
        }
        self.still_pending.next = self.kept.val();
        if self.set.val() {
            self.still_pending.next = self.kept.val() | self.set_mask.val();
        }
        self.pending.d.next = self.still_pending.val();

        self.orphans.next = 0.into();
        self.still_orphaned.next = 0.into();
        for i in 0..self.orphaned.len() {
            self.orphaned[i].clock.next = self.clock.val();
            self.orphaned[i].reset.next = self.reset.val();
            self.orphans.next = self.orphaned[i].q.val();
            self.still_orphaned.next = self.orphaned[i].q.val();
            if self.clear.val() {
                self.still_orphaned.next = self.orphaned[i].q.val() & !self.clear_mask.val();
            }
            self.orphaned[i].d.next = self.still_orphaned.val();
            if self.leave.val() {
                self.orphaned[i].d.next = self.still_orphaned.val() | self.still_pending.val();
            }
        }
    }
}
