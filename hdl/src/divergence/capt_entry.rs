//! One place of the compaction-adequacy prediction table, [`Capt`](super::Capt).
//!
//! ```text
//!                     +-----------------------------+
//!  before_* --------->|--> {valid, tag, history} ---|---> here_* (the next place's before_*)
//!  shift ------------>|       ^        |            |
//!  update, _adequate->|-------+   tag == key -------|---> hit
//!  key -------------->|                             |
//!                     +-----------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `clear` | 1 | the place is empty after the edge, whatever else happens |
//! | `key` | 32 | a branch |
//! | `shift` | 1 | after the edge this place has what the one before it has now |
//! | `before_valid`, `before_tag`, `before_history` | 1, 32, h | the place before |
//! | `update`, `update_adequate` | 1, 1 | the branch at `key`, if it is here, takes the result of a compaction |
//! | `hit` | 1 | it is here |
//! | `here_valid`, `here_tag`, `here_history` | 1, 32, h | what is here |
//!
//! Latency 0. State: valid, tag 32, history of h bits: 1 ([`Latest`](AdequacyHistory::Latest)), 2 ([`TwoBit`](AdequacyHistory::TwoBit)),
//! or, with no flip-flop behind it, a constant 1 ([`Sticky`](AdequacyHistory::Sticky): a branch is here because it diverged, and that is all there
//! is to remember). Rhu 2014, 4.2.
use crate::config::AdequacyHistory;
use crate::prelude::*;

bundle! {
    /// A branch that the predictor knows.
    pub struct CaptRecord(history: usize) {
        valid: Bit,
        tag: [32],
        history: [history],
    }
}

module! {
    /// See the [module documentation](self).
    pub struct CaptEntry: clock, reset {
        pub clear: Signal<In, Bit>,
        pub key: Net<In> = 32,
        pub shift: Signal<In, Bit>,
        pub before: CaptRecord<In> = CaptRecord::new(bits),
        pub update: Signal<In, Bit>,
        pub update_adequate: Signal<In, Bit>,
        pub hit: Signal<Out, Bit>,
        pub here: CaptRecord<Out> = CaptRecord::new(bits),

        occupied: StateRegister<Bit> => { q: here.valid },
        branch: Flop = Flop::new(32) => { q: here.tag },
        /// `Latest`: one, or none.
        latest: Vec<Flop> = flop(AdequacyHistory::Latest),
        /// `TwoBit`: one, or none.
        counter: Vec<Flop> = flop(AdequacyHistory::TwoBit),
    }
    /// A place of a table with this history.
    pub fn new(history: AdequacyHistory) {
        let bits = if history == AdequacyHistory::TwoBit { 2 } else { 1 };
        let flop = |wanted| (0..usize::from(history == wanted)).map(|_| Flop::new(bits)).collect();
    }
}

impl Logic for CaptEntry {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module CaptEntry");
        dff_setup!(self, clock, occupied, branch);
        self.occupied.reset.next = self.reset.val() | self.clear.val();
        self.hit.next = self.occupied.q.val() & (self.branch.q.val() == self.key.val());
        if self.shift.val() {
            self.occupied.d.next = self.before.valid.val();
            self.branch.d.next = self.before.tag.val();
        }

        self.here.history.next = 1.into();
        for h in 0..self.latest.len() {
            self.here.history.next = self.latest[h].q.val();
            self.latest[h].d.next = self.latest[h].q.val();
            if self.shift.val() {
                self.latest[h].d.next = self.before.history.val();
            } else if self.update.val() & self.hit.val() {
                self.latest[h].d.next = bit_cast_to(self.update_adequate.val(), 1);
            }
        }
        for h in 0..self.counter.len() {
            self.here.history.next = self.counter[h].q.val();
            self.counter[h].d.next = self.counter[h].q.val();
            if self.shift.val() {
                self.counter[h].d.next = self.before.history.val();
            } else if self.update.val() & self.hit.val() {
                if self.update_adequate.val() & (self.counter[h].q.val() != 3) {
                    self.counter[h].d.next = self.counter[h].q.val() + 1;
                }
                if !self.update_adequate.val() & (self.counter[h].q.val() != 0) {
                    self.counter[h].d.next = self.counter[h].q.val() - 1;
                }
            }
        }
    }
}
