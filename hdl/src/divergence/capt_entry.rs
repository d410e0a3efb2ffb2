//! One entry of the compaction-adequacy prediction table, [`Capt`](super::Capt).
//!
//! ```text
//!               +--------------------------+
//!  lookup_* --->| tag == lookup_pc --------|---> hit
//!  used_* ----->| rank --------------------|---> rank, oldest
//!  allocate --->| history <--+             |---> adequate
//!  update_* --->| tag == update_pc         |
//!               +--------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `order` | r | constant: the rank at start |
//! | `clear` | 1 | the entry is empty after the edge, whatever else happens |
//! | `lookup_valid`, `lookup_pc` | 1, 32 | an access |
//! | `used` | 1 | it is an access to this entry: its branch, or the victim of an allocation |
//! | `used_rank` | r | rank of the entry used |
//! | `allocate` | 1 | the access misses: the entry used takes `lookup_pc` |
//! | `update_valid`, `update_pc`, `update_adequate` | 1, 32, 1 | the result of a compaction |
//! | `update_allocated` | 1 | it is one of the branch that `allocate` writes |
//! | `hit` | 1 | the entry is of the branch at `lookup_pc` |
//! | `adequate` | 1 | what its history says |
//! | `rank` | r | entries used since this one |
//! | `oldest` | 1 | all other entries were |
//!
//! Latency 0. State: valid, tag 32, history 1 ([`Latest`](AdequacyHistory::Latest)), 2 ([`TwoBit`](AdequacyHistory::TwoBit)) or
//! none ([`Sticky`](AdequacyHistory::Sticky): a branch is here because it diverged, and that is all there is to remember), and the rank, kept as
//! the difference from `order` so that all entries are the same hardware and start at zero. Rhu 2014, 4.2.
use crate::config::AdequacyHistory;
use crate::prelude::*;

/// See the [module documentation](self).
#[derive(LogicBlock)]
pub struct CaptEntry {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub order: Net<In>,
    pub clear: Signal<In, Bit>,
    pub lookup_valid: Signal<In, Bit>,
    pub lookup_pc: Net<In>,
    pub used: Signal<In, Bit>,
    pub used_rank: Net<In>,
    pub allocate: Signal<In, Bit>,
    pub update_valid: Signal<In, Bit>,
    pub update_pc: Net<In>,
    pub update_adequate: Signal<In, Bit>,
    pub update_allocated: Signal<In, Bit>,
    pub hit: Signal<Out, Bit>,
    pub adequate: Signal<Out, Bit>,
    pub rank: Net<Out>,
    pub oldest: Signal<Out, Bit>,

    valid: StateRegister<Bit>,
    tag: Flop,
    /// `Latest`: one, or none.
    latest: Vec<StateRegister<Bit>>,
    /// `TwoBit`: one, or none.
    counter: Vec<Register>,
    rank_change: Register,
    last_rank: Constant,
    allocating: Signal<Local, Bit>,
    updating: Signal<Local, Bit>,
    counted: Net<Local>,
    rank_next: Net<Local>,
}

impl CaptEntry {
    /// One of `entries`.
    pub fn new(entries: usize, history: AdequacyHistory) -> Self {
        let rank = index_width(entries);
        Self {
            clock: Default::default(),
            reset: Default::default(),
            order: Net::new(rank),
            clear: Default::default(),
            lookup_valid: Default::default(),
            lookup_pc: Net::new(32),
            used: Default::default(),
            used_rank: Net::new(rank),
            allocate: Default::default(),
            update_valid: Default::default(),
            update_pc: Net::new(32),
            update_adequate: Default::default(),
            update_allocated: Default::default(),
            hit: Default::default(),
            adequate: Default::default(),
            rank: Net::new(rank),
            oldest: Default::default(),
            valid: Default::default(),
            tag: Flop::new(32),
            latest: StateRegister::vec((history == AdequacyHistory::Latest) as usize),
            counter: Register::vec((history == AdequacyHistory::TwoBit) as usize, 2),
            rank_change: Register::new(rank),
            last_rank: Constant::new(entries as u64 - 1, rank),
            allocating: Default::default(),
            updating: Default::default(),
            counted: Net::new(2),
            rank_next: Net::new(rank),
        }
    }
}

impl Logic for CaptEntry {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module CaptEntry");
        dff_setup!(self, clock, valid, tag, rank_change);
        self.valid.reset.next = self.reset.val() | self.clear.val();
        self.rank_change.reset.next = self.reset.val();

        self.hit.next = self.valid.q.val() & (self.tag.q.val() == self.lookup_pc.val());
        self.allocating.next = self.allocate.val() & self.used.val();
        if self.allocating.val() {
            self.valid.d.next = true;
            self.tag.d.next = self.lookup_pc.val();
        }
        self.updating.next = self.update_valid.val() & self.valid.q.val() & (self.tag.q.val() == self.update_pc.val());
        if self.allocating.val() {
            self.updating.next = self.update_allocated.val();
        }

        self.adequate.next = true;
        for h in 0..self.latest.len() {
            self.latest[h].clock.next = self.clock.val();
            self.latest[h].reset.next = self.reset.val();
            self.adequate.next = self.latest[h].q.val();
            self.latest[h].d.next = self.latest[h].q.val() | self.allocating.val();
            if self.updating.val() {
                self.latest[h].d.next = self.update_adequate.val();
            }
        }
        self.counted.next = 2.into();
        for h in 0..self.counter.len() {
            self.counter[h].clock.next = self.clock.val();
            self.counter[h].reset.next = self.reset.val();
            self.adequate.next = self.counter[h].q.val().get_bit(1);
            if !self.allocating.val() {
                self.counted.next = self.counter[h].q.val();
            }
            self.counter[h].d.next = self.counted.val();
            if self.updating.val() & self.update_adequate.val() & (self.counted.val() != 3) {
                self.counter[h].d.next = self.counted.val() + 1;
            }
            if self.updating.val() & !self.update_adequate.val() & (self.counted.val() != 0) {
                self.counter[h].d.next = self.counted.val() - 1;
            }
        }

        self.rank.next = self.rank_change.q.val() ^ self.order.val();
        self.oldest.next = self.rank.val() == self.last_rank.val();
        self.rank_next.next = self.rank.val();
        if self.lookup_valid.val() & (self.rank.val() < self.used_rank.val()) {
            self.rank_next.next = self.rank.val() + 1;
        }
        if self.lookup_valid.val() & self.used.val() {
            self.rank_next.next = 0.into();
        }
        self.rank_change.d.next = self.rank_next.val() ^ self.order.val();
    }
}
