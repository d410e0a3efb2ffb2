//! Programs whose threads wait for one another: what they find in shared memory decides their paths, which grow as they run.
use std::collections::BTreeMap;

use warploom_runtime::kernels::Random;

use super::{Block, Case, Program, Terminator};

/// A word of shared memory: a variable and an index.
type Word = (usize, usize);

/// The locks' variable; the others have numbers of their own.
const LOCKS: usize = 0;

/// What a thread does in a block. Of a branch, whether it takes it.
#[derive(Clone, Copy, Debug)]
enum Act {
    Nothing,
    /// Again until nobody has the lock; then the thread has it.
    Take(Lock),
    Give(Lock),
    /// One more.
    Add(Word),
    /// One more, and what it was before is the thread's.
    Draw(Word),
    /// Again until it is the number drawn.
    Await(Word),
    Raise(usize),
    /// Again until the thread before or behind has raised its flag.
    AwaitFlag {
        flags: usize,
        upwards: bool,
    },
    Test(Condition),
    /// Trips of a loop, not the same for all threads.
    Trips {
        loop_: usize,
        offset: usize,
    },
    /// Again while there are trips.
    Again(usize),
}

/// A lock, or several that threads share out among them.
#[derive(Clone, Copy, Debug)]
struct Lock {
    number: usize,
    spread: usize,
}

impl Lock {
    fn word(self, thread: usize) -> Word {
        (LOCKS, self.number * 10 + thread % self.spread)
    }
}

/// Which threads take a branch.
#[derive(Clone, Copy, Debug)]
enum Condition {
    Odd,
    Below(usize),
    Is(usize),
    Third(usize),
}

impl Condition {
    fn holds(self, thread: usize) -> bool {
        match self {
            Self::Odd => thread % 2 == 1,
            Self::Below(bound) => thread < bound,
            Self::Is(other) => thread == other,
            Self::Third(offset) => (thread * 7 + offset).is_multiple_of(3),
        }
    }
}

/// A program whose threads wait for one another. On independent threads it ends.
#[derive(Clone, Debug)]
pub struct Locks {
    /// Its blocks; of the paths only the first one.
    pub case: Case,
    /// By block: its target is the head of a loop that waits for other threads.
    pub marked: Vec<bool>,
    acts: Vec<Act>,
}

impl Locks {
    /// Without marks.
    pub fn unmarked(&self) -> Self {
        Self { marked: vec![false; self.marked.len()], ..self.clone() }
    }
}

/// A run of it: shared memory, and how far threads have come.
#[derive(Clone, Debug)]
pub struct World<'a> {
    program: &'a Locks,
    memory: BTreeMap<Word, usize>,
    /// By thread: numbers drawn, and trips left by loop.
    drawn: Vec<usize>,
    trips: Vec<BTreeMap<usize, usize>>,
    /// By thread: the blocks that it has executed, and the next one.
    pub paths: Vec<Vec<usize>>,
}

impl<'a> World<'a> {
    /// At the start.
    pub fn new(program: &'a Locks) -> Self {
        let threads = program.case.paths.len();
        let (drawn, trips) = (vec![0; threads], vec![BTreeMap::new(); threads]);
        Self { program, memory: BTreeMap::new(), drawn, trips, paths: program.case.paths.clone() }
    }

    /// A thread executes a block: its path grows.
    pub fn step(&mut self, thread: usize, block: usize) {
        let again = self.act(thread, self.program.acts[block]);
        let at = &self.program.case.program.blocks[block];
        self.paths[thread].extend(match at.terminator {
            Terminator::Exit => None,
            Terminator::Branch => Some(at.successors[usize::from(!again)]),
            _ => Some(at.successors[0]),
        });
    }

    /// Whether a branch is taken.
    fn act(&mut self, thread: usize, act: Act) -> bool {
        let threads = self.paths.len();
        match act {
            Act::Nothing => false,
            Act::Take(lock) => {
                let holder = self.memory.entry(lock.word(thread)).or_default();
                let is_taken = *holder != 0;
                if !is_taken {
                    *holder = thread + 1;
                }
                is_taken
            }
            Act::Give(lock) => {
                let holder = self.memory.insert(lock.word(thread), 0);
                assert_eq!(holder, Some(thread + 1), "thread {thread} gives back a lock that it has not");
                false
            }
            Act::Add(word) => {
                *self.memory.entry(word).or_default() += 1;
                false
            }
            Act::Draw(word) => {
                let next = self.memory.entry(word).or_default();
                self.drawn[thread] = *next;
                *next += 1;
                false
            }
            Act::Await(word) => self.value(word) != self.drawn[thread],
            Act::Raise(flags) => {
                self.memory.insert((flags, thread), 1);
                false
            }
            Act::AwaitFlag { flags, upwards } => match upwards {
                true => thread > 0 && self.value((flags, thread - 1)) == 0,
                false => thread + 1 < threads && self.value((flags, thread + 1)) == 0,
            },
            Act::Test(condition) => condition.holds(thread),
            Act::Trips { loop_, offset } => {
                self.trips[thread].insert(loop_, 1 + (thread + offset) % 3);
                false
            }
            Act::Again(loop_) => {
                let left = self.trips[thread].get_mut(&loop_).expect("the loop has begun");
                *left -= 1;
                *left > 0
            }
        }
    }

    fn value(&self, word: Word) -> usize {
        self.memory.get(&word).copied().unwrap_or(0)
    }
}

/// Writes them, block by block.
struct Writer {
    random: Random,
    threads: usize,
    blocks: Vec<Block>,
    marked: Vec<bool>,
    acts: Vec<Act>,
    /// Variables and loops so far.
    names: usize,
    /// Blocks have up to so many instructions.
    longest: usize,
}

impl Writer {
    fn new(seed: u64, threads: usize, longest: usize) -> Self {
        let (blocks, marked, acts) = (vec![], vec![], vec![]);
        Self { random: Random::new(seed), threads, blocks, marked, acts, names: LOCKS, longest }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound as u32) as usize
    }

    fn name(&mut self) -> usize {
        self.names += 1;
        self.names
    }

    fn put(&mut self, terminator: Terminator, successors: Vec<usize>, act: Act) -> usize {
        let length = 1 + self.below(self.longest);
        self.blocks.push(Block { terminator, successors, uniform: false, length });
        self.marked.push(false);
        self.acts.push(act);
        self.blocks.len() - 1
    }

    fn then(&mut self, act: Act) {
        let next = self.blocks.len() + 1;
        self.put(Terminator::Fall, vec![next], act);
    }

    fn barrier(&mut self) {
        let next = self.blocks.len() + 1;
        self.put(Terminator::Barrier, vec![next], Act::Nothing);
    }

    /// A barrier to which some threads come inside a branch, the others behind it.
    fn barrier_apart(&mut self, behind: Condition) {
        self.either(behind, |_| (), Self::barrier);
        self.either(behind, Self::barrier, |_| ());
    }

    /// A loop of one block, which waits for other threads, and the block behind it.
    fn until(&mut self, act: Act) {
        let here = self.blocks.len();
        self.put(Terminator::Branch, vec![here, here + 1], act);
        self.marked[here] = true;
        self.then(Act::Nothing);
    }

    fn either(&mut self, condition: Condition, yes: impl FnOnce(&mut Self), no: impl FnOnce(&mut Self)) {
        let test = self.put(Terminator::Branch, vec![], Act::Test(condition));
        self.then(Act::Nothing);
        no(self);
        let jump = self.put(Terminator::Jump, vec![], Act::Nothing);
        self.blocks[test].successors = vec![self.blocks.len(), test + 1];
        self.then(Act::Nothing);
        yes(self);
        self.blocks[jump].successors = vec![self.blocks.len()];
        self.then(Act::Nothing);
    }

    fn trips(&mut self, body: impl FnOnce(&mut Self)) {
        let (loop_, offset) = (self.name(), self.below(3));
        self.then(Act::Trips { loop_, offset });
        let top = self.blocks.len();
        body(self);
        let behind = self.blocks.len() + 1;
        self.put(Terminator::Branch, vec![top, behind], Act::Again(loop_));
    }

    fn end(mut self) -> Locks {
        self.put(Terminator::Exit, vec![], Act::Nothing);
        let case = Case { program: Program::new(self.blocks, false), paths: vec![vec![0]; self.threads] };
        Locks { case, marked: self.marked, acts: self.acts }
    }

    fn condition(&mut self) -> Condition {
        let thread = self.below(self.threads);
        [Condition::Odd, Condition::Below(thread), Condition::Is(thread), Condition::Third(thread)][self.below(4)]
    }

    /// Locks are taken in the order of their numbers.
    fn critical(&mut self, least: usize, depth: usize) {
        let lock = Lock { number: least + self.below(2), spread: [1, 1, 2][self.below(3)] };
        let count = self.name();
        self.until(Act::Take(lock));
        self.then(Act::Add((count, 0)));
        match self.below(10) {
            0..4 if depth > 0 => self.critical(lock.number + 1, depth - 1),
            4..6 if depth > 0 => {
                let condition = self.condition();
                self.either(condition, |_| (), |_| ());
            }
            _ => {}
        }
        self.then(Act::Give(lock));
    }

    fn body(&mut self, depth: usize, is_outer: bool) {
        for _ in 0..1 + self.below(2) {
            match self.below(if is_outer { 7 } else { 6 }) {
                2 if is_outer => {
                    let (next, serving) = (self.name(), self.name());
                    self.then(Act::Draw((next, 0)));
                    self.until(Act::Await((serving, 0)));
                    self.then(Act::Add((serving, 0)));
                }
                3 if is_outer => {
                    let (flags, upwards) = (self.name(), self.below(2) == 0);
                    self.until(Act::AwaitFlag { flags, upwards });
                    self.then(Act::Raise(flags));
                }
                4 if depth > 0 => {
                    let (condition, both) = (self.condition(), self.below(10) < 6);
                    self.either(
                        condition,
                        |writer| writer.body(depth - 1, false),
                        |writer| {
                            if both {
                                writer.body(depth - 1, false);
                            }
                        },
                    );
                }
                5 if depth > 0 => self.trips(|writer| writer.body(depth - 1, false)),
                6 if self.below(2) == 0 => self.barrier(),
                6 => {
                    let behind = self.condition();
                    self.barrier_apart(behind);
                }
                _ => self.critical(0, 2),
            }
        }
    }
}

/// Every thread takes the lock, counts, and gives it back.
pub fn spin_lock(threads: usize) -> Locks {
    let mut writer = Writer::new(0, threads, 1);
    let lock = Lock { number: 0, spread: 1 };
    writer.until(Act::Take(lock));
    writer.then(Act::Add((1, 0)));
    writer.then(Act::Give(lock));
    writer.end()
}

/// The same, in the order in which they have drawn numbers.
pub fn ticket_lock(threads: usize) -> Locks {
    let mut writer = Writer::new(0, threads, 1);
    writer.then(Act::Draw((1, 0)));
    writer.until(Act::Await((2, 0)));
    writer.then(Act::Add((3, 0)));
    writer.then(Act::Add((2, 0)));
    writer.end()
}

/// Producers and consumers: every thread waits for the flag of the one before it, and raises its own.
pub fn chain(threads: usize) -> Locks {
    let mut writer = Writer::new(0, threads, 1);
    writer.until(Act::AwaitFlag { flags: 1, upwards: true });
    writer.then(Act::Raise(1));
    writer.end()
}

/// The last thread waits for the flag of the one before it, and that one, behind a branch, for those that are at a barrier inside it.
pub fn barrier_in_a_branch(threads: usize) -> Locks {
    let mut writer = Writer::new(0, threads, 1);
    let raises = Condition::Is(threads - 2);
    writer.either(
        Condition::Is(threads - 1),
        |writer| {
            writer.until(Act::AwaitFlag { flags: 1, upwards: true });
            writer.barrier();
        },
        |writer| {
            writer.either(raises, |_| (), Writer::barrier);
            writer.then(Act::Raise(1));
            writer.either(raises, Writer::barrier, |_| ());
        },
    );
    writer.end()
}

/// Locks in the order of their numbers, tickets, flags, barriers, `if` and loops: on independent threads it ends.
pub fn any(seed: u64, threads: usize) -> Locks {
    let mut writer = Writer::new(seed, threads, 3);
    writer.body(2, true);
    writer.end()
}
