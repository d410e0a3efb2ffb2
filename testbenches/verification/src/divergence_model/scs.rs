//! A schedulable convergence stack: single-path execution whose threads take turns.
use warploom_hdl::config::Turns;

use super::locks::Locks;
use super::{Case, Coverage, Entry, Lanes, Mask, Outcome, Rule, Stack, Terminator, Threads, threads_of};

pub(super) const RULES: &[Rule] = &[
    ("SCS alone", "a branch of all threads that could run: what they did before it does not count"),
    ("SCS spin", "a turn is over for its trips round loops that wait for other threads"),
    ("SCS quantum", "a turn is over for its instructions"),
    ("SCS unused", "a turn would be over, but its path has come to its reconvergence point"),
    ("SCS break", "threads that wait for the running ones get an entry of their own"),
    ("SCS barrier", "threads that wait for others at a barrier do"),
    ("SCS hole", "that entry takes a hole below another one"),
    ("SCS rotate", "other threads run"),
    ("SCS lane", "the entry of the lane whose turn it is runs, below another that could"),
    ("SCS lane waits", "no entry with the lane whose turn it is can run: any may"),
    ("SCS stuck", "nothing can run, and threads wait for others at a barrier"),
];

/// Trips are counted so far.
const MOST_TRIPS: usize = 15;

/// Whose turn it is in a warp, and for how long.
#[derive(Clone, Debug, Default)]
struct Turn {
    instructions: usize,
    trips: usize,
    /// The lane whose turn it is, or was.
    lane: usize,
    /// Only its entry runs, as long as it can.
    is_preferred: bool,
}

/// One CTA.
#[derive(Clone, Debug)]
pub struct Scs<'a> {
    /// Its threads.
    pub threads: Threads<'a>,
    /// A stack per warp.
    pub stacks: Vec<Stack>,
    /// Turns after which other threads ran.
    pub rotations: usize,
    /// Entries that threads have left.
    pub breaks: usize,
    lanes: Lanes,
    /// By block: its target is the head of a loop that waits for other threads.
    marked: &'a [bool],
    limits: Turns,
    turns: Vec<Turn>,
    /// By warp: the entry that runs.
    selected: Vec<Option<usize>>,
    taken_first: bool,
}

impl<'a> Scs<'a> {
    /// All warps at the start; `marked` are blocks whose target is the head of a loop that waits for other threads.
    pub fn new(case: &'a Case, marked: &'a [bool], lanes: &Lanes, limits: Turns, taken_first: bool) -> Self {
        Self::of(Threads::new(case), marked, lanes, limits, taken_first)
    }

    /// The same of a program whose threads wait for one another.
    pub fn waiting(program: &'a Locks, lanes: &Lanes, limits: Turns, taken_first: bool) -> Self {
        Self::of(Threads::of(program), &program.marked, lanes, limits, taken_first)
    }

    fn of(threads: Threads<'a>, marked: &'a [bool], lanes: &Lanes, limits: Turns, taken_first: bool) -> Self {
        let stacks: Vec<Stack> = (0..lanes.rows).map(|row| Stack::new(lanes.row(row))).collect();
        let (turns, selected) = (vec![Turn::default(); lanes.rows], vec![Some(0); lanes.rows]);
        let lanes = lanes.clone();
        Self { threads, stacks, rotations: 0, breaks: 0, lanes, marked, limits, turns, selected, taken_first }
    }

    /// Warps that can go on.
    pub fn ready_warps(&self) -> Vec<usize> {
        (0..self.stacks.len()).filter(|&warp| self.selected[warp].is_some()).collect()
    }

    /// A ready warp executes its next block. Returns the block and the threads.
    pub fn execute(&mut self, warp: usize) -> (usize, Mask) {
        let i = self.selected[warp].expect("the warp is ready");
        let Entry { pc: block, rpc: end, mask, .. } = self.stacks[warp].entries[i];
        let at = &self.threads.case.program.blocks[block];
        let (length, is_control) = (at.length, matches!(at.terminator, Terminator::Branch | Terminator::Jump));
        let (target, rpc) = (at.successors.first().copied(), self.threads.case.program.rpc[block]);
        let is_alone = self.present(warp) & !mask == 0;
        let outcome = self.threads.run(warp, block, mask, self.taken_first);
        self.stacks[warp].go_on(i, outcome, &mut self.threads, false);
        self.turns[warp].instructions += length;
        let (splits, goes_on) = match outcome {
            Outcome::Diverges(sides) => {
                let runs = sides.into_iter().rev().find(|&(pc, _)| Some(pc) != rpc);
                (runs.is_some(), runs.map_or(0, |(_, side)| side))
            }
            Outcome::Goes(pc) | Outcome::Agrees(pc) => (false, if Some(pc) == end { 0 } else { mask }),
            Outcome::Waits(_) | Outcome::Ends => (false, 0),
        };
        if let Outcome::Goes(pc) | Outcome::Agrees(pc) = outcome
            && Some(pc) == end
        {
            // It ends there, whoever's turn it is.
            self.stacks[warp].coverage.fires("5 pop");
            self.stacks[warp].entries[i].mask = 0;
        }
        let mut stays = goes_on != 0;
        if is_control {
            let again = self.marked[block] && threads_of(mask).any(|thread| self.threads.next(thread) == target);
            stays &= !self.take(warp, again, is_alone, splits, goes_on);
        }
        if self.threads.barrier_opens() {
            self.stacks.iter_mut().for_each(Stack::release);
            (0..self.stacks.len()).for_each(|warp| self.settle(warp));
        } else if stays {
            // Nobody looks for another entry, whoever's turn it is.
            let stack = &self.stacks[warp];
            self.selected[warp] = runnable(stack).find(|&i| stack.entries[i].mask == goes_on);
        } else {
            self.settle(warp);
        }
        (block, mask)
    }

    /// A branch or jump has taken effect, and these threads go on. The turn may be over; whether others run then.
    fn take(&mut self, warp: usize, again: bool, is_alone: bool, splits: bool, goes_on: Mask) -> bool {
        let (turn, coverage) = (&mut self.turns[warp], &mut self.stacks[warp].coverage);
        if is_alone {
            coverage.fires("SCS alone");
            (turn.instructions, turn.trips) = (0, 0);
        }
        turn.trips = (turn.trips + usize::from(again)).min(MOST_TRIPS);
        if is_alone && !splits {
            (turn.instructions, turn.trips) = (0, 0);
            return false;
        }
        let by_spin = turn.trips >= self.limits.spin;
        if !by_spin && turn.instructions < self.limits.quantum {
            return false;
        }
        if goes_on == 0 {
            coverage.fires("SCS unused");
            return false;
        }
        coverage.fires(if by_spin { "SCS spin" } else { "SCS quantum" });
        (turn.instructions, turn.trips) = (0, 0);
        self.release(warp, goes_on);
        let stack = &self.stacks[warp];
        let could_run = runnable(stack).map(|i| stack.entries[i].mask).fold(0, |all, mask| all | mask);
        self.rotate(warp, could_run & !goes_on);
        true
    }

    /// The next lane behind the one whose turn it was: there is one.
    fn rotate(&mut self, warp: usize, candidates: Mask) {
        let (turn, width) = (&mut self.turns[warp], self.lanes.width);
        let is_candidate =
            |lane: &usize| self.lanes.thread(warp, *lane).is_some_and(|thread| candidates >> thread & 1 == 1);
        let next = (1..=width).map(|step| (turn.lane + step) % width).find(is_candidate);
        turn.lane = next.expect("who does not wait for the running threads could run");
        turn.is_preferred = true;
        self.stacks[warp].coverage.fires("SCS rotate");
        self.rotations += 1;
    }

    /// Threads that wait at a reconvergence point for running threads, or for some at a barrier, get an entry of their own.
    fn release(&mut self, warp: usize, running: Mask) {
        let (stack, at_barrier) = (&mut self.stacks[warp], self.threads.waiting);
        for i in (0..stack.entries.len()).rev() {
            let above = stack.entries[i + 1..].iter().fold(0, |all, entry| all | entry.mask);
            let Entry { mask, .. } = stack.entries[i];
            let (kept, leaving) = (mask & above, mask & !above);
            if kept & (running | at_barrier) == 0 || leaving == 0 {
                continue;
            }
            stack.coverage.fires("SCS break");
            if kept & running == 0 {
                stack.coverage.fires("SCS barrier");
            }
            let new = Entry { id: stack.new_id(), mask: leaving, ..stack.entries[i].clone() };
            stack.entries[i].mask = kept;
            let hole = (i + 1..stack.entries.len()).find(|&at| stack.entries[at].mask == 0);
            match hole {
                Some(at) => {
                    stack.coverage.fires("SCS hole");
                    stack.entries[at] = new;
                }
                None => stack.entries.push(new),
            }
            stack.depth = stack.depth.max(stack.entries.len());
            self.threads.released(leaving);
            self.breaks += 1;
        }
    }

    /// Finds the entry to run.
    fn settle(&mut self, warp: usize) {
        self.selected[warp] = loop {
            let turn = &self.turns[warp];
            let preferred = turn.is_preferred.then(|| self.lanes.thread(warp, turn.lane)).flatten();
            let stack = &mut self.stacks[warp];
            while stack.entries.last().is_some_and(|entry| entry.mask == 0) {
                stack.coverage.fires("4 empty top");
                stack.entries.pop();
            }
            let highest = runnable(stack).next();
            let wanted = |i: &usize| preferred.is_none_or(|thread| stack.entries[*i].mask >> thread & 1 == 1);
            let found = runnable(stack).find(wanted);
            match found {
                Some(i) if Some(stack.entries[i].pc) == stack.entries[i].rpc => {
                    stack.coverage.fires("5 pop");
                    stack.entries[i].mask = 0;
                }
                Some(i) => {
                    if found != highest {
                        stack.coverage.fires("SCS lane");
                    }
                    break Some(i);
                }
                None if preferred.is_some() => {
                    stack.coverage.fires("SCS lane waits");
                    self.turns[warp].is_preferred = false;
                }
                None if self.present(warp) != 0 => {
                    self.stacks[warp].coverage.fires("SCS stuck");
                    self.release(warp, 0);
                }
                None => break None,
            }
        };
    }

    /// Threads of a warp that neither have ended nor are at a barrier.
    fn present(&self, warp: usize) -> Mask {
        self.lanes.row(warp) & self.threads.live & !self.threads.waiting
    }

    /// At the end: every thread has finished, the stacks are empty.
    pub fn assert_finished(&self) {
        self.threads.assert_finished();
        assert!(self.stacks.iter().all(|stack| stack.entries.is_empty()));
    }

    /// The depth of the deepest stack.
    pub fn depth(&self) -> usize {
        self.stacks.iter().map(|stack| stack.depth).max().unwrap()
    }

    /// Rules that have taken effect.
    pub fn coverage(&self) -> Coverage {
        let mut all = Coverage::default();
        self.stacks.iter().for_each(|stack| all.add(&stack.coverage));
        all
    }
}

/// Entries that neither wait nor share threads with one above, the highest first.
fn runnable(stack: &Stack) -> impl Iterator<Item = usize> {
    let is_runnable = |&i: &usize| {
        let Entry { mask, waits, .. } = stack.entries[i];
        mask != 0 && !waits && stack.entries[i + 1..].iter().all(|above| above.mask & mask == 0)
    };
    (0..stack.entries.len()).rev().filter(is_runnable)
}

#[cfg(test)]
pub(super) mod tests {
    use warploom_hdl::config::Permutation;
    use warploom_runtime::kernels::Random;

    use super::super::tests::set;
    use super::super::{Spe, generator, golden, locks};
    use super::*;

    const SPIN_ONE: Turns = Turns { spin: 1, ..Turns::DEFAULT };

    /// Whether it ends within so many blocks; a random warp goes on.
    fn ends(scs: &mut Scs, random: &mut Random) -> bool {
        for _ in 0..200_000 {
            let ready = scs.ready_warps();
            if ready.is_empty() {
                scs.assert_finished();
                return true;
            }
            scs.execute(ready[random.below(ready.len() as u32) as usize]);
        }
        false
    }

    /// Runs a random CTA of this program, and one of a random program whose threads wait for one another: the rules that have taken effect.
    pub fn run_in_turns(case: &Case, lanes: Lanes, random: &mut Random) -> Coverage {
        let mut coverage = Coverage::default();
        let program = locks::any(random.word().into(), case.paths.len());
        let marked: Vec<bool> = case.program.blocks.iter().map(|_| random.below(2) == 0).collect();
        let turns = Turns { spin: 1 + random.below(9) as usize, quantum: 1 << random.below(10) };
        for mut scs in
            [Scs::new(case, &marked, &lanes, turns, true), Scs::waiting(&program, &lanes, turns, random.below(2) == 0)]
        {
            assert!(ends(&mut scs, random), "{turns:?}: {program:?}");
            coverage.add(&scs.coverage());
        }
        coverage
    }

    #[test]
    fn spin_lock_of_four_lanes() {
        let program = locks::spin_lock(4);
        let mut scs = Scs::waiting(&program, &Lanes::new(4, 4, Permutation::None), SPIN_ONE, true);
        let mut trace = vec![];
        while scs.ready_warps() == [0] {
            let (block, mask) = scs.execute(0);
            trace.push(format!("{}:{}", golden::SPIN_LOCK_BLOCKS.as_bytes()[block] as char, set(mask, "1234")));
        }
        scs.assert_finished();
        assert_eq!(trace, golden::SPIN_LOCK.split_whitespace().collect::<Vec<_>>());
        assert_eq!((scs.breaks, scs.rotations), (3, 3));
    }

    /// Whatever the turns; under single-path execution they hang.
    #[test]
    fn locks_end() {
        for threads in [4, 8] {
            let lanes = Lanes::new(threads, 4, Permutation::None);
            for program in [locks::spin_lock, locks::ticket_lock, locks::chain, locks::barrier_in_a_branch]
                .map(|program| program(threads))
            {
                for (spin, quantum) in [(1, 1), (8, 16_384), (15, 64)] {
                    for taken_first in [false, true] {
                        let mut scs = Scs::waiting(&program, &lanes, Turns { spin, quantum }, taken_first);
                        assert!(ends(&mut scs, &mut Random::new(1)), "{program:?}");
                        // The same without marks.
                        let plain = program.unmarked();
                        let turns = Turns { spin, quantum: quantum.min(64) };
                        assert!(
                            ends(&mut Scs::waiting(&plain, &lanes, turns, taken_first), &mut Random::new(2)),
                            "{program:?}"
                        );
                    }
                }
                let never = Turns { spin: 15, quantum: 1 << 24 };
                let plain = program.unmarked();
                assert!(
                    !ends(&mut Scs::waiting(&plain, &lanes, never, true), &mut Random::new(1)),
                    "it would end without turns"
                );
            }
        }
    }

    #[test]
    fn random_locks_end() {
        let mut coverage = Coverage::default();
        for seed in 0..400 {
            let mut random = Random::new(seed);
            let case = generator::any(seed, 8);
            let lanes = Lanes::new(8, [4, 8][random.below(2) as usize], Permutation::None);
            coverage.add(&run_in_turns(&case, lanes, &mut random));
        }
        for (rule, _) in RULES {
            assert!(coverage.count(rule) > 0, "{rule} never takes effect");
        }
    }

    /// As under single-path execution.
    #[test]
    fn turns_that_never_end() {
        for seed in 0..400 {
            let mut random = Random::new(seed);
            let case = generator::any(random.word().into(), 8);
            let lanes = Lanes::new(8, 4, Permutation::None);
            let unmarked = vec![false; case.program.blocks.len()];
            let mut scs = Scs::new(&case, &unmarked, &lanes, Turns { spin: 1, quantum: 1 << 24 }, true);
            let mut spe = Spe::new(&case, &lanes, false, true);
            while let Some(&warp) = spe.ready_warps().first() {
                assert_eq!(scs.execute(warp), spe.execute(warp));
            }
            scs.assert_finished();
            assert_eq!((scs.rotations, scs.depth()), (0, spe.depth()));
        }
    }
}
