//! What every mechanism must respect: the path of each thread, barriers, reconvergence.
use super::locks::{Locks, World};
use super::{Case, Mask, Terminator, threads_of};

/// What has become of threads that have executed a block together.
#[derive(Clone, Copy, Debug)]
pub enum Outcome {
    /// They go on with this block.
    Goes(usize),
    /// The same, behind a branch.
    Agrees(usize),
    /// They go to both sides of a branch: (PC, threads), the one that runs first last.
    Diverges([(usize, Mask); 2]),
    /// They wait at `bar.sync`, and go on with this block.
    Waits(usize),
    /// They have ended.
    Ends,
}

/// Where the threads of a CTA, or of several, are.
#[derive(Clone, Debug)]
pub struct Threads<'a> {
    /// The program and the paths.
    pub case: &'a Case,
    /// Those of each CTA.
    pub ctas: Vec<Mask>,
    /// Threads that have not ended.
    pub live: Mask,
    /// Threads that wait at `bar.sync`.
    pub waiting: Mask,
    /// Warp, block and threads of everything executed.
    pub log: Vec<(usize, usize, Mask)>,
    /// Where the paths grow, if they do.
    world: Option<World<'a>>,
    /// By thread: blocks executed.
    position: Vec<usize>,
    /// By thread: barriers passed or reached.
    barriers: Vec<usize>,
    /// Divergences that have not reconverged: threads, where, and whether exactly these must meet.
    open: Vec<(Mask, usize, bool)>,
}

impl<'a> Threads<'a> {
    /// All at the start.
    pub fn new(case: &'a Case) -> Self {
        let threads = case.paths.len();
        assert!(threads < Mask::BITS as usize);
        let (position, barriers) = (vec![0; threads], vec![0; threads]);
        let (live, ctas) = ((1 << threads) - 1, vec![(1 << threads) - 1]);
        Self { case, ctas, live, waiting: 0, log: vec![], world: None, position, barriers, open: vec![] }
    }

    /// All at the start of a program in which they wait for one another.
    pub fn of(program: &'a Locks) -> Self {
        Self { world: Some(World::new(program)), ..Self::new(&program.case) }
    }

    /// The blocks that a thread executes, as far as they are known.
    fn path(&self, thread: usize) -> &[usize] {
        self.world.as_ref().map_or(&self.case.paths[thread], |world| &world.paths[thread])
    }

    /// A warp executes a block for the threads in `mask`; its entry holds `entry`.
    pub fn execute(&mut self, warp: usize, block: usize, mask: Mask, entry: Mask) {
        let program = &self.case.program;
        assert!(mask != 0 && mask & !self.live == 0 && mask & self.waiting == 0, "block {block} runs with {mask:b}");
        for thread in threads_of(mask) {
            let position = self.position[thread];
            assert_eq!(self.path(thread).get(position), Some(&block), "thread {thread} leaves its path");
            let was_barrier =
                position > 0 && program.blocks[self.path(thread)[position - 1]].terminator == Terminator::Barrier;
            let behind = |other: usize| self.barriers[other] < self.barriers[thread];
            let cta = self.ctas.iter().find(|cta| **cta >> thread & 1 == 1).expect("it is of a CTA");
            assert!(
                !was_barrier || !threads_of(self.live & cta).any(behind),
                "thread {thread} has passed a barrier too early"
            );
            self.barriers[thread] += usize::from(program.blocks[block].terminator == Terminator::Barrier);
            self.position[thread] += 1;
            if let Some(world) = &mut self.world {
                world.step(thread, block);
            }
        }
        self.open.retain(|&(threads, rpc, exact)| {
            let meets = rpc == block && threads & entry != 0;
            let expected = threads & self.live;
            let wrong = meets && (expected & !entry != 0 || exact && expected != entry);
            assert!(!wrong, "{entry:b} reconverges at {block}, {expected:b} had diverged");
            !meets
        });
        self.log.push((warp, block, mask));
    }

    /// A path executes a block: its threads are all that its entry or warp-split has.
    pub fn run(&mut self, warp: usize, block: usize, mask: Mask, taken_first: bool) -> Outcome {
        self.execute(warp, block, mask, mask);
        let block_end = &self.case.program.blocks[block];
        match block_end.terminator {
            Terminator::Fall | Terminator::Jump => Outcome::Goes(block_end.successors[0]),
            Terminator::Branch => {
                let sides = self.sides(block, mask, taken_first);
                match sides.iter().find(|side| side.1 == mask) {
                    Some(&(pc, _)) => Outcome::Agrees(pc),
                    None => Outcome::Diverges(sides),
                }
            }
            Terminator::Barrier => {
                self.waiting |= mask;
                Outcome::Waits(block_end.successors[0])
            }
            Terminator::Exit => {
                self.live &= !mask;
                Outcome::Ends
            }
        }
    }

    /// The block that a thread executes next.
    pub fn next(&self, thread: usize) -> Option<usize> {
        self.path(thread).get(self.position[thread]).copied()
    }

    /// The sides of the branch that `mask` has just executed, (PC, threads), the one that runs first last.
    pub fn sides(&self, block: usize, mask: Mask, taken_first: bool) -> [(usize, Mask); 2] {
        let [target, next] = self.case.program.blocks[block].successors[..] else {
            panic!("block {block} has no branch")
        };
        let taken: Mask =
            threads_of(mask).filter(|&thread| self.next(thread) == Some(target)).map(|thread| 1 << thread).sum();
        let sides = [(next, mask & !taken), (target, taken)];
        if taken_first { sides } else { [sides[1], sides[0]] }
    }

    /// Threads have diverged.
    pub fn diverged(&mut self, mask: Mask, rpc: Option<usize>, exact: bool) {
        self.open.extend(rpc.map(|rpc| (mask, rpc, exact)));
    }

    /// These threads no longer wait for those that they have diverged from.
    pub fn released(&mut self, mask: Mask) {
        self.open.retain(|(threads, ..)| threads & mask == 0);
    }

    /// Every live thread of a CTA waits: its barrier opens.
    pub fn barrier_opens(&mut self) -> bool {
        let waits = |cta: &&Mask| self.waiting & **cta != 0 && self.waiting & **cta == self.live & **cta;
        let open: Mask = self.ctas.iter().filter(waits).sum();
        self.waiting &= !open;
        open != 0
    }

    /// At the end every thread has gone its whole path.
    pub fn assert_finished(&self) {
        let all = 0..self.position.len();
        let left: Vec<usize> = all.filter(|&thread| self.next(thread).is_some()).collect();
        assert!(left.is_empty(), "deadlock: threads {left:?} have not finished, waiting {:b}", self.waiting);
        assert_eq!(self.live, 0);
    }
}
