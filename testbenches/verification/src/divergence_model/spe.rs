//! Single-path execution: a stack per warp.
use super::{Case, Coverage, Entry, Lanes, Mask, Outcome, Stack, Threads};

impl Stack {
    /// The threads of entry `i` have executed its block.
    pub(super) fn go_on(&mut self, i: usize, outcome: Outcome, threads: &mut Threads, likely_convergence: bool) {
        let Entry { pc: block, mask, .. } = self.entries[i];
        let program = &threads.case.program;
        match outcome {
            Outcome::Goes(pc) => self.entries[i].pc = pc,
            Outcome::Agrees(pc) => {
                self.coverage.fires("6 uniform");
                self.entries[i].pc = pc;
            }
            Outcome::Diverges(sides) => {
                let (rpc, lpc) = (program.rpc[block], program.lpc[block].filter(|_| likely_convergence));
                let exact = self.diverge(i, sides.map(|(pc, side)| Entry::new(pc, rpc, side)), rpc, lpc);
                threads.diverged(mask, rpc, exact);
            }
            Outcome::Waits(pc) => self.wait(i, pc),
            Outcome::Ends => self.remove(mask),
        }
    }
}

/// One CTA.
#[derive(Clone, Debug)]
pub struct Spe<'a> {
    /// Its threads.
    pub threads: Threads<'a>,
    /// A stack per warp.
    pub stacks: Vec<Stack>,
    /// By warp: the entry that runs.
    selected: Vec<Option<usize>>,
    likely_convergence: bool,
    taken_first: bool,
}

impl<'a> Spe<'a> {
    /// All warps at the start.
    pub fn new(case: &'a Case, lanes: &Lanes, likely_convergence: bool, taken_first: bool) -> Self {
        let stacks = (0..lanes.rows).map(|row| Stack::new(lanes.row(row))).collect();
        Self::of_stacks(case, stacks, likely_convergence, taken_first)
    }

    /// All threads at the start, in these stacks.
    pub(super) fn of_stacks(
        case: &'a Case,
        mut stacks: Vec<Stack>,
        likely_convergence: bool,
        taken_first: bool,
    ) -> Self {
        let selected = stacks.iter_mut().map(Stack::settle).collect();
        Self { threads: Threads::new(case), stacks, selected, likely_convergence, taken_first }
    }

    /// Warps that can go on.
    pub fn ready_warps(&self) -> Vec<usize> {
        (0..self.stacks.len()).filter(|&warp| self.selected[warp].is_some()).collect()
    }

    /// Block and threads of the entry that a warp runs.
    pub fn running(&self, warp: usize) -> Option<(usize, Mask)> {
        self.selected[warp].map(|i| (self.stacks[warp].entries[i].pc, self.stacks[warp].entries[i].mask))
    }

    /// A ready warp executes its next block. Returns the block and the threads.
    pub fn execute(&mut self, warp: usize) -> (usize, Mask) {
        let (i, stack) = (self.selected[warp].expect("the warp is ready"), &mut self.stacks[warp]);
        let Entry { pc: block, mask, .. } = stack.entries[i];
        let outcome = self.threads.run(warp, block, mask, self.taken_first);
        stack.go_on(i, outcome, &mut self.threads, self.likely_convergence);
        if self.threads.barrier_opens() {
            self.stacks.iter_mut().for_each(Stack::release);
            self.selected = self.stacks.iter_mut().map(Stack::settle).collect();
        } else {
            self.selected[warp] = self.stacks[warp].settle();
        }
        (block, mask)
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
