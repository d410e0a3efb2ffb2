//! Runs whose idle stretches are skipped, beside runs of which every cycle is stepped: all that can be seen of them is the same.
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use warploom_hdl::config::CoreConfig;
use warploom_runtime::host::{Checkpoint, CheckpointTime, LaunchStats, Limits, MemoryTiming, RtlDevice};
use warploom_runtime::kernels::{self, Output, Problem};
use warploom_sim::glob::Globs;
use warploom_sim::wave::{Format, Selection, WaveFile, Waveform, Window};
use warploom_sim::{BuildOptions, Passes, Simulator};
use warploom_verification::{core_simulator, cores};

/// A memory so far away that a few warps do not hide it.
fn far() -> MemoryTiming {
    MemoryTiming { l2_bytes: 2048, dram_latency: 600, queue: 3, dram_bandwidth: 0.7, ..MemoryTiming::default() }
}

/// With idle stretches skipped, and without.
fn simulators(config: &CoreConfig, observe: &str) -> [Simulator; 2] {
    [true, false].map(|idle| {
        let passes = Passes { idle, ..Passes::default() };
        core_simulator(config, &BuildOptions { observe: vec![observe.into()], passes, ..Default::default() })
    })
}

fn device(simulator: &Simulator, config: &CoreConfig) -> RtlDevice<'static> {
    RtlDevice::new(simulator.another(), config.clone(), far())
}

/// All that a run leaves behind.
#[derive(Debug, PartialEq)]
struct End {
    outputs: Vec<Output>,
    stats: LaunchStats,
    totals: LaunchStats,
    cycle: u64,
}

fn run(kernel: &str, device: &mut RtlDevice) -> End {
    let kernel = kernels::find(kernel).expect("a kernel");
    let outcome = kernels::run(kernel, device, &Problem::new(kernel.sizes().smoke)).unwrap();
    assert_eq!(outcome.mismatch(), None, "{}", kernel.name());
    End { outputs: outcome.outputs, stats: outcome.stats, totals: device.totals(), cycle: device.cycle() }
}

fn bytes(checkpoint: &Checkpoint, directory: &Path) -> Vec<u8> {
    let path = directory.join("checkpoint");
    checkpoint.write(&path).unwrap();
    std::fs::read(path).unwrap()
}

#[test]
fn counters_and_checkpoints() {
    let directory = tempfile::tempdir().unwrap();
    for mechanism in ["spe", "capri+slp", "dpe", "dws"] {
        let config = cores::with(mechanism, CoreConfig::tiny());
        let simulators = simulators(&config, "");
        for kernel in ["bfs", "bitonic", "nw"] {
            let [skipping, stepping] = simulators.each_ref().map(|simulator| {
                let mut device = device(simulator, &config);
                let taken = Rc::new(RefCell::new(vec![]));
                let all = taken.clone();
                device.set_checkpoints(CheckpointTime::Every(777), move |device| {
                    all.borrow_mut().push(device.checkpoint("").expect("a checkpoint"));
                });
                let end = run(kernel, &mut device);
                let checkpoints = taken.take();
                let states: Vec<_> = checkpoints.iter().map(|checkpoint| bytes(checkpoint, directory.path())).collect();
                (end, states, device.skipped())
            });
            let (cycles, skipped) = (skipping.0.cycle, skipping.2);
            assert!(skipped > cycles / 20, "{mechanism}, {kernel}: {skipped} of {cycles} cycles");
            assert_eq!(stepping.2, 0);
            assert_eq!(skipping.0, stepping.0, "{mechanism}, {kernel}");
            assert!(skipping.1 == stepping.1 && skipping.1.len() > 5, "{mechanism}, {kernel}: checkpoints differ");
        }
    }
}

#[test]
fn slots_of_several_cycles_and_two_level_scheduling() {
    for preset in [CoreConfig::small(), CoreConfig { lanes: 8, warps: 8, ..CoreConfig::paper() }] {
        let config = CoreConfig { issue_interval: 4, ..preset };
        let [skipping, stepping] = simulators(&config, "").map(|simulator| {
            let mut device = device(&simulator, &config);
            (run("bfs", &mut device), device.skipped())
        });
        assert_eq!(skipping.0, stepping.0);
        assert!(skipping.1 > skipping.0.cycle / 20, "{} of {} cycles", skipping.1, skipping.0.cycle);
    }
}

/// A window that opens while the core runs, and closes before it ends; the cycles around it are skipped.
#[test]
fn waveforms() {
    let (config, directory) = (CoreConfig::tiny(), tempfile::tempdir().unwrap());
    let window = Window { from: 4000, to: Some(6000), trigger: None };
    let [skipping, stepping] = simulators(&config, "*").map(|simulator| {
        let path = directory.path().join("wave.vcd");
        let mut device = device(&simulator, &config);
        let selection = Selection::new(&simulator, &Globs::new(&["*"]));
        let files = vec![WaveFile::create(&path, Format::Vcd).unwrap()];
        let waveform = Rc::new(RefCell::new(Waveform::begin(files, selection, window).unwrap()));
        let (sampled, wanted) = (waveform.clone(), waveform.borrow().wanted());
        let sample = move |simulator: &_, cycle| sampled.borrow_mut().sample(simulator, cycle - 1);
        device.observe_within(wanted, Box::new(sample));
        let (end, skipped) = (run("bfs", &mut device), device.skipped());
        drop(device);
        let waveform = Rc::into_inner(waveform).expect("the device is gone").into_inner();
        assert_eq!(waveform.finish().unwrap(), 2001, "cycles in the window");
        (end, skipped, std::fs::read(path).unwrap())
    });
    assert!(skipping.1 > 1000 && stepping.1 == 0, "{} skipped", skipping.1);
    assert_eq!(skipping.0, stepping.0);
    assert!(skipping.2 == stepping.2, "the waveforms differ");
}

/// A launch that takes too long, or is silent for too long, is stopped in the same cycle, with the same words.
#[test]
fn limits() {
    let (config, default) = (CoreConfig::tiny(), Limits::default());
    let simulators = simulators(&config, "");
    let kernel = kernels::find("vecadd").expect("a kernel");
    for limits in [Limits { silence: 321, ..default.clone() }, Limits { cycles: 876, ..default }] {
        let [skipping, stepping] = simulators.each_ref().map(|simulator| {
            let mut device = device(simulator, &config);
            device.set_limits(limits.clone());
            let error = kernels::run(kernel, &mut device, &Problem::new(kernel.sizes().smoke)).unwrap_err();
            ((error.to_string(), device.cycle(), device.last().clone()), device.skipped())
        });
        assert_eq!(skipping.0, stepping.0);
        assert!(skipping.1 > 100, "{} skipped: {}", skipping.1, skipping.0.0);
    }
}
