use warploom_runtime::host::Session;
use warploom_runtime::kernels::{self, KERNELS, Kernel, Problem, micro};

use super::*;
use crate::cores;

/// Runs a micro-kernel on tiny with an output buffer of `words` and returns it.
fn run_micro(name: &str, threads: u32, words: usize, more: &[u32]) -> Result<Vec<u32>, DeviceError> {
    let mut device = ReferenceDevice::with_memory(CoreConfig::tiny(), 1 << 16);
    device.set_limit(1_000_000);
    let program = micro::find(name).expect("a micro-kernel").binary.program();
    let mut session = Session::new(&mut device, &program)?;
    let out = session.zeros(words)?;
    session.launch([1, 1, 1], [threads, 1, 1], 64, &[&[out.address], more].concat())?;
    Ok(session.read(out))
}

fn trap(name: &str) -> (TrapCause, usize, usize, u32) {
    match run_micro(name, 8, 16, &[]).unwrap_err() {
        DeviceError::Trap(trap) => (trap.cause, trap.warp, trap.lane, trap.value),
        other => panic!("{name}: {other}"),
    }
}

#[test]
fn traps_name_cause_and_place() {
    assert_eq!(trap("illegal"), (TrapCause::IllegalInstruction, 0, 2, 0xFFFF_FFFF));
    assert_eq!(trap("misaligned"), (TrapCause::MisalignedAccess, 0, 3, 0x8000_0041));
    assert_eq!(trap("unmapped"), (TrapCause::UnmappedAccess, 0, 3, 0));
    assert_eq!(trap("recursion"), (TrapCause::UnmappedAccess, 0, 0, 0x2FFF_FFFC));
    let message = run_micro("recursion", 8, 16, &[]).unwrap_err().to_string();
    assert_eq!(
        message,
        "trap: access to 0x2ffffffc, just below the private window: the thread's stack is full\n  at 0x18 <deeper+0x4>, warp 0, lane 0"
    );
}

#[test]
fn no_end_names_the_threads() {
    let message = run_micro("infinite_loop", 2, 1, &[]).unwrap_err().to_string();
    assert!(message.contains("CTA [0, 0, 0], thread 1 runs at 0x0 <_start>"), "{message}");
    let message = run_micro("barrier_missed", 3, 1, &[]).unwrap_err().to_string();
    assert!(message.contains("thread 0 runs at 0x4 <spin>"), "{message}");
    assert!(message.contains("thread 2 waits at 0xc <spin+0x8>"), "{message}");
}

#[test]
fn barriers_in_both_sides_of_a_branch() {
    assert_eq!(run_micro("barrier_divergent", 8, 8, &[]), Ok(vec![2, 1, 4, 3, 6, 5, 8, 7]));
    assert_eq!(run_micro("irreducible", 4, 4, &[]), Ok(vec![303, 302, 303, 302]));
}

#[test]
fn ballots_count_the_lanes_that_are_there() {
    let words = run_micro("ballot", 6, 18, &[]).unwrap();
    let of = |thread: usize| (words[3 * thread], words[3 * thread + 1], words[3 * thread + 2]);
    // All lanes: number % 4 != 0. Odd lanes: all vote. Even lanes: number / 2 != 0.
    // The loop: lane k takes part k + 1 times, lane 0 never votes.
    assert_eq!(of(0), (0b1110, 0b0100, 0b1110));
    assert_eq!(of(1), (0b1110, 0b1010, 0b1110 + 0b1110));
    assert_eq!(of(2), (0b1110, 0b0100, 0b1110 + 0b1110 + 0b1100));
    assert_eq!(of(3), (0b1110, 0b1010, 0b1110 + 0b1110 + 0b1100 + 0b1000));
    // The second warp has two threads.
    assert_eq!(of(4), (0b10, 0, 0b10));
    assert_eq!(of(5), (0b10, 0b10, 0b10 + 0b10));
}

#[test]
fn other_micro_kernels_end_with_their_results() {
    let words = run_micro("nested", 16, 16, &[]).unwrap();
    assert!(words.iter().enumerate().all(|(thread, &word)| word == 2 * thread as u32 + 1), "{words:?}");
    let words = run_micro("alu_loop", 4, 4, &[10]).unwrap();
    assert_eq!(words, (0..4).map(|t| 2 * t + 10 * 15 * 4).collect::<Vec<u32>>());
    run_micro("branchy", 16, 16, &[20]).unwrap();
    // One after the other, threads release the lock: the count is in the words behind it.
    let out = 0x8000_0000 + 64;
    assert_eq!(run_micro("spin_lock", 16, 2, &[out + 4]), Ok(vec![0, 16]));
}

#[test]
fn registers_pass_from_path_to_path() {
    let mut device = ReferenceDevice::with_memory(CoreConfig::tiny(), 1 << 16);
    let program = micro::find("dual_path").unwrap().binary.program();
    let mut session = Session::new(&mut device, &program).unwrap();
    let out = session.zeros(16).unwrap();
    let data = session.buffer(&[1000, 1001, 1002, 1003, 2000, 2001, 2002, 2003, 7000, 7001, 7002, 7003]).unwrap();
    session.launch([1, 1, 1], [4, 1, 1], 0, &[out.address, data.address]).unwrap();
    let words = session.read(out);
    let [r1, r4, r5, r8] = [0, 1, 2, 3].map(|register| [0, 1, 2, 3].map(|thread| words[4 * thread + register]));
    assert_eq!(r1, [2000, 100, 100, 100]);
    assert_eq!(r4, [4, 130, 70, 70]);
    assert_eq!(r5, [5, 1021, 1022, 1023]);
    assert_eq!(r8, [2007, 7101, 7102, 7103]);
}

#[test]
fn streams_are_copied() {
    let mut device = ReferenceDevice::with_memory(CoreConfig::tiny(), 1 << 16);
    let program = micro::find("stream").unwrap().binary.program();
    let mut session = Session::new(&mut device, &program).unwrap();
    let words: Vec<u32> = (0..8 * 4 * 3).collect();
    let (from, to) = (session.buffer(&words).unwrap(), session.zeros(words.len()).unwrap());
    session.launch([2, 1, 1], [4, 1, 1], 0, &[from.address, to.address, 3]).unwrap();
    assert_eq!(session.read(to), words);
}

#[test]
fn impossible_launches_are_refused() {
    let mut device = ReferenceDevice::with_memory(CoreConfig::tiny(), 1 << 12);
    let program = micro::find("infinite_loop").unwrap().binary.program();
    let mut session = Session::new(&mut device, &program).unwrap();
    let mut launch = |grid, block, shared| session.launch(grid, block, shared, &[]).unwrap_err().to_string();
    assert_eq!(
        launch([1, 1, 1], [5, 5, 1], 0),
        "micro/infinite_loop.s cannot be launched: a CTA of [5, 5, 1] threads; the core holds 16 (4 x 4)"
    );
    assert!(launch([1, 0, 1], [1, 1, 1], 0).contains("an empty grid"));
    assert!(launch([1, 1, 1], [1, 1, 1], 10_000).contains("40000 bytes of shared memory per CTA; the core has 8192"));
    let error = session.zeros(10_000).unwrap_err();
    assert_eq!(error.to_string(), "no room for 40000 bytes in global memory: 4032 of 4096 are free");
}

#[test]
fn a_record_has_every_pc_and_register_write() {
    let mut device = ReferenceDevice::with_memory(CoreConfig::tiny(), 1 << 16);
    device.record();
    kernels::run(kernels::find("vecadd").unwrap(), &mut device, &Problem::new(6)).unwrap();
    let records = device.records();
    assert_eq!(records.len(), 8, "two CTAs of four threads");
    assert_eq!((records[5].cta, records[5].thread), ([1, 0, 0], 1));
    assert!(records[5].pcs.len() > records[6].pcs.len(), "thread 6 has nothing to add");
    assert!(records[5].signature.first_difference(&records[4].signature).is_some(), "another thread, other values");
}

fn presets() -> [CoreConfig; 4] {
    [CoreConfig::tiny(), CoreConfig::small(), CoreConfig::paper(), CoreConfig::fermi()].map(cores::with_floats)
}

fn check_kernel(kernel: &Kernel, config: &CoreConfig, problem: Problem) {
    let mut device = ReferenceDevice::with_memory(config.clone(), 8 << 20);
    let outcome = kernels::run(kernel, &mut device, &problem);
    let outcome = outcome.unwrap_or_else(|e| panic!("{} {problem:?}: {e}", kernel.name()));
    if let Some(mismatch) = outcome.mismatch() {
        panic!("{} {problem:?}: {mismatch}", kernel.name());
    }
    assert!(outcome.stats.thread_instructions > 0 && outcome.launches > 0 || problem.size == 1);
}

#[test]
fn every_kernel_on_every_preset_at_odd_sizes() {
    for kernel in KERNELS {
        for config in presets() {
            for size in [1, 2, 3, 31, 33, 64, kernel.sizes().smoke] {
                check_kernel(kernel, &config, Problem::new(size));
            }
        }
    }
}

#[test]
fn every_kernel_at_its_default_size_with_other_inputs_and_blocks() {
    for kernel in KERNELS {
        let size = kernel.sizes().default;
        check_kernel(kernel, &cores::with_floats(CoreConfig::paper()), Problem { seed: 7, ..Problem::new(size) });
        check_kernel(
            kernel,
            &cores::with_floats(CoreConfig::small()),
            Problem { seed: 8, block: Some(64), ..Problem::new(size) },
        );
        check_kernel(
            kernel,
            &cores::with_floats(CoreConfig::tiny()),
            Problem { seed: 9, block: Some(7), ..Problem::new(size / 8) },
        );
    }
}
