//! [`DualPathStack`] in lockstep with its executable specification.
//!
//! The module is driven as the core would: both paths of a warp are fetched, decoded, wait in the warp buffer, sometimes for long, and resolve
//! some cycles behind their issue; instructions in the buffer are dropped when it says so. Every thread goes its own way through a random program.
//! Whenever the module serves a path, the same path of the model goes on; then the active entry and the paths in its stack must be the model's, and at
//! every activation the paths that run. PCs and lanes are compared at every fetch.
//!
//! `WARPLOOM_RANDOM_PROGRAMS=5000 cargo test -p warploom-verification --test dual_path_stack` runs more.
use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use warploom_hdl::config::Permutation;
use warploom_hdl::divergence::DualPathStack;
use warploom_runtime::kernels::Random;
use warploom_verification::divergence_model::{
    Case, Coverage, DualPath, Lanes, Mask, Outcome, Terminator, Threads, generator, golden, threads_of,
};
use warploom_verification::module_simulator::ModuleSimulator;

const LANES: usize = 4;
const WARPS: usize = 3;
const ENTRIES: usize = 21;

/// Nets to look at.
const NETS: [&str; 7] =
    ["*.served", "*.serves*", "*.engine.warp", "*.replaces", "*.starts*", "*.active_index*", "*.stored_next*"];

/// A path of the model's stacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Place {
    warp: usize,
    position: usize,
    side: usize,
}

/// A block on its way through the pipeline, instruction by instruction.
#[derive(Clone, Copy)]
struct Running {
    block: usize,
    lanes: usize,
    /// Lanes that take its branch.
    taken: usize,
    /// Instructions fetched.
    fetched: usize,
}

/// An instruction on its way.
#[derive(Clone, Copy)]
struct Instruction {
    place: Place,
    now: Running,
    /// Cycles until it leaves the buffer, then until it resolves.
    cycles_left: u32,
}

/// A worked example on its way.
struct Script {
    /// Blocks in the order in which they run.
    order: VecDeque<char>,
    trace: Vec<String>,
}

/// One launch of one CTA.
struct Bench<'a> {
    module: &'a mut ModuleSimulator,
    case: &'a Case,
    addresses: Vec<usize>,
    model: DualPath<'a>,
    /// Where threads are in the pipeline: ahead of the model.
    oracle: Threads<'a>,
    taken_first: bool,
    /// How often an instruction waits in the buffer for a load.
    waits_percent: u32,
    random: Random,
    to_launch: VecDeque<usize>,
    /// Blocks that have begun, by path.
    running: HashMap<Place, Running>,
    in_decode: Option<Instruction>,
    /// By warp and side.
    buffers: Vec<[Option<Instruction>; 2]>,
    /// Control instructions that have issued.
    issued: Vec<Instruction>,
    /// By warp and side: paths whose control instruction has been resolved.
    events: Vec<[Option<Place>; 2]>,
    live: usize,
    waiting: usize,
    opens_in: Option<u32>,
    finished: usize,
    depth: usize,
    pushed: usize,
    suspended: usize,
    /// By thread: the side on which it has run since the last copy.
    sides: Vec<Option<usize>>,
    script: Option<Script>,
}

impl<'a> Bench<'a> {
    fn new(module: &'a mut ModuleSimulator, case: &'a Case, taken_first: bool, mut random: Random) -> Self {
        let threads = case.paths.len();
        let lanes = Lanes::new(threads, LANES, Permutation::None);
        Self {
            module,
            case,
            addresses: case.program.addresses(),
            model: DualPath::new(case, &lanes, taken_first),
            oracle: Threads::new(case),
            taken_first,
            waits_percent: [0, 10, 40][random.below(3) as usize],
            random,
            to_launch: (0..lanes.rows).collect(),
            running: HashMap::new(),
            in_decode: None,
            buffers: vec![[None; 2]; lanes.rows],
            issued: vec![],
            events: vec![[None; 2]; lanes.rows],
            live: threads,
            waiting: 0,
            opens_in: None,
            finished: 0,
            depth: 0,
            pushed: 0,
            suspended: 0,
            sides: vec![None; threads],
            script: None,
        }
    }

    fn run(&mut self) -> Coverage {
        for _ in 0..100_000 {
            self.cycle();
            if self.finished == self.buffers.len() {
                self.model.assert_finished();
                self.oracle.assert_finished();
                let coverage = self.model.coverage();
                let [region, push, suspended, both] =
                    ["2 region", "12 push", "12 suspended", "12 both"].map(|rule| coverage.count(rule) as usize);
                assert_eq!(self.depth, self.model.depth(), "depth of the deepest stack");
                assert_eq!(self.pushed, region + push, "entries pushed");
                // The path whose own branch comes next is not suspended.
                assert_eq!(self.suspended, suspended - both, "paths suspended");
                return coverage;
            }
        }
        panic!("deadlock: {} of {} threads wait", self.waiting, self.live);
    }

    fn cycle(&mut self) {
        let launch = self.offer_launch();
        self.drive_decode();
        self.open_barrier();
        self.resolve();
        for side in 0..2 {
            let holds = |warp: &usize| self.buffers[*warp][side].is_some();
            let slots: u64 = (0..self.buffers.len()).filter(holds).map(|warp| 1 << warp).sum();
            self.module.set(&format!("slot_valid[{side}]"), slots);
        }
        self.module.evaluate();
        let fetched = self.choose_fetch();
        self.module.set("fetch_warp", fetched.map_or(0, |(warp, side)| path_number(warp, side)));
        let issues = self.choose_issue();
        self.module.step();

        assert_eq!(self.module.get("overflow_valid"), 0, "a stack overflows");
        self.depth = self.depth.max(self.module.get("depth"));
        self.pushed += self.module.get("pushed");
        self.suspended += self.module.get("suspended");
        if launch && self.module.get("launch_ready") == 1 {
            self.to_launch.pop_front();
        }
        self.serve();
        self.check_activation();
        if self.module.get("finished_valid") == 1 {
            let warp = self.module.get("finished_warp");
            assert!(self.model.stacks[warp].entries.is_empty(), "warp {warp} has finished");
            self.finished += 1;
        }
        self.flush();
        if let Some((warp, side)) = issues {
            self.issue(warp, side);
        }
        if let Some(instruction) = self.in_decode.take() {
            self.decode(instruction);
        }
        self.in_decode = fetched.map(|(warp, side)| self.fetch(warp, side));
    }

    // -- inputs --------------------------------------------------------------------------------------------------

    fn offer_launch(&mut self) -> bool {
        let warp = self.to_launch.front().copied().filter(|_| self.random.below(100) < 80);
        self.module.idle("launch");
        self.module.set("launch_valid", warp.is_some() as u64);
        let Some(warp) = warp else { return false };
        let lanes = self.model.stacks[warp].entries[0].mask() >> (warp * LANES);
        self.module.set("launch_warp", warp);
        self.module.set("launch_pc", 0u64);
        self.module.set("launch_mask", lanes);
        true
    }

    fn drive_decode(&mut self) {
        self.module.idle("decoded");
        let Some(Instruction { place, now, .. }) = self.in_decode else { return };
        self.module.set("decoded_valid", 1u64);
        self.module.set("decoded_control", self.is_control(now) as u64);
        self.module.set("decoded_warp", path_number(place.warp, place.side));
    }

    /// The instruction fetched last ends its block.
    fn is_last(&self, now: Running) -> bool {
        now.fetched == self.case.program.blocks[now.block].length
    }

    fn is_control(&self, now: Running) -> bool {
        self.case.program.ends(now.block, now.fetched)
    }

    fn open_barrier(&mut self) {
        if self.waiting > 0 && self.waiting == self.live && self.opens_in.is_none() {
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
        let Instruction { place, now, .. } = self.issued.remove(due[self.random.below(due.len() as u32) as usize]);
        let path = path_number(place.warp, place.side);
        self.module.resolve(&self.case.program, path, now.block, [now.lanes, now.taken]);
        let event = &mut self.events[place.warp][place.side];
        assert_eq!(event.replace(place), None, "a path has one unresolved control instruction");
    }

    fn choose_fetch(&mut self) -> Option<(usize, usize)> {
        let fetchable = [0, 1].map(|side| self.module.get(&format!("fetchable[{side}]")));
        let in_decode = self.in_decode.map(|Instruction { place, .. }| (place.warp, place.side));
        let free = |&(warp, side): &(usize, usize)| {
            fetchable[side] >> warp & 1 == 1 && self.buffers[warp][side].is_none() && in_decode != Some((warp, side))
        };
        let paths = (0..self.buffers.len()).flat_map(|warp| [(warp, 0), (warp, 1)]);
        let mut candidates: Vec<_> = paths.filter(free).collect();
        if let Some(Script { order, .. }) = &self.script {
            let is_idle = self.in_decode.is_none()
                && self.issued.is_empty()
                && self.buffers.iter().flatten().all(Option::is_none)
                && self.events.iter().flatten().all(Option::is_none);
            let block = |&(warp, side): &(usize, usize)| {
                let stack = &self.model.stacks[warp];
                stack.active.map(|active| (b'A' + stack.entries[active.position].paths[side].pc as u8) as char)
            };
            candidates.retain(|path| is_idle && block(path) == order.front().copied());
        }
        (!candidates.is_empty()).then(|| candidates[self.random.below(candidates.len() as u32) as usize])
    }

    fn choose_issue(&mut self) -> Option<(usize, usize)> {
        let holds = [0, 1].map(|side| self.module.get(&format!("hold[{side}]")));
        let mut ready = vec![];
        for (warp, sides) in self.buffers.iter_mut().enumerate() {
            for (side, slot) in sides.iter_mut().enumerate() {
                let Some(instruction) = slot else { continue };
                instruction.cycles_left = instruction.cycles_left.saturating_sub(1);
                if instruction.cycles_left == 0 && holds[side] >> warp & 1 == 0 {
                    ready.push((warp, side));
                }
            }
        }
        (!ready.is_empty()).then(|| ready[self.random.below(ready.len() as u32) as usize])
    }

    // -- outputs -------------------------------------------------------------------------------------------------

    /// The model's path executes its block.
    fn execute(&mut self, place: Place) {
        let now = self.running.remove(&place).expect("the path runs");
        assert!(self.is_last(now), "its block has been fetched");
        let (block, mask) = self.model.execute_at(place.warp, place.position, place.side);
        assert_eq!((block, (mask >> (place.warp * LANES)) as usize), (now.block, now.lanes));
        if let Some(Script { order, trace }) = &mut self.script {
            let rows = self.model.stacks[place.warp].rows(&golden::HEXADECIMAL[..LANES]);
            trace.push(format!("{}: {rows}", order.pop_front().unwrap()).trim().into());
        }
    }

    /// The module serves a path; so does the model.
    fn serve(&mut self) {
        let count = |module: &ModuleSimulator, what: &str| {
            let [valid, warp, count] = ["valid", "warp", "count"].map(|port| module.get(&format!("{what}_{port}")));
            (valid == 1).then_some((warp, count))
        };
        let found = ["exit", "arrive"].map(|what| count(self.module, what));
        if self.module.net("served") == 0 {
            assert_eq!(found, [None; 2]);
            return;
        }
        let (warp, side) = (self.module.net("engine.warp"), 1 - self.module.net("serves[0]"));
        let place = self.events[warp][side].take().expect("the path has an event");
        assert_eq!(self.module.net("active_index.read_data[0]"), place.position, "position of the entry");
        let Running { block, lanes, .. } = self.running[&place];
        self.execute(place);
        self.check_stack(place);
        let terminator = self.case.program.blocks[block].terminator;
        let threads = lanes.count_ones() as usize;
        let expected =
            [Terminator::Exit, Terminator::Barrier].map(|kind| (terminator == kind).then_some((warp, threads)));
        assert_eq!(found, expected, "threads that end, and that wait");
        self.live -= found[0].map_or(0, |(_, count)| count);
        self.waiting += found[1].map_or(0, |(_, count)| count);
    }

    /// The paths that the module has stored. Of those below the entry it has served, it learns only on its way down that their threads have ended.
    fn check_stack(&self, Place { warp, position, .. }: Place) {
        let stack = &self.model.stacks[warp];
        for side in 0..2 {
            let found = self.module.net(&format!("stored_next[{side}]"));
            let lives = |&position: &usize| stack.entries[position].paths[side].mask != 0;
            let expected: usize = (0..stack.entries.len()).filter(lives).map(|position| 1 << position).sum();
            assert_eq!((found & expected, found >> position), (expected, expected >> position), "paths of side {side}");
        }
    }

    /// An entry becomes active. What its threads have in the buffers is on their own side.
    fn check_activation(&mut self) {
        assert_eq!(self.module.get("copy_valid"), self.module.net("replaces"));
        if self.module.get("copy_valid") == 0 {
            return;
        }
        let warp = self.module.get("copy_warp");
        let stack = &self.model.stacks[warp];
        let active = stack.active.expect("an entry runs");
        let starts = [0, 1].map(|side| self.module.net(&format!("starts[{side}]")) == 1);
        assert_eq!(starts, active.runs, "paths of the entry that run");
        for (side, slot) in self.buffers[warp].iter().enumerate() {
            let Some(Instruction { now, .. }) = slot else { continue };
            let other = stack.entries[active.position].paths[1 - side];
            let moves = active.runs[1 - side] && (other.mask >> (warp * LANES)) as usize & now.lanes != 0;
            assert!(!moves, "threads go to another side than their instruction");
        }
        self.sides[warp * LANES..][..LANES].fill(None);
    }

    /// A path is about to be suspended: its instruction in the buffer will be fetched again.
    fn flush(&mut self) {
        for side in 0..2 {
            let flushed = self.module.get(&format!("flush[{side}]"));
            for warp in (0..self.buffers.len()).filter(|warp| flushed >> warp & 1 == 1) {
                let Instruction { place, .. } =
                    self.buffers[warp][side].take().expect("the buffer holds an instruction");
                let active = self.model.stacks[warp].active.expect("an entry runs");
                assert_eq!(place.position, active.position, "the instruction is of the path to be suspended");
                self.running.get_mut(&place).expect("the path runs").fetched -= 1;
            }
        }
    }

    fn issue(&mut self, warp: usize, side: usize) {
        let instruction = self.buffers[warp][side].take().expect("it has not been dropped");
        if self.is_control(instruction.now) {
            self.issued.push(Instruction { cycles_left: 2 + self.random.below(4), ..instruction });
        }
    }

    /// Behind DECODE an instruction is in the buffer. A path without a control instruction at its end has arrived there.
    fn decode(&mut self, instruction: Instruction) {
        let Instruction { place, now, .. } = instruction;
        let program = &self.case.program;
        self.buffers[place.warp][place.side] = Some(instruction);
        let ends = || {
            let rpc = self.model.stacks[place.warp].entries[place.position].rpc;
            rpc.is_some() && program.blocks[now.block].successors.first().copied() == rpc
        };
        if self.is_last(now) && !self.is_control(now) && ends() {
            self.execute(place);
        }
    }

    /// A path fetches its next instruction.
    fn fetch(&mut self, warp: usize, side: usize) -> Instruction {
        let (pc, lanes) = (self.module.get("fetch_pc"), self.module.get("fetch_mask"));
        let active = self.model.stacks[warp].active.expect("an entry runs");
        assert!(active.runs[side], "the path runs");
        let place = Place { warp, position: active.position, side };
        if self.running.get(&place).is_some_and(|&now| self.is_last(now)) {
            self.execute(place);
        }
        let path = self.model.stacks[warp].entries[place.position].paths[side];
        assert_eq!((lanes as Mask) << (warp * LANES), path.mask, "lanes of {place:?}");
        let now = match self.running.get(&place) {
            Some(&now) => Running { fetched: now.fetched + 1, ..now },
            None => {
                let taken = match self.oracle.run(warp, path.pc, path.mask, self.taken_first) {
                    Outcome::Diverges(sides) => sides[self.taken_first as usize].1,
                    Outcome::Agrees(pc) if pc != self.case.program.blocks[path.pc].successors[0] => 0,
                    Outcome::Goes(_) | Outcome::Agrees(_) => path.mask,
                    Outcome::Waits(_) | Outcome::Ends => 0,
                };
                Running { block: path.pc, lanes, taken: (taken >> (warp * LANES)) as usize, fetched: 1 }
            }
        };
        assert_eq!(pc, self.addresses[now.block] + 4 * (now.fetched - 1), "PC of {place:?}");
        self.running.insert(place, now);
        for thread in threads_of(path.mask) {
            assert_eq!(*self.sides[thread].get_or_insert(side), side, "thread {thread} changes sides");
        }
        let waits = self.random.below(100) < self.waits_percent;
        let cycles_left = 1 + self.random.below(if waits { 60 } else { 3 });
        Instruction { place, now, cycles_left }
    }
}

/// {side, warp}.
fn path_number(warp: usize, side: usize) -> usize {
    side * WARPS.next_power_of_two() + warp
}

fn module(taken_first: bool) -> ModuleSimulator {
    let mut module = ModuleSimulator::new(DualPathStack::new(LANES, WARPS, ENTRIES, taken_first), &NETS);
    ["launch_valid", "decoded_valid", "resolve_valid", "barrier_release"]
        .iter()
        .for_each(|name| module.set(name, 0u64));
    module.reset();
    module
}

#[test]
fn dual_paths_of_rhu_figure_3_3() {
    let (program, paths, _) = golden::RHU_3_1;
    let (order, expected) = golden::RHU_3_3;
    let case = Case::parse(program, paths);
    let mut module = module(false);
    let mut bench = Bench::new(&mut module, &case, false, Random::new(1));
    bench.script = Some(Script { order: order.chars().collect(), trace: vec![] });
    bench.run();
    let expected: Vec<&str> = expected.trim().lines().map(str::trim).collect();
    assert_eq!(bench.script.unwrap().trace, expected);
}

#[test]
fn random_programs() {
    let programs = std::env::var("WARPLOOM_RANDOM_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(400);
    let mut coverage = Coverage::default();
    for taken_first in [false, true] {
        let mut module = module(taken_first);
        for seed in 1..=programs {
            let mut random = Random::new(seed * 2 + taken_first as u64);
            let threads = LANES * WARPS;
            let case = match random.below(4) {
                0 => generator::nested(&mut random, threads, 3),
                _ => generator::any(random.word().into(), threads),
            };
            let run = AssertUnwindSafe(|| Bench::new(&mut module, &case, taken_first, random).run());
            match catch_unwind(run) {
                Ok(run) => coverage.add(&run),
                Err(fault) => {
                    eprintln!("seed {seed}, taken_first {taken_first}: {:?}", case.program);
                    resume_unwind(fault)
                }
            }
        }
    }
    let rules = ["7 exit", "11 yield", "12 in place", "12 overwrite", "12 push", "12 suspended", "12 both", "12 yield"];
    for rule in rules {
        assert!(coverage.count(rule) > 0, "{rule} never takes effect:\n{coverage}");
    }
}

/// Every warp of a worked example, with many delays. What has taken effect.
fn repeat(program: &str, paths: [&str; LANES]) -> Coverage {
    let case = Case::parse(program, &paths.repeat(WARPS));
    let mut module = module(false);
    let mut coverage = Coverage::default();
    for seed in 1..200 {
        coverage.add(&Bench::new(&mut module, &case, false, Random::new(seed)).run());
    }
    coverage
}

/// H ends the right path, and may stay in the buffer for long. The left one diverges, and diverges again, which suspends F before it has been fetched.
#[test]
fn an_ended_path_leaves_an_instruction_behind() {
    let coverage = repeat("A>H,B B>F,C C>E,D D>G E>G F>G G>I H>I I", ["ABCDGI", "ABCEGI", "ABFGI", "AHI"]);
    assert!(coverage.count("12 suspended") > 0);
}

/// The sides of B wait, then those of K above them. Behind the barrier the latter wait again, the former end, and leave a hole for H.
#[test]
fn an_entry_takes_a_hole() {
    let program = "A>K,B B>E,C C!>D D>G E!>F F>G G>I,H H>I I!>J J>S K>O,L L!>M M!>N N>R O!>P P!>Q Q>R R>S S";
    let coverage = repeat(program, ["ABCDGHIJS", "ABEFGIJS", "AKLMNRS", "AKOPQRS"]);
    assert!(coverage.count("4 hole") > 0);
}
