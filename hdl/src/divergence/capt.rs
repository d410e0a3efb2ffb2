//! The compaction-adequacy prediction table: has gathering the warps of a CTA at this branch saved a warp before?
//!
//! ```text
//!                       +---------------------------------------------+
//!  lookup_valid, _pc -->|--> key --> CaptEntry 0 --> 1 --> ... --> n-1 |---> hit
//!  update_* ----------->|            used last       used longest ago  |---> adequate
//!  clear -------------->|            {valid, tag, history}             |---> ready
//!                       +---------------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `lookup_valid`, `lookup_pc` | 1, 32 | a warp diverges at the branch at `lookup_pc`: at the edge it is the one used last, allocated if it is not here |
//! | `ready` | 1 | no update: the lookup takes place, and `hit` and `adequate` are its |
//! | `hit` | 1 | combinational from `lookup_pc`: the branch is here |
//! | `adequate` | 1 | combinational: gather; a branch that is not here is taken to be adequate |
//! | `update_valid`, `update_pc`, `update_adequate` | 1, 32, 1 | what a compaction at this branch has shown; not a use, and ignored if the branch has been evicted |
//! | `clear` | 1 | a kernel starts: the table is empty after the edge, whatever else happens in this cycle |
//!
//! Latency 0. State: per entry a valid bit, the PC, and the history (1 or 2 bits, none if sticky).
//!
//! *The order of the entries is the order of their use*, so true LRU needs no bit of state. A use moves the branch to place 0 and the ones before it
//! down by one; a branch that is not here comes in at place 0 and the last one falls out. An entry thus takes its own or its neighbour's
//! content, which is the multiplexer that any register with an enable has. Entries after the first empty one are empty.
//!
//! *Lookups and updates share the comparators*: an update goes first, and a lookup in the same cycle waits. An entry of the stack becomes
//! active at most every second cycle, so it waits for one.
//!
//! Rhu 2014, 4.2.2 and Fig 4.8: 32 x (32 + 1 + 1) bits, LRU not counted; here that is all there is.
use super::{CaptEntry, CaptRecord};
use crate::config::{AdequacyHistory, AdequacyPredictor};
use crate::parts::{OneHotMux, PrefixOr};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct Capt: clock, reset {
        pub lookup_valid: Signal<In, Bit>,
        pub lookup_pc: Net<In> = 32,
        pub ready: Signal<Out, Bit>,
        pub hit: Signal<Out, Bit>,
        pub adequate: Signal<Out, Bit>,
        pub update_valid: Signal<In, Bit>,
        pub update_pc: Net<In> = 32,
        pub update_adequate: Signal<In, Bit>,
        pub clear: Signal<In, Bit>,

        entries: Vec<CaptEntry> = (0..entries).map(|_| CaptEntry::new(history)).collect() => |i| {
            clear, key, update: update_valid, update_adequate,
        },
        /// The history of a new branch; its upper bit says adequate.
        adequate_history: Constant = Constant::new(1 << (bits - 1), bits),
        recalled: OneHotMux = OneHotMux::new(bits, entries) => { select: hits },
        key: Net<Local> = 32,
        hits: Net<Local> = entries,
        /// From the hit on.
        from_hit: PrefixOr = PrefixOr::new(entries) => { value: hits },
        shifts: Net<Local> = entries,
        /// The branch looked up or updated, as it goes to the front.
        used: CaptRecord<Local> = CaptRecord::new(bits),
    }
    /// A table of 2 to 64 entries.
    pub fn new(predictor: AdequacyPredictor) {
        let AdequacyPredictor { entries, history } = predictor;
        assert!((2..=64).contains(&entries), "the adequacy predictor has 2 to 64 entries, not {entries}");
        let bits = if history == AdequacyHistory::TwoBit { 2 } else { 1 };
    }
}

impl Logic for Capt {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Capt");
        self.ready.next = !self.update_valid.val();
        self.key.next = self.lookup_pc.val();
        if self.update_valid.val() {
            self.key.next = self.update_pc.val();
        }
        self.hits.next = 0.into();
        for i in 0..self.entries.len() {
            self.hits.next = self.hits.val().replace_bit(i, self.entries[i].hit.val());
            self.recalled.inputs[i].next = self.entries[i].here.history.val();
        }
        self.used.history.next = self.recalled.selected.val();
        if !self.hits.val().any() {
            self.used.history.next = self.adequate_history.val();
        }
        self.hit.next = self.hits.val().any();
        self.adequate.next = (self.used.history.val() & self.adequate_history.val()).any();

        // A use moves every entry up to its own: a tree finds which, not a chain.
        self.shifts.next = 0.into();
        if self.lookup_valid.val() & !self.update_valid.val() {
            self.shifts.next = !(self.from_hit.reached.val() << 1);
        }
        self.used.valid.next = true;
        self.used.tag.next = self.key.val();
        wire::join(&mut self.used, &mut self.entries[0].before);
        for i in 1..self.entries.len() {
            self.entries[i].before.valid.next = self.entries[i - 1].here.valid.val();
            self.entries[i].before.tag.next = self.entries[i - 1].here.tag.val();
            self.entries[i].before.history.next = self.entries[i - 1].here.history.val();
        }
        for i in 0..self.entries.len() {
            self.entries[i].shift.next = self.shifts.val().get_bit(i);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::AdequacyHistory;

    fn capt(entries: usize, history: AdequacyHistory) -> Capt {
        let mut capt = Capt::new(AdequacyPredictor { entries, history });
        capt.connect_all();
        simulate(&mut capt, 1000);
        capt
    }

    /// One cycle: an access to `lookup`, an update of a branch with a result. Returns (hit, adequate) of a lookup that takes place.
    fn cycle(capt: &mut Capt, lookup: Option<u32>, update: Option<(u32, bool)>, clear: bool) -> Option<(bool, bool)> {
        capt.lookup_valid.next = lookup.is_some();
        capt.lookup_pc.next = (lookup.unwrap_or(0) as usize).into();
        capt.update_valid.next = update.is_some();
        capt.update_pc.next = (update.map_or(0, |u| u.0) as usize).into();
        capt.update_adequate.next = update.is_some_and(|u| u.1);
        capt.clear.next = clear;
        simulate(capt, 1000);
        let seen = (lookup.is_some() && capt.ready.val()).then(|| (capt.hit.val(), capt.adequate.val()));
        tick!(*capt);
        seen
    }

    /// One line a cycle: `lookup update | seen`. Branches are letters; an update is a branch and its result (+ adequate, - not),
    /// `*` clears; seen is `m`iss or `h`it with the prediction, `-` that there is no lookup or that it waits.
    fn run(entries: usize, history: AdequacyHistory, script: &str) {
        let mut capt = capt(entries, history);
        for line in script.trim().lines().map(str::trim) {
            let field: Vec<&str> = line.split_whitespace().collect();
            let pc = |name: &str| (name != "-" && name != "*").then(|| 4 * name.as_bytes()[0] as u32);
            let lookup = pc(field[0]);
            let update = pc(field[1]).map(|pc| (pc, field[1].ends_with('+')));
            let seen = cycle(&mut capt, lookup, update, field[1] == "*");
            let letters =
                |(hit, adequate)| format!("{}{}", if hit { 'h' } else { 'm' }, if adequate { '+' } else { '-' });
            assert_eq!(seen.map_or("-".to_string(), letters), field[3], "{history:?}: {line}");
        }
    }

    /// Rhu 2014, Fig 4.8: the first divergence at B allocates, the compaction of its side saves nothing, so the next one bypasses.
    #[test]
    fn a_branch_allocates_and_learns() {
        run(
            2,
            AdequacyHistory::Latest,
            "B -  | m+   stall
             - B- | -
             B -  | h-   bypass
             - B+ | -
             B -  | h+",
        );
    }

    #[test]
    fn the_branch_used_longest_ago_is_evicted() {
        run(
            2,
            AdequacyHistory::Latest,
            "A -  | m+
             B -  | m+
             - A- | -    an update is not a use:
             C -  | m+   A goes
             B -  | h+
             A -  | m+   C goes
             - C- | -    ignored
             C -  | m+   B goes
             A -  | h+",
        );
    }

    #[test]
    fn a_cleared_table_fills_up_again() {
        run(
            2,
            AdequacyHistory::Latest,
            "A -  | m+
             B -  | m+
             - A- | -
             A *  | h-   cleared although used
             A -  | m+
             B -  | m+   no need to evict
             A -  | h+
             B -  | h+
             C *  | m+
             C -  | m+   not allocated in the cycle of the clear",
        );
    }

    /// A lookup that waits is no use: nothing moves.
    #[test]
    fn an_update_goes_before_a_lookup() {
        run(
            2,
            AdequacyHistory::Latest,
            "A -  | m+
             B -  | m+
             A B- | -    waits
             C -  | m+   A goes
             B A- | -    not here
             B -  | h-
             A C- | -
             A -  | m+   C goes with what it learned
             C -  | m+",
        );
    }

    #[test]
    fn two_bits_count_from_0_to_3() {
        run(
            2,
            AdequacyHistory::TwoBit,
            "A -  | m+
             - A- | -    1
             A -  | h-
             - A- | -    0
             - A- | -    0
             - A+ | -    1
             A -  | h-
             - A+ | -    2
             A -  | h+
             - A+ | -    3
             - A+ | -    3
             - A- | -    2
             A -  | h+
             - A- | -    1
             A -  | h-",
        );
    }

    #[test]
    fn sticky_says_adequate_of_all_that_diverged() {
        run(
            2,
            AdequacyHistory::Sticky,
            "A -  | m+
             - A- | -
             A -  | h+",
        );
    }

    /// The table as an ordered list, used last at the end.
    struct Model {
        entries: usize,
        history: AdequacyHistory,
        table: Vec<(u32, u8)>,
    }

    impl Model {
        fn threshold(&self) -> u8 {
            if self.history == AdequacyHistory::TwoBit { 2 } else { 1 }
        }

        fn predict(&mut self, pc: u32) -> (bool, bool) {
            if let Some(at) = self.table.iter().position(|entry| entry.0 == pc) {
                let entry = self.table.remove(at);
                self.table.push(entry);
                return (true, entry.1 >= self.threshold());
            }
            if self.table.len() == self.entries {
                self.table.remove(0);
            }
            self.table.push((pc, self.threshold()));
            (false, true)
        }

        fn update(&mut self, pc: u32, adequate: bool) {
            let history = self.history;
            if let Some((_, value)) = self.table.iter_mut().find(|entry| entry.0 == pc) {
                match history {
                    AdequacyHistory::Latest => *value = adequate as u8,
                    AdequacyHistory::Sticky => {}
                    AdequacyHistory::TwoBit if adequate => *value = (*value + 1).min(3),
                    AdequacyHistory::TwoBit => *value = value.saturating_sub(1),
                }
            }
        }
    }

    #[test]
    fn random_accesses_as_in_the_model() {
        let mut state = 1u64;
        let mut random = move |below: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % below
        };
        for history in [AdequacyHistory::Latest, AdequacyHistory::Sticky, AdequacyHistory::TwoBit] {
            for entries in [2, 3, 8, 32] {
                let mut capt = capt(entries, history);
                let mut model = Model { entries, history, table: vec![] };
                for step in 0..1500 {
                    let mut pc = || 0x100 + 4 * random(entries as u64 * 3 / 2 + 1) as u32;
                    let (lookup, update) = (pc(), pc());
                    let lookup = (random(3) > 0).then_some(lookup);
                    let update = (random(2) > 0).then_some((update, random(2) > 0));
                    let clear = random(200) == 0;
                    let seen = cycle(&mut capt, lookup, update, clear);
                    let expected = lookup.filter(|_| update.is_none()).map(|pc| model.predict(pc));
                    assert_eq!(seen, expected, "{history:?}, {entries} entries, step {step}");
                    if let Some((pc, adequate)) = update {
                        model.update(pc, adequate);
                    }
                    if clear {
                        model.table.clear();
                    }
                }
            }
        }
    }
}
