//! [`WarpSubdivision`] under random programs in which every thread goes its own way.
//!
//! The module is driven as the core would: paths are fetched, decoded, wait in the warp buffer, sometimes for long, and resolve some
//! cycles behind their issue. Which splits merge depends on all that, so the bench follows threads, not splits: whoever is fetched
//! must be at the fetched PC, on its own way through the program, and nowhere else in the pipeline. Barriers open when the module has
//! counted every thread. At the end all threads have gone their whole ways and have been counted, and nothing is left of the warps.
//!
//! `WARPLOOM_RANDOM_PROGRAMS=5000 cargo test -p warploom-verification --test warp_subdivision -- --include-ignored` runs more.
use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use warploom_hdl::divergence::WarpSubdivision;
use warploom_runtime::kernels::Random;
use warploom_verification::divergence_model::{Case, Outcome, Program, Terminator, Threads, generator};
use warploom_verification::module_simulator::ModuleSimulator;

const WARPS: usize = 3;
const ENTRIES: usize = 21;

/// Nets to look at.
const NETS: [&str; 4] = ["*splits.parks", "*splits.waits", "*splits.exit_valid", "*splits.divided"];

/// Where a thread is.
#[derive(Clone, Copy, Default)]
struct Position {
    block: usize,
    /// Instructions of it that have been fetched.
    fetched: usize,
    /// The block behind it.
    next: Option<usize>,
    /// Its control instruction has not been resolved.
    unresolved: bool,
}

/// An instruction on its way.
#[derive(Clone, Copy)]
struct Instruction {
    warp: usize,
    side: usize,
    block: usize,
    lanes: usize,
    is_control: bool,
    /// Cycles until it leaves the buffer, then until it resolves.
    cycles_left: u32,
}

/// One launch of one CTA.
struct Bench<'a> {
    module: &'a mut ModuleSimulator,
    case: &'a Case,
    addresses: Vec<usize>,
    /// By block: its branch may divide a warp.
    short: &'a [bool],
    lanes: usize,
    oracle: Threads<'a>,
    positions: Vec<Position>,
    /// How often an instruction waits in the buffer for a load.
    waits_percent: u32,
    random: Random,
    to_launch: VecDeque<usize>,
    in_decode: Option<Instruction>,
    /// By warp and side.
    buffers: Vec<Vec<Option<Instruction>>>,
    /// Control instructions that have issued.
    issued: Vec<Instruction>,
    /// By warp: threads that have ended, and that have arrived at barriers.
    exits: Vec<usize>,
    arrivals: Vec<usize>,
    waiting: usize,
    opens_in: Option<u32>,
    finished: usize,
    /// How often something has happened.
    events: BTreeMap<&'static str, usize>,
}

impl<'a> Bench<'a> {
    fn new(
        module: &'a mut ModuleSimulator,
        case: &'a Case,
        short: &'a [bool],
        (lanes, sides): (usize, usize),
        mut random: Random,
    ) -> Self {
        let threads = case.paths.len();
        let warps = threads.div_ceil(lanes);
        Self {
            module,
            case,
            addresses: case.program.addresses(),
            short,
            lanes,
            oracle: Threads::new(case),
            positions: vec![Position::default(); threads],
            waits_percent: [0, 10, 40][random.below(3) as usize],
            random,
            to_launch: (0..warps).collect(),
            in_decode: None,
            buffers: vec![vec![None; sides]; warps],
            issued: vec![],
            exits: vec![0; warps],
            arrivals: vec![0; warps],
            waiting: 0,
            opens_in: None,
            finished: 0,
            events: BTreeMap::new(),
        }
    }

    fn run(mut self) -> BTreeMap<&'static str, usize> {
        for _ in 0..100_000 {
            self.cycle();
            if self.finished == self.buffers.len() {
                self.check_end();
                return self.events;
            }
        }
        panic!("deadlock: {} threads wait", self.waiting);
    }

    fn check_end(&mut self) {
        self.oracle.assert_finished();
        for _ in 0..4 {
            self.idle();
        }
        for side in 0..self.buffers[0].len() {
            assert_eq!(self.module.get(&format!("present[{side}]")), 0, "splits are left");
            assert_eq!(self.module.get(&format!("fetchable[{side}]")), 0, "something can be fetched");
        }
        assert_eq!(self.module.net("splits.divided"), 0, "a warp is divided");
        assert_eq!(self.module.get("waiting"), 0, "a warp waits");
        for warp in 0..self.buffers.len() {
            let paths = self.case.paths.chunks(self.lanes).nth(warp).unwrap();
            let is_barrier = |block: &&usize| self.case.program.blocks[**block].terminator == Terminator::Barrier;
            assert_eq!(self.exits[warp], paths.len(), "threads of warp {warp} that have ended");
            let arrivals = paths.iter().flatten().filter(is_barrier).count();
            assert_eq!(self.arrivals[warp], arrivals, "threads of warp {warp} at barriers");
        }
    }

    fn idle(&mut self) {
        for input in ["launch_valid", "decoded_valid", "resolve_valid", "barrier_release", "fetch_valid"] {
            self.module.set(input, 0u64);
        }
        self.module.step();
        assert_eq!(self.module.get("exit_valid") + self.module.get("arrive_valid"), 0, "nobody is left");
    }

    fn cycle(&mut self) {
        let launch = self.offer_launch();
        self.drive_decode();
        self.open_barrier();
        self.resolve();
        for side in 0..self.buffers[0].len() {
            let holds = |warp: &usize| self.buffers[*warp][side].is_some();
            let slots: u64 = (0..self.buffers.len()).filter(holds).map(|warp| 1 << warp).sum();
            self.module.set(&format!("slot_valid[{side}]"), slots);
        }
        self.module.evaluate();
        let fetched = self.choose_fetch();
        self.module.set("fetch_valid", fetched.is_some() as u64);
        self.module.set("fetch_warp", fetched.map_or(0, |(warp, side)| path_number(warp, side)));
        let issues = self.choose_issue();
        self.module.step();

        assert_eq!(self.module.get("overflow_valid"), 0, "a stack overflows");
        if launch && self.module.get("launch_ready") == 1 {
            self.to_launch.pop_front();
        }
        self.count();
        if let Some((warp, side)) = issues {
            self.issue(warp, side);
        }
        if let Some(instruction) = self.in_decode.take() {
            self.buffers[instruction.warp][instruction.side] = Some(instruction);
        }
        self.in_decode = fetched.map(|(warp, side)| self.fetch(warp, side));
    }

    // -- inputs --------------------------------------------------------------------------------------------------

    fn offer_launch(&mut self) -> bool {
        let warp = self.to_launch.front().copied().filter(|_| self.random.below(100) < 80);
        self.module.idle("launch");
        self.module.set("launch_valid", warp.is_some() as u64);
        let Some(warp) = warp else { return false };
        let threads = self.positions.len() - warp * self.lanes;
        self.module.set("launch_warp", warp);
        self.module.set("launch_pc", 0u64);
        self.module.set("launch_mask", (1u64 << threads.min(self.lanes)) - 1);
        true
    }

    fn drive_decode(&mut self) {
        self.module.idle("decoded");
        if let Some(Instruction { warp, side, is_control, .. }) = self.in_decode {
            self.module.set("decoded_valid", 1u64);
            self.module.set("decoded_control", is_control as u64);
            self.module.set("decoded_warp", path_number(warp, side));
        }
    }

    fn open_barrier(&mut self) {
        let live = self.positions.len() - self.exits.iter().sum::<usize>();
        if self.waiting > 0 && self.waiting == live && self.opens_in.is_none() {
            self.opens_in = Some(self.random.below(6));
        }
        let opens = self.opens_in == Some(0);
        self.opens_in = self.opens_in.and_then(|cycles| cycles.checked_sub(1));
        if opens {
            self.waiting = 0;
            assert!(self.oracle.barrier_opens());
        }
        self.module.set("barrier_release", if opens { (1u64 << WARPS) - 1 } else { 0 });
    }

    /// A control instruction leaves the pipeline with its outcome.
    fn resolve(&mut self) {
        self.issued
            .iter_mut()
            .for_each(|instruction| instruction.cycles_left = instruction.cycles_left.saturating_sub(1));
        let due: Vec<usize> = (0..self.issued.len()).filter(|&i| self.issued[i].cycles_left == 0).collect();
        self.module.idle("resolve");
        if due.is_empty() {
            return;
        }
        let Instruction { warp, side, block, lanes, .. } =
            self.issued.remove(due[self.random.below(due.len() as u32) as usize]);
        let at = &self.case.program.blocks[block];
        let mut taken = 0;
        for lane in (0..self.lanes).filter(|lane| lanes >> lane & 1 == 1) {
            let position = &mut self.positions[warp * self.lanes + lane];
            position.unresolved = false;
            let goes = matches!(at.terminator, Terminator::Branch | Terminator::Jump);
            taken |= usize::from(goes && position.next == Some(at.successors[0])) << lane;
        }
        self.module.resolve(&self.case.program, path_number(warp, side), block, [lanes, taken]);
        self.module.set("resolve_subdividable", self.short[block] as u64);
    }

    fn choose_fetch(&mut self) -> Option<(usize, usize)> {
        let in_decode = self.in_decode.map(|Instruction { warp, side, .. }| (warp, side));
        let mut candidates = vec![];
        for side in 0..self.buffers[0].len() {
            let fetchable = self.module.get(&format!("fetchable[{side}]"));
            let is_free = |&warp: &usize| {
                fetchable >> warp & 1 == 1 && self.buffers[warp][side].is_none() && in_decode != Some((warp, side))
            };
            candidates.extend((0..self.buffers.len()).filter(is_free).map(|warp| (warp, side)));
        }
        (!candidates.is_empty()).then(|| candidates[self.random.below(candidates.len() as u32) as usize])
    }

    fn choose_issue(&mut self) -> Option<(usize, usize)> {
        let mut ready = vec![];
        for instruction in self.buffers.iter_mut().flatten().flatten() {
            instruction.cycles_left = instruction.cycles_left.saturating_sub(1);
            if instruction.cycles_left == 0 {
                ready.push((instruction.warp, instruction.side));
            }
        }
        (!ready.is_empty()).then(|| ready[self.random.below(ready.len() as u32) as usize])
    }

    // -- outputs -------------------------------------------------------------------------------------------------

    fn count(&mut self) {
        for (what, by_warp) in [("exit", &mut self.exits), ("arrive", &mut self.arrivals)] {
            if self.module.get(&format!("{what}_valid")) == 1 {
                let count = self.module.get(&format!("{what}_count"));
                by_warp[self.module.get(&format!("{what}_warp"))] += count;
                self.waiting += if what == "arrive" { count } else { 0 };
            }
        }
        for (event, happens) in [
            ("subdivided", self.module.get("subdivided")),
            ("merged", self.module.get("merged")),
            ("parks", self.module.net("splits.parks")),
            ("waits divided", self.module.net("splits.waits")),
            ("exits divided", self.module.net("splits.exit_valid")),
        ] {
            *self.events.entry(event).or_default() += happens;
        }
        if self.module.get("finished_valid") == 1 {
            let warp = self.module.get("finished_warp");
            assert_eq!(self.oracle.live >> (warp * self.lanes) & ((1 << self.lanes) - 1), 0, "warp {warp} has ended");
            self.finished += 1;
        }
    }

    fn issue(&mut self, warp: usize, side: usize) {
        let instruction = self.buffers[warp][side].take().expect("the buffer holds an instruction");
        if instruction.is_control {
            self.issued.push(Instruction { cycles_left: 2 + self.random.below(4), ..instruction });
        }
    }

    /// A path fetches its next instruction.
    fn fetch(&mut self, warp: usize, side: usize) -> Instruction {
        let (pc, lanes) = (self.module.get("fetch_pc"), self.module.get("fetch_mask"));
        assert_ne!(lanes, 0, "side {side} of warp {warp} has threads");
        for (other, slot) in self.buffers[warp].iter().enumerate() {
            let common = slot.map_or(0, |instruction| instruction.lanes & lanes);
            assert!(other == side || common == 0, "lanes {common:b} of warp {warp} are on sides {side} and {other}");
        }
        let mut blocks = vec![];
        for lane in (0..self.lanes).filter(|lane| lanes >> lane & 1 == 1) {
            let thread = warp * self.lanes + lane;
            self.advance(warp, thread);
            let Position { block, fetched, .. } = self.positions[thread];
            assert_eq!(pc, self.addresses[block] + 4 * (fetched - 1), "PC of thread {thread}");
            blocks.push((block, fetched));
        }
        blocks.dedup();
        let [(block, fetched)] = blocks[..] else { panic!("one PC is in one block") };
        let is_control = self.case.program.ends(block, fetched);
        let waits = self.random.below(100) < self.waits_percent;
        let cycles_left = 1 + self.random.below(if waits { 60 } else { 3 });
        if is_control {
            let in_path = |thread: &usize| lanes >> (thread - warp * self.lanes) & 1 == 1;
            let threads = (warp * self.lanes..self.positions.len().min((warp + 1) * self.lanes)).filter(in_path);
            threads.for_each(|thread| self.positions[thread].unresolved = true);
        }
        Instruction { warp, side, block, lanes, is_control, cycles_left }
    }

    /// A thread goes on to its next instruction.
    fn advance(&mut self, warp: usize, thread: usize) {
        let position = &mut self.positions[thread];
        assert!(!position.unresolved, "thread {thread} runs ahead of its control instruction");
        if position.fetched == self.case.program.blocks[position.block].length {
            let block = position.next.expect("the thread has not ended");
            *position = Position { block, ..Position::default() };
        }
        if position.fetched == 0 {
            position.next = match self.oracle.run(warp, position.block, 1 << thread, false) {
                Outcome::Goes(block) | Outcome::Agrees(block) | Outcome::Waits(block) => Some(block),
                Outcome::Ends => None,
                Outcome::Diverges(_) => unreachable!("it is one thread"),
            };
        }
        position.fetched += 1;
    }
}

/// {side, warp}.
fn path_number(warp: usize, side: usize) -> usize {
    side * WARPS.next_power_of_two() + warp
}

fn module(lanes: usize, sides: usize, taken_first: bool) -> ModuleSimulator {
    let mut module = ModuleSimulator::new(WarpSubdivision::new(lanes, WARPS, sides, ENTRIES, taken_first), &NETS);
    ["launch_valid", "decoded_valid", "resolve_valid", "barrier_release", "fetch_valid"]
        .iter()
        .for_each(|name| module.set(name, 0u64));
    module.reset();
    module
}

/// A barrier lies where threads of the program have diverged: its warps must not be divided.
fn has_divergent_barrier(case: &Case) -> bool {
    let Program { blocks, rpc, .. } = &case.program;
    (0..blocks.len()).filter(|&branch| blocks[branch].terminator == Terminator::Branch).any(|branch| {
        let choices = |path: &Vec<usize>| -> Vec<usize> {
            path.windows(2).filter(|step| step[0] == branch).map(|step| step[1]).collect()
        };
        let first = choices(&case.paths[0]);
        if case.paths.iter().all(|path| choices(path) == first) {
            return false;
        }
        let (mut seen, mut pending) = (vec![false; blocks.len()], blocks[branch].successors.clone());
        while let Some(block) = pending.pop() {
            if Some(block) != rpc[branch] && !std::mem::replace(&mut seen[block], true) {
                pending.extend(&blocks[block].successors);
            }
        }
        (0..blocks.len()).any(|block| seen[block] && blocks[block].terminator == Terminator::Barrier)
    })
}

/// A random program, and which of its branches may divide a warp.
fn program(random: &mut Random, threads: usize) -> (Case, Vec<bool>) {
    let mut case = match random.below(4) {
        0 => generator::nested(random, threads, 3),
        _ => generator::any(random.word().into(), threads),
    };
    let mut most = 4;
    if has_divergent_barrier(&case) {
        if random.below(3) == 0 {
            most = 0;
        } else {
            for (at, block) in case.program.blocks.iter_mut().enumerate() {
                if block.terminator == Terminator::Barrier {
                    let falls = block.successors[0] == at + 1;
                    block.terminator = if falls { Terminator::Fall } else { Terminator::Jump };
                }
            }
        }
    }
    let threshold = random.below(most + 1) as usize;
    let short = case.program.short(threshold);
    (case, short)
}

#[test]
fn random_programs() {
    lockstep(&[(4, 2, false)]);
}

#[test]
#[ignore = "long: compiles two larger units; runs in .ci/run"]
fn random_programs_on_wider_warps() {
    lockstep(&[(8, 2, true), (8, 4, false)]);
}

/// Random programs on units of so many lanes and sides, that run one side or the other first.
fn lockstep(units: &[(usize, usize, bool)]) {
    let programs = std::env::var("WARPLOOM_RANDOM_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(300);
    for &(lanes, sides, taken_first) in units {
        let mut events = BTreeMap::<&str, usize>::new();
        let mut module = module(lanes, sides, taken_first);
        for seed in 1..=programs {
            let mut random = Random::new(seed);
            let threads = lanes * WARPS - usize::from(random.below(3) == 0);
            let (case, short) = program(&mut random, threads);
            let run = AssertUnwindSafe(|| Bench::new(&mut module, &case, &short, (lanes, sides), random).run());
            let run = catch_unwind(run).unwrap_or_else(|fault| {
                eprintln!("seed {seed}, {lanes} lanes, {sides} sides: {case:?}, {short:?}");
                resume_unwind(fault)
            });
            assert!(short.contains(&true) || run["subdivided"] == 0, "seed {seed} divides where it must not");
            run.into_iter().for_each(|(event, count)| *events.entry(event).or_default() += count);
        }
        assert!(events.values().all(|&count| count > 0), "{lanes} lanes, {sides} sides: {events:?}");
    }
}
