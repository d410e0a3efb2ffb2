//! [`SpeStack`] against its executable specification, on random programs in which every thread goes its own way.
//!
//! The module is driven as the core would: a warp is fetched when its slot is empty, decoded one cycle later, and its control
//! instructions resolve some cycles after that. Every thread must execute exactly its own path, and every warp the
//! model's sequence of blocks and lanes.
//!
//! `WARPLOOM_RANDOM_PROGRAMS=5000 cargo test -p warploom-testbenches --test spe_stack` runs more.
use std::collections::VecDeque;

use warploom_hdl::config::Permutation;
use warploom_hdl::divergence::SpeStack;
use warploom_hdl::interface::ControlKind;
use warploom_hdl::prelude::*;
use warploom_testbenches::divergence_model::{Case, Coverage, Lanes, Spe, Terminator, Threads, generator};
use warploom_testbenches::kernels::Random;

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

fn tick(stack: &mut SpeStack) {
    for _ in 0..2 {
        stack.clock.next = !stack.clock.val();
        simulate(stack, 1000);
    }
}

fn run(stack: &mut SpeStack, case: &Case, taken_first: bool, random: &mut Random) -> (Vec<Log>, usize) {
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
        stack.launch_valid.next = !to_launch.is_empty() && chance(80);
        stack.launch_warp.next = to_launch.front().copied().unwrap_or(0).into();
        stack.launch_pc.next = 0.into();
        stack.launch_mask.next = ((1 << LANES) - 1).into();

        stack.decoded_valid.next = in_decode.is_some();
        stack.decoded_warp.next = in_decode.unwrap_or(0).into();
        stack.decoded_control.next = in_decode.is_some_and(|warp| is_control(running[warp].unwrap()));

        stack.barrier_release.next = 0.into();
        if arrived > 0 && arrived == live {
            stack.barrier_release.next = ((1 << WARPS) - 1).into();
            arrived = 0;
            threads.waiting = 0;
        }

        // One instruction leaves the pipeline; a control instruction with its outcome.
        stack.resolve_valid.next = false;
        let freed = slots.iter().position(|slot| *slot == Some(0));
        if let Some(warp) = freed
            && let Some(now) = running[warp].filter(|&now| is_control(now))
        {
            let at = &program.blocks[now.block];
            stack.resolve_valid.next = true;
            stack.resolve_warp.next = warp.into();
            stack.resolve_mask.next = now.mask.into();
            stack.resolve_taken.next = now.taken.into();
            stack.resolve_target.next = addresses[at.successors.first().copied().unwrap_or(0)].into();
            stack.resolve_next.next = (addresses[now.block] + 4 * at.length).into();
            stack.resolve_rpc_valid.next = false;
            stack.resolve_lpc.next = NONE.into();
            stack.resolve_kind.next = match at.terminator {
                Terminator::Jump => ControlKind::Jump,
                Terminator::Exit => ControlKind::Exit,
                Terminator::Barrier => ControlKind::Barrier,
                Terminator::Branch => {
                    stack.resolve_rpc.next = addresses[program.rpc[now.block].unwrap_or(0)].into();
                    stack.resolve_rpc_valid.next = program.rpc[now.block].is_some();
                    stack.resolve_lpc.next = program.lpc[now.block].map_or(NONE, |block| addresses[block]).into();
                    ControlKind::Branch
                }
                Terminator::Fall => unreachable!("it has no instruction"),
            };
            running[warp] = None;
        }
        let fetchable = stack.fetchable.val();
        let free = |warp: &usize| fetchable.get_bit(*warp) && slots[*warp].is_none();
        let candidates: Vec<usize> = (0..WARPS).filter(free).collect();
        let fetched = (!candidates.is_empty()).then(|| candidates[random.below(candidates.len() as u32) as usize]);
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
        for cycles_left in slots.iter_mut().flatten() {
            *cycles_left = cycles_left.saturating_sub(1);
        }
        if let Some(warp) = freed {
            slots[warp] = None;
        }
        if let Some(warp) = fetched {
            let (pc, mask) = (stack.fetch_pc.val().index(), stack.fetch_mask.val().index());
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
        tick(stack);
        if finished == WARPS {
            assert_eq!((stack.fetchable.val().value(), live), (0, 0));
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
        let mut stack = SpeStack::new(LANES, WARPS, ENTRIES, taken_first, likely_convergence);
        stack.connect_all();
        simulate(&mut stack, 1000);
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
