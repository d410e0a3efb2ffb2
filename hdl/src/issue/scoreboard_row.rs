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
//! | `rs1`, `rs2`, `rd`; `rs3` with floats | r | registers of the instruction in the slot |
//! | `reads_rs1`, `reads_rs2`, `writes_rd`; `reads_rs3` | 1 | which of them count |
//! | `waits_for_all` with floats | 1 | every register counts |
//! | `set`, `set_mask` | 1, 2^r | it issues: these registers become pending at the edge |
//! | `clear`, `clear_mask` | 1, 2^r | its results arrive: these are pending no more |
//! | `copy` | 1 | threads may run elsewhere from now on: what is pending after this cycle is shadowed too |
//! | `shadows` | 2^r | pending registers of threads that may run elsewhere |
//! | `foreign` | 2^r | shadows of the rows where its threads may have come from: they count as pending |
//! | `hazard` | 1 | a register that counts is pending; with [`HazardRule::Any`](crate::config::HazardRule::Any) each does |
//! | `waits` | 1 | some register is pending |
//!
//! Latency 1 for set, clear and copy. State: 2^r bits (32; 64 with floats), and as many `shadow` bits where threads move between rows (Vec of one). A destination
//! counts as well: one writer at a time per register keeps results in order although units have different latencies.
//! Rhu 2014, 3.2.2.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct ScoreboardRow: clock, reset {
        pub rs1: Net<In> = config.register_width(),
        pub rs2: Net<In> = config.register_width(),
        pub rs3: Vec<Net<In>> = Net::vec(config.of_floats(), config.register_width()),
        pub rd: Net<In> = config.register_width(),
        pub reads_rs1: Signal<In, Bit>,
        pub reads_rs2: Signal<In, Bit>,
        pub reads_rs3: Vec<Signal<In, Bit>> = bit_vec(config.of_floats()),
        pub writes_rd: Signal<In, Bit>,
        pub waits_for_all: Vec<Signal<In, Bit>> = bit_vec(config.of_floats()),
        pub set: Signal<In, Bit>,
        pub set_mask: Net<In> = registers,
        pub clear: Signal<In, Bit>,
        pub clear_mask: Net<In> = registers,
        pub copy: Signal<In, Bit>,
        pub foreign: Net<In> = registers,
        pub shadows: Net<Out> = registers,
        pub hazard: Signal<Out, Bit>,
        /// Where paths are drained: one, else none.
        pub waits: Vec<Signal<Out, Bit>> = bit_vec(config.drains_paths() as usize),

        pending: Register = Register::new(registers) => { d: still_pending },
        kept: Net<Local> = registers,
        /// Where threads move between rows: one, else none.
        shadow: Vec<Register> = Register::vec(threads_move as usize, registers),
        counts: Net<Local> = registers,
        still_pending: Net<Local> = registers,
        still_shadowed: Net<Local> = registers,
    }
    sizes { _any = config.of_any_register() }
    /// A row of a core; one that keeps shadows if `threads_move` between rows.
    pub fn new(config: &CoreConfig, threads_move: bool) {
        let registers = config.registers();
    }
}

impl Logic for ScoreboardRow {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ScoreboardRow");
        self.counts.next = self.pending.q.val() | self.foreign.val();
        self.hazard.next = (self.reads_rs1.val() & self.counts.val().get_bit(self.rs1.val().index()))
            | (self.reads_rs2.val() & self.counts.val().get_bit(self.rs2.val().index()))
            | (self.writes_rd.val() & self.counts.val().get_bit(self.rd.val().index()));
        for p in 0..self.rs3.len() {
            self.hazard.next = self.hazard.val()
                | (self.reads_rs3[p].val() & self.counts.val().get_bit(self.rs3[p].val().index()))
                | (self.waits_for_all[p].val() & self.counts.val().any());
        }
        for _i in 0..self._any {
            self.hazard.next = self.counts.val().any();
        }
        for i in 0..self.waits.len() {
            self.waits[i].next = self.pending.q.val().any();
        }
        self.kept.next = self.pending.q.val();
        if self.clear.val() {
            self.kept.next = self.pending.q.val() & !self.clear_mask.val();
        }
        self.still_pending.next = self.kept.val();
        if self.set.val() {
            self.still_pending.next = self.kept.val() | self.set_mask.val();
        }

        self.shadows.next = 0.into();
        self.still_shadowed.next = 0.into();
        for i in 0..self.shadow.len() {
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
