//! Pending bits of one warp in the [`Scoreboard`](super::Scoreboard), of one path in the [`DualPathScoreboard`](super::DualPathScoreboard), and
//! the hazard of its next instruction.
//!
//! ```text
//!                           +---------------+
//!  rs1, rs2, rd, reads... ->|               |---> hazard
//!        set, set_mask ---->| ScoreboardRow |
//!    clear, clear_mask ---->|               |---> shadows
//!        copy, foreign ---->|               |
//!                           +---------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `rs1`, `rs2`, `rd` | 5 | registers of the instruction in the slot |
//! | `reads_rs1`, `reads_rs2`, `writes_rd` | 1 | which of them count |
//! | `set`, `set_mask` | 1, 32 | it issues: these registers become pending at the edge |
//! | `clear`, `clear_mask` | 1, 32 | its results arrive: these are pending no more |
//! | `copy` | 1 | threads may run elsewhere from now on: what is pending after this cycle is shadowed too |
//! | `shadows` | 32 | pending registers of threads that may run elsewhere |
//! | `foreign` | 32 | shadows of the rows where its threads may have come from: they count as pending |
//! | `hazard` | 1 | a register that counts is pending |
//!
//! Latency 1 for set, clear and copy. State: 32 bits, and 32 `shadow` bits where threads move between rows (Vec of one). A destination
//! counts as well: one writer at a time per register keeps results in order although units have different latencies.
//! Rhu 2014, 3.2.2.
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
    pub copy: Signal<In, Bit>,
    pub foreign: Net<In>,
    pub shadows: Net<Out>,
    pub hazard: Signal<Out, Bit>,

    pending: Register,
    kept: Net<Local>,
    /// Where threads move between rows: one, else none.
    shadow: Vec<Register>,
    counts: Net<Local>,
    still_pending: Net<Local>,
    still_shadowed: Net<Local>,
}

impl ScoreboardRow {
    /// A row; one that keeps shadows if `threads_move` between rows.
    pub fn new(threads_move: bool) -> Self {
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
            copy: Default::default(),
            foreign: Net::new(32),
            shadows: Net::new(32),
            hazard: Default::default(),
            pending: Register::new(32),
            kept: Net::new(32),
            shadow: Register::vec(threads_move as usize, 32),
            counts: Net::new(32),
            still_pending: Net::new(32),
            still_shadowed: Net::new(32),
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

        self.shadows.next = 0.into();
        self.still_shadowed.next = 0.into();
        for i in 0..self.shadow.len() {
            self.shadow[i].clock.next = self.clock.val();
            self.shadow[i].reset.next = self.reset.val();
            self.shadows.next = self.shadow[i].q.val();
            self.still_shadowed.next = self.shadow[i].q.val();
            if self.clear.val() {
                self.still_shadowed.next = self.shadow[i].q.val() & !self.clear_mask.val();
            }
            self.shadow[i].d.next = self.still_shadowed.val();
            if self.copy.val() {
                self.shadow[i].d.next = self.still_shadowed.val() | self.still_pending.val();
            }
        }
    }
}
