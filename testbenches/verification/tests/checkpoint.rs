//! A run that goes on from a checkpoint ends as the run that was not interrupted.
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::atomic::Ordering;

use warploom_hdl::config::{CoreConfig, SchedulerPolicy};
use warploom_hdl::core::Core;
use warploom_hdl::prelude::Block;
use warploom_runtime::host::{
    Checkpoint, CheckpointTime, DeviceError, Jitter, LaunchStats, Limits, MemoryTiming, RtlDevice,
};
use warploom_runtime::kernels::{self, Output, Problem};
use warploom_sim::{Simulator, elaborate};
use warploom_verification::{core_simulator, cores};

/// All that a run leaves behind.
#[derive(Debug, PartialEq)]
struct End {
    outputs: Vec<Output>,
    stats: LaunchStats,
    totals: LaunchStats,
    launches: [u64; 2],
    cycle: u64,
}

fn device(config: &CoreConfig, timing: &MemoryTiming) -> RtlDevice<'static> {
    RtlDevice::new(core_simulator(config, &Default::default()), config.clone(), timing.clone())
}

fn run(kernel: &str, device: &mut RtlDevice) -> Result<End, DeviceError> {
    let kernel = kernels::find(kernel).expect("a kernel");
    let problem = Problem { seed: 3, ..Problem::new(kernel.sizes().smoke) };
    let outcome = kernels::run(kernel, device, &problem)?;
    device.check_past()?;
    assert_eq!(outcome.mismatch(), None, "{}", kernel.name());
    let launches = [outcome.launches, device.launches()];
    Ok(End { outputs: outcome.outputs, stats: outcome.stats, totals: device.totals(), launches, cycle: device.cycle() })
}

type Taken = Rc<RefCell<Vec<Checkpoint>>>;

fn collect(device: &mut RtlDevice<'_>, time: CheckpointTime) -> Taken {
    let taken = Taken::default();
    let all = taken.clone();
    device.set_checkpoints(time, move |device| all.borrow_mut().push(device.checkpoint("").expect("a checkpoint")));
    taken
}

fn bytes(checkpoint: &Checkpoint, directory: &Path) -> Vec<u8> {
    let path = directory.join("checkpoint");
    checkpoint.write(&path).unwrap();
    std::fs::read(path).unwrap()
}

/// Every kernel, uninterrupted and from checkpoints spread over its run.
fn goes_on(config: &CoreConfig, timing: &MemoryTiming, kernels: &[&str]) {
    let directory = tempfile::tempdir().unwrap();
    let mut restored = device(config, timing);
    for kernel in kernels {
        let expected = run(kernel, &mut device(config, timing)).unwrap();
        let mut original = device(config, timing);
        let taken = collect(&mut original, CheckpointTime::Every(expected.cycle / 6));
        assert_eq!(run(kernel, &mut original).unwrap(), expected, "{kernel}: checkpoints disturb the run");
        let taken = taken.take();
        assert!(taken.len() >= 5, "{kernel}: {} checkpoints", taken.len());
        let last = taken.last().expect("five");
        for checkpoint in &taken[..taken.len() - 1] {
            let what = format!("{kernel} from cycle {}: {:?}", checkpoint.cycle(), config.mechanism);
            // The device has run something else before.
            restored.restore(checkpoint.clone()).unwrap();
            assert_eq!(restored.cycle(), checkpoint.cycle(), "{what}");
            let again = collect(&mut restored, CheckpointTime::At(last.cycle()));
            assert_eq!(run(kernel, &mut restored).unwrap(), expected, "{what}");
            let again = again.take();
            assert_eq!(again.len(), 1, "{what}");
            assert!(bytes(last, directory.path()) == bytes(&again[0], directory.path()), "{what}");
        }
    }
}

#[test]
fn single_path() {
    goes_on(&CoreConfig::tiny(), &MemoryTiming::default(), &["bfs", "bitonic", "nw"]);
}

#[test]
fn compaction_with_lane_permutation() {
    goes_on(
        &cores::with("capri+lcp+slp", CoreConfig::tiny()),
        &MemoryTiming::default(),
        &["bfs", "mandelbrot", "qsort"],
    );
}

#[test]
fn dual_path_with_answers_out_of_order() {
    let config = cores::with("dpe", CoreConfig::tiny());
    let jitter = Some(Jitter { seed: 5, delay: 60, refuse: 40 });
    goes_on(&config, &MemoryTiming { jitter, l2_bytes: 2048, ..MemoryTiming::default() }, &["bfs", "bitonic_shared"]);
}

/// A checkpoint of bfs in its second launch or later, on a tiny core that has run something else before, and its end.
fn bfs() -> (RtlDevice<'static>, Checkpoint, End) {
    let mut device = device(&CoreConfig::tiny(), &MemoryTiming::default());
    run("bitonic", &mut device).unwrap();
    let at = device.cycle() + 6000;
    let taken = collect(&mut device, CheckpointTime::At(at));
    let end = run("bfs", &mut device).unwrap();
    let checkpoint = taken.take().pop().expect("a checkpoint");
    assert!(checkpoint.cycle() == at && end.cycle > at && end.launches[0] > 1, "{} {:?}", end.cycle, end.launches);
    (device, checkpoint, end)
}

#[test]
fn a_stopped_run_goes_on() {
    let mut device = device(&CoreConfig::tiny(), &MemoryTiming::default());
    let expected = run("bitonic", &mut device).unwrap();
    let first = device.checkpoint("").expect("between two launches");
    for by_hand in [false, true] {
        let mut device = self::device(&CoreConfig::tiny(), &MemoryTiming::default());
        let taken = collect(&mut device, CheckpointTime::Stop);
        let limits = Limits { cycles: if by_hand { u64::MAX } else { 500 }, ..Limits::default() };
        limits.interrupt.store(by_hand, Ordering::Relaxed);
        device.set_limits(limits);
        let error = run("bitonic", &mut device).unwrap_err();
        assert_eq!(by_hand, matches!(error, DeviceError::Interrupted { .. }), "{error}");
        assert!(device.checkpoint("").is_none(), "the error cannot be repeated");
        let checkpoint = taken.take().pop().expect("a checkpoint");
        assert!(taken.take().is_empty());
        device.set_limits(Limits::default());
        device.restore(checkpoint).unwrap();
        assert_eq!(run("bitonic", &mut device).unwrap(), expected);
    }
    // All of it is in the past.
    device.restore(first).unwrap();
    assert_eq!(run("bitonic", &mut device).unwrap(), expected);
}

#[test]
fn another_host_program_is_refused() {
    let (mut device, checkpoint, _) = bfs();
    device.restore(checkpoint.clone()).unwrap();
    let error = run("bitonic", &mut device).unwrap_err().to_string();
    assert!(error.contains("of another run: step 1 of the host: it loads program"), "{error}");
    // The same program with other input.
    device.restore(checkpoint.clone()).unwrap();
    let kernel = kernels::find("bfs").unwrap();
    let problem = Problem { seed: 4, ..Problem::new(kernel.sizes().smoke) };
    // What it reads are zeros then, and so it does not launch at all.
    kernels::run(kernel, &mut device, &problem).unwrap();
    let error = device.check_past().unwrap_err().to_string();
    assert!(error.contains("it writes") && error.contains("then it writes"), "{error}");
    assert!(checkpoint.check_program(&kernel.binary().program()).is_ok());
    let other = kernels::find("bitonic").unwrap().binary().program();
    let error = checkpoint.check_program(&other).unwrap_err().to_string();
    assert!(error.contains("the program bitonic"), "{error}");
}

#[test]
fn another_core_is_refused_with_what_differs() {
    let (_, checkpoint, _) = bfs();
    let scheduler = SchedulerPolicy::GreedyThenOldest;
    let other = CoreConfig { lanes: 8, scheduler, ..CoreConfig::tiny() };
    let error = checkpoint.check_core(&other).unwrap_err().to_string();
    let parts = ["lanes is 4 in the checkpoint, 8 here; scheduler is \"LooseRoundRobin\" in the checkpoint", "Greedy"];
    assert!(parts.iter().all(|part| error.contains(part)) && !error.contains("warps"), "{error}");
    assert!(checkpoint.check_core(&CoreConfig::tiny()).is_ok());
}

#[test]
fn changed_hardware_is_refused() {
    let (mut device, checkpoint, _) = bfs();
    let mut core = Core::new(&CoreConfig::tiny());
    core.connect_all();
    let mut netlist = elaborate(&core).unwrap();
    netlist.modules[0].name.push_str("_of_another_version");
    let simulator = Simulator::build(&netlist, &Default::default()).unwrap();
    let mut other = RtlDevice::new(simulator, CoreConfig::tiny(), MemoryTiming::default());
    let before = other.cycle();
    let error = other.restore(checkpoint.clone()).unwrap_err().to_string();
    assert!(error.contains("the hardware has changed since the checkpoint"), "{error}");
    assert_eq!(other.cycle(), before);
    device.restore(checkpoint).unwrap();
}

#[test]
fn files() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("bfs.checkpoint");
    let (mut device, checkpoint, end) = bfs();
    checkpoint.write(&path).unwrap();
    let good = std::fs::read(&path).unwrap();
    assert!(good.len() < 200_000, "{} bytes for 64 MiB of zeros and a tiny core", good.len());
    device.restore(Checkpoint::read(&path).unwrap()).unwrap();
    assert_eq!(run("bfs", &mut device).unwrap(), end);

    let message = |bytes: &[u8]| {
        let damaged = directory.path().join("damaged");
        std::fs::write(&damaged, bytes).unwrap();
        let error = Checkpoint::read(&damaged).err();
        error.unwrap_or_else(|| panic!("{} bytes are accepted", bytes.len())).to_string()
    };
    for position in (0..28).chain((28..good.len()).step_by(good.len() / 50)) {
        let mut bytes = good.clone();
        bytes[position] ^= 0x10;
        let expected = match position {
            0..8 => "not a checkpoint",
            8..12 => "reads format",
            _ => "is damaged",
        };
        let message = message(&bytes);
        assert!(message.contains(expected), "byte {position}: {message}");
    }
    for length in [0, 3, 8, 20, 28, 1000, good.len() - 1] {
        let message = message(&good[..length]);
        assert!(
            message.contains(if length < 8 { "not a checkpoint" } else { "is damaged" }),
            "{length} bytes: {message}"
        );
    }
    assert!(message(&[&good[..], &[0]].concat()).contains("behind its header"));
    assert!(Checkpoint::read(&directory.path().join("none")).unwrap_err().to_string().contains("cannot be read"));
}

#[test]
fn a_checkpoint_takes_the_place_of_the_one_before() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("bfs.checkpoint");
    let (_, checkpoint, _) = bfs();
    checkpoint.write(&path).unwrap();
    let before = std::fs::read(&path).unwrap();
    // No name that could stand in the way of what is written first does.
    std::fs::create_dir(directory.path().join("bfs.checkpoint.partial")).unwrap();
    checkpoint.write(&path).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), before);
    let nowhere = directory.path().join("nowhere/bfs.checkpoint");
    let error = checkpoint.write(&nowhere).unwrap_err();
    assert!(error.to_string().contains("bfs.checkpoint: cannot be written"), "{error}");
}
