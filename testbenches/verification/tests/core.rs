//! The RTL core runs the shipped kernels: every output right, and every register write of every thread that of the
//! reference model.
use std::cell::RefCell;

use warploom_hdl::compaction_counters::COMPACTION_COUNTERS;
use warploom_hdl::config::{CoreConfig, CtaPriority, Permutation, SchedulerPolicy, WarpGroup};
use warploom_hdl::counters;
use warploom_hdl::divergence::physical_lane;
use warploom_hdl::interface::TrapCause;
use warploom_hdl::mechanism::{Choice, Entry, stacks};
use warploom_runtime::host::{
    Device, DeviceError, Jitter, LaunchStats, Limits, MemoryTiming, Recording, Retirement, RtlDevice, Session,
    Signature,
};
use warploom_runtime::kernels::{self, KERNELS, Kernel, Problem, Random, micro};
use warploom_sim::{BuildOptions, Simulator};
use warploom_verification::reference::ReferenceDevice;
use warploom_verification::{core_simulator, cores};

fn simulator(config: &CoreConfig) -> Simulator {
    core_simulator(config, &Default::default())
}

/// The tiny core with warps of threads from several rows, and with floats.
fn compacting() -> CoreConfig {
    cores::with("tbc+lcp", cores::with_floats(CoreConfig::tiny()))
}

/// Memory that answers out of order and refuses requests at random.
fn unruly(seed: u64) -> MemoryTiming {
    let jitter = Some(Jitter { seed, delay: 60, refuse: 64 });
    MemoryTiming { l2_latency: 5, dram_latency: 20, jitter, ..MemoryTiming::default() }
}

fn device(config: &CoreConfig, timing: MemoryTiming) -> RtlDevice<'static> {
    let mut device = RtlDevice::new(simulator(config), config.clone(), timing);
    device.set_limits(Limits { cycles: 20_000, silence: 5_000, ..Limits::default() });
    device
}

/// Runs a kernel and checks its outputs.
fn pass(kernel: &Kernel, device: &mut dyn Device, problem: &Problem) -> LaunchStats {
    let outcome = kernels::run(kernel, device, problem);
    let outcome = outcome.unwrap_or_else(|e| panic!("{} {problem:?}: {e}", kernel.name()));
    if let Some(mismatch) = outcome.mismatch() {
        panic!("{} {problem:?}: {mismatch}", kernel.name());
    }
    outcome.stats
}

/// All kernels, in these sizes and in their smallest.
fn every_kernel_passes(config: &CoreConfig, timing: MemoryTiming, sizes: [usize; 3]) {
    let mut device = RtlDevice::new(simulator(config), config.clone(), timing);
    for kernel in kernels::on(config) {
        for size in sizes.into_iter().chain([kernel.sizes().smoke]) {
            let stats = pass(kernel, &mut device, &Problem { seed: size as u64, ..Problem::new(size) });
            let slots = stats.stall + stats.compaction + stats.idle_memory + stats.barrier + stats.idle_other;
            assert_eq!(slots + stats.issued.iter().sum::<u64>(), stats.cycles, "{} {size}", kernel.name());
            assert_eq!(stats.issued.iter().sum::<u64>(), stats.warp_instructions);
        }
    }
}

#[test]
fn every_kernel_passes_whatever_the_memory_does() {
    every_kernel_passes(&cores::plain(), unruly(1), [1, 7, 32]);
}

#[test]
#[ignore = "long: all kernels on four cores; runs in .ci/run"]
fn every_kernel_passes_on_more_cores_whatever_the_memory_does() {
    for (config, sizes) in [
        (cores::with_floats(cores::plain()), [1, 7, 32]),
        (cores::with("spe+lcp", CoreConfig::tiny()), [1, 7, 32]),
        (cores::with_floats(CoreConfig::small()), [3, 33, 64]),
        (compacting(), [1, 7, 32]),
    ] {
        for timing in [MemoryTiming::default(), unruly(1)] {
            every_kernel_passes(&config, timing, sizes);
        }
    }
}

/// Whichever warps go first, and wherever the threads of a warp run.
#[test]
#[ignore = "long: compiles nine cores; runs in .ci/run"]
fn kernels_pass_under_every_scheduler() {
    let two_level = SchedulerPolicy::groups_of(2);
    for (scheduler, cta_priority) in [
        (SchedulerPolicy::GreedyThenOldest, CtaPriority::None),
        (SchedulerPolicy::OldestFirst, CtaPriority::None),
        (SchedulerPolicy::OldestFirst, CtaPriority::RoundRobin),
        (SchedulerPolicy::TwoLevel { group: WarpGroup::Warps(1), timeout: 20 }, CtaPriority::None),
        (two_level, CtaPriority::None),
        (two_level, CtaPriority::Age),
        (SchedulerPolicy::TwoLevel { group: WarpGroup::Cta, timeout: 0 }, CtaPriority::None),
        (SchedulerPolicy::LooseRoundRobin, CtaPriority::RoundRobin),
        (SchedulerPolicy::LooseRoundRobin, CtaPriority::StickyRoundRobin),
    ] {
        let config = CoreConfig { scheduler, cta_priority, ..CoreConfig::tiny() };
        let simulator = core_simulator(&config, &BuildOptions::brief());
        let mut device = RtlDevice::new(simulator, config.clone(), unruly(6));
        for kernel in kernels::on(&config) {
            pass(kernel, &mut device, &Problem::new(kernel.sizes().smoke));
        }
    }
}

/// Cycle for cycle: all counters of the core agree. Narasiman 2014, 4.3: a group of all warps is round robin.
#[test]
#[ignore = "long: a core of its own; runs in .ci/run"]
fn two_levels_of_one_group_are_loose_round_robin() {
    let CoreConfig { warps, .. } = CoreConfig::small();
    let one_group = SchedulerPolicy::groups_of(warps);
    let [round_robin, two_level] = [SchedulerPolicy::LooseRoundRobin, one_group].map(|scheduler| {
        let mut device = device(&CoreConfig { scheduler, ..CoreConfig::small() }, MemoryTiming::default());
        device.set_limits(Limits::default());
        let kernels = ["bfs", "bitonic", "reduction"].map(|name| kernels::find(name).expect("a kernel"));
        kernels.map(|kernel| pass(kernel, &mut device, &Problem::new(kernel.sizes().smoke)))
    });
    assert!(round_robin.iter().all(|stats| stats.cycles > 1000));
    assert_eq!(round_robin, two_level);
}

#[test]
#[ignore = "long: compiles two cores; runs in .ci/run"]
fn kernels_pass_in_permuted_lanes() {
    for permutation in [Permutation::ReversedWarpNumber, Permutation::Random] {
        let config = CoreConfig { permutation, ..CoreConfig::tiny() };
        let mut device = device(&config, unruly(7));
        device.set_limits(Limits::default());
        for kernel in kernels::on(&config) {
            for size in [5, kernel.sizes().smoke] {
                pass(kernel, &mut device, &Problem::new(size));
            }
        }
        device.set_permutation(false);
        pass(kernels::find("bitonic").unwrap(), &mut device, &Problem::new(16));
    }
}

/// Instructions, and register writes of every thread, for kernels in which no register depends on the schedule.
#[test]
fn threads_retire_what_the_reference_model_says() {
    retire(cores::with_floats(CoreConfig::tiny()));
    retire(compacting());
}

fn retire(config: CoreConfig) {
    // matmul and transpose save and restore registers that they have not written: so few CTAs that all of them are the
    // first in their places.
    for (name, size) in [("gcd", 37), ("mandelbrot", 37), ("matmul", 4), ("transpose", 2), ("vecadd", 37)] {
        let kernel = kernels::find(name).expect("a kernel");
        let problem = Problem { seed: 5, block: Some(7), ..Problem::new(size) };
        let mut reference = ReferenceDevice::with_memory(config.clone(), 1 << 20);
        reference.record();
        let expected = pass(kernel, &mut reference, &problem);
        let mut expected_signatures: Vec<Signature> =
            reference.records().iter().map(|record| record.signature.clone()).collect();
        expected_signatures.sort();

        let simulator = simulator(&config);
        let entry = kernel.binary().program().entry;
        let retirement = RefCell::new(Retirement::new(&simulator, &config, entry));
        let mut core = RtlDevice::new(simulator, config.clone(), unruly(2));
        core.observe(Box::new(|simulator, _| retirement.borrow_mut().push(simulator)));
        let stats = pass(kernel, &mut core, &problem);
        drop(core);
        assert_eq!(stats.thread_instructions, expected.thread_instructions, "{name}");
        assert!(retirement.borrow().signatures() == expected_signatures, "{name}: other register writes");
    }
}

/// Runs a micro-kernel with an output buffer as its first argument.
fn run_micro(device: &mut dyn Device, name: &str, threads: u32, more: &[u32]) -> Result<Vec<u32>, DeviceError> {
    let mut session = Session::new(device, &micro::find(name).expect("a micro-kernel").binary.program())?;
    let out = session.zeros(256)?;
    session.launch([1, 1, 1], [threads, 1, 1], 64, &[&[out.address], more].concat())?;
    Ok(session.read(out))
}

#[test]
fn micro_kernels_give_the_results_of_the_reference_model() {
    for config in [CoreConfig::tiny(), CoreConfig::small()] {
        let mut core = device(&config, unruly(3));
        let mut reference = ReferenceDevice::with_memory(config.clone(), 1 << 20);
        let threads = (config.lanes * config.warps) as u32;
        for (name, arguments) in [
            ("alu_loop", &[3][..]),
            ("ballot", &[]),
            ("barrier_divergent", &[]),
            ("branchy", &[20]),
            ("irreducible", &[]),
            ("nested", &[]),
        ] {
            let expected =
                run_micro(&mut reference, name, threads, arguments).unwrap_or_else(|e| panic!("{name}: {e}"));
            let words = run_micro(&mut core, name, threads, arguments).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(words, expected, "{name} on {} lanes", config.lanes);
        }
    }
}

#[test]
fn traps_name_cause_and_place_and_the_next_launch_works() {
    let mut core = device(&CoreConfig::tiny(), MemoryTiming::default());
    for (name, cause, value) in [
        ("illegal", TrapCause::IllegalInstruction, 0xFFFF_FFFF),
        ("misaligned", TrapCause::MisalignedAccess, 0x8000_0041),
        ("unmapped", TrapCause::UnmappedAccess, 0),
        ("recursion", TrapCause::UnmappedAccess, 0x2FFF_FFFC),
    ] {
        let mut reference = ReferenceDevice::with_memory(CoreConfig::tiny(), 1 << 20);
        let trap = match run_micro(&mut core, name, 4, &[]) {
            Err(DeviceError::Trap(trap)) => trap,
            other => panic!("{name}: {other:?}"),
        };
        assert_eq!((trap.cause, trap.value), (cause, value), "{name}");
        assert_eq!(run_micro(&mut reference, name, 4, &[]), Err(DeviceError::Trap(trap)), "{name}");
        pass(kernels::find("vecadd").unwrap(), &mut core, &Problem::new(9));
    }
}

/// Every level of the kernel leaves a thread behind, until there is no entry for the next.
/// Of a kind of stack, at the branch that finds no free entry.
fn a_full_stack_traps(entry: &Entry) {
    // A number that is the least: with as few paths beside the stack as there can be.
    let least = |mechanism, choice: &Choice| {
        let least = choice.parameter().map(|parameter| (parameter.legal)(&CoreConfig::tiny()).least);
        least.map_or(mechanism, |least| choice.with(mechanism, least))
    };
    let mechanism = entry.choices.iter().fold(entry.default, least);
    let level = mechanism.traits().entry_sides;
    let config = CoreConfig { mechanism, stack_depth: 3, ..CoreConfig::tiny() };
    let mut core = device(&config, MemoryTiming::default());
    let program = micro::find("nested").expect("a micro-kernel").binary.program();
    let is_branch = |(_, word): &(usize, &u32)| **word & 0x7F == 0x63;
    let (branch, _) = program.words.iter().enumerate().filter(is_branch).nth(level).expect("a branch");
    let trap = match run_micro(&mut core, "nested", 4, &[]) {
        Err(DeviceError::Trap(trap)) => trap,
        other => panic!("{mechanism:?}: {other:?}"),
    };
    let found = (trap.cause, trap.warp, trap.pc);
    assert_eq!(found, (TrapCause::StackOverflow, 0, 4 * branch as u32), "{mechanism:?}");
    pass(kernels::find("vecadd").unwrap(), &mut core, &Problem::new(9));
}

#[test]
fn a_full_stack_traps_at_the_branch_and_the_next_launch_works() {
    a_full_stack_traps(stacks().next().expect("a mechanism"));
}

#[test]
#[ignore = "long: compiles the cores with other stacks; runs in .ci/run"]
fn a_full_stack_traps_under_the_other_mechanisms() {
    // Independent threads have no stack, nor have those that are regrouped.
    let has_stack = |entry: &&Entry| entry.default.traits().barriers.is_none() && !entry.default.traits().regroups;
    stacks().skip(1).filter(has_stack).for_each(a_full_stack_traps);
}

/// No result depends on either.
#[test]
fn compaction_runs_fewer_warps_and_counts_those_that_gather() {
    let mut core = device(&compacting(), MemoryTiming::default());
    core.set_limits(Limits::default());
    let [compacted, fixed] = [true, false].map(|compact| {
        core.set_compaction(compact);
        let mut sum = LaunchStats::default();
        for kernel in KERNELS {
            sum.add(&pass(kernel, &mut core, &Problem::new(kernel.sizes().smoke)));
        }
        sum
    });
    assert!(compacted.warp_instructions < fixed.warp_instructions, "{compacted:?}\n{fixed:?}");
    let place = counters::place(COMPACTION_COUNTERS, "stall_stall");
    assert!(compacted.compaction_counts[place] > 0, "{compacted:?}");
}

/// Thread 3 traps; its number in the warp does not depend on the lane that runs it.
#[test]
#[ignore = "long: a core of its own; runs in .ci/run"]
fn traps_in_permuted_lanes_name_the_thread() {
    let config = CoreConfig { permutation: Permutation::Random, ..CoreConfig::small() };
    assert_ne!(physical_lane(config.permutation, 0, 3, config.lanes), 3, "the lane has to differ to show anything");
    let mut core = device(&config, MemoryTiming::default());
    let mut reference = ReferenceDevice::with_memory(config, 1 << 20);
    let expected = run_micro(&mut reference, "misaligned", 8, &[]);
    for permute in [true, false] {
        core.set_permutation(permute);
        assert_eq!(run_micro(&mut core, "misaligned", 8, &[]), expected, "lanes permuted: {permute}");
    }
}

#[test]
fn runs_without_end_are_stopped_and_explained() {
    let mut core = device(&CoreConfig::tiny(), MemoryTiming::default());
    for (name, what) in [
        ("infinite_loop", "warp 0, last at 0x0 <_start>: runs 4 thread(s)"),
        ("barrier_missed", "warp 0, last at 0x4 <spin>: runs 1 thread(s), for which 3 others of the warp wait"),
        ("barrier_missed", "warp 1, last at 0x8 <spin+0x4>: waits at a barrier for the other threads of its CTA"),
        ("spin_lock", "for which 1 other of the warp waits"),
    ] {
        let message = run_micro(&mut core, name, 8, &[0x8000_0100]).unwrap_err().to_string();
        assert!(message.contains("no end after 20000 cycles"), "{name}: {message}");
        assert!(message.contains(what), "{name}: {message}");
        // Counters see an event two cycles later.
        let counted = core.last();
        assert!(counted.cycles >= 19_998 && counted.warp_instructions > 0, "{name}: {counted:?}");
    }
}

/// Threads are regrouped: it is not said of a warp that it has come to the barrier as one.
#[test]
fn what_waits_at_a_barrier_is_threads_where_these_are_regrouped() {
    let mechanism = "dwf".parse().expect("a mechanism");
    let mut core = device(&CoreConfig { mechanism, ..CoreConfig::tiny() }, MemoryTiming::default());
    let message = run_micro(&mut core, "barrier_missed", 8, &[0x8000_0100]).unwrap_err().to_string();
    assert!(message.contains("has threads that wait at a barrier for the others of its CTA"), "{message}");
}

#[test]
fn a_recording_has_every_input_of_every_cycle() {
    let config = CoreConfig::tiny();
    let simulator = simulator(&config);
    let recording = RefCell::new(Recording::new(&simulator, &config));
    let mut core = RtlDevice::new(simulator, config, MemoryTiming::default());
    core.observe(Box::new(|simulator, _| recording.borrow_mut().push(simulator)));
    pass(kernels::find("vecadd").unwrap(), &mut core, &Problem::new(5));
    let cycles = core.cycle();
    drop(core);
    let recording = recording.into_inner();
    assert_eq!(recording.rows().len() as u64 + 1, cycles, "all but the reset of the new device");
    let reset = recording.inputs().position(|input| input == ("reset", 1)).expect("an input");
    assert_eq!(recording.rows().iter().map(|row| row[reset]).sum::<u64>(), 1, "loading resets the core");
    assert!(recording.rows().iter().all(|row| row.len() == recording.inputs().count()));
}

/// Words with corner cases in every pairing, then random ones.
fn operands(threads: usize) -> Vec<u32> {
    const CORNERS: [u32; 8] = [0, 1, 31, 32, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF];
    let pairs = CORNERS.iter().flat_map(|&a| CORNERS.iter().flat_map(move |&b| [a, b]));
    let mut random = Random::new(11);
    pairs.chain(std::iter::repeat_with(|| random.word())).take(2 * threads).collect()
}

/// Runs a micro-kernel with an output and an input buffer over several CTAs and returns the output.
fn run_over(device: &mut dyn Device, name: &str, ctas: u32, words: usize, input: &[u32]) -> Vec<u32> {
    let threads = (device.config().lanes * device.config().warps / 2) as u32;
    let mut session = Session::new(device, &micro::find(name).expect("a micro-kernel").binary.program()).unwrap();
    let (out, input) = (session.zeros(words).unwrap(), session.buffer(input).unwrap());
    let launched = session.launch([ctas, 1, 1], [threads, 1, 1], 4 * threads as usize, &[out.address, input.address]);
    launched.unwrap_or_else(|e| panic!("{name}: {e}"));
    session.read(out)
}

#[test]
fn arithmetic_and_accesses_give_the_results_of_the_reference_model() {
    for (config, ctas) in [(CoreConfig::tiny(), 16), (CoreConfig::small(), 4)] {
        let threads = config.lanes * config.warps / 2 * ctas;
        let mut core = device(&config, unruly(4));
        core.set_limits(Limits { cycles: 1_000_000, ..Limits::default() });
        let mut reference = ReferenceDevice::with_memory(config.clone(), 1 << 20);
        for (name, words_per_thread) in [("arithmetic", 26), ("accesses", 32), ("dual_path", 4), ("orphan_load", 16)] {
            let (words, input) = (threads * words_per_thread, operands(threads * 8));
            let expected = run_over(&mut reference, name, ctas as u32, words, &input);
            let got = run_over(&mut core, name, ctas as u32, words, &input);
            if let Some(index) = (0..words).find(|&index| got[index] != expected[index]) {
                let (thread, word) = (index / words_per_thread, index % words_per_thread);
                panic!("{name}: thread {thread}, word {word}: {:#x}, expected {:#x}", got[index], expected[index]);
            }
        }
    }
}

#[test]
fn a_reserved_counter_counts_every_thread() {
    for timing in [MemoryTiming::default(), unruly(5)] {
        let mut core = device(&CoreConfig::tiny(), timing);
        assert_eq!(run_micro(&mut core, "reserved", 16, &[]).map(|words| words[0]), Ok(16));
    }
}
