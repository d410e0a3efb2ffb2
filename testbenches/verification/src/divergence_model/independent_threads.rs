//! Independent threads: a PC for each, convergence barriers that branches allocate, and turns.
use warploom_hdl::config::Turns;

use super::locks::Locks;
use super::{Case, Coverage, Lanes, Mask, Outcome, Rule, Terminator, Threads, threads_of};

/// Its own rules.
pub(super) const RULES: &[Rule] = &[
    ("ITS allocate", "threads that diverge take a convergence barrier"),
    ("ITS covered", "threads that diverge have one for that point already"),
    ("ITS full", "threads that diverge find none: they do not reconverge"),
    ("ITS arrive", "threads arrive at their barrier, and wait"),
    ("ITS release", "all have arrived: the barrier is free, they can run"),
    ("ITS pass", "threads come to a point where others wait, not for them"),
    ("ITS merge", "threads join a group that has run without them"),
    ("ITS lowest", "no thread of the group goes on: those at the lowest PC run"),
    ("ITS exit", "threads end that others wait for"),
    ("ITS spin", "a turn is over for its trips round a loop that may wait"),
    ("ITS quantum", "a turn is over for its instructions"),
    ("ITS break", "threads that wait for those whose turn is over stop waiting"),
    ("ITS rotate", "another thread gets the turn"),
    ("ITS stuck", "nobody else can run: all who wait for others stop waiting"),
];

/// Threads that wait for one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Convergence {
    /// At this block.
    pub rpc: usize,
    /// All that take part.
    pub participants: Mask,
    /// Those of them that are there.
    pub arrived: Mask,
}

/// A warp.
#[derive(Clone, Debug)]
pub struct Group {
    /// The threads of the warp.
    pub threads: Mask,
    /// Block and threads that run, or ran last.
    pub block: usize,
    /// See above.
    pub mask: Mask,
    /// Whether they do.
    pub runs: bool,
    /// Its convergence barriers.
    pub barriers: Vec<Convergence>,
    /// Instructions and trips of the turn.
    turn: [usize; 2],
    /// The thread that had its turn last.
    last: usize,
}

/// One CTA.
#[derive(Clone, Debug)]
pub struct IndependentThreads<'a> {
    /// Its threads.
    pub threads: Threads<'a>,
    /// Its warps.
    pub warps: Vec<Group>,
    /// Rules that have taken effect.
    pub coverage: Coverage,
    /// By thread: the block where it goes on.
    blocks: Vec<usize>,
    /// By block: its target is the head of a loop that waits for other threads.
    marked: &'a [bool],
    table: usize,
    turns: Turns,
    taken_first: bool,
}

impl Group {
    /// Threads that have arrived somewhere.
    fn waits(&self) -> Mask {
        self.barriers.iter().fold(0, |waits, barrier| waits | barrier.arrived)
    }
}

impl<'a> IndependentThreads<'a> {
    /// All warps at the start, with `table` convergence barriers each; `marked` are blocks whose target is the head of a loop that waits for other threads.
    pub fn new(
        case: &'a Case,
        lanes: &Lanes,
        table: usize,
        turns: Turns,
        marked: &'a [bool],
        taken_first: bool,
    ) -> Self {
        Self::of(Threads::new(case), lanes, table, turns, marked, taken_first)
    }

    /// All warps at the start of a program whose threads wait for one another.
    pub fn waiting(program: &'a Locks, lanes: &Lanes, table: usize, turns: Turns, taken_first: bool) -> Self {
        Self::of(Threads::of(program), lanes, table, turns, &program.marked, taken_first)
    }

    fn of(
        threads: Threads<'a>,
        lanes: &Lanes,
        table: usize,
        turns: Turns,
        marked: &'a [bool],
        taken_first: bool,
    ) -> Self {
        let warp = |row| {
            let threads = lanes.row(row);
            let last = threads.trailing_zeros() as usize;
            Group { threads, block: 0, mask: threads, runs: true, barriers: vec![], turn: [0; 2], last }
        };
        let warps = (0..lanes.rows).map(warp).collect();
        let blocks = vec![0; threads.case.paths.len()];
        Self { threads, warps, coverage: Coverage::default(), blocks, marked, table, turns, taken_first }
    }

    /// Warps that can go on.
    pub fn ready_warps(&self) -> Vec<usize> {
        (0..self.warps.len()).filter(|&warp| self.warps[warp].runs).collect()
    }

    /// A ready warp executes its next block. Returns the block and the threads.
    pub fn execute(&mut self, warp: usize) -> (usize, Mask) {
        let Group { block, mask, .. } = self.warps[warp];
        let outcome = self.threads.run(warp, block, mask, self.taken_first);
        let at = &self.threads.case.program.blocks[block];
        let is_event = at.terminator != Terminator::Fall;
        self.warps[warp].turn[0] = (self.warps[warp].turn[0] + at.length).min(self.turns.quantum);
        self.warps[warp].runs = false;
        let (sides, diverges) = match outcome {
            Outcome::Goes(pc) | Outcome::Agrees(pc) => ([(pc, 0), (pc, mask)], false),
            Outcome::Diverges([second, first]) => ([first, second], true),
            Outcome::Waits(pc) => {
                threads_of(mask).for_each(|thread| self.blocks[thread] = pc);
                ([(pc, 0); 2], false)
            }
            Outcome::Ends => {
                for barrier in &mut self.warps[warp].barriers {
                    if barrier.participants & mask != 0 {
                        self.coverage.fires("ITS exit");
                    }
                    barrier.participants &= !mask;
                }
                ([(0, 0); 2], false)
            }
        };
        if diverges {
            self.diverge(warp, block, mask);
        }
        let comes =
            self.warps[warp].barriers.iter().any(|barrier| sides.iter().any(|s| s.1 != 0 && s.0 == barrier.rpc));
        let [first, second] = sides.map(|(pc, mask)| (pc, self.arrive(warp, pc, mask)));
        let goes_on = if first.1 != 0 { first } else { second };
        self.release(warp);
        let over = is_event && self.is_over(warp, block, mask, goes_on.1);
        if !diverges && !comes && !over && goes_on.1 != 0 {
            (self.warps[warp].block, self.warps[warp].runs) = (goes_on.0, true);
        } else {
            self.choose(warp, (goes_on.1 != 0).then_some(goes_on.0), over);
        }
        if self.threads.barrier_opens() {
            for warp in 0..self.warps.len() {
                if !self.warps[warp].runs {
                    self.choose(warp, None, false);
                }
            }
        }
        (block, mask)
    }

    /// Threads that are neither at a barrier of the CTA nor have ended.
    fn active(&self, warp: usize) -> Mask {
        self.warps[warp].threads & self.threads.live & !self.threads.waiting
    }

    fn ready(&self, warp: usize) -> Mask {
        self.active(warp) & !self.warps[warp].waits()
    }

    /// The threads that go on at a block.
    fn at(&self, threads: Mask, block: usize) -> Mask {
        threads_of(threads).filter(|&thread| self.blocks[thread] == block).fold(0, |all, thread| all | 1 << thread)
    }

    fn diverge(&mut self, warp: usize, block: usize, mask: Mask) {
        let Some(rpc) = self.threads.case.program.rpc[block] else { return };
        let barriers = &mut self.warps[warp].barriers;
        let covered = barriers.iter().filter(|barrier| barrier.rpc == rpc);
        let participants = mask & !covered.fold(0, |covered, barrier| covered | barrier.participants);
        if participants != mask {
            self.coverage.fires("ITS covered");
        }
        if participants == 0 {
        } else if barriers.len() == self.table {
            self.coverage.fires("ITS full");
        } else {
            self.coverage.fires("ITS allocate");
            barriers.push(Convergence { rpc, participants, arrived: 0 });
        }
    }

    /// Threads come to a block. Returns those that do not wait there.
    fn arrive(&mut self, warp: usize, pc: usize, mut mask: Mask) -> Mask {
        threads_of(mask).for_each(|thread| self.blocks[thread] = pc);
        for barrier in self.warps[warp].barriers.iter_mut().filter(|barrier| barrier.rpc == pc) {
            let arrives = mask & barrier.participants;
            if arrives != 0 {
                self.coverage.fires("ITS arrive");
            } else if mask != 0 {
                self.coverage.fires("ITS pass");
            }
            barrier.arrived |= arrives;
            mask &= !arrives;
        }
        mask
    }

    fn release(&mut self, warp: usize) {
        let before = self.warps[warp].barriers.len();
        self.warps[warp].barriers.retain(|barrier| barrier.arrived != barrier.participants);
        if self.warps[warp].barriers.len() < before {
            self.coverage.fires("ITS release");
        }
    }

    /// Nobody waits for these threads any more.
    fn stop_waiting(&mut self, warp: usize, running: Mask) -> bool {
        let mut any = false;
        for barrier in &mut self.warps[warp].barriers {
            let missing = barrier.participants & !barrier.arrived;
            if missing & running != 0 && barrier.arrived != 0 {
                (barrier.participants, barrier.arrived, any) = (missing, 0, true);
            }
        }
        any
    }

    /// The turn is over with this control instruction: `goes_on` of `mask` would run on.
    fn is_over(&mut self, warp: usize, block: usize, mask: Mask, goes_on: Mask) -> bool {
        let active = self.active(warp);
        let (alone, others) = (active & !mask == 0, active & !goes_on != 0);
        let spins =
            self.marked[block] && threads_of(mask).any(|thread| self.threads.next(thread) == Some(self.target(block)));
        let [instructions, trips] = &mut self.warps[warp].turn;
        if alone {
            (*instructions, *trips) = (0, 0);
        }
        *trips = (*trips + usize::from(spins)).min(15);
        let (by_spin, by_quantum) = (*trips >= self.turns.spin, *instructions >= self.turns.quantum);
        let over = others && (by_spin || by_quantum);
        if over {
            self.coverage.fires(if by_spin { "ITS spin" } else { "ITS quantum" });
        }
        if over || !others {
            (*instructions, *trips) = (0, 0);
        }
        over
    }

    fn target(&self, block: usize) -> usize {
        self.threads.case.program.blocks[block].successors[0]
    }

    /// The next group: at this block, if it is known, unless the turn is over and others can run.
    fn choose(&mut self, warp: usize, mut next: Option<usize>, over: bool) {
        let before = self.warps[warp].mask;
        if over {
            if self.stop_waiting(warp, before) {
                self.coverage.fires("ITS break");
            }
            let there = next.map_or(0, |block| self.at(self.warps[warp].threads, block));
            if self.ready(warp) & !there == 0 && self.stop_waiting(warp, Mask::MAX) {
                self.coverage.fires("ITS stuck");
            }
            let candidates: Vec<usize> = threads_of(self.ready(warp) & !there).collect();
            let last = self.warps[warp].last;
            if let Some(&thread) = candidates.iter().find(|&&thread| thread > last).or(candidates.first()) {
                self.coverage.fires("ITS rotate");
                self.warps[warp].last = thread;
                next = Some(self.blocks[thread]);
            }
        }
        if next.is_none() && self.ready(warp) == 0 && self.stop_waiting(warp, Mask::MAX) {
            self.coverage.fires("ITS stuck");
        }
        let ready = self.ready(warp);
        if next.is_none() && ready != 0 {
            self.coverage.fires("ITS lowest");
            next = threads_of(ready).map(|thread| self.blocks[thread]).min();
        }
        let Some(block) = next else { return };
        let mask = self.at(ready, block);
        if mask & before != 0 && mask & !before != 0 {
            self.coverage.fires("ITS merge");
        }
        let group = &mut self.warps[warp];
        (group.block, group.mask, group.runs) = (block, mask, true);
    }

    /// At the end: every thread has finished, no barrier is left.
    pub fn assert_finished(&self) {
        self.threads.assert_finished();
        assert!(self.warps.iter().all(|warp| !warp.runs && warp.barriers.is_empty()));
    }
}

#[cfg(test)]
mod tests {
    use warploom_hdl::config::Permutation;
    use warploom_runtime::kernels::Random;

    use super::super::tests::{name, set};
    use super::super::{generator, golden, locks};
    use super::*;

    /// Whether it ends within so many blocks; a random warp goes on.
    fn ends(threads: &mut IndependentThreads, random: &mut Random) -> bool {
        for _ in 0..200_000 {
            let ready = threads.ready_warps();
            if ready.is_empty() {
                threads.assert_finished();
                return true;
            }
            threads.execute(ready[random.below(ready.len() as u32) as usize]);
        }
        false
    }

    /// As on a schedulable convergence stack.
    #[test]
    fn spin_lock_of_four_lanes() {
        let program = locks::spin_lock(4);
        let turns = Turns { spin: 1, ..Turns::DEFAULT };
        for table in [1, 8] {
            let lanes = Lanes::new(4, 4, Permutation::None);
            let mut threads = IndependentThreads::waiting(&program, &lanes, table, turns, true);
            let mut trace = vec![];
            while threads.warps[0].runs {
                let (block, mask) = threads.execute(0);
                trace.push(format!("{}:{}", golden::SPIN_LOCK_BLOCKS.as_bytes()[block] as char, set(mask, "1234")));
            }
            threads.assert_finished();
            assert_eq!(trace, golden::SPIN_LOCK.split_whitespace().collect::<Vec<_>>());
            assert_eq!(["ITS break", "ITS rotate"].map(|rule| threads.coverage.count(rule)), [3, 3]);
        }
    }

    /// Threads in the order of their turns meet others where they come from another branch.
    #[test]
    fn threads_meet_whatever_their_history() {
        let case = Case::parse("A>C,B B>E C>D D>E E", &["ABE", "ACDE", "ABE", "ACDE"]);
        let lanes = Lanes::new(4, 4, Permutation::None);
        for (table, expected) in [(8, "A1234 B1-3- C-2-4 D-2-4 E1234"), (0, "A1234 B1-3- E1-3- C-2-4 D-2-4 E-2-4")] {
            let mut threads = IndependentThreads::new(&case, &lanes, table, Turns::DEFAULT, &[false; 5], false);
            let mut trace = vec![];
            while threads.warps[0].runs {
                let (block, mask) = threads.execute(0);
                trace.push(format!("{}{}", name(Some(block)), set(mask, "1234")));
            }
            assert_eq!(trace.join(" "), expected);
        }
    }

    /// Whatever the turns and the barriers; with turns that never end, they hang.
    #[test]
    fn locks_end() {
        let programs = [locks::spin_lock, locks::ticket_lock, locks::chain, locks::barrier_in_a_branch];
        for (program, table) in programs.iter().flat_map(|program| [0, 1, 8].map(|table| (program, table))) {
            for threads in [4, 8] {
                let (program, lanes) = (program(threads), Lanes::new(threads, 4, Permutation::None));
                let plain = program.unmarked();
                for (spin, quantum) in [(1, 1), (8, 64), (15, 16)] {
                    for (program, taken_first) in [(&program, false), (&program, true), (&plain, true)] {
                        let turns = Turns { spin, quantum };
                        let mut run = IndependentThreads::waiting(program, &lanes, table, turns, taken_first);
                        assert!(ends(&mut run, &mut Random::new(1)), "{turns:?} {table}: {program:?}");
                    }
                }
                let never = Turns { spin: 15, quantum: 1 << 24 };
                let mut run = IndependentThreads::waiting(&plain, &lanes, table.max(1), never, true);
                assert!(!ends(&mut run, &mut Random::new(1)), "it would end without turns: {table} {plain:?}");
            }
        }
    }

    #[test]
    fn random_locks_end() {
        let mut coverage = Coverage::default();
        for seed in 0..400 {
            let mut random = Random::new(seed);
            let program = locks::any(seed, 8);
            let lanes = Lanes::new(8, [4, 8][random.below(2) as usize], Permutation::None);
            let turns = Turns { spin: 1 + random.below(9) as usize, quantum: 1 << random.below(10) };
            let table = [0, 1, 2, 8][random.below(4) as usize];
            let mut threads = IndependentThreads::waiting(&program, &lanes, table, turns, random.below(2) == 0);
            assert!(ends(&mut threads, &mut random), "seed {seed}: {program:?}");
            coverage.add(&threads.coverage);
        }
        for (rule, _) in RULES {
            assert!(coverage.count(rule) > 0 || *rule == "ITS exit", "{rule} never takes effect");
        }
    }

    /// Every thread goes its whole path.
    #[test]
    fn random_programs() {
        let mut coverage = Coverage::default();
        for seed in 0..400 {
            let mut random = Random::new(seed);
            let case = generator::any(random.word().into(), 12);
            let marked: Vec<bool> = (0..case.program.blocks.len()).map(|_| random.below(2) == 0).collect();
            let lanes = Lanes::new(12, 4, Permutation::None);
            let turns = Turns { spin: 1 + random.below(8) as usize, quantum: 1 << random.below(12) };
            let table = random.below(4) as usize;
            let mut threads = IndependentThreads::new(&case, &lanes, table, turns, &marked, seed % 2 == 0);
            assert!(ends(&mut threads, &mut random), "seed {seed}: {case:?}");
            coverage.add(&threads.coverage);
        }
        for (rule, _) in RULES {
            assert!(coverage.count(rule) > 0, "{rule} never takes effect");
        }
    }
}
