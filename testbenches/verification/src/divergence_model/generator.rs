//! Random programs in which every thread goes its own way: structured ones with barriers, and any control-flow graph.
use std::collections::BTreeMap;

use warploom_runtime::kernels::Random;

use super::{Block, Case, Mask, Program, Terminator, threads_of};

/// Blocks that one thread may execute.
const LONGEST_PATH: usize = 400;

/// When a thread takes a branch.
#[derive(Clone, Copy, Debug)]
enum Condition {
    /// These threads do.
    Threads(Mask),
    /// This often, in percent.
    Percent(u32),
    /// While the loop's counter lasts.
    Again(usize),
    /// At random, from the n-th visit on by the shorter way to the end, which is the taken one or not.
    Wander { percent: u32, visits: usize, out: bool },
}

/// How often a loop runs.
#[derive(Clone, Copy, Debug)]
enum Trips {
    Fixed(usize),
    /// Differs from thread to thread.
    Random,
}

/// A block and what decides at its end.
struct Draft {
    block: Block,
    condition: Option<Condition>,
    /// Counters set at its beginning.
    sets: Vec<(usize, Trips)>,
}

/// `break` and `continue` go there.
type Escapes = Option<[usize; 2]>;

/// Statements to blocks. Successors are labels until the end.
struct Writer<'a> {
    random: &'a mut Random,
    threads: usize,
    drafts: Vec<Draft>,
    /// By label: the block.
    labels: Vec<usize>,
    /// Some block is open; what it sets.
    open: bool,
    sets: Vec<(usize, Trips)>,
    uniform_loops: bool,
}

impl Writer<'_> {
    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound as u32) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn label(&mut self) -> usize {
        self.labels.push(usize::MAX);
        self.labels.len() - 1
    }

    fn place(&mut self, label: usize) {
        if self.open {
            self.close(Terminator::Fall, &[label], None);
        }
        self.labels[label] = self.drafts.len();
        self.open = true;
    }

    fn close(&mut self, terminator: Terminator, successors: &[usize], condition: Option<Condition>) {
        let length = 1 + self.below(3);
        let block = Block { terminator, successors: successors.to_vec(), uniform: false, length };
        self.drafts.push(Draft { block, condition, sets: std::mem::take(&mut self.sets) });
        self.open = false;
    }

    fn predicate(&mut self) -> Condition {
        let all = (1 << self.threads) - 1;
        let which = |test: &dyn Fn(usize) -> bool| {
            threads_of(all).filter(|&thread| test(thread)).map(|thread| 1 << thread).sum::<Mask>()
        };
        let x = self.below(self.threads);
        Condition::Threads(match self.below(7) {
            0 => which(&|thread| thread >> (x & 3) & 1 == 1),
            1 => which(&|thread| thread < x),
            2 => which(&|thread| thread == x),
            3 => which(&|thread| thread / 4 % 2 == 1),
            4 => {
                if x % 2 == 1 {
                    all
                } else {
                    0
                }
            }
            _ => return Condition::Percent([5, 30, 50, 90][self.below(4)]),
        })
    }

    /// Statements through which every thread that stays alive passes `barriers` barriers; with `closed`, none leaves early.
    fn sequence(&mut self, depth: usize, barriers: usize, escapes: Escapes, closed: bool) {
        let statements = 1 + self.below(3);
        let places: Vec<usize> = (0..barriers).map(|_| self.below(statements)).collect();
        for i in 0..statements {
            if self.open {
                let barriers = places.iter().filter(|&&place| place == i).count();
                self.statement(depth, barriers, escapes, closed);
            }
        }
    }

    fn statement(&mut self, depth: usize, barriers: usize, escapes: Escapes, closed: bool) {
        if depth == 0 || self.chance(10) {
            for _ in 0..barriers {
                let next = self.label();
                self.close(Terminator::Barrier, &[next], None);
                self.place(next);
            }
            if self.chance(50) {
                let next = self.label();
                let terminator = if self.chance(50) { Terminator::Jump } else { Terminator::Fall };
                self.close(terminator, &[next], None);
                self.place(next);
            }
            return;
        }
        #[derive(Clone, Copy, PartialEq)]
        enum Kind {
            Sequence,
            IfElse,
            UniformLoop,
            UniformIf,
            If,
            Loop,
            While,
            Exit,
            Break,
            Continue,
        }
        use Kind::*;
        let mut kinds = vec![IfElse, IfElse, UniformLoop, Sequence];
        if barriers == 0 {
            kinds.extend([UniformIf, If, Loop, Loop, While]);
            if !closed {
                kinds.push(Exit);
                if escapes.is_some() {
                    kinds.extend([Break, Break, Continue]);
                }
            }
        }
        let kind = kinds[self.below(kinds.len())];
        let depth = depth - 1;
        if kind == Sequence {
            return self.sequence(depth, barriers, escapes, closed);
        }
        let end = self.label();
        match kind {
            IfElse => {
                let [other, this] = [self.label(), self.label()];
                let condition = self.predicate();
                self.close(Terminator::Branch, &[other, this], Some(condition));
                self.place(this);
                self.sequence(depth, barriers, escapes, closed);
                if self.open {
                    self.close(Terminator::Jump, &[end], None);
                }
                self.place(other);
                self.sequence(depth, barriers, escapes, closed);
            }
            UniformLoop | Loop | While => {
                let [top, body, latch] = [self.label(), self.label(), self.label()];
                let uniform = kind == UniformLoop;
                let trips = 1 + self.below(3);
                let trips = if barriers.is_multiple_of(trips) { trips } else { 1 };
                self.sets.push((top, if uniform { Trips::Fixed(trips) } else { Trips::Random }));
                self.place(top);
                if kind == While {
                    self.close(Terminator::Branch, &[body, end], Some(Condition::Again(top)));
                    self.place(body);
                }
                let escapes = if uniform { None } else { Some([end, latch]) };
                self.sequence(depth, barriers / trips, escapes, closed || uniform);
                self.place(latch);
                if kind == While {
                    self.close(Terminator::Jump, &[top], None);
                } else {
                    self.close(Terminator::Branch, &[top, end], Some(Condition::Again(top)));
                    if uniform {
                        self.uniform_loops = true;
                        self.drafts.last_mut().unwrap().block.uniform = self.random.below(100) < 70;
                    }
                }
            }
            _ => {
                let then = self.label();
                let condition = match kind {
                    UniformIf => Condition::Threads(if self.chance(50) { Mask::MAX } else { 0 }),
                    _ => self.predicate(),
                };
                let to = match (kind, escapes) {
                    (Break, Some([to, _])) | (Continue, Some([_, to])) => Some(to),
                    _ => None,
                };
                let direct = to.filter(|_| self.chance(60));
                let aside = direct.unwrap_or(then);
                self.close(Terminator::Branch, &[aside, end], Some(condition));
                self.drafts.last_mut().unwrap().block.uniform = kind == UniformIf;
                if direct.is_none() {
                    self.place(then);
                    if self.chance(70) {
                        self.sequence(depth, 0, escapes, closed);
                    }
                    if self.open && kind == Exit {
                        self.close(Terminator::Exit, &[], None);
                    } else if let Some(to) = to.filter(|_| self.open) {
                        self.close(Terminator::Jump, &[to], None);
                    }
                }
            }
        }
        self.place(end);
    }
}

/// Drops what cannot be reached; a branch with one target becomes a jump.
fn clean(drafts: Vec<Draft>) -> Vec<Draft> {
    let mut number: BTreeMap<usize, usize> = BTreeMap::new();
    let mut pending = vec![0];
    while let Some(block) = pending.pop() {
        if number.insert(block, 0).is_none() {
            pending.extend(&drafts[block].block.successors);
        }
    }
    number.values_mut().enumerate().for_each(|(i, number)| *number = i);
    let mut kept: Vec<Draft> = drafts
        .into_iter()
        .enumerate()
        .filter(|(block, _)| number.contains_key(block))
        .map(|(_, draft)| draft)
        .collect();
    for Draft { block, .. } in &mut kept {
        block.successors.iter_mut().for_each(|successor| *successor = number[successor]);
        if block.terminator == Terminator::Branch && block.successors[0] == block.successors[1] {
            block.successors.pop();
            (block.terminator, block.uniform) = (Terminator::Jump, false);
        }
    }
    kept
}

/// The blocks of one thread, unless it takes too long.
fn walk(drafts: &[Draft], thread: usize, random: &mut Random) -> Option<Vec<usize>> {
    let (mut at, mut path) = (0, vec![]);
    let (mut counters, mut visits) = (BTreeMap::new(), vec![0; drafts.len()]);
    while path.len() < LONGEST_PATH {
        path.push(at);
        visits[at] += 1;
        let Draft { block, condition, sets } = &drafts[at];
        for &(counter, trips) in sets {
            let trips = match trips {
                Trips::Fixed(trips) => trips,
                Trips::Random => [1, 1, 2, 3, 5][random.below(5) as usize],
            };
            counters.insert(counter, trips);
        }
        if block.terminator == Terminator::Exit {
            return Some(path);
        }
        let taken = block.terminator != Terminator::Branch
            || match condition.expect("a branch has a condition") {
                Condition::Threads(threads) => threads >> thread & 1 == 1,
                Condition::Percent(percent) => random.below(100) < percent,
                Condition::Again(counter) => {
                    let left = counters.get_mut(&counter).expect("the loop is entered through its head");
                    *left -= 1;
                    *left > 0
                }
                Condition::Wander { visits: limit, out, .. } if visits[at] > limit => out,
                Condition::Wander { percent, .. } => random.below(100) < percent,
            };
        at = block.successors[usize::from(!taken)];
    }
    None
}

fn case(mut drafts: Vec<Draft>, threads: usize, past_exits: bool, random: &mut Random) -> Option<Case> {
    let paths = (0..threads).map(|thread| walk(&drafts, thread, random)).collect::<Option<_>>()?;
    // As instructions have it: not taken is the next block.
    for (at, Draft { block, .. }) in drafts.iter_mut().enumerate() {
        if block.terminator == Terminator::Branch && block.successors[1] != at + 1 {
            block.successors.swap(0, 1);
            assert_eq!(block.successors[1], at + 1);
        }
    }
    Some(Case { program: Program::new(drafts.into_iter().map(|draft| draft.block).collect(), past_exits), paths })
}

/// Nested statements: branches, loops with `break` and `continue`, early exits, barriers at any depth that all threads reach.
/// The flag tells whether a loop's counter is the same for all threads.
pub fn structured(random: &mut Random, threads: usize) -> (Case, bool) {
    loop {
        let past_exits = random.below(2) == 0;
        let (depth, barriers) = (1 + random.below(3) as usize, [0, 0, 1, 2, 3][random.below(5) as usize]);
        if let Some(program) = statements(random, threads, depth, barriers, false, past_exits) {
            return program;
        }
    }
}

/// Statements nested at most `depth` deep, without barriers, `break`, `continue` and early exits.
pub fn nested(random: &mut Random, threads: usize, depth: usize) -> Case {
    loop {
        if let Some((case, _)) = statements(random, threads, depth, 0, true, false) {
            return case;
        }
    }
}

fn statements(
    random: &mut Random,
    threads: usize,
    depth: usize,
    barriers: usize,
    closed: bool,
    past_exits: bool,
) -> Option<(Case, bool)> {
    let mut writer = Writer {
        random: &mut *random,
        threads,
        drafts: vec![],
        labels: vec![],
        open: true,
        sets: vec![],
        uniform_loops: false,
    };
    writer.sequence(depth, barriers, None, closed);
    if writer.open {
        writer.close(Terminator::Exit, &[], None);
    }
    let Writer { mut drafts, labels, uniform_loops, .. } = writer;
    drafts
        .iter_mut()
        .flat_map(|draft| &mut draft.block.successors)
        .for_each(|successor| *successor = labels[*successor]);
    Some((case(clean(drafts), threads, past_exits, random)?, uniform_loops))
}

/// A program of either kind, with sensible likely-convergence points or any.
pub fn any(seed: u64, threads: usize) -> Case {
    let mut random = Random::new(seed);
    let (mut case, uniform_loops) = match seed % 4 {
        0 => (unstructured(&mut random, threads), false),
        _ => structured(&mut random, threads),
    };
    if seed.is_multiple_of(3) {
        // Correctness must not depend on a good point, so any block soon behind the branch will do; but that may merge different
        // trips of a loop, so counters are not uniform then.
        let Case { program: Program { blocks, rpc, lpc }, paths } = &mut case;
        for branch in 0..blocks.len() {
            let path = &paths[random.below(threads as u32) as usize];
            let behind = path.iter().position(|&block| block == branch).map(|at| at + 1 + random.below(8) as usize);
            let point = behind.and_then(|at| path.get(at).copied()).filter(|_| random.below(8) != 0);
            lpc[branch] = point.filter(|&point| point != branch && Some(point) != rpc[branch]);
            blocks[branch].uniform &= !uniform_loops;
        }
    }
    case
}

/// Any graph, irreducible ones too, in which every block reaches an exit. No barriers.
pub fn unstructured(random: &mut Random, threads: usize) -> Case {
    loop {
        let size = 3 + random.below(10) as usize;
        let (limit, percent) = (1 + random.below(6) as usize, [20, 50, 80][random.below(3) as usize]);
        let mut draft = |number: usize| {
            let mut some = || random.below(size as u32) as usize;
            let (one, length) = (some(), 1 + some() % 3);
            let (terminator, successors) = match random.below(20) {
                _ if number + 1 == size => (Terminator::Exit, vec![]),
                0 => (Terminator::Exit, vec![]),
                1..4 => (Terminator::Jump, vec![one]),
                4..7 => (Terminator::Fall, vec![number + 1]),
                _ => (Terminator::Branch, vec![one, number + 1]),
            };
            Draft { block: Block { terminator, successors, uniform: false, length }, condition: None, sets: vec![] }
        };
        let mut drafts = clean((0..size).map(&mut draft).collect());
        let Some(way_out) = distances(&drafts) else { continue };
        for Draft { block, condition, .. } in &mut drafts {
            if let [taken, other] = block.successors[..] {
                *condition = Some(Condition::Wander { percent, visits: limit, out: way_out[taken] <= way_out[other] });
            }
        }
        if let Some(case) = case(drafts, threads, false, random) {
            return case;
        }
    }
}

/// Twelve threads, of which some wait on their way to the likely-convergence point D and others behind it: these go on without them, who must
/// not follow into an entry that has left D.
pub fn passed_point() -> Case {
    let paths = ["ABCDF", "ADEF", "ABCF", "ADEF"].repeat(3);
    let mut case = Case::parse("A>D,B B!>C C>F,D D>F,E E!>F F", &paths);
    case.program.lpc[0] = Some(3);
    case
}

/// Steps from each block to the nearest exit, if all reach one.
fn distances(drafts: &[Draft]) -> Option<Vec<usize>> {
    let exits = |draft: &Draft| if draft.block.terminator == Terminator::Exit { Some(0) } else { None };
    let mut steps: Vec<Option<usize>> = drafts.iter().map(exits).collect();
    for _ in drafts {
        for (at, Draft { block, .. }) in drafts.iter().enumerate() {
            let nearest = block.successors.iter().filter_map(|&next| steps[next]).min();
            steps[at] = steps[at].or(nearest.map(|steps| steps + 1));
        }
    }
    steps.into_iter().collect()
}
