//! [`IndependentThreads`] against its executable specification, on random programs in which every thread goes its own way, and on programs whose
//! threads wait for one another.
//!
//! The module is driven as the core would: a warp is fetched when its slot is empty, decoded one cycle later, and its control
//! instructions resolve some cycles after that. Every warp must execute the model's sequence of blocks and lanes. Where a thread goes may depend on
//! what others have done before it: then its path is known only behind the run, and the model goes over it.
//!
//! `WARPLOOM_RANDOM_PROGRAMS=5000 cargo test -p warploom-verification --test independent_threads` runs more.
use std::collections::VecDeque;

use warploom_hdl::config::{Permutation, Turns};
use warploom_hdl::divergence::IndependentThreads as Unit;
use warploom_runtime::kernels::Random;
use warploom_verification::divergence_model::{
    Case, Coverage, IndependentThreads, Lanes, Program, Terminator, generator, golden,
};
use warploom_verification::module_simulator::ModuleSimulator;

const LANES: usize = 4;
const WARPS: usize = 3;

/// What a warp executes: blocks and their lanes.
type Log = Vec<(usize, usize)>;

/// What a core is built with, and what the loader says of branches.
#[derive(Clone, Debug)]
struct Setting {
    barriers: usize,
    turns: Turns,
    taken_first: bool,
}

/// What the model says every warp executes, where threads take these paths.
fn model(case: &Case, setting: &Setting, spins: &[bool], coverage: &mut Coverage) -> Vec<Log> {
    let lanes = Lanes::new(LANES * WARPS, LANES, Permutation::None);
    let Setting { barriers, turns, taken_first } = *setting;
    let mut threads = IndependentThreads::new(case, &lanes, barriers, turns, spins.to_vec(), taken_first);
    let mut logs = vec![vec![]; WARPS];
    while let Some(&warp) = threads.ready_warps().first() {
        let (block, mask) = threads.execute(warp);
        logs[warp].push((block, (mask >> (warp * LANES)) as usize));
    }
    threads.assert_finished();
    coverage.add(&threads.coverage);
    logs
}

/// A block on its way through the pipeline, instruction by instruction.
#[derive(Clone, Copy)]
struct Running {
    block: usize,
    mask: usize,
    taken: usize,
    /// Instructions fetched.
    fetched: usize,
}

/// Runs a program whose threads go where `next` says, having executed a block; none at its end. Returns what the warps execute.
fn run(
    unit: &mut ModuleSimulator,
    program: &Program,
    spins: &[bool],
    random: &mut Random,
    mut next: impl FnMut(usize, usize) -> Option<usize>,
) -> Vec<Log> {
    let mut chance = {
        let mut random = random.clone();
        move |percent| random.below(100) < percent
    };
    let addresses = program.addresses();
    let mut logs = vec![vec![]; WARPS];
    let mut running: Vec<Option<Running>> = vec![None; WARPS];
    // By warp: cycles until the instruction in its slot leaves the pipeline.
    let mut slots: Vec<Option<u32>> = vec![None; WARPS];
    let mut in_decode: Option<usize> = None;
    let mut to_launch: VecDeque<usize> = (0..WARPS).collect();
    let (mut live, mut arrived, mut finished) = (LANES * WARPS, 0, 0);
    let is_control = |Running { block, fetched, .. }: Running| {
        let block = &program.blocks[block];
        block.terminator != Terminator::Fall && fetched == block.length
    };
    for _ in 0..100_000 {
        unit.idle("launch");
        if let Some(&warp) = to_launch.front().filter(|_| chance(80)) {
            unit.set("launch_valid", 1u64);
            unit.set("launch_warp", warp);
            unit.set("launch_pc", 0u64);
            unit.set("launch_mask", (1u64 << LANES) - 1);
        }

        unit.idle("decoded");
        if let Some(warp) = in_decode {
            unit.set("decoded_valid", 1u64);
            unit.set("decoded_warp", warp);
            unit.set("decoded_control", u64::from(is_control(running[warp].unwrap())));
        }

        let opens = arrived > 0 && arrived == live;
        unit.set("barrier_release", if opens { (1u64 << WARPS) - 1 } else { 0 });
        if opens {
            arrived = 0;
        }

        // One instruction leaves the pipeline; a control instruction with its outcome.
        unit.idle("resolve");
        let freed = slots.iter().position(|slot| *slot == Some(0));
        if let Some(warp) = freed
            && let Some(now) = running[warp].filter(|&now| is_control(now))
        {
            unit.resolve(program, warp, now.block, [now.mask, now.taken]);
            unit.set("resolve_spin", u64::from(spins[now.block]));
            running[warp] = None;
        }
        unit.evaluate();
        let fetchable = unit.get("fetchable");
        let free = |warp: &usize| fetchable >> warp & 1 == 1 && slots[*warp].is_none();
        let candidates: Vec<usize> = (0..WARPS).filter(free).collect();
        let fetched = (!candidates.is_empty()).then(|| candidates[random.below(candidates.len() as u32) as usize]);
        unit.set("fetch_warp", fetched.unwrap_or(0));
        unit.step();

        if unit.get("launch_valid") == 1 && unit.get("launch_ready") == 1 {
            to_launch.pop_front();
        }
        if unit.get("arrive_valid") == 1 {
            arrived += unit.get("arrive_count");
        }
        if unit.get("exit_valid") == 1 {
            live -= unit.get("exit_count");
        }
        finished += unit.get("finished_valid");
        for cycles_left in slots.iter_mut().flatten() {
            *cycles_left = cycles_left.saturating_sub(1);
        }
        if let Some(warp) = freed {
            slots[warp] = None;
        }
        if let Some(warp) = fetched {
            let (pc, mask) = (unit.get("fetch_pc"), unit.get("fetch_mask"));
            let goes_on = running[warp].filter(|now| now.fetched < program.blocks[now.block].length);
            let now = match goes_on {
                Some(now) => Running { fetched: now.fetched + 1, ..now },
                None => {
                    let block = addresses.iter().position(|&address| address == pc).expect("a block starts there");
                    logs[warp].push((block, mask));
                    let target = program.blocks[block].successors.first();
                    let taken = (0..LANES).filter(|lane| mask >> lane & 1 == 1).fold(0, |taken, lane| {
                        let goes_to = next(warp * LANES + lane, block);
                        taken | usize::from(goes_to.as_ref() == target && target.is_some()) << lane
                    });
                    let taken = match program.blocks[block].terminator {
                        Terminator::Branch | Terminator::Jump => taken,
                        _ => 0,
                    };
                    Running { block, mask, taken, fetched: 1 }
                }
            };
            assert_eq!((pc, mask), (addresses[now.block] + 4 * (now.fetched - 1), now.mask), "warp {warp}");
            running[warp] = Some(now);
            slots[warp] = Some(1 + random.below(4));
        }
        in_decode = fetched;
        if finished == WARPS {
            unit.set("launch_valid", 0u64);
            unit.set("resolve_valid", 0u64);
            unit.evaluate();
            assert_eq!((unit.get("fetchable"), live), (0, 0));
            return logs;
        }
    }
    panic!("deadlock: {finished} warps finished, {arrived} of {live} threads wait");
}

/// Every thread of a case on its path.
fn along<'a>(case: &'a Case) -> impl FnMut(usize, usize) -> Option<usize> + 'a {
    let mut position = vec![0; case.paths.len()];
    move |thread, block| {
        assert_eq!(case.paths[thread].get(position[thread]), Some(&block), "thread {thread} leaves its path");
        position[thread] += 1;
        case.paths[thread].get(position[thread]).copied()
    }
}

fn settings() -> Vec<Setting> {
    let setting = |barriers, spin, quantum, taken_first| {
        let turns = Turns { spin, quantum };
        Setting { barriers, turns, taken_first }
    };
    vec![
        setting(8, 8, 16_384, true),
        setting(8, 2, 16, false),
        setting(2, 1, 64, true),
        setting(1, 3, 1, false),
        setting(0, 2, 32, true),
    ]
}

fn build(setting: &Setting) -> ModuleSimulator {
    let Setting { barriers, turns, taken_first } = *setting;
    let mut unit = ModuleSimulator::new(Unit::new(LANES, WARPS, barriers, taken_first, turns), &[]);
    unit.reset();
    unit
}

fn programs() -> u64 {
    std::env::var("WARPLOOM_RANDOM_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(400)
}

/// Branches back are marked, or some of them, or none.
fn spins(program: &Program, percent: u32, random: &mut Random) -> Vec<bool> {
    let back = |block: usize| program.blocks[block].successors.first().is_some_and(|&target| target <= block);
    (0..program.blocks.len()).map(|block| back(block) && random.below(100) < percent).collect()
}

#[test]
fn random_programs() {
    let mut coverage = Coverage::default();
    for (number, setting) in settings().into_iter().enumerate() {
        let mut unit = build(&setting);
        for seed in 0..programs() {
            let mut random = Random::new(seed * 8 + number as u64);
            let case = generator::any(random.word().into(), LANES * WARPS);
            let percent = [0, 50, 100][random.below(3) as usize];
            let spins = spins(&case.program, percent, &mut random);
            let expected = model(&case, &setting, &spins, &mut coverage);
            let found = run(&mut unit, &case.program, &spins, &mut random, along(&case));
            assert_eq!(found, expected, "seed {seed}, {setting:?}, {spins:?}: {case:?}");
        }
    }
    let rules = [
        "allocate", "covered", "full", "arrive", "release", "pass", "merge", "lowest", "exit", "spin", "quantum",
        "break", "rotate", "stuck",
    ];
    for rule in rules.map(|rule| format!("ITS {rule}")) {
        assert!(coverage.count(&rule) > 0, "{rule} never takes effect");
    }
}

#[test]
fn four_threads_at_a_spin_lock() {
    let Case { program, paths } = golden::spin_lock();
    let case = Case { program, paths: [paths.clone(), paths.clone(), paths].concat() };
    let setting = Setting { barriers: 8, turns: Turns { spin: 1, quantum: 1024 }, taken_first: true };
    let spins = [true, false, false, false, false];
    let logs = run(&mut build(&setting), &case.program, &spins, &mut Random::new(1), along(&case));
    let step = |&(block, mask): &(usize, usize)| {
        let names = (0..LANES).map(|lane| if mask >> lane & 1 == 1 { (b'1' + lane as u8) as char } else { '-' });
        format!("{}:{}", (b'A' + block as u8) as char, names.collect::<String>())
    };
    for log in logs {
        let trace: Vec<String> = log.iter().map(step).collect();
        assert_eq!(trace, golden::SPIN_LOCK.split_whitespace().collect::<Vec<_>>());
    }
}
