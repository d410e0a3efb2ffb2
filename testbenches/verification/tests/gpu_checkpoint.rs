//! A run of several cores that goes on from a checkpoint ends as the run that was not interrupted.
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::atomic::Ordering;

use warploom_hdl::config::CoreConfig;
use warploom_hdl::memory_system::{Clocks, SystemConfig};
use warploom_runtime::host::{
    Checkpoint, CheckpointTime, DeviceError, GpuCounts, GpuDevice, Hardware, LaunchStats, Limits, MemoryTiming,
    RtlDevice,
};
use warploom_runtime::kernels::{self, Output, Problem, Random};
use warploom_verification::gpu::{gpu, small_system};
use warploom_verification::{core_simulator, cores};

type Sizes = (CoreConfig, SystemConfig);

/// All that a run leaves behind.
#[derive(Debug, PartialEq)]
struct End {
    outputs: Vec<Output>,
    stats: LaunchStats,
    counts: GpuCounts,
    launches: [u64; 2],
    cycle: u64,
}

fn run(kernel: &str, device: &mut GpuDevice) -> Result<End, DeviceError> {
    let kernel = kernels::find(kernel).expect("a kernel");
    let problem = Problem { seed: 3, ..Problem::new(kernel.sizes().smoke) };
    let outcome = kernels::run(kernel, device, &problem)?;
    device.check_past()?;
    assert_eq!(outcome.mismatch(), None, "{}", kernel.name());
    let launches = [outcome.launches, device.launches()];
    let counts = device.counts().clone();
    Ok(End { outputs: outcome.outputs, stats: outcome.stats, counts, launches, cycle: device.cycle() })
}

/// Through a file.
fn kept(checkpoint: &Checkpoint, directory: &Path) -> (Checkpoint, Vec<u8>) {
    let path = directory.join("checkpoint");
    checkpoint.write(&path).unwrap();
    (Checkpoint::read(&path).unwrap(), std::fs::read(&path).unwrap())
}

type Taken = Rc<RefCell<Vec<Checkpoint>>>;

fn collect(device: &mut GpuDevice<'_>, time: CheckpointTime) -> Taken {
    let taken = Taken::default();
    let all = taken.clone();
    device.set_checkpoints(time, move |device| all.borrow_mut().push(device.checkpoint("").expect("a checkpoint")));
    taken
}

/// A run that is stopped in this cycle, or as soon as a launch is under way.
fn stopped(sizes: &Sizes, kernel: &str, cycle: u64, threads: usize) -> Checkpoint {
    let mut device = gpu(sizes.clone());
    device.set_threads(threads);
    let limits = Limits::default();
    device.set_limits(limits.clone());
    let taken = Taken::default();
    let all = taken.clone();
    device.set_checkpoints(CheckpointTime::At(cycle), move |device| {
        all.borrow_mut().push(device.checkpoint("").expect("a checkpoint"));
        limits.interrupt.store(true, Ordering::Relaxed);
    });
    let error = run(kernel, &mut device).unwrap_err();
    assert!(matches!(error, DeviceError::Interrupted { .. }), "{error}");
    assert!(device.checkpoint("").is_none(), "the error cannot be repeated");
    let mut taken = taken.take();
    assert_eq!(taken.len(), 1, "{kernel}, cycle {cycle}");
    taken.pop().expect("one")
}

/// Every kernel, uninterrupted and stopped in random cycles.
fn goes_on(sizes: &Sizes, kernels: &[&str], seed: u64) {
    let directory = tempfile::tempdir().unwrap();
    let (mut random, mut restored) = (Random::new(seed), gpu(sizes.clone()));
    let mut below = |most: u64| u64::from(random.below(most as u32));
    for kernel in kernels {
        let expected = run(kernel, &mut gpu(sizes.clone())).unwrap();
        // Loading is no launch, nor is what comes behind the last: both are left out.
        let late = expected.cycle - expected.cycle / 8;
        for _ in 0..4 {
            let (cycle, threads) = (below(late), [(); 3].map(|()| 1 + below(3) as usize));
            let (checkpoint, _) = kept(&stopped(sizes, kernel, cycle, threads[0]), directory.path());
            let what = format!("{kernel} from cycle {cycle} on {threads:?} threads: {:?}", sizes.0.mechanism);
            // It has run something else before, and was not at its end.
            restored.set_threads(threads[1]);
            restored.restore(checkpoint.clone()).unwrap();
            assert_eq!(restored.cycle(), checkpoint.cycle(), "{what}");
            // On the way there is a checkpoint, as there would have been.
            let later = checkpoint.cycle() + 1 + below(expected.cycle - checkpoint.cycle());
            let again = collect(&mut restored, CheckpointTime::At(later));
            assert_eq!(run(kernel, &mut restored).unwrap(), expected, "{what}");
            let Some(again) = again.take().pop() else { continue };
            let there = stopped(sizes, kernel, later, threads[2]);
            assert!(kept(&again, directory.path()).1 == kept(&there, directory.path()).1, "{what}, then {later}");
        }
    }
}

#[test]
fn two_cores() {
    goes_on(&small_system(&CoreConfig::tiny(), 2), &["bfs", "bitonic", "nw"], 1);
}

#[test]
fn three_cores_of_several_clocks() {
    let (config, system) = small_system(&cores::with("capri+slp", CoreConfig::tiny()), 3);
    let clocks = Clocks { core: 1300, network: 650, l2: 650, dram: 800 };
    goes_on(&(config, SystemConfig { clocks, link_cycles: 7, ..system }), &["bfs", "mandelbrot"], 2);
}

#[test]
fn a_link_of_one_register() {
    let (config, system) = small_system(&cores::with("dpe", CoreConfig::tiny()), 1);
    goes_on(&(config, SystemConfig { link_cycles: 1, ..system }), &["bfs", "gcd"], 3);
}

/// While the host's writes are on their way, while the cores run, and while L2 is flushed.
#[test]
fn from_everywhere_in_a_launch() {
    let sizes = small_system(&CoreConfig::tiny(), 2);
    let expected = run("bfs", &mut gpu(sizes.clone())).unwrap();
    assert!(expected.launches[0] > 1);
    let mut original = gpu(sizes.clone());
    let taken = collect(&mut original, CheckpointTime::Every(expected.cycle / 100));
    assert_eq!(run("bfs", &mut original).unwrap(), expected, "checkpoints disturb the run");
    let taken = taken.take();
    assert!(taken.len() >= 80, "{} checkpoints", taken.len());
    let mut restored = gpu(sizes);
    for checkpoint in taken {
        let cycle = checkpoint.cycle();
        restored.restore(checkpoint).unwrap();
        assert_eq!(run("bfs", &mut restored).unwrap(), expected, "from cycle {cycle}");
    }
}

/// From the limit of its cycles, too, and what is seen of a core does not change.
#[test]
fn what_is_watched_goes_on() {
    let sizes = small_system(&CoreConfig::tiny(), 2);
    let watched = |device: &mut GpuDevice<'static>| {
        let seen: Rc<RefCell<Vec<(u64, u64)>>> = Rc::default();
        let all = seen.clone();
        let port = device.engine(1).port("issue_pc").expect("a port");
        device.observe(1, Box::new(move |engine, cycle| all.borrow_mut().push((cycle, engine.get(port)))));
        seen
    };
    let mut whole = gpu(sizes.clone());
    let seen = watched(&mut whole);
    let expected = run("bitonic", &mut whole).unwrap();
    let mut device = gpu(sizes.clone());
    let taken = collect(&mut device, CheckpointTime::Stop);
    device.set_limits(Limits { cycles: 300, ..Limits::default() });
    assert!(matches!(run("bitonic", &mut device), Err(DeviceError::Limit { .. })));
    let checkpoint = taken.take().pop().expect("a checkpoint");
    let cycle = checkpoint.cycle();
    let mut restored = gpu(sizes);
    restored.restore(checkpoint).unwrap();
    let again = watched(&mut restored);
    assert_eq!(run("bitonic", &mut restored).unwrap(), expected);
    let seen = seen.take();
    assert!(seen.iter().filter(|(at, _)| *at > cycle).eq(again.take().iter()), "from cycle {cycle}");
}

#[test]
fn what_it_is_not_of_is_refused() {
    let sizes = small_system(&CoreConfig::tiny(), 2);
    let checkpoint = stopped(&sizes, "bfs", 3000, 1);
    let mut three = gpu(small_system(&CoreConfig::tiny(), 3));
    let before = three.cycle();
    let error = three.restore(checkpoint.clone()).unwrap_err().to_string();
    assert!(error.contains("of another GPU: cores is 2 in the checkpoint, 3 here"), "{error}");
    assert_eq!(three.cycle(), before);
    let simulator = core_simulator(&CoreConfig::tiny(), &Default::default());
    let mut core = RtlDevice::new(simulator, CoreConfig::tiny(), MemoryTiming::default());
    let error = core.restore(checkpoint.clone()).unwrap_err().to_string();
    assert_eq!(error, "the checkpoint is of a GPU, this is a core alone");
    let error = three.restore(core.checkpoint("").expect("between two launches")).unwrap_err().to_string();
    assert_eq!(error, "the checkpoint is of a core alone, this is a GPU");

    let mut hardware = Hardware::Gpu(Box::new(gpu(sizes)), 1);
    hardware.restore(checkpoint).unwrap();
    let gcd = kernels::find("gcd").expect("a kernel");
    let error = kernels::run(gcd, hardware.device(), &Problem::new(gcd.sizes().smoke)).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("of another run: step 1 of the host: it loads program"), "{error}");
}
