//! [`SpeStack`] against its executable specification, on random programs in which every thread goes its own way.
//!
//! The module is driven as the core would: a warp is fetched when its slot is empty, decoded one cycle later, and its control
//! instructions resolve some cycles after that. Every thread must execute exactly its own path, and every warp the
//! model's sequence of blocks and lanes.
//!
//! `WARPLOOM_RANDOM_PROGRAMS=5000 cargo test -p warploom-verification --test spe_stack` runs more.
use std::collections::VecDeque;

use warploom_hdl::config::Permutation;
use warploom_hdl::divergence::SpeStack;
use warploom_runtime::kernels::Random;
use warploom_verification::divergence_model::{Case, Coverage, Lanes, Spe, Terminator, Threads, generator};
use warploom_verification::module_simulator::ModuleSimulator;

const LANES: usize = 4;
const WARPS: usize = 3;
const ENTRIES: usize = 21;
/// No likely-convergence point.
const NONE: usize = 1;

/// What a warp executes: blocks and their lanes.
type Log = Vec<(usize, usize)>;

/// What the model says every warp executes, and the depth of the deepest stack.
fn model(case: &Case, likely_convergence: bool, taken_first: bool, coverage: &mut Coverage) -> (Vec<Log>, usize) {
    let lanes = Lanes::new(LANES * WARPS, LANES, Permutation::None);
    let mut spe = Spe::new(case, &lanes, likely_convergence, taken_first);
    let mut logs = vec![vec![]; WARPS];
    while let Some(&warp) = spe.ready_warps().first() {
        let (block, mask) = spe.execute(warp);
        logs[warp].push((block, (mask >> (warp * LANES)) as usize));
    }
    spe.assert_finished();
    coverage.add(&spe.coverage());
    (logs, spe.depth())
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

fn run(stack: &mut ModuleSimulator, case: &Case, taken_first: bool, random: &mut Random) -> (Vec<Log>, usize) {
    let mut chance = {
        let mut random = random.clone();
        move |percent| random.below(100) < percent
    };
    let (program, addresses) = (&case.program, case.program.addresses());
    let mut threads = Threads::new(case);
    let mut logs = vec![vec![]; WARPS];
    let mut running: Vec<Option<Running>> = vec![None; WARPS];
    // By warp: cycles until the instruction in its slot leaves the pipeline.
    let mut slots: Vec<Option<u32>> = vec![None; WARPS];
    let mut in_decode: Option<usize> = None;
    let mut to_launch: VecDeque<usize> = (0..WARPS).collect();
    let (mut live, mut arrived, mut finished, mut depth) = (LANES * WARPS, 0, 0, 0);
    let is_control = |Running { block, fetched, .. }: Running| {
        let block = &program.blocks[block];
        block.terminator != Terminator::Fall && fetched == block.length
    };
    for _ in 0..50_000 {
        stack.idle("launch");
        if let Some(&warp) = to_launch.front().filter(|_| chance(80)) {
            stack.set("launch_valid", 1u64);
            stack.set("launch_warp", warp);
            stack.set("launch_pc", 0u64);
            stack.set("launch_mask", (1u64 << LANES) - 1);
        }

        stack.idle("decoded");
        if let Some(warp) = in_decode {
            stack.set("decoded_valid", 1u64);
            stack.set("decoded_warp", warp);
            stack.set("decoded_control", u64::from(is_control(running[warp].unwrap())));
        }

        let opens = arrived > 0 && arrived == live;
        stack.set("barrier_release", if opens { (1u64 << WARPS) - 1 } else { 0 });
        if opens {
            arrived = 0;
            threads.waiting = 0;
        }

        // One instruction leaves the pipeline; a control instruction with its outcome.
        stack.idle("resolve");
        let freed = slots.iter().position(|slot| *slot == Some(0));
        if let Some(warp) = freed
            && let Some(now) = running[warp].filter(|&now| is_control(now))
        {
            stack.resolve(program, warp, now.block, [now.mask, now.taken]);
            let lpc = program.lpc[now.block].filter(|_| program.blocks[now.block].terminator == Terminator::Branch);
            stack.set("resolve_lpc", lpc.map_or(NONE, |block| addresses[block]));
            running[warp] = None;
        }
        stack.evaluate();
        let fetchable = stack.get("fetchable");
        let free = |warp: &usize| fetchable >> warp & 1 == 1 && slots[*warp].is_none();
        let candidates: Vec<usize> = (0..WARPS).filter(free).collect();
        let fetched = (!candidates.is_empty()).then(|| candidates[random.below(candidates.len() as u32) as usize]);
        stack.set("fetch_warp", fetched.unwrap_or(0));
        stack.step();

        if stack.get("launch_valid") == 1 && stack.get("launch_ready") == 1 {
            to_launch.pop_front();
        }
        assert_eq!(stack.get("overflow_valid"), 0);
        depth = depth.max(stack.get("depth"));
        if stack.get("arrive_valid") == 1 {
            arrived += stack.get("arrive_count");
        }
        if stack.get("exit_valid") == 1 {
            live -= stack.get("exit_count");
        }
        finished += stack.get("finished_valid");
        for cycles_left in slots.iter_mut().flatten() {
            *cycles_left = cycles_left.saturating_sub(1);
        }
        if let Some(warp) = freed {
            slots[warp] = None;
        }
        if let Some(warp) = fetched {
            let (pc, mask) = (stack.get("fetch_pc"), stack.get("fetch_mask"));
            let goes_on = running[warp].filter(|now| now.fetched < program.blocks[now.block].length);
            let now = match goes_on {
                Some(now) => Running { fetched: now.fetched + 1, ..now },
                None => {
                    let block = addresses.iter().position(|&address| address == pc).expect("a block starts there");
                    logs[warp].push((block, mask));
                    let all = (mask as u128) << (warp * LANES);
                    threads.execute(warp, block, all, all);
                    let taken = match program.blocks[block].terminator {
                        Terminator::Branch => {
                            let sides = threads.sides(block, all, taken_first);
                            (sides[usize::from(taken_first)].1 >> (warp * LANES)) as usize
                        }
                        Terminator::Jump => mask,
                        _ => 0,
                    };
                    match program.blocks[block].terminator {
                        Terminator::Exit => threads.live &= !all,
                        Terminator::Barrier => threads.waiting |= all,
                        _ => {}
                    }
                    Running { block, mask, taken, fetched: 1 }
                }
            };
            assert_eq!((pc, mask), (addresses[now.block] + 4 * (now.fetched - 1), now.mask), "warp {warp}");
            running[warp] = Some(now);
            slots[warp] = Some(1 + random.below(4));
        }
        in_decode = fetched;
        if finished == WARPS {
            stack.set("launch_valid", 0u64);
            stack.set("resolve_valid", 0u64);
            stack.evaluate();
            assert_eq!((stack.get("fetchable"), live), (0, 0));
            threads.assert_finished();
            return (logs, depth);
        }
    }
    panic!("deadlock: {finished} warps finished, {arrived} of {live} threads wait");
}

fn compare(likely_convergence: bool) {
    let programs = std::env::var("WARPLOOM_RANDOM_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(400);
    let mut coverage = Coverage::default();
    for taken_first in [false, true] {
        let module = SpeStack::new(LANES, WARPS, ENTRIES, taken_first, likely_convergence);
        let mut stack = ModuleSimulator::new(module, &[]);
        stack.reset();
        for seed in 0..=programs {
            let mut random = Random::new(seed * 2 + taken_first as u64);
            let case = match seed {
                0 => generator::passed_point(),
                _ => generator::any(random.word().into(), LANES * WARPS),
            };
            let expected = model(&case, likely_convergence, taken_first, &mut coverage);
            let found = run(&mut stack, &case, taken_first, &mut random);
            assert_eq!(found, expected, "seed {seed}, taken_first {taken_first}: {case:?}");
        }
    }
    let rules = ["4 hole", "7 exit", "11 yield"];
    let likely = ["8 entry", "8 inherit", "8 chain", "9 merge", "11 fallback"];
    for rule in rules.iter().chain(likely.iter().filter(|_| likely_convergence)) {
        assert!(coverage.count(rule) > 0, "{rule} never takes effect");
    }
}

#[test]
fn random_programs() {
    compare(false);
}

#[test]
fn random_programs_with_likely_convergence() {
    compare(true);
}
