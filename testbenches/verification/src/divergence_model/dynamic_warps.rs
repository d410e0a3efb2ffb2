//! Dynamic warp formation: no stack; threads that are at the same block are regrouped into warps, each in its own lane. With warp barriers only those of home
//! warps that have diverged, and these wait for one another where they reconverge.
use super::locks::Locks;
use super::{Case, Coverage, Lanes, Mask, Outcome, Rule, Threads, threads_of};

pub use warploom_hdl::config::IssuePolicy;

/// Its own rules.
pub(super) const RULES: &[Rule] = &[
    ("DWF join", "threads join a warp at their block that has not issued"),
    ("DWF taken", "threads find their lanes taken in that warp: they make another one"),
    ("DWF park", "threads find no slot"),
    ("DWF unpark", "threads without a slot get one"),
    ("DWF gather", "threads of several home warps get a slot together"),
    ("DWF mix", "threads of several CTAs are in a warp that issues"),
    ("DWF wait", "threads wait at a barrier without a slot"),
    ("DWF age", "a warp goes first because it has waited for long"),
    ("DWF relief", "a warp gives up its slot to threads that have none"),
    ("DWF evict", "an entry of the table gives way to another block"),
    (
        "DWF-WB diverge",
        "a whole warp diverges: its threads are regrouped, and wait for one another where they reconverge",
    ),
    ("DWF-WB inner", "threads of a warp that has diverged do so again: there is no other barrier"),
    ("DWF-WB wait", "threads wait at the barrier of their warp"),
    ("DWF-WB pass", "others of their dynamic warp go on"),
    ("DWF-WB whole", "all threads of a warp have come to its barrier"),
    ("DWF-WB never", "a warp diverges that reconverges nowhere"),
];

/// Ways of a set of the table.
const WAYS: usize = 4;

/// What is chosen at construction.
#[derive(Clone, Copy, Debug)]
pub struct Formation {
    /// Which warp issues.
    pub policy: IssuePolicy,
    /// Warps at once.
    pub slots: usize,
    /// Entries of the table of warps that can be joined.
    pub entries: usize,
    /// Instructions after which a warp goes first; 0: never.
    pub age_limit: usize,
    /// Of the warps that keep a thread without a slot waiting, every so many gives up its slot.
    pub relief: usize,
    /// Of the sides of a branch, the taken one is served first.
    pub taken_first: bool,
    /// There are warp barriers.
    pub warp_barriers: bool,
}

/// Where the threads of a home warp that has diverged wait for one another.
#[derive(Clone, Copy, Debug)]
struct WarpBarrier {
    rpc: Option<usize>,
    arrived: Mask,
}

/// A warp in its slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DynamicWarp {
    /// Next block.
    pub pc: usize,
    /// Its threads.
    pub mask: Mask,
    /// It has not issued: threads may join.
    pub open: bool,
    /// Its entry of the table, as long as that is of its block.
    entry: Option<usize>,
    /// Instructions before it was formed.
    stamp: usize,
}

/// An entry of the table: the warps at a block that have not issued.
#[derive(Clone, Copy, Debug)]
struct Listing {
    pc: usize,
    /// The one that can be joined.
    slot: Option<usize>,
    /// Threads of all of them.
    count: usize,
}

/// One CTA; or all of the core, if their threads may be in a warp together.
#[derive(Clone, Debug)]
pub struct DynamicWarps<'a> {
    /// Its threads.
    pub threads: Threads<'a>,
    /// By slot.
    pub slots: Vec<Option<DynamicWarp>>,
    /// By thread without a slot: the block where it goes on.
    pub parked: Vec<Option<usize>>,
    /// Threads that were parked for want of a slot.
    pub parks: usize,
    /// Threads that have joined a warp.
    pub joins: usize,
    /// Warps served while threads had no slot, since one left them its own. The hardware keeps it from one CTA to the next.
    pub pressure: usize,
    /// Warps that have diverged while they were whole.
    pub divergences: usize,
    /// Rules that have taken effect.
    pub coverage: Coverage,
    formation: Formation,
    lanes: Lanes,
    /// By thread: row and lane.
    homes: Vec<(usize, usize)>,
    /// By block.
    addresses: Vec<usize>,
    table: Vec<Option<Listing>>,
    /// The entry whose warps are preferred.
    current: Option<usize>,
    issues: usize,
    /// The thread that was given a slot last.
    turn: (usize, usize),
    /// By home warp: its barrier, while it is not whole.
    barriers: Vec<Option<WarpBarrier>>,
}

impl<'a> DynamicWarps<'a> {
    /// All threads at the start.
    pub fn new(case: &'a Case, lanes: Lanes, formation: Formation) -> Self {
        Self::of(Threads::new(case), lanes, formation)
    }

    /// All threads at the start of a program in which they wait for one another.
    pub fn waiting(program: &'a Locks, lanes: Lanes, formation: Formation) -> Self {
        Self::of(Threads::of(program), lanes, formation)
    }

    fn of(mut all: Threads<'a>, lanes: Lanes, formation: Formation) -> Self {
        all.ctas.clone_from(&lanes.ctas);
        let case = all.case;
        let threads = case.paths.len();
        let places = || (0..lanes.rows).flat_map(|row| (0..lanes.width).map(move |lane| (row, lane)));
        let home = |thread| places().find(|&(row, lane)| lanes.thread(row, lane) == Some(thread));
        let homes = (0..threads).map(|thread| home(thread).expect("it has a place")).collect();
        let mut all = Self {
            threads: all,
            slots: vec![None; formation.slots],
            parked: vec![Some(0); threads],
            parks: 0,
            joins: 0,
            coverage: Coverage::default(),
            formation,
            turn: (lanes.rows, 0),
            homes,
            addresses: case.program.addresses(),
            table: vec![None; formation.entries],
            current: None,
            issues: 0,
            pressure: 0,
            divergences: 0,
            barriers: vec![None; lanes.rows],
            lanes,
        };
        all.unpark();
        all
    }

    /// Slots whose warp can issue.
    pub fn ready(&self) -> Vec<usize> {
        let open = |slot: &usize| self.slots[*slot].is_some_and(|warp| warp.open);
        (0..self.slots.len()).filter(open).collect()
    }

    /// The slot that the policy chooses among these.
    pub fn choose(&mut self, ready: &[usize]) -> usize {
        let Formation { policy, age_limit, .. } = self.formation;
        let warp = |slot: usize| self.slots[slot].expect("it is ready");
        if matches!(policy, IssuePolicy::Majority | IssuePolicy::Minority) {
            let is_open = |entry: usize| self.table[entry].is_some_and(|listing| listing.count > 0);
            self.current = self.current.filter(|&entry| is_open(entry)).or_else(|| {
                let count = |entry: &usize| self.table[*entry].map_or(0, |listing| listing.count);
                let open = (0..self.table.len()).filter(|&entry| is_open(entry));
                match policy {
                    IssuePolicy::Majority => open.rev().max_by_key(count),
                    _ => open.min_by_key(count),
                }
            });
        }
        let old = |slot: usize| age_limit > 0 && self.issues - warp(slot).stamp >= age_limit;
        let preferred = |slot: usize| self.current.is_some() && warp(slot).entry == self.current;
        let address = |slot: usize| match policy {
            IssuePolicy::LowestPc => self.addresses[warp(slot).pc],
            _ => 0,
        };
        let key = |&&slot: &&usize| (!old(slot), !preferred(slot), address(slot), warp(slot).stamp, slot);
        let chosen = *ready.iter().min_by_key(key).expect("somebody is ready");
        let by_policy = ready.iter().min_by_key(|&&slot| (!preferred(slot), address(slot), warp(slot).stamp, slot));
        if by_policy != Some(&chosen) {
            self.coverage.fires("DWF age");
        }
        chosen
    }

    /// A warp issues: nobody joins it any more.
    pub fn issue(&mut self, slot: usize) -> DynamicWarp {
        self.issues += 1;
        let warp = self.slots[slot].as_mut().expect("it is ready");
        warp.open = false;
        if self.lanes.ctas.iter().filter(|cta| *cta & warp.mask != 0).count() > 1 {
            self.coverage.fires("DWF mix");
        }
        if let Some(listing) = warp.entry.and_then(|entry| self.table[entry].as_mut()) {
            listing.count -= warp.mask.count_ones() as usize;
            listing.slot = listing.slot.filter(|&listed| listed != slot);
        }
        *warp
    }

    /// Its block is over: the warp dissolves.
    pub fn resolve(&mut self, slot: usize) {
        let DynamicWarp { pc: block, mask, .. } = self.slots[slot].take().expect("it has issued");
        let outcome = self.threads.run(slot, block, mask, self.formation.taken_first);
        let others_free = self.slots.iter().filter(|other| other.is_none()).count() > 1;
        self.pressure += usize::from(!others_free && self.next_parked().is_some());
        let gives_up = self.pressure >= self.formation.relief;
        if gives_up {
            self.pressure = 0;
            self.coverage.fires("DWF relief");
        }
        match outcome {
            Outcome::Goes(pc) | Outcome::Agrees(pc) => self.group(pc, mask, Some(slot), gives_up),
            Outcome::Diverges([second, first]) => {
                let freed = Some(slot);
                self.diverge(block, mask);
                self.group(first.0, first.1, freed, gives_up);
                self.group(second.0, second.1, freed.filter(|_| self.slots[slot].is_none()), gives_up);
            }
            Outcome::Waits(pc) => {
                self.coverage.fires("DWF wait");
                threads_of(mask).for_each(|thread| self.parked[thread] = Some(pc));
            }
            Outcome::Ends => {}
        }
        self.make_whole();
        // A barrier takes its time to open: who waits for a slot and not for the barrier gets one before.
        self.unpark();
        if self.threads.barrier_opens() {
            self.unpark();
        }
    }

    /// Threads that go to `pc`: into the warp that is open there, the rest into one of their own.
    fn group(&mut self, pc: usize, mask: Mask, freed: Option<usize>, gives_up: bool) {
        let mask = mask & !self.arrive(pc, mask);
        let mut rest = mask;
        let entry = self.entry_of(pc).filter(|_| self.is_dynamic(mask));
        if let Some(listing) = entry.and_then(|entry| self.table[entry].as_mut())
            && let Some(slot) = listing.slot
        {
            let warp = self.slots[slot].as_mut().expect("it is open");
            let taken = threads_of(warp.mask).fold(0u64, |lanes, thread| lanes | 1 << self.homes[thread].1);
            let joining = threads_of(mask).filter(|&thread| taken >> self.homes[thread].1 & 1 == 0);
            let joining = joining.fold(0, |all, thread| all | 1 << thread);
            warp.mask |= joining;
            listing.count += joining.count_ones() as usize;
            self.joins += joining.count_ones() as usize;
            rest = mask & !joining;
            self.coverage.fires(if joining != 0 { "DWF join" } else { "DWF taken" });
        }
        if rest == 0 {
            return;
        }
        let lowest = self.slots.iter().position(Option::is_none).filter(|_| self.next_parked().is_none());
        match freed.or(lowest).filter(|_| !gives_up) {
            Some(slot) => self.open(slot, pc, rest),
            None => {
                self.coverage.fires("DWF park");
                self.parks += rest.count_ones() as usize;
                threads_of(rest).for_each(|thread| self.parked[thread] = Some(pc));
            }
        }
    }

    /// The entries of the table for a block: one in each way.
    fn entries_of(&self, pc: usize) -> impl Iterator<Item = usize> + use<> {
        let (address, sets) = (self.addresses[pc], self.table.len() / WAYS);
        let set = (address >> 2 ^ address >> 5) % sets;
        (0..WAYS).map(move |way| way * sets + set)
    }

    /// The entry of the warps that wait at a block to issue.
    fn entry_of(&self, pc: usize) -> Option<usize> {
        let is_here = |entry: &usize| self.table[*entry].is_some_and(|listing| listing.pc == pc && listing.count > 0);
        self.entries_of(pc).find(is_here)
    }

    /// A warp is formed, and can be joined.
    fn open(&mut self, slot: usize, pc: usize, mask: Mask) {
        let entry = self.is_dynamic(mask).then(|| self.entry_of(pc).unwrap_or_else(|| self.claim(pc)));
        if let Some(entry) = entry {
            let listing = self.table[entry].as_mut().expect("it is of this block");
            listing.slot = Some(slot);
            listing.count += mask.count_ones() as usize;
        }
        self.slots[slot] = Some(DynamicWarp { pc, mask, open: true, entry, stamp: self.issues });
    }

    /// The home warp of some of these threads.
    fn row_of(&self, mask: Mask) -> Option<usize> {
        threads_of(mask).next().map(|thread| self.homes[thread].0)
    }

    /// These may be regrouped with others. Without warp barriers all may, else those of warps that have diverged.
    fn is_dynamic(&self, mask: Mask) -> bool {
        !self.formation.warp_barriers || self.row_of(mask).is_some_and(|row| self.barriers[row].is_some())
    }

    /// Threads diverge: their warp gets a barrier, if it was whole.
    fn diverge(&mut self, block: usize, mask: Mask) {
        if self.is_dynamic(mask) {
            if self.formation.warp_barriers {
                self.coverage.fires("DWF-WB inner");
            }
            return;
        }
        let row = self.row_of(mask).expect("threads diverge");
        let rpc = self.threads.case.program.rpc[block];
        self.barriers[row] = Some(WarpBarrier { rpc, arrived: 0 });
        self.threads.diverged(mask, rpc, true);
        self.divergences += 1;
        self.coverage.fires(if rpc.is_some() { "DWF-WB diverge" } else { "DWF-WB never" });
    }

    /// Threads go to `pc`: those whose warp has its barrier there wait for it.
    fn arrive(&mut self, pc: usize, mask: Mask) -> Mask {
        let is_there = |row: usize| self.barriers[row].is_some_and(|barrier| barrier.rpc == Some(pc));
        let arriving = threads_of(mask).filter(|&thread| is_there(self.homes[thread].0));
        let arriving: Mask = arriving.fold(0, |all, thread| all | 1 << thread);
        for thread in threads_of(arriving) {
            let barrier = self.barriers[self.homes[thread].0].as_mut().expect("it is there");
            barrier.arrived |= 1 << thread;
            self.coverage.fires("DWF-WB wait");
        }
        if arriving != 0 && arriving != mask {
            self.coverage.fires("DWF-WB pass");
        }
        arriving
    }

    /// Warps whose threads have all arrived go on, as soon as there is a slot.
    fn make_whole(&mut self) {
        for row in 0..self.lanes.rows {
            let of_row = |thread: usize| self.homes[thread].0 == row;
            let live = threads_of(self.threads.live).filter(|&thread| of_row(thread));
            let live: Mask = live.fold(0, |all, thread| all | 1 << thread);
            if let Some(barrier) = self.barriers[row].take_if(|barrier| barrier.arrived == live) {
                threads_of(live).for_each(|thread| self.parked[thread] = barrier.rpc);
                if live != 0 {
                    self.coverage.fires("DWF-WB whole");
                }
            }
        }
    }

    /// An entry for a block that has none: a free one, or that of the block for which the fewest threads wait.
    fn claim(&mut self, pc: usize) -> usize {
        let count = |entry: usize| self.table[entry].map_or(0, |listing| listing.count);
        let entry = self.entries_of(pc).min_by_key(|&entry| count(entry)).expect("four ways");
        if count(entry) > 0 {
            self.coverage.fires("DWF evict");
        }
        self.current = self.current.filter(|&current| current != entry);
        let of_entry = |warp: &&mut DynamicWarp| warp.entry == Some(entry);
        self.slots.iter_mut().flatten().filter(of_entry).for_each(|warp| warp.entry = None);
        self.table[entry] = Some(Listing { pc, slot: None, count: 0 });
        entry
    }

    /// The next thread that is parked and does not wait at a barrier, row by row, behind the one that was given a slot last.
    fn next_parked(&self) -> Option<usize> {
        let ready = |thread: &usize| self.parked[*thread].is_some() && self.threads.waiting >> thread & 1 == 0;
        let key = |&thread: &usize| (self.homes[thread] <= self.turn, self.homes[thread]);
        (0..self.parked.len()).filter(ready).min_by_key(key)
    }

    /// Parked threads get the free slots: the next in turn, and in every other lane the next one at the same block.
    fn unpark(&mut self) {
        while let Some(slot) = self.slots.iter().position(Option::is_none)
            && let Some(first) = self.next_parked()
        {
            self.coverage.fires("DWF unpark");
            let (pc, row) = (self.parked[first], self.homes[first].0);
            self.turn = self.homes[first];
            let (mut taken, mut mask) = (0u64, 0);
            let is_dynamic = self.is_dynamic(1 << first);
            let may_come = |other: &usize| {
                *other == row || is_dynamic && (!self.formation.warp_barriers || self.barriers[*other].is_some())
            };
            for row in (row..self.lanes.rows).chain(0..row).filter(may_come) {
                for lane in 0..self.lanes.width {
                    if let Some(thread) = self.lanes.thread(row, lane)
                        && self.parked[thread] == pc
                        && self.threads.waiting >> thread & 1 == 0
                        && taken >> lane & 1 == 0
                    {
                        (taken, mask) = (taken | 1 << lane, mask | 1 << thread);
                        self.parked[thread] = None;
                    }
                }
            }
            if threads_of(mask).any(|thread| self.homes[thread].0 != row) {
                self.coverage.fires("DWF gather");
            }
            // Behind a barrier of the CTA they may be where that of their warp is.
            let pc = pc.expect("it is parked");
            let rest = mask & !self.arrive(pc, mask);
            if rest != 0 {
                self.open(slot, pc, rest);
            }
            self.make_whole();
        }
    }

    /// No thread lives any more.
    pub fn has_ended(&self) -> bool {
        self.threads.live == 0
    }

    /// At the end: every thread has finished, no slot is used.
    pub fn assert_finished(&self) {
        self.threads.assert_finished();
        assert!(self.slots.iter().all(Option::is_none) && self.parked.iter().all(Option::is_none));
        assert!(self.barriers.iter().all(Option::is_none));
    }
}

#[cfg(test)]
pub(super) mod tests {
    use warploom_hdl::config::Permutation;
    use warploom_runtime::kernels::Random;

    use super::super::tests::{name, set};
    use super::super::{generator, golden, locks};
    use super::*;

    /// Issues what the policy chooses, and serves it, sometimes only when others have issued.
    pub fn run(all: &mut DynamicWarps, overlaps: u32, random: &mut Random) {
        assert!(ends(all, overlaps, random), "it has no end");
        all.assert_finished();
    }

    /// The same; whether it ends.
    fn ends(all: &mut DynamicWarps, overlaps: u32, random: &mut Random) -> bool {
        let mut closed = vec![];
        for _ in 0..2_000_000 {
            let ready = all.ready();
            if !closed.is_empty() && (ready.is_empty() || random.below(100) >= overlaps) {
                all.resolve(closed.swap_remove(random.below(closed.len() as u32) as usize));
            } else if !ready.is_empty() {
                let slot = all.choose(&ready);
                all.issue(slot);
                closed.push(slot);
            } else {
                return true;
            }
        }
        false
    }

    /// The threads of this program in one CTA, or in several.
    pub fn run_dynamic(case: &Case, lanes: Lanes, warp_barriers: bool, random: &mut Random) -> Coverage {
        let formation = Formation {
            policy: IssuePolicy::ALL[random.below(4) as usize],
            slots: [1, lanes.rows, 2 * lanes.rows][random.below(3) as usize],
            entries: [8, 32][random.below(2) as usize],
            age_limit: [4, 64][random.below(2) as usize],
            relief: [1, 4, 16][random.below(3) as usize],
            taken_first: random.below(2) == 0,
            warp_barriers,
        };
        let mut all = DynamicWarps::new(case, lanes, formation);
        run(&mut all, [0, 50][random.below(2) as usize], random);
        all.coverage
    }

    #[test]
    fn policies_on_the_program_of_fung_figure_7() {
        let without = golden::FUNG_7_DWF.iter().map(|golden| (golden, false));
        for ((policy, slots, expected, parks), warp_barriers) in without.chain([(&golden::FUNG_7_DWF_WB, true)]) {
            let case = golden::fung_7().case();
            let formation = Formation {
                policy: *policy,
                slots: *slots,
                entries: 32,
                age_limit: 64,
                relief: 16,
                taken_first: true,
                warp_barriers,
            };
            let lanes = Lanes::new(8, 4, Permutation::None);
            let mut all = DynamicWarps::new(&case, lanes, formation);
            let mut got = vec![];
            while let ready @ [_, ..] = &all.ready()[..] {
                let slot = all.choose(ready);
                let DynamicWarp { pc, mask, .. } = all.issue(slot);
                let in_lanes = (0..4).map(|lane| {
                    let thread = threads_of(mask).find(|thread| thread % 4 == lane);
                    thread.map_or("-".into(), |thread| set(1 << thread, golden::FROM_ONE).replace('-', ""))
                });
                got.push(format!("{}:{}", name(Some(pc)), in_lanes.collect::<String>()));
                all.resolve(slot);
            }
            all.assert_finished();
            assert_eq!(got.join(" "), *expected, "{policy:?}");
            assert_eq!(all.parks, *parks);
        }
    }

    /// In a pool of any size; without an age limit the majority spins, and without relief whoever spins gets its slot again.
    #[test]
    fn locks_end() {
        let of = |policy, slots, age_limit, relief, taken_first| Formation {
            policy,
            slots,
            entries: 8,
            age_limit,
            relief,
            taken_first,
            warp_barriers: false,
        };
        let programs = [locks::spin_lock, locks::ticket_lock, locks::chain, locks::barrier_in_a_branch];
        for (program, threads) in programs.iter().flat_map(|program| [4, 8].map(|threads| (program, threads))) {
            let program = program(threads);
            let ends = |formation| {
                let lanes = Lanes::new(threads, 4, Permutation::None);
                ends(&mut DynamicWarps::waiting(&program, lanes, formation), 0, &mut Random::new(1))
            };
            for (slots, taken_first) in [(1, true), (2, false), (2, true), (4, false)] {
                for policy in IssuePolicy::ALL {
                    let formation = of(policy, slots, 16, 4, taken_first);
                    assert!(ends(formation), "{formation:?}: {program:?}");
                }
            }
        }
        let spin = locks::spin_lock(8);
        let never = [of(IssuePolicy::Majority, 4, 0, 4, true), of(IssuePolicy::Oldest, 1, 16, 1 << 20, true)];
        for formation in never {
            let lanes = Lanes::new(8, 4, Permutation::None);
            let mut all = DynamicWarps::waiting(&spin, lanes, formation);
            assert!(!ends(&mut all, 0, &mut Random::new(1)), "it would end without: {formation:?}");
        }
    }

    /// A thread that has the lock waits for its warp, whose threads wait for the lock.
    #[test]
    fn a_lock_inside_a_warp_hangs_at_its_barrier() {
        let program = locks::spin_lock(4);
        let ends = |warp_barriers| {
            let formation = Formation {
                policy: IssuePolicy::Oldest,
                slots: 2,
                entries: 8,
                age_limit: 16,
                relief: 4,
                taken_first: true,
                warp_barriers,
            };
            let lanes = Lanes::new(4, 4, Permutation::None);
            let mut all = DynamicWarps::waiting(&program, lanes, formation);
            ends(&mut all, 0, &mut Random::new(1)) && all.has_ended()
        };
        assert_eq!([false, true].map(ends), [true, false]);
    }

    #[test]
    fn random_locks_end() {
        for seed in 0..450 {
            let mut random = Random::new(seed);
            let program = locks::any(seed, 8);
            let lanes = Lanes::new(8, 4, Permutation::None);
            let formation = Formation {
                policy: IssuePolicy::ALL[random.below(4) as usize],
                slots: [1, 2, 4][random.below(3) as usize],
                entries: 8,
                age_limit: [4, 64, 1024][random.below(3) as usize],
                relief: [1, 4, 16][random.below(3) as usize],
                taken_first: random.below(2) == 0,
                warp_barriers: false,
            };
            let mut all = DynamicWarps::waiting(&program, lanes, formation);
            let overlaps = [0, 50][random.below(2) as usize];
            assert!(ends(&mut all, overlaps, &mut random), "seed {seed}, {formation:?}: {program:?}");
            all.assert_finished();
        }
    }

    /// What keeps threads from waiting for ever is a rule of its own.
    #[test]
    fn every_rule_takes_effect() {
        let mut coverage = Coverage::default();
        for seed in 1..200 {
            let mut random = Random::new(seed);
            let case = generator::any(seed, 24);
            let lanes = match seed % 3 {
                0 => Lanes::of_ctas(&[7, 6, 11], 4, Permutation::Balanced),
                _ => Lanes::new(24, 4, Permutation::None),
            };
            coverage.add(&run_dynamic(&case, lanes, seed % 2 == 0, &mut random));
        }
        for rule in RULES {
            assert!(coverage.count(rule.0) > 0, "{}", rule.0);
        }
    }
}
