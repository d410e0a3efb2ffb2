//! Drives the stacks of warps as the core would: a warp is fetched when its slot is empty, decoded one cycle later, and its control
//! instructions resolve some cycles after that. Every thread must execute exactly its own path.
use std::collections::VecDeque;

use warploom_runtime::kernels::Random;

use crate::divergence_model::{Terminator, Threads};
use crate::module_simulator::ModuleSimulator;

/// Lanes of a warp.
pub const LANES: usize = 4;
/// Warps of the usual bench.
pub const WARPS: usize = 3;
/// No likely-convergence point.
const NONE: usize = 1;

/// What a warp executes: blocks and their lanes.
pub type Log = Vec<(usize, usize)>;

/// What has been seen of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// By warp.
    pub logs: Vec<Log>,
    /// The depth of the deepest stack.
    pub depth: usize,
    /// From the first launch until the last warp has finished.
    pub cycles: usize,
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

/// Runs all warps of `threads`, as the random numbers have it. `marked` are blocks whose target is the head of a loop that waits for other threads. None if
/// it does not end.
///
/// # Panics
/// If a thread leaves its path, or the stack overflows.
pub fn run(
    stack: &mut ModuleSimulator,
    mut threads: Threads,
    marked: &[bool],
    taken_first: bool,
    random: &mut Random,
) -> Option<Run> {
    let mut chance = {
        let mut random = random.clone();
        move |percent| random.below(100) < percent
    };
    let program = &threads.case.program;
    let warps = threads.case.paths.len() / LANES;
    let addresses = program.addresses();
    let mut logs = vec![vec![]; warps];
    let mut running: Vec<Option<Running>> = vec![None; warps];
    // By warp: cycles until the instruction in its slot leaves the pipeline.
    let mut slots: Vec<Option<u32>> = vec![None; warps];
    let mut in_decode: Option<usize> = None;
    let mut to_launch: VecDeque<usize> = (0..warps).collect();
    let (mut live, mut arrived, mut finished, mut depth) = (LANES * warps, 0, 0, 0);
    let is_control = |Running { block, fetched, .. }: Running| program.ends(block, fetched);
    for cycle in 0..50_000 {
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
        stack.set("barrier_release", if opens { (1u64 << warps) - 1 } else { 0 });
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
            stack.set("resolve_spin", u64::from(marked[now.block]));
            running[warp] = None;
        }
        stack.evaluate();
        let fetchable = stack.get("fetchable");
        let free = |warp: &usize| fetchable >> warp & 1 == 1 && slots[*warp].is_none();
        let candidates: Vec<usize> = (0..warps).filter(free).collect();
        let fetched = (!candidates.is_empty()).then(|| candidates[random.below(candidates.len() as u32) as usize]);
        stack.set("fetch_warp", fetched.unwrap_or(0));
        stack.step();

        if stack.get("launch_valid") == 1 && stack.get("launch_ready") == 1 {
            to_launch.pop_front();
        }
        // Not of threads without a stack.
        assert_eq!(stack.find("overflow_valid").unwrap_or(0), 0);
        depth = depth.max(stack.find("depth").unwrap_or(0));
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
        if finished == warps {
            stack.set("launch_valid", 0u64);
            stack.set("resolve_valid", 0u64);
            stack.evaluate();
            assert_eq!((stack.get("fetchable"), live), (0, 0));
            threads.assert_finished();
            return Some(Run { logs, depth, cycles: cycle + 1 });
        }
    }
    None
}
