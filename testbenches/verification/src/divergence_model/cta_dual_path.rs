//! Dual-path execution on a CTA-wide stack: an entry holds both sides of a branch, and the warps of both are formed and run.
use super::dual_path::DualStack;
use super::{Case, Coverage, Lanes, Mask, Rule, Step, Terminator, Threads, threads_of};

/// Its own rules.
pub(super) const RULES: &[Rule] = &[
    ("23 together", "CTA-wide dual paths: warps of both paths of an entry are under way"),
    ("23 beside", "CTA-wide dual paths: a path goes on, or ends, while the other one's warps are under way"),
    ("23 must wait", "CTA-wide dual paths: a path that must push waits until the other one has gathered"),
    ("23 waited", "CTA-wide dual paths: the path that has waited is committed behind the other one"),
    ("23 beneath", "CTA-wide dual paths: both paths push, the second one beneath the first"),
    ("23 serial", "constrained CTA-wide dual paths: the warps of a path do not fit beside the other one's"),
];

/// How the mechanism is built and launched.
#[derive(Clone, Copy, Debug)]
pub struct PathOptions {
    /// Warps do not gather at jumps and at branches marked uniform.
    pub plus: bool,
    /// The warps of both paths share the slots of one.
    pub constrained: bool,
    /// Which side of a branch is on the left.
    pub taken_first: bool,
    /// Warps are formed from threads of several rows; else they are static.
    pub compaction: bool,
}

/// A compacted warp.
#[derive(Clone, Debug)]
pub struct PathWarp {
    /// Its path: left or right.
    pub side: usize,
    /// Its number among those formed for the path.
    pub number: usize,
    /// Next block.
    pub pc: usize,
    /// Its threads.
    pub mask: Mask,
}

/// What ends the run of a path's warps, with a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    /// At the block's end, all threads to be sorted.
    Branch,
    Barrier,
    Exit,
    /// At the beginning of the block: the target of a jump, or where the entry ends.
    Move,
}

/// One CTA.
#[derive(Clone, Debug)]
pub struct CtaDualPath<'a> {
    /// Its threads.
    pub threads: Threads<'a>,
    /// Their homes.
    pub lanes: Lanes,
    /// Its stack.
    pub stack: DualStack,
    /// Warps of both paths of the active entry that have not arrived.
    pub warps: Vec<PathWarp>,
    /// By path: the sides of the branch at which its warps gather, (PC, threads), the one that runs first last.
    pub staged: [Option<[(usize, Mask); 2]>; 2],
    /// By path: its warps have been formed, and it has not been committed since.
    pub under_way: [bool; 2],
    /// By path: it must push, and waits for the other one.
    pub waits: [bool; 2],
    /// Warps are formed when [`Self::form_path`] says so, and not as soon as they fit.
    pub forms_late: bool,
    gathering: [Option<(Event, usize)>; 2],
    options: PathOptions,
    coverage: Coverage,
}

impl<'a> CtaDualPath<'a> {
    /// Static warps at the first block, on the left.
    pub fn new(case: &'a Case, lanes: Lanes, options: PathOptions) -> Self {
        let threads = Threads::new(case);
        let stack = DualStack::new(threads.live);
        let mut cta = Self {
            threads,
            lanes,
            stack,
            warps: vec![],
            staged: [None; 2],
            under_way: [false; 2],
            waits: [false; 2],
            forms_late: false,
            gathering: [None; 2],
            options,
            coverage: Coverage::default(),
        };
        cta.form();
        cta
    }

    /// A warp goes on with its next block. Behind the last one of its path [`Self::advance`] is next.
    pub fn execute(&mut self, at: usize) -> Step {
        let Some((event, block)) = self.run_block(at) else { return Step::Runs };
        let PathWarp { side, mask, .. } = self.warps.remove(at);
        let other = *self.gathering[side].get_or_insert((event, block));
        assert_eq!(other, (event, block), "warps of one path meet different events");
        match event {
            Event::Branch => {
                let parts = self.threads.sides(block, mask, self.options.taken_first);
                let staged = self.staged[side].get_or_insert(parts.map(|(pc, _)| (pc, 0)));
                staged.iter_mut().zip(parts).for_each(|(staged, (_, part))| staged.1 |= part);
            }
            Event::Exit => {
                self.stack.remove(mask);
                self.threads.live &= !mask;
            }
            Event::Barrier => self.threads.waiting |= mask,
            Event::Move => {}
        }
        if self.warps.iter().all(|warp| warp.side != side) {
            return Step::Last;
        }
        self.form();
        Step::Arrived
    }

    /// [`Self::execute`] and, behind the last warp, [`Self::advance`].
    pub fn execute_and_advance(&mut self, at: usize) {
        let side = self.warps[at].side;
        if self.execute(at) == Step::Last {
            self.advance(side);
        }
    }

    fn run_block(&mut self, at: usize) -> Option<(Event, usize)> {
        let PathWarp { side, number, pc: block, mask } = self.warps[at];
        let entry = &self.stack.entries[self.active()];
        let (path, rpc) = (entry.paths[side], entry.rpc);
        self.threads.execute(2 * number + side, block, mask, path.mask);
        let end = &self.threads.case.program.blocks[block];
        let marked = end.uniform && self.options.plus;
        match end.terminator {
            Terminator::Barrier => return Some((Event::Barrier, block)),
            Terminator::Exit => return Some((Event::Exit, block)),
            Terminator::Branch if !marked => return Some((Event::Branch, block)),
            _ => {}
        }
        let mut next: Vec<usize> = threads_of(mask).map(|thread| self.threads.next(thread).unwrap()).collect();
        next.dedup();
        assert_eq!(next.len(), 1, "the branch of block {block} is marked uniform and diverges");
        if marked {
            self.coverage.fires("14 uniform mark");
        }
        if Some(next[0]) == rpc || end.terminator != Terminator::Fall && !self.options.plus {
            return Some((Event::Move, next[0]));
        }
        self.warps[at].pc = next[0];
        None
    }

    fn active(&self) -> usize {
        self.stack.active.expect("an entry is active").position
    }

    /// Whether the path cannot go on in its entry: both sides of its branch run, or the entry is where it resumes.
    fn must_push(&self, side: usize) -> bool {
        let Some((Event::Branch, block)) = self.gathering[side] else { return false };
        let sides = self.staged[side].expect("its warps have arrived at a branch");
        let entry = &self.stack.entries[self.active()];
        let rpc = self.threads.case.program.rpc[block];
        let is_alone = sides.iter().any(|(pc, _)| Some(*pc) == rpc);
        let other_lives = self.under_way[1 - side] || entry.paths[1 - side].mask != 0;
        sides.iter().all(|(_, mask)| *mask != 0) && !(rpc == entry.rpc && (is_alone || !other_lives))
    }

    /// All warps of a path have arrived: it takes the step, or waits for the other path.
    pub fn advance(&mut self, side: usize) {
        let other = 1 - side;
        if self.must_push(side) && self.under_way[other] && !self.waits[other] {
            self.coverage.fires("23 must wait");
            self.waits[side] = true;
            return;
        }
        let position = self.active();
        self.commit(position, side);
        if self.waits[other] {
            self.coverage.fires("23 waited");
            self.waits[other] = false;
            self.commit(position, other);
        } else if self.under_way[other] {
            // The entry stays, even if the threads of the other path have all ended: it is not committed.
            self.coverage.fires("23 beside");
            self.form();
            return;
        }
        if self.threads.barrier_opens() {
            self.stack.paths().for_each(|path| path.waits = false);
        }
        self.stack.settle();
        self.form();
    }

    /// What becomes of a path; if the other one waits, it will suspend what is left of this one.
    fn commit(&mut self, i: usize, side: usize) {
        let (event, block) = self.gathering[side].take().expect("its warps have arrived");
        let entry = &mut self.stack.entries[i];
        let path = &mut entry.paths[side];
        self.under_way[side] = false;
        match event {
            Event::Exit => {}
            Event::Move => path.pc = block,
            Event::Barrier => {
                self.coverage.fires("10 wait");
                (path.pc, path.waits) = (self.threads.case.program.blocks[block].successors[0], true);
            }
            Event::Branch => {
                let sides = self.staged[side].take().expect("its warps have arrived at a branch");
                if let Some(&(pc, _)) = sides.iter().find(|(_, mask)| *mask == path.mask) {
                    self.coverage.fires("15 agreement");
                    path.pc = pc;
                } else {
                    self.coverage.fires("13 commit");
                    let (mask, rpc) = (path.mask, self.threads.case.program.rpc[block]);
                    let narrows = rpc == entry.rpc && sides.iter().any(|(pc, _)| Some(*pc) == rpc);
                    let exact = self.stack.diverge(i, side, sides, rpc);
                    self.threads.diverged(mask, rpc, exact);
                    if self.waits[1 - side] && !narrows {
                        // What is pushed is not the entry that runs, and the other path may not take the place of this one.
                        self.coverage.fires("23 beneath");
                        self.stack.active = None;
                    }
                    return;
                }
            }
        }
        if Some(path.pc) == entry.rpc {
            self.coverage.fires("5 pop");
            path.mask = 0;
        }
        let (is_left, is_waiting) = (path.mask != 0, path.waits);
        if let Some(active) = self.stack.active.as_mut() {
            active.runs[side] = is_left && !is_waiting;
        }
    }

    /// Warps of the paths that run and have none, left first, as far as they find room.
    fn form(&mut self) {
        for side in 0..2 {
            if !self.waits_for_warps(side) {
                continue;
            }
            if !self.fits(side) {
                self.coverage.fires("23 serial");
            } else if !self.forms_late {
                self.form_path(side);
            }
        }
        let runs = self.stack.active.map_or([false; 2], |active| active.runs);
        assert!((0..2).all(|side| runs[side] || !self.under_way[side]), "warps of a path that does not run");
    }

    /// The path runs, and its warps have not been formed.
    pub fn waits_for_warps(&self, side: usize) -> bool {
        self.stack.active.is_some_and(|active| active.runs[side]) && !self.under_way[side]
    }

    fn rows(&self, side: usize) -> Vec<Vec<Option<usize>>> {
        let mask = self.stack.entries[self.active()].paths[side].mask;
        if self.options.compaction { self.lanes.pack(mask) } else { self.lanes.split(mask) }
    }

    /// The warps of the path find room beside those of the other one.
    pub fn fits(&self, side: usize) -> bool {
        let needed = self.rows(side).len();
        !self.options.constrained || self.warps.is_empty() || self.warps.len() + needed <= self.lanes.rows
    }

    /// Forms the warps of a path that runs and has none.
    pub fn form_path(&mut self, side: usize) {
        let rows = self.rows(side);
        assert!(rows.len() <= self.lanes.rows, "more warps than slots of a side");
        let pc = self.stack.entries[self.active()].paths[side].pc;
        self.under_way[side] = true;
        let warps = rows.iter().enumerate();
        self.warps.extend(warps.map(|(number, rows)| PathWarp { side, number, pc, mask: self.lanes.threads(rows) }));
        if self.under_way == [true; 2] {
            self.coverage.fires("23 together");
        }
    }

    /// At the end: every thread has finished, nothing is left.
    pub fn assert_finished(&self) {
        self.threads.assert_finished();
        assert!(self.stack.entries.is_empty() && self.warps.is_empty() && self.staged == [None; 2]);
    }

    /// Rules that have taken effect.
    pub fn coverage(&self) -> Coverage {
        let mut all = self.coverage.clone();
        all.add(&self.stack.coverage);
        all
    }
}
