//! The annotations of programs against what their threads do: every program runs in the reference model, then its threads'
//! paths are laid over a CTA-wide reconvergence stack, and all threads that come to a uniform branch together must go the same way.
//! Laid over a stack per warp, they show which kernels diverge with work on both sides.
use warploom_hdl::config::CoreConfig;
use warploom_runtime::host::{DeviceError, Session};
use warploom_runtime::isa::{Instruction, decode};
use warploom_runtime::kernels::{self, KERNELS, Problem, Random, micro};
use warploom_runtime::loader::Program;
use warploom_verification::divergence_model::{Entry, Mask, Stack, threads_of};
use warploom_verification::random_program::{COUNTERS, REGION, TABLE, of_seed};
use warploom_verification::reference::{Observed, Observer, ReferenceDevice, ThreadRecord};

/// How often entries came to a branch.
#[derive(Debug, Default)]
struct Counts {
    uniform: u64,
    others: u64,
    diverged: u64,
    /// Diverged, and neither side went straight to where both must meet: Rhu 2014, Fig 3.7(b).
    interleavable: u64,
    merged: u64,
}

/// Threads of one stack.
#[derive(Clone, Copy)]
enum Group {
    Cta,
    Warp,
}

/// Replays every CTA of every launch.
struct Replay {
    group: Group,
    lanes: usize,
    counts: Counts,
}

type Replaying = Observed<Replay>;

fn replaying(config: &CoreConfig, group: Group) -> Replaying {
    let device = ReferenceDevice::with_memory(CoreConfig { floats: true, ..config.clone() }, 1 << 20);
    Observed::new(device, Replay { group, lanes: config.lanes, counts: Counts::default() })
}

impl Observer for Replay {
    fn cta(&mut self, program: &Program, threads: &[ThreadRecord]) {
        let most = match self.group {
            Group::Cta => threads.len(),
            Group::Warp => self.lanes,
        };
        for threads in threads.chunks(most) {
            for (likely_convergence, taken_first) in [(false, true), (false, false), (true, true), (true, false)] {
                replay(program, threads, likely_convergence, taken_first, &mut self.counts);
            }
        }
    }
}

/// Lays the paths of some threads over a stack of their own.
fn replay(
    program: &Program,
    threads: &[ThreadRecord],
    likely_convergence: bool,
    taken_first: bool,
    counts: &mut Counts,
) {
    let mut done = vec![0; threads.len()];
    let mut stack = Stack::new(Mask::MAX >> (Mask::BITS as usize - threads.len()));
    stack.entries[0].pc = program.entry as usize;
    loop {
        let Some(i) = stack.settle() else {
            if !stack.entries.iter().any(|entry| entry.waits) {
                break;
            }
            stack.release();
            continue;
        };
        let Entry { pc, mask, .. } = stack.entries[i];
        let mut followers: Vec<(Option<u32>, Mask)> = Vec::new();
        for thread in threads_of(mask) {
            let path = &threads[thread].pcs;
            assert_eq!(path[done[thread]] as usize, pc, "{}: thread {thread} is elsewhere", program.name);
            done[thread] += 1;
            let next = path.get(done[thread]).copied();
            match followers.iter_mut().find(|(pc, _)| *pc == next) {
                Some((_, mask)) => *mask |= 1 << thread,
                None => followers.push((next, 1 << thread)),
            }
        }
        let place = program.place(pc as u32);
        let annotation = program.annotation(pc / 4);
        match decode(program.words[pc / 4]) {
            Instruction::Exit => stack.remove(mask),
            Instruction::Barrier => stack.wait(i, pc + 4),
            Instruction::Branch { .. } => {
                if annotation.uniform {
                    counts.uniform += 1;
                    assert_eq!(followers.len(), 1, "{}: the uniform branch at {place} diverges", program.name);
                } else {
                    counts.others += 1;
                }
                let side =
                    |(pc, mask): (Option<u32>, Mask)| Entry::new(pc.expect("a branch goes on") as usize, None, mask);
                match followers[..] {
                    [(next, _)] => stack.entries[i].pc = next.expect("a branch goes on") as usize,
                    [one, other] => {
                        counts.diverged += 1;
                        counts.interleavable += u64::from(followers.iter().all(|(pc, _)| *pc != annotation.rpc));
                        let next_is_last = one.0 == Some(pc as u32 + 4);
                        let sides = if next_is_last == taken_first { [one, other] } else { [other, one] };
                        let point = |pc: Option<u32>| pc.map(|pc| pc as usize);
                        let lpc = point(annotation.lpc).filter(|_| likely_convergence);
                        stack.diverge(i, sides.map(side), point(annotation.rpc), lpc);
                    }
                    _ => unreachable!("a branch has two sides"),
                }
            }
            _ => {
                assert_eq!(followers.len(), 1, "{}: the threads at {place} part", program.name);
                stack.entries[i].pc = followers[0].0.expect("a thread ends at `exit`") as usize;
            }
        }
    }
    counts.merged += stack.coverage.count("9 merge");
    let ended = threads.iter().zip(done).all(|(thread, done)| thread.pcs.len() == done);
    assert!(ended, "{}: some threads have not come to their end", program.name);
}

/// With a branch that is uniform over the CTA, as the loader finds.
const UNIFORM: &[&str] = &[
    "aes",
    "backprop",
    "bfs_frontier",
    "binomial",
    "bitonic_shared",
    "blackjack",
    "bucketsort",
    "cfd",
    "convolution",
    "decrypt",
    "dxt",
    "eigenvalues",
    "fdtd3d",
    "haar",
    "hotspot",
    "kmeans",
    "leukocyte",
    "lps",
    "lud",
    "mandelbrot",
    "matmul",
    "merge_sort",
    "nbody",
    "nw",
    "pathfinder",
    "quasirandom",
    "ray",
    "reduction",
    "reduction_modulo",
    "scan",
    "sgemm",
    "sobel",
    "sortnw",
    "srad",
    "stencil",
    "streamcluster",
    "viterbi",
];

/// With a divergent branch that has something to do on both sides.
const INTERLEAVABLE: &[&str] = &[
    "bitonic",
    "bitonic_shared",
    "blackjack",
    "bucketsort",
    "cfd",
    "dxt",
    "eigenvalues",
    "fdtd3d",
    "gcd",
    "lps",
    "lud",
    "mum",
    "qsort",
    "quasirandom",
    "ray",
    "reduction",
    "reduction_modulo",
    "scan",
    "sobel",
    "sortnw",
    "spmv",
    "stencil",
    "streamcluster",
];

/// The kernels at their smoke size that `has` something, by name, and how often.
fn kernels_with(
    config: &CoreConfig,
    group: Group,
    block: Option<usize>,
    has: impl Fn(&Counts) -> u64,
) -> Vec<&'static str> {
    let mut names = Vec::new();
    for kernel in KERNELS {
        let mut device = replaying(config, group);
        let problem = Problem { block, ..Problem::new(kernel.sizes().smoke) };
        kernels::run(kernel, &mut device, &problem).unwrap_or_else(|e| panic!("{}: {e}", kernel.name()));
        let Counts { uniform, others, .. } = device.observer.counts;
        assert!(uniform + others > 0, "{} has no branch", kernel.name());
        println!("{}: {}", kernel.name(), has(&device.observer.counts));
        if has(&device.observer.counts) > 0 {
            names.push(kernel.name());
        }
    }
    names
}

#[test]
fn uniform_branches_of_the_kernels() {
    for config in [CoreConfig::tiny(), CoreConfig::small()] {
        let block = Some(config.lanes * config.warps);
        let names = kernels_with(&config, Group::Cta, block, |counts| counts.uniform);
        assert_eq!(names, UNIFORM);
    }
}

#[test]
fn kernels_that_diverge_with_work_on_both_sides() {
    let names = kernels_with(&CoreConfig::small(), Group::Warp, None, |counts| counts.interleavable);
    assert_eq!(names, INTERLEAVABLE);
}

#[test]
fn most_threads_meet_at_the_likely_convergence_point() {
    let mut device = replaying(&CoreConfig::tiny(), Group::Cta);
    let program = micro::find("likely_convergence").expect("a micro-kernel").binary.program();
    let mut session = Session::new(&mut device, &program).unwrap();
    let [threads, trips] = [16, 20];
    let data: Vec<u32> = Random::new(3).words(threads * trips).iter().map(|word| (word % 32).min(2)).collect();
    let (buffer, result) = (session.buffer(&data).unwrap(), session.zeros(threads * trips).unwrap());
    let out = session.zeros(threads).unwrap();
    let arguments = [buffer.address, result.address, trips as u32, out.address];
    session.launch([1, 1, 1], [threads as u32, 1, 1], 0, &arguments).unwrap();
    let ends = |data: &[u32]| data.iter().position(|&word| word == 1).unwrap_or(trips) as u32;
    assert_eq!(session.read(out), data.chunks(trips).map(ends).collect::<Vec<_>>());
    assert!(device.observer.counts.merged > 20, "{:?}", device.observer.counts);
}

/// Runs a random program with inputs of its seed.
fn run_random(device: &mut Replaying, program: &Program, block: u32, seed: u64) {
    let mut random = Random::new(seed);
    let mut session = Session::new(device, program).unwrap();
    let regions = session.buffer(&random.words((3 * block * REGION / 4) as usize)).unwrap();
    let [counters, table] = [COUNTERS, TABLE].map(|words| session.buffer(&random.words(words)).unwrap());
    let arguments = [regions.address, counters.address, table.address];
    match session.launch([3, 1, 1], [block, 1, 1], block as usize, &arguments) {
        // Some programs are made to end so.
        Ok(_) | Err(DeviceError::Trap(_)) => {}
        Err(error) => panic!("seed {seed}: {error}"),
    }
}

#[test]
fn uniform_branches_of_random_programs() {
    let mut device = replaying(&CoreConfig::small(), Group::Cta);
    for seed in 0..500 {
        let block = 1 + Random::new(!seed).below(64);
        run_random(&mut device, &of_seed(seed, block).unwrap(), block, seed);
    }
    let Counts { uniform, others, diverged, merged, .. } = device.observer.counts;
    assert!(uniform > others / 100 && diverged > 0 && merged > 0, "{:?}", device.observer.counts);
}

#[test]
#[should_panic(expected = "diverges")]
fn a_wrong_annotation_is_found() {
    let mut device = replaying(&CoreConfig::small(), Group::Cta);
    // One of them has a branch that threads take by their numbers.
    for seed in 0..8 {
        let mut program = of_seed(seed, 16).unwrap();
        program.annotations.iter_mut().for_each(|annotation| annotation.uniform = true);
        run_random(&mut device, &program, 16, seed);
    }
}
