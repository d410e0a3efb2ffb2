//! Dynamic warp subdivision: a stack per warp, and a table of warp-splits that run side by side.
use super::stack::NOWHERE;
use super::{Case, Coverage, Entry, Lanes, Mask, Outcome, Rule, Stack, Threads, threads_of};

/// Its own rules.
pub(super) const RULES: &[Rule] = &[
    ("DWS divide", "a divergence with a short block behind it divides a warp"),
    ("DWS split", "a warp-split diverges"),
    ("DWS arrive", "threads of a divided warp arrive at the end of its entry"),
    ("DWS merge", "warp-splits that have met go on as one"),
    ("DWS park", "a side finds no slot: its threads are parked"),
    ("DWS resume", "parked threads get a slot"),
    ("DWS wait", "a warp-split waits at a barrier"),
    ("DWS end", "all threads of a divided warp have arrived or ended"),
];

/// Threads of a warp that run on their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// Next block.
    pub pc: usize,
    /// Its threads.
    pub mask: Mask,
}

/// A warp.
#[derive(Clone, Debug)]
pub struct DividedWarp {
    /// Its stack. Entries that are [divided](Entry::divided) have no PC of their own until all their threads have arrived at their end.
    pub stack: Stack,
    /// The table: splits of the entry that runs, by slot.
    pub splits: Vec<Option<Split>>,
    /// The entry that runs.
    pub selected: Option<usize>,
}

/// One CTA.
#[derive(Clone, Debug)]
pub struct Subdivision<'a> {
    /// Its threads.
    pub threads: Threads<'a>,
    /// Its warps.
    pub warps: Vec<DividedWarp>,
    /// By thread: the block where it goes on that waits at a barrier, or for a slot.
    pub parked: Vec<Option<usize>>,
    /// By block: its branch may divide a warp.
    short: Vec<bool>,
    taken_first: bool,
}

impl DividedWarp {
    /// Puts the threads of `mask` into the lowest free slot, or parks them.
    fn place(&mut self, pc: usize, mask: Mask, parked: &mut [Option<usize>]) {
        match self.splits.iter_mut().find(|slot| slot.is_none()) {
            Some(slot) => *slot = Some(Split { pc, mask }),
            None => {
                self.stack.coverage.fires("DWS park");
                threads_of(mask).for_each(|thread| parked[thread] = Some(pc));
            }
        }
    }

    /// Fills the table from the parked threads of the entry that runs. With nothing to run left, the entry waits or has ended.
    fn refill(&mut self, parked: &mut [Option<usize>], waiting: Mask) {
        let Some(i) = self.selected.filter(|&i| self.stack.entries[i].divided) else { return };
        let mask = self.stack.entries[i].mask;
        while self.splits.contains(&None)
            && let Some(pc) = threads_of(mask & !waiting).find_map(|thread| parked[thread])
        {
            self.stack.coverage.fires("DWS resume");
            let group = threads_of(mask & !waiting).filter(|&thread| parked[thread] == Some(pc));
            let group = group.fold(0, |group, thread| group | 1 << thread);
            threads_of(group).for_each(|thread| parked[thread] = None);
            self.place(pc, group, parked);
        }
        if self.splits.iter().all(Option::is_none) {
            if mask & waiting != 0 {
                self.stack.wait(i, NOWHERE);
            } else {
                self.stack.coverage.fires("DWS end");
                self.stack.entries[i].pc = self.stack.entries[i].rpc.unwrap_or(NOWHERE);
            }
            self.selected = self.stack.settle();
            self.refill(parked, waiting);
        }
    }
}

impl<'a> Subdivision<'a> {
    /// All warps at the start. A warp is divided at a branch of `short`, into at most `splits` warp-splits.
    pub fn new(case: &'a Case, lanes: &Lanes, short: Vec<bool>, splits: usize, taken_first: bool) -> Self {
        let warp = |row| {
            let mut stack = Stack::new(lanes.row(row));
            let selected = stack.settle();
            DividedWarp { stack, splits: vec![None; splits], selected }
        };
        let warps = (0..lanes.rows).map(warp).collect();
        Self { threads: Threads::new(case), warps, parked: vec![None; case.paths.len()], short, taken_first }
    }

    /// Warps and slots that can go on; a warp that is not divided has slot 0.
    pub fn ready_splits(&self) -> Vec<(usize, usize)> {
        let slots = |warp: usize| (0..self.warps[warp].splits.len()).map(move |slot| (warp, slot));
        let splits = (0..self.warps.len()).flat_map(slots);
        splits.filter(|&(warp, slot)| self.split(warp, slot).is_some()).collect()
    }

    /// The threads in a slot that can go on.
    pub fn split(&self, warp: usize, slot: usize) -> Option<Split> {
        let DividedWarp { stack, splits, selected } = &self.warps[warp];
        let Entry { pc, mask, divided, .. } = stack.entries[(*selected)?];
        if divided { splits[slot] } else { (slot == 0).then_some(Split { pc, mask }) }
    }

    /// A ready warp-split, or a warp that is not divided, executes its next block. Returns the block and the threads.
    pub fn execute(&mut self, warp: usize, slot: usize) -> (usize, Mask) {
        let Split { pc: block, mask } = self.split(warp, slot).expect("the slot can go on");
        let outcome = self.threads.run(warp, block, mask, self.taken_first);
        let state = &mut self.warps[warp];
        let i = state.selected.expect("it can go on");
        let Entry { divided, rpc: end, .. } = state.stack.entries[i];
        match outcome {
            _ if divided => self.split_goes_on(warp, slot, outcome),
            Outcome::Diverges(sides) if self.short[block] && sides.iter().all(|side| Some(side.0) != end) => {
                state.stack.coverage.fires("DWS divide");
                (state.stack.entries[i].pc, state.stack.entries[i].divided) = (NOWHERE, true);
                sides.into_iter().rev().for_each(|(pc, mask)| state.place(pc, mask, &mut self.parked));
            }
            _ => state.stack.go_on(i, outcome, &mut self.threads, false),
        }
        if self.threads.barrier_opens() {
            for warp in &mut self.warps {
                warp.stack.release();
                warp.selected = warp.stack.settle();
            }
        } else {
            self.warps[warp].selected = self.warps[warp].stack.settle();
        }
        let Self { warps, parked, threads, .. } = self;
        warps.iter_mut().for_each(|warp| warp.refill(parked, threads.waiting));
        (block, mask)
    }

    /// A warp-split; what is at the end of the entry has no slot.
    fn split_goes_on(&mut self, warp: usize, slot: usize, outcome: Outcome) {
        let warp = &mut self.warps[warp];
        let end = warp.stack.entries[warp.selected.expect("it runs")].rpc;
        let Split { mask, .. } = warp.splits[slot].take().expect("it runs");
        let sides = match outcome {
            Outcome::Goes(pc) | Outcome::Agrees(pc) => vec![(pc, mask)],
            Outcome::Diverges(sides) => {
                warp.stack.coverage.fires("DWS split");
                sides.into_iter().rev().collect()
            }
            Outcome::Waits(pc) => {
                warp.stack.coverage.fires("DWS wait");
                threads_of(mask).for_each(|thread| self.parked[thread] = Some(pc));
                return;
            }
            Outcome::Ends => {
                warp.stack.remove(mask);
                return;
            }
        };
        for (pc, mask) in sides {
            if Some(pc) == end {
                warp.stack.coverage.fires("DWS arrive");
            } else if warp.splits[slot].is_none() {
                warp.splits[slot] = Some(Split { pc, mask });
            } else {
                warp.place(pc, mask, &mut self.parked);
            }
        }
    }

    /// The split in slot `from` joins the one in slot `into`, at the same block.
    pub fn merge(&mut self, warp: usize, into: usize, from: usize) {
        let warp = &mut self.warps[warp];
        warp.stack.coverage.fires("DWS merge");
        let Split { pc, mask } = warp.splits[from].take().expect("a split");
        let into = warp.splits[into].as_mut().expect("a split");
        assert_eq!(into.pc, pc, "they have met");
        into.mask |= mask;
        warp.refill(&mut self.parked, self.threads.waiting);
    }

    /// At the end: every thread has finished, the stacks are empty.
    pub fn assert_finished(&self) {
        self.threads.assert_finished();
        let is_empty = |warp: &DividedWarp| warp.stack.entries.is_empty() && warp.splits.iter().all(Option::is_none);
        assert!(self.warps.iter().all(is_empty) && self.parked.iter().all(Option::is_none));
    }

    /// The depth of the deepest stack.
    pub fn depth(&self) -> usize {
        self.warps.iter().map(|warp| warp.stack.depth).max().unwrap()
    }

    /// Rules that have taken effect.
    pub fn coverage(&self) -> Coverage {
        let mut all = Coverage::default();
        self.warps.iter().for_each(|warp| all.add(&warp.stack.coverage));
        all
    }
}

#[cfg(test)]
pub(super) mod tests {
    use warploom_hdl::config::Permutation;

    use super::super::tests::{lines, name, set};
    use super::super::{Spe, generator, golden};
    use super::*;
    use warploom_runtime::kernels::Random;

    #[test]
    fn warp_subdivision_of_rhu_figure_3_2() {
        let (program, paths, _) = golden::RHU_3_1;
        let mut case = Case::parse(program, paths);
        for (number, block) in case.program.blocks.iter_mut().enumerate() {
            block.length = if name(Some(number)) == 'F' { 1 } else { 3 };
        }
        let short = case.program.short(2);
        let mut dws = Subdivision::new(&case, &Lanes::new(4, 4, Permutation::None), short, 4, false);
        let names = &golden::HEXADECIMAL[..4];
        let mut got = String::new();
        for slot in [0, 0, 0, 0, 1, 0, 1, 0] {
            let (block, mask) = dws.execute(0, slot);
            let DividedWarp { stack, splits, .. } = &dws.warps[0];
            let entry = |e: &Entry| {
                let pc = if e.divided { String::new() } else { format!("{} ", name(Some(e.pc))) };
                format!("{pc}{} {}", set(e.mask, names), name(e.rpc))
            };
            let split = |split: &Option<Split>| {
                split.map_or("-".into(), |split| format!("{} {}", name(Some(split.pc)), set(split.mask, names)))
            };
            let stack: Vec<String> = stack.entries.iter().map(entry).collect();
            let used = splits.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
            let table: Vec<String> = splits[..used].iter().map(split).collect();
            got +=
                &format!("{} {}: {} | {}\n", name(Some(block)), set(mask, names), stack.join(" ; "), table.join(" ; "));
        }
        dws.assert_finished();
        assert_eq!(lines(&got), lines(golden::RHU_3_2));
    }

    /// Runs a CTA to its end in random order. `merges`: how often, in percent, a warp-split first takes up another one at the same block.
    fn run(dws: &mut Subdivision, merges: u32, random: &mut Random) {
        loop {
            let ready = dws.ready_splits();
            if ready.is_empty() {
                break;
            }
            let (warp, slot) = ready[random.below(ready.len() as u32) as usize];
            let meets = |other: usize| {
                other != slot
                    && dws.split(warp, other).map(|split| split.pc) == dws.split(warp, slot).map(|split| split.pc)
            };
            if let Some(other) = (0..dws.warps[warp].splits.len()).find(|&other| meets(other))
                && random.below(100) < merges
            {
                dws.merge(warp, slot, other);
            } else {
                dws.execute(warp, slot);
            }
        }
        dws.assert_finished();
    }

    /// Runs a random CTA of this program: the depth of its deepest stack, and the rules that have taken effect.
    pub fn run_divided(case: &Case, homes: impl Fn(&mut Random) -> Lanes, random: &mut Random) -> (usize, Coverage) {
        let (short, splits) = (case.program.short(random.below(5) as usize), [2, 4, 8][random.below(3) as usize]);
        let mut dws = Subdivision::new(case, &homes(random), short, splits, random.below(2) == 0);
        run(&mut dws, [0, 50, 100][random.below(3) as usize], random);
        (dws.depth(), dws.coverage())
    }

    /// A warp that is never divided is one of single-path execution.
    #[test]
    fn without_short_blocks_a_warp_is_not_divided() {
        for seed in 1..100 {
            let (case, lanes) = (generator::any(seed, 8), Lanes::new(8, 4, Permutation::None));
            let mut spe = Spe::new(&case, &lanes, false, true);
            let mut dws = Subdivision::new(&case, &lanes, case.program.short(0), 4, true);
            while let Some(&warp) = spe.ready_warps().last() {
                assert_eq!(dws.execute(warp, 0), spe.execute(warp), "seed {seed}");
            }
            dws.assert_finished();
        }
    }
}
