//! The compaction-adequacy prediction table: has gathering the warps of a CTA at this branch saved a warp before?
//!
//! ```text
//!                       +---------------------------+
//!  lookup_valid, _pc -->|         CaptEntry x n     |---> hit
//!                       |  {valid, tag, history}    |---> adequate
//!  update_* ----------->|  {rank}: true LRU         |
//!  clear -------------->|                           |
//!                       +---------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `lookup_valid`, `lookup_pc` | 1, 32 | a warp diverges at the branch at `lookup_pc`: at the edge it is the one used last, allocated if it is not here |
//! | `hit` | 1 | combinational from `lookup_pc`: the branch is here |
//! | `adequate` | 1 | combinational: gather; a branch that is not here is taken to be adequate |
//! | `update_valid`, `update_pc`, `update_adequate` | 1, 32, 1 | what a compaction at this branch has shown; not a use, and ignored if the branch has been evicted |
//! | `clear` | 1 | a kernel starts: the table is empty after the edge, whatever else happens in this cycle |
//!
//! Latency 0. State: per entry a valid bit, the PC, the history (1 or 2 bits, none if sticky) and log2 n bits of rank.
//!
//! A lookup and an update in one cycle act in this order: the prediction is that of the state before, the update meets the state
//! after the allocation. So an update of the branch just allocated counts, and one of the branch evicted for it does not.
//!
//! True LRU by ranks (0: used last): a use raises the ranks below that of the entry used, which becomes 0. With 32 entries that is
//! 160 bits, where an age matrix has 496 even as a triangle. Ranks are not cleared with the entries: valid entries
//! always rank before empty ones, since only a use makes an entry valid, so the last rank is empty while any entry is.
//!
//! Rhu 2014, 4.2.2 and Fig 4.8. There the table has 32 x (32 + 1 + 1) bits, LRU not counted.
use super::CaptEntry;
use crate::config::AdequacyPredictor;
use crate::parts::OneHotMux;
use crate::prelude::*;

/// See the [module documentation](self).
#[derive(LogicBlock)]
pub struct Capt {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub lookup_valid: Signal<In, Bit>,
    pub lookup_pc: Net<In>,
    pub hit: Signal<Out, Bit>,
    pub adequate: Signal<Out, Bit>,
    pub update_valid: Signal<In, Bit>,
    pub update_pc: Net<In>,
    pub update_adequate: Signal<In, Bit>,
    pub clear: Signal<In, Bit>,

    entries: Vec<CaptEntry>,
    /// Ranks at start.
    order: Vec<Constant>,
    used_rank: OneHotMux,
    hits: Net<Local>,
    hits_adequate: Net<Local>,
    oldest: Net<Local>,
    used: Net<Local>,
    allocate: Signal<Local, Bit>,
    update_allocated: Signal<Local, Bit>,
}

impl Capt {
    /// A table of 2 to 64 entries.
    pub fn new(predictor: AdequacyPredictor) -> Self {
        let entries = predictor.entries;
        assert!((2..=64).contains(&entries), "the adequacy predictor has 2 to 64 entries, not {entries}");
        Self {
            clock: Default::default(),
            reset: Default::default(),
            lookup_valid: Default::default(),
            lookup_pc: Net::new(32),
            hit: Default::default(),
            adequate: Default::default(),
            update_valid: Default::default(),
            update_pc: Net::new(32),
            update_adequate: Default::default(),
            clear: Default::default(),
            entries: (0..entries).map(|_| CaptEntry::new(entries, predictor.history)).collect(),
            order: (0..entries).map(|i| Constant::new(i as u64, index_width(entries))).collect(),
            used_rank: OneHotMux::new(index_width(entries), entries),
            hits: Net::new(entries),
            hits_adequate: Net::new(entries),
            oldest: Net::new(entries),
            used: Net::new(entries),
            allocate: Default::default(),
            update_allocated: Default::default(),
        }
    }
}

impl Logic for Capt {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Capt");
        self.hits.next = 0.into();
        self.hits_adequate.next = 0.into();
        self.oldest.next = 0.into();
        for i in 0..self.entries.len() {
            self.entries[i].clock.next = self.clock.val();
            self.entries[i].reset.next = self.reset.val();
            self.entries[i].order.next = self.order[i].val();
            self.entries[i].clear.next = self.clear.val();
            self.entries[i].lookup_valid.next = self.lookup_valid.val();
            self.entries[i].lookup_pc.next = self.lookup_pc.val();
            self.entries[i].update_valid.next = self.update_valid.val();
            self.entries[i].update_pc.next = self.update_pc.val();
            self.entries[i].update_adequate.next = self.update_adequate.val();
            self.hits.next = self.hits.val().replace_bit(i, self.entries[i].hit.val());
            self.hits_adequate.next =
                self.hits_adequate.val().replace_bit(i, self.entries[i].hit.val() & self.entries[i].adequate.val());
            self.oldest.next = self.oldest.val().replace_bit(i, self.entries[i].oldest.val());
            self.used_rank.inputs[i].next = self.entries[i].rank.val();
        }
        self.hit.next = self.hits.val().any();
        self.adequate.next = !self.hits.val().any() | self.hits_adequate.val().any();

        self.allocate.next = self.lookup_valid.val() & !self.hits.val().any();
        self.update_allocated.next = self.update_valid.val() & (self.update_pc.val() == self.lookup_pc.val());
        self.used.next = self.hits.val();
        if !self.hits.val().any() {
            self.used.next = self.oldest.val();
        }
        self.used_rank.select.next = self.used.val();
        for i in 0..self.entries.len() {
            self.entries[i].used.next = self.used.val().get_bit(i);
            self.entries[i].used_rank.next = self.used_rank.selected.val();
            self.entries[i].allocate.next = self.allocate.val();
            self.entries[i].update_allocated.next = self.update_allocated.val();
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

    /// One cycle: an access to `lookup`, an update of a branch with a result. Returns (hit, adequate) of the lookup.
    fn cycle(capt: &mut Capt, lookup: Option<u32>, update: Option<(u32, bool)>, clear: bool) -> (bool, bool) {
        capt.lookup_valid.next = lookup.is_some();
        capt.lookup_pc.next = (lookup.unwrap_or(0) as usize).into();
        capt.update_valid.next = update.is_some();
        capt.update_pc.next = (update.map_or(0, |u| u.0) as usize).into();
        capt.update_adequate.next = update.is_some_and(|u| u.1);
        capt.clear.next = clear;
        simulate(capt, 1000);
        let seen = (capt.hit.val(), capt.adequate.val());
        tick!(*capt);
        seen
    }

    /// One line a cycle: `lookup update | seen`. Branches are letters; an update is a branch and its result (+ adequate, - not),
    /// `*` clears; seen is `m`iss or `h`it with the prediction.
    fn run(entries: usize, history: AdequacyHistory, script: &str) {
        let mut capt = capt(entries, history);
        for line in script.trim().lines().map(str::trim) {
            let field: Vec<&str> = line.split_whitespace().collect();
            let pc = |name: &str| (name != "-" && name != "*").then(|| 4 * name.as_bytes()[0] as u32);
            let lookup = pc(field[0]);
            let update = pc(field[1]).map(|pc| (pc, field[1].ends_with('+')));
            let (hit, adequate) = cycle(&mut capt, lookup, update, field[1] == "*");
            let seen = format!("{}{}", if hit { 'h' } else { 'm' }, if adequate { '+' } else { '-' });
            assert_eq!(if lookup.is_some() { &seen } else { "-" }, field[3], "{history:?}: {line}");
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
            "A A- | m+
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
             B A- | m+
             A *  | h-   cleared although used
             A -  | m+
             B -  | m+   no need to evict
             A -  | h+
             B -  | h+
             C *  | m+
             C -  | m+   not allocated in the cycle of the clear",
        );
    }

    /// The prediction is of the state before; the update meets the state after the allocation.
    #[test]
    fn lookup_and_update_in_one_cycle() {
        run(
            2,
            AdequacyHistory::Latest,
            "A A- | m+   of the branch allocated: counts
             A A+ | h-   of the branch hit: seen next time
             A -  | h+
             B -  | m+
             C A- | m+   of the branch evicted: ignored
             A C- | m+   B goes
             C -  | h-",
        );
        run(
            2,
            AdequacyHistory::TwoBit,
            "A A- | m+   2, then 1
             A A- | h-   0
             A A- | h-   0
             A A+ | h-   1
             A A+ | h-   2
             A A+ | h+   3
             A A+ | h+   3
             A A- | h+   2
             A A- | h+   1
             A -  | h-",
        );
    }

    #[test]
    fn sticky_says_adequate_of_all_that_diverged() {
        run(
            2,
            AdequacyHistory::Sticky,
            "A A- | m+
             A A- | h+
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
                    if let Some(pc) = lookup {
                        assert_eq!(seen, model.predict(pc), "{history:?}, {entries} entries, step {step}");
                    }
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
