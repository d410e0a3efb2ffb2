//! [`SpeStack`] against a behavioural model, on random programs in which every thread goes its own way.
//!
//! The module is driven as the core would: a warp is fetched when its slot is empty, decoded one cycle later, and its control
//! instructions resolve some cycles after that. Every thread must execute exactly its own path, and every warp the
//! model's sequence of (PC, mask).
use std::collections::VecDeque;

use warploom_hdl::divergence::SpeStack;
use warploom_hdl::interface::ControlKind;
use warploom_hdl::prelude::*;

const LANES: usize = 4;
const WARPS: usize = 3;
const ENTRIES: usize = 11;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) % n as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

// -- programs ----------------------------------------------------------------------------------------------------

#[derive(Clone, Copy, Debug, PartialEq)]
enum Op {
    Step,
    Branch(usize),
    Jump(usize),
    Exit,
    Barrier,
}

/// When a thread takes a branch.
#[derive(Clone, Copy)]
enum Condition {
    Never,
    /// Threads whose bit is set.
    Threads(usize),
    /// This often.
    Percent(usize),
    /// All times but every n-th.
    AllBut(usize),
}

struct Program {
    ops: Vec<Op>,
    /// Immediate post-dominator of every instruction; `None` is the end of the kernel.
    rpc: Vec<Option<usize>>,
    /// The instructions that every thread executes.
    paths: Vec<Vec<usize>>,
}

impl Program {
    /// `None` if some thread does not come to an end.
    fn new(ops: Vec<Op>, conditions: &[Condition], past_exits: bool, random: &mut Random) -> Option<Self> {
        let walk = |thread: usize, random: &mut Random| {
            let (mut at, mut path, mut visits) = (0, vec![], vec![0; ops.len()]);
            while path.len() < 300 {
                path.push(at);
                visits[at] += 1;
                let taken = match conditions[at] {
                    Condition::Never => false,
                    Condition::Threads(bits) => bits >> thread & 1 == 1,
                    Condition::Percent(percent) => random.chance(percent),
                    Condition::AllBut(n) => visits[at] % n != 0,
                };
                at = match ops[at] {
                    Op::Exit => return Some(path),
                    Op::Branch(target) if taken => target,
                    Op::Jump(target) => target,
                    _ => at + 1,
                };
            }
            None
        };
        let paths = (0..LANES * WARPS).map(|thread| walk(thread, random)).collect::<Option<_>>()?;
        let rpc = immediate_post_dominators(&ops, past_exits);
        Some(Self { ops, rpc, paths })
    }
}

/// With `past_exits`, a point need not lie on the paths that end early: the hardware removes their threads from
/// every entry, so others may reconverge without them.
fn immediate_post_dominators(ops: &[Op], past_exits: bool) -> Vec<Option<usize>> {
    let end = ops.len();
    assert!(end < 128);
    let mut sets = vec![u128::MAX; end];
    sets.push(1 << end);
    loop {
        let before = sets.clone();
        for (i, op) in ops.iter().enumerate().rev() {
            let common = match *op {
                Op::Exit if past_exits && i + 1 < end => u128::MAX,
                Op::Exit => sets[end],
                Op::Jump(target) => sets[target],
                Op::Branch(target) => sets[target] & sets[i + 1],
                _ => sets[i + 1],
            };
            sets[i] = common | 1 << i;
        }
        if sets == before {
            break;
        }
    }
    let closest = |i: usize| {
        let strict = (0..=end).filter(|&j| j != i && sets[i] >> j & 1 == 1);
        strict.max_by_key(|&j| sets[j].count_ones()).filter(|&j| j != end)
    };
    (0..end).map(closest).collect()
}

/// Writes structured programs; branch targets are labels until the end.
struct Writer<'a> {
    random: &'a mut Random,
    ops: Vec<Op>,
    conditions: Vec<Condition>,
    labels: Vec<usize>,
}

impl Writer<'_> {
    fn emit(&mut self, op: Op, condition: Condition) {
        self.ops.push(op);
        self.conditions.push(condition);
    }

    fn label(&mut self) -> usize {
        self.labels.push(usize::MAX);
        self.labels.len() - 1
    }

    fn place(&mut self, label: usize) {
        self.labels[label] = self.ops.len();
    }

    fn some_threads(&mut self) -> Condition {
        match self.random.below(3) {
            0 => Condition::Threads(self.random.below(1 << (LANES * WARPS))),
            1 => Condition::Threads(if self.random.chance(50) { 0 } else { usize::MAX }),
            _ => Condition::Percent([5, 30, 50, 90][self.random.below(4)]),
        }
    }

    /// Statements through which every thread that stays alive passes `barriers` barriers.
    fn sequence(&mut self, depth: usize, barriers: usize, escape: Option<[usize; 2]>) {
        let statements = 1 + self.random.below(3);
        let places: Vec<usize> = (0..barriers).map(|_| self.random.below(statements)).collect();
        for i in 0..statements {
            self.statement(depth, places.iter().filter(|&&place| place == i).count(), escape);
        }
    }

    /// `escape`: where `break` and `continue` go.
    fn statement(&mut self, depth: usize, barriers: usize, escape: Option<[usize; 2]>) {
        if depth == 0 || self.random.chance(10) {
            for _ in 0..barriers {
                self.emit(Op::Barrier, Condition::Never);
            }
            for _ in 0..self.random.below(3) {
                self.emit(Op::Step, Condition::Never);
            }
            return;
        }
        let [start, other, end] = [self.label(), self.label(), self.label()];
        let condition = self.some_threads();
        self.place(start);
        match self.random.below(if barriers > 0 { 3 } else { 8 }) {
            0 => self.sequence(depth - 1, barriers, escape),
            1 => {
                self.emit(Op::Branch(other), condition);
                self.sequence(depth - 1, barriers, escape);
                self.emit(Op::Jump(end), Condition::Never);
                self.place(other);
                self.sequence(depth - 1, barriers, escape);
            }
            2 => {
                let trips = 1 + self.random.below(3);
                let trips = if barriers.is_multiple_of(trips) { trips } else { 1 };
                self.sequence(depth - 1, barriers / trips, None);
                self.emit(Op::Branch(start), Condition::AllBut(trips));
            }
            3 => {
                self.emit(Op::Branch(end), condition);
                self.sequence(depth - 1, 0, escape);
            }
            4 => {
                self.sequence(depth - 1, 0, Some([end, other]));
                self.place(other);
                self.emit(Op::Branch(start), Condition::Percent(50));
            }
            5 => {
                self.emit(Op::Branch(end), Condition::Percent(40));
                self.sequence(depth - 1, 0, Some([end, start]));
                self.emit(Op::Jump(start), Condition::Never);
            }
            6 => {
                self.emit(Op::Branch(end), condition);
                self.sequence(depth - 1, 0, escape);
                self.emit(Op::Exit, Condition::Never);
            }
            _ => {
                let to = escape.map_or(end, |labels| labels[self.random.below(2)]);
                self.emit(Op::Branch(to), condition);
            }
        }
        self.place(end);
    }
}

fn structured(random: &mut Random) -> Program {
    loop {
        let past_exits = random.chance(50);
        let (depth, barriers) = (1 + random.below(3), [0, 0, 1, 2, 3][random.below(5)]);
        let mut writer = Writer { random: &mut *random, ops: vec![], conditions: vec![], labels: vec![] };
        writer.sequence(depth, barriers, None);
        writer.emit(Op::Exit, Condition::Never);
        let Writer { mut ops, conditions, labels, .. } = writer;
        for op in &mut ops {
            if let Op::Branch(target) | Op::Jump(target) = op {
                *target = labels[*target];
            }
        }
        if ops.len() < 128
            && let Some(program) = Program::new(ops, &conditions, past_exits, random)
        {
            return program;
        }
    }
}

/// Any graph, without barriers.
fn unstructured(random: &mut Random) -> Program {
    loop {
        let size = 3 + random.below(10);
        let percent = [20, 50, 80][random.below(3)];
        let mut ops: Vec<Op> = (1..size)
            .map(|_| match random.below(7) {
                0..4 => Op::Branch(random.below(size)),
                4 => Op::Jump(random.below(size)),
                5 => Op::Step,
                _ => Op::Exit,
            })
            .collect();
        ops.push(Op::Exit);
        if let Some(program) = Program::new(ops, &vec![Condition::Percent(percent); size], false, random) {
            return program;
        }
    }
}

// -- the model ---------------------------------------------------------------------------------------------------

/// Bookkeeping that the model and the testbench share: where each thread is.
struct Threads<'a> {
    program: &'a Program,
    position: Vec<usize>,
    log: Vec<Vec<(usize, usize)>>,
}

impl<'a> Threads<'a> {
    fn new(program: &'a Program) -> Self {
        Self { program, position: vec![0; LANES * WARPS], log: vec![vec![]; WARPS] }
    }

    /// The lanes of `mask` execute `at`; returns those that go to the target of a branch.
    fn execute(&mut self, warp: usize, at: usize, mask: usize) -> usize {
        assert!(mask != 0, "warp {warp} executes {at} with no lanes");
        self.log[warp].push((at, mask));
        let mut taken = 0;
        for lane in (0..LANES).filter(|lane| mask >> lane & 1 == 1) {
            let thread = warp * LANES + lane;
            let path = &self.program.paths[thread];
            assert_eq!(path.get(self.position[thread]), Some(&at), "thread {thread} leaves its path");
            self.position[thread] += 1;
            match self.program.ops[at] {
                Op::Branch(target) if path[self.position[thread]] == target => taken |= 1 << lane,
                Op::Jump(_) => taken |= 1 << lane,
                _ => {}
            }
        }
        taken
    }

    fn assert_finished(&self) {
        for (thread, path) in self.program.paths.iter().enumerate() {
            assert_eq!(self.position[thread], path.len(), "thread {thread} has not finished");
        }
    }
}

struct Entry {
    pc: usize,
    rpc: Option<usize>,
    mask: usize,
    waits: bool,
}

struct Stack {
    entries: Vec<Entry>,
    depth: usize,
}

impl Stack {
    /// Drops what is empty on top, pops what is at its RPC; the entry to run.
    fn settle(&mut self) -> Option<usize> {
        loop {
            while self.entries.last().is_some_and(|entry| entry.mask == 0) {
                self.entries.pop();
            }
            let runs = |i: usize| {
                let (entry, above) = (&self.entries[i], &self.entries[i + 1..]);
                entry.mask != 0 && !entry.waits && above.iter().all(|other| other.mask & entry.mask == 0)
            };
            let i = (0..self.entries.len()).rev().find(|&i| runs(i))?;
            if Some(self.entries[i].pc) != self.entries[i].rpc {
                return Some(i);
            }
            self.entries[i].mask = 0;
        }
    }

    /// Entry `i` splits into `sides`, the one to run first last.
    fn diverge(&mut self, i: usize, sides: [(usize, usize); 2], rpc: Option<usize>) {
        let reuses = rpc == self.entries[i].rpc;
        let mut at = i;
        if reuses {
            self.entries[i].mask = 0;
        } else {
            self.entries[i].pc = rpc.expect("a region inside a region reconverges");
            at += 1;
        }
        for (pc, mask) in sides.into_iter().filter(|&(pc, _)| Some(pc) != rpc) {
            while self.entries.get(at).is_some_and(|entry| entry.mask != 0) {
                at += 1;
            }
            let entry = Entry { pc, rpc, mask, waits: false };
            if at < self.entries.len() {
                self.entries[at] = entry;
            } else {
                self.entries.push(entry);
            }
            at += 1;
        }
        self.depth = self.depth.max(self.entries.len());
    }
}

/// What every warp executes, and the depth of the deepest stack.
fn model(program: &Program, taken_first: bool) -> (Vec<Vec<(usize, usize)>>, usize) {
    let mut threads = Threads::new(program);
    let full = (1 << LANES) - 1;
    let start = || Stack { entries: vec![Entry { pc: 0, rpc: None, mask: full, waits: false }], depth: 1 };
    let mut stacks: Vec<Stack> = (0..WARPS).map(|_| start()).collect();
    loop {
        for (warp, stack) in stacks.iter_mut().enumerate() {
            while let Some(i) = stack.settle() {
                let (at, mask) = (stack.entries[i].pc, stack.entries[i].mask);
                let taken = threads.execute(warp, at, mask);
                stack.entries[i].pc = at + 1;
                match program.ops[at] {
                    Op::Branch(target) | Op::Jump(target) if taken == mask => stack.entries[i].pc = target,
                    Op::Branch(target) if taken != 0 => {
                        let (this, other) = ((target, taken), (at + 1, mask & !taken));
                        let sides = if taken_first { [other, this] } else { [this, other] };
                        stack.diverge(i, sides, program.rpc[at]);
                    }
                    Op::Barrier => stack.entries[i].waits = true,
                    Op::Exit => stack.entries.iter_mut().for_each(|entry| entry.mask &= !mask),
                    _ => {}
                }
            }
        }
        // Nothing runs any more: every live thread waits, or there is none.
        for stack in &mut stacks {
            let live = stack.entries.iter().fold(0, |lanes, entry| lanes | entry.mask);
            let waiting = stack.entries.iter().filter(|entry| entry.waits).fold(0, |lanes, entry| lanes | entry.mask);
            assert_eq!(waiting, live, "deadlock");
        }
        if stacks.iter().all(|stack| stack.entries.is_empty()) {
            break;
        }
        stacks.iter_mut().flat_map(|stack| &mut stack.entries).for_each(|entry| entry.waits = false);
    }
    threads.assert_finished();
    (threads.log, stacks.iter().map(|stack| stack.depth).max().unwrap())
}

// -- the module --------------------------------------------------------------------------------------------------

/// An instruction in a warp's slot.
#[derive(Clone, Copy)]
struct Issued {
    at: usize,
    mask: usize,
    taken: usize,
    cycles_left: usize,
}

fn tick(stack: &mut SpeStack) {
    for _ in 0..2 {
        stack.clock.next = !stack.clock.val();
        simulate(stack, 1000);
    }
}

fn run(stack: &mut SpeStack, program: &Program, random: &mut Random) -> (Vec<Vec<(usize, usize)>>, usize) {
    let mut threads = Threads::new(program);
    let mut slots: Vec<Option<Issued>> = vec![None; WARPS];
    let mut in_decode: Option<usize> = None;
    let mut to_launch: VecDeque<usize> = (0..WARPS).collect();
    let (mut live, mut arrived, mut finished, mut depth) = (LANES * WARPS, 0, 0, 0);
    for _ in 0..20_000 {
        stack.launch_valid.next = !to_launch.is_empty() && random.chance(80);
        stack.launch_warp.next = to_launch.front().copied().unwrap_or(0).into();
        stack.launch_pc.next = 0.into();
        stack.launch_mask.next = ((1 << LANES) - 1).into();

        stack.decoded_valid.next = in_decode.is_some();
        stack.decoded_warp.next = in_decode.unwrap_or(0).into();
        let control = |issued: Issued| program.ops[issued.at] != Op::Step;
        stack.decoded_control.next = in_decode.and_then(|warp| slots[warp]).is_some_and(control);

        stack.barrier_release.next = 0.into();
        if arrived > 0 && arrived == live {
            stack.barrier_release.next = ((1 << WARPS) - 1).into();
            arrived = 0;
        }

        // One instruction leaves the pipeline; a control instruction with its outcome.
        stack.resolve_valid.next = false;
        let due = |slot: &Option<Issued>| slot.is_some_and(|issued| issued.cycles_left == 0);
        let mut freed = None;
        if let Some(warp) = slots.iter().position(due) {
            freed = Some(warp);
            let Issued { at, mask, taken, .. } = slots[warp].unwrap();
            let kind = match program.ops[at] {
                Op::Step => None,
                Op::Branch(target) => Some((ControlKind::Branch, target)),
                Op::Jump(target) => Some((ControlKind::Jump, target)),
                Op::Exit => Some((ControlKind::Exit, 0)),
                Op::Barrier => Some((ControlKind::Barrier, 0)),
            };
            if let Some((kind, target)) = kind {
                stack.resolve_valid.next = true;
                stack.resolve_warp.next = warp.into();
                stack.resolve_kind.next = kind;
                stack.resolve_taken.next = taken.into();
                stack.resolve_mask.next = mask.into();
                stack.resolve_target.next = (4 * target).into();
                stack.resolve_next.next = (4 * at + 4).into();
                stack.resolve_rpc.next = (4 * program.rpc[at].unwrap_or(0)).into();
                stack.resolve_rpc_valid.next = program.rpc[at].is_some();
            }
        }
        let fetchable = stack.fetchable.val();
        let free = |warp: &usize| fetchable.get_bit(*warp) && slots[*warp].is_none();
        let candidates: Vec<usize> = (0..WARPS).filter(free).collect();
        let fetched = if candidates.is_empty() { None } else { Some(candidates[random.below(candidates.len())]) };
        stack.fetch_warp.next = fetched.unwrap_or(0).into();
        simulate(stack, 1000);

        if stack.launch_valid.val() && stack.launch_ready.val() {
            to_launch.pop_front();
        }
        assert!(!stack.overflow_valid.val());
        depth = depth.max(stack.depth.val().index());
        if stack.arrive_valid.val() {
            arrived += stack.arrive_count.val().index();
        }
        if stack.exit_valid.val() {
            live -= stack.exit_count.val().index();
        }
        finished += stack.finished_valid.val() as usize;
        for issued in slots.iter_mut().flatten() {
            issued.cycles_left = issued.cycles_left.saturating_sub(1);
        }
        if let Some(warp) = freed {
            slots[warp] = None;
        }
        if let Some(warp) = fetched {
            let (at, mask) = (stack.fetch_pc.val().index() / 4, stack.fetch_mask.val().index());
            let taken = threads.execute(warp, at, mask);
            slots[warp] = Some(Issued { at, mask, taken, cycles_left: 1 + random.below(4) });
        }
        in_decode = fetched;
        tick(stack);
        if finished == WARPS {
            assert_eq!((stack.fetchable.val().value(), live), (0, 0));
            threads.assert_finished();
            return (threads.log, depth);
        }
    }
    panic!("deadlock: {finished} warps finished, {arrived} of {live} threads wait");
}

fn compare(programs: u64, generate: fn(&mut Random) -> Program) {
    for taken_first in [false, true] {
        let mut stack = SpeStack::new(LANES, WARPS, ENTRIES, taken_first);
        stack.connect_all();
        simulate(&mut stack, 1000);
        for seed in 0..programs {
            let mut random = Random(seed * 2 + taken_first as u64);
            let program = generate(&mut random);
            let expected = model(&program, taken_first);
            let found = run(&mut stack, &program, &mut random);
            assert_eq!(found, expected, "seed {seed}, taken_first {taken_first}: {:?}", program.ops);
        }
    }
}

#[test]
fn structured_programs_with_barriers() {
    compare(1000, structured);
}

#[test]
fn any_control_flow_graph() {
    compare(1000, unstructured);
}
