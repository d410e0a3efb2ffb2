//! Dual-path execution: a stack per warp whose entries hold both sides of a branch, and both may run.
use super::compaction::block_name;
use super::stack::NOWHERE;
use super::{Case, Coverage, Lanes, Mask, Outcome, Rule, Threads};

/// Its own rules.
pub(super) const RULES: &[Rule] = &[
    ("12 in place", "dual paths: the only side left takes the place of the path that diverged"),
    ("12 overwrite", "dual paths: both sides take over their entry, whose other path is dead"),
    (
        "12 push",
        "dual paths: both sides get an entry of their own though they end where theirs does, since its other path lives",
    ),
    ("12 suspended", "dual paths: a divergence suspends the path beside it"),
    ("12 both", "dual paths: a path diverges that has been suspended after its branch had issued"),
    ("12 yield", "dual paths: a path runs beside one whose threads wait"),
];

/// One side of an entry; dead without threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Path {
    /// Next block.
    pub pc: usize,
    /// Its threads.
    pub mask: Mask,
    /// It waits at `bar.sync`.
    pub waits: bool,
}

/// An entry of the stack.
#[derive(Clone, Debug)]
pub struct DualEntry {
    /// Left and right.
    pub paths: [Path; 2],
    /// The block at which both end.
    pub rpc: Option<usize>,
}

/// The entry that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Active {
    /// Its position.
    pub position: usize,
    /// Its paths that run.
    pub runs: [bool; 2],
}

/// A stack, bottom first.
#[derive(Clone, Debug)]
pub struct DualStack {
    /// The entries; empty ones are holes.
    pub entries: Vec<DualEntry>,
    /// The entry that runs.
    pub active: Option<Active>,
    /// Its greatest depth.
    pub depth: usize,
    /// Rules that have taken effect.
    pub coverage: Coverage,
}

impl Path {
    fn new((pc, mask): (usize, Mask)) -> Self {
        Self { pc, mask, waits: false }
    }
}

impl DualEntry {
    /// The threads of both paths.
    pub fn mask(&self) -> Mask {
        self.paths[0].mask | self.paths[1].mask
    }
}

impl DualStack {
    /// One entry, whose left path is at the first block.
    pub(super) fn new(mask: Mask) -> Self {
        let entry = DualEntry { paths: [Path::new((0, mask)), Path::default()], rpc: None };
        let mut stack = Self { entries: vec![entry], active: None, depth: 1, coverage: Coverage::default() };
        stack.settle();
        stack
    }

    /// The entries as both paths' PC and threads, RPC, separated by semicolons.
    pub fn rows(&self, names: &str) -> String {
        let path = |path: &Path| {
            let threads = names.chars().enumerate().map(|(i, name)| if path.mask >> i & 1 == 1 { name } else { '-' });
            match path.mask {
                0 => "-".into(),
                _ => format!("{} {}", block_name(Some(path.pc)), threads.collect::<String>()),
            }
        };
        let row = |e: &DualEntry| format!("{} {}", e.paths.each_ref().map(path).join("/"), block_name(e.rpc));
        self.entries.iter().map(row).collect::<Vec<_>>().join(" ; ")
    }

    /// Finds the highest entry with a path that does not wait, shares no threads with one above it, and is not at its end: all such paths
    /// run. Drops the paths that have ended, and what is empty on top.
    pub(super) fn settle(&mut self) {
        let (mut active, mut above) = (None, 0);
        for (position, entry) in self.entries.iter_mut().enumerate().rev() {
            let mut runs = entry.paths.map(|path| path.mask != 0 && !path.waits && path.mask & above == 0);
            for (path, runs) in entry.paths.iter_mut().zip(&mut runs) {
                if *runs && Some(path.pc) == entry.rpc {
                    self.coverage.fires("5 pop");
                    (path.mask, *runs) = (0, false);
                }
            }
            if runs.contains(&true) {
                if (0..2).any(|side| !runs[side] && entry.paths[side].mask != 0) {
                    self.coverage.fires("12 yield");
                }
                active = Some(Active { position, runs });
                break;
            }
            above |= entry.mask();
        }
        self.active = active;
        while self.entries.last().is_some_and(|entry| entry.mask() == 0) {
            self.coverage.fires("4 empty top");
            self.entries.pop();
        }
        if active.is_some_and(|active| active.position + 1 < self.entries.len()) {
            self.coverage.fires("11 yield");
        }
    }

    /// A path splits into `sides`, of which the last one runs first. True if all its threads resume at the reconvergence point together.
    pub(super) fn diverge(
        &mut self,
        position: usize,
        side: usize,
        sides: [(usize, Mask); 2],
        rpc: Option<usize>,
    ) -> bool {
        let DualEntry { mut paths, rpc: end } = self.entries[position];
        let reuses = rpc == end;
        self.coverage.fires(if reuses { "2 slot reuse" } else { "2 region" });
        // Left is the side that runs first.
        let mut new = [sides[1], sides[0]].map(Path::new);
        let alone = (0..2).find(|&side| Some(new[1 - side].pc) == rpc);
        if let Some(alone) = alone {
            self.coverage.fires("3 empty side");
            let path = new[alone];
            new = Default::default();
            new[side] = path;
        }
        let other_lives = paths[1 - side].mask != 0;
        let active = self.active.filter(|active| active.position == position);
        if reuses && alone.is_some() {
            self.coverage.fires("12 in place");
            paths[side] = new[side];
        } else if reuses && !other_lives && active.is_some() {
            self.coverage.fires("12 overwrite");
            paths = new;
        } else {
            if reuses {
                self.coverage.fires("12 push");
                paths[side] = Path::default();
            } else {
                paths[side].pc = rpc.unwrap_or(NOWHERE);
            }
            match active {
                None => self.coverage.fires("12 both"),
                Some(active) if active.runs[1 - side] => self.coverage.fires("12 suspended"),
                _ => {}
            }
            self.push(position, DualEntry { paths: new, rpc });
        }
        self.entries[position].paths = paths;
        !reuses
    }

    /// Puts an entry into the lowest free position above its parent.
    fn push(&mut self, parent: usize, entry: DualEntry) {
        let end = self.entries.len();
        let position = (parent + 1..end).find(|&at| self.entries[at].mask() == 0).unwrap_or(end);
        if position < end {
            self.coverage.fires("4 hole");
            self.entries[position] = entry;
        } else {
            self.entries.push(entry);
        }
        self.depth = self.depth.max(position + 1);
    }

    pub(super) fn paths(&mut self) -> impl Iterator<Item = &mut Path> {
        self.entries.iter_mut().flat_map(|entry| &mut entry.paths)
    }

    pub(super) fn remove(&mut self, mask: Mask) {
        if self.paths().filter(|path| path.mask & mask != 0).count() > 1 {
            self.coverage.fires("7 exit");
        }
        self.paths().for_each(|path| path.mask &= !mask);
    }
}

/// One CTA.
#[derive(Clone, Debug)]
pub struct DualPath<'a> {
    /// Its threads.
    pub threads: Threads<'a>,
    /// A stack per warp.
    pub stacks: Vec<DualStack>,
    taken_first: bool,
}

impl<'a> DualPath<'a> {
    /// All warps at the start.
    pub fn new(case: &'a Case, lanes: &Lanes, taken_first: bool) -> Self {
        let stacks = (0..lanes.rows).map(|row| DualStack::new(lanes.row(row))).collect();
        Self { threads: Threads::new(case), stacks, taken_first }
    }

    /// Warps and sides that can go on.
    pub fn ready_paths(&self) -> Vec<(usize, usize)> {
        let runs = |warp: usize, side| self.stacks[warp].active.is_some_and(|active| active.runs[side]);
        let paths = (0..self.stacks.len()).flat_map(|warp| [(warp, 0), (warp, 1)]);
        paths.filter(|&(warp, side)| runs(warp, side)).collect()
    }

    /// A ready path executes its next block. Returns the block and the threads.
    pub fn execute(&mut self, warp: usize, side: usize) -> (usize, Mask) {
        let active = self.stacks[warp].active.expect("the warp is ready");
        assert!(active.runs[side], "the path is ready");
        self.execute_at(warp, active.position, side)
    }

    /// Both paths of the active entry have issued the ends of their blocks; that of side `first` takes effect first. If both diverge,
    /// the other one's entry is above its, and the active one.
    pub fn execute_both(&mut self, warp: usize, first: usize) -> [(usize, Mask); 2] {
        let active = self.stacks[warp].active.expect("the warp is ready");
        assert_eq!(active.runs, [true; 2], "both paths are ready");
        [first, 1 - first].map(|side| self.execute_at(warp, active.position, side))
    }

    /// A path executes its next block that is ready, or was until the other path of its entry diverged.
    pub fn execute_at(&mut self, warp: usize, position: usize, side: usize) -> (usize, Mask) {
        let stack = &mut self.stacks[warp];
        let path = &mut stack.entries[position].paths[side];
        let Path { pc: block, mask, .. } = *path;
        match self.threads.run(warp, block, mask, self.taken_first) {
            Outcome::Goes(pc) => path.pc = pc,
            Outcome::Agrees(pc) => {
                path.pc = pc;
                stack.coverage.fires("6 uniform");
            }
            Outcome::Diverges(sides) => {
                let rpc = self.threads.case.program.rpc[block];
                let exact = stack.diverge(position, side, sides, rpc);
                self.threads.diverged(mask, rpc, exact);
            }
            Outcome::Waits(pc) => {
                (path.pc, path.waits) = (pc, true);
                stack.coverage.fires("10 wait");
            }
            Outcome::Ends => stack.remove(mask),
        }
        if self.threads.barrier_opens() {
            self.stacks.iter_mut().for_each(|stack| {
                stack.paths().for_each(|path| path.waits = false);
                stack.settle();
            });
        } else {
            stack.settle();
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
