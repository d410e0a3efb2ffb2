//! Blocks beside the core they are from: the interpreter, given what was recorded, must do what the core did.
use std::collections::BTreeMap;
use std::path::Path;

use warploom_hdl::config::CoreConfig;
use warploom_runtime::host::{MemoryTiming, RtlDevice};
use warploom_sim::glob::Globs;
use warploom_sim::netlist::{NetId, NetKind, Netlist};
use warploom_sim::wave::{Format, Selection, WaveFile, Waveform, Window};
use warploom_sim::{BuildOptions, Interpreter, Simulator};
use warploom_synth::memories::Large;
use warploom_synth::verilog::port_names;

use super::instance::find;
use super::kernel;
use super::pins::{Pins, Signal};
use super::recorder::{Recorder, Twin};
use super::waveform::Recorded;
use crate::cli::{CoreArgs, LaunchArgs, SetupArgs};
use crate::elaborate::elaborate_core;
use crate::presets;
use crate::user_kernel::Compiled;
use crate::workload::Workload;

/// A block in the interpreter. With `broken`, an output of that name is inverted from the hundredth cycle on.
struct Interpreted<'n> {
    interpreter: Interpreter<'n>,
    inputs: Vec<(String, String, usize)>,
    outputs: Vec<(String, String, u64)>,
    broken: Option<&'static str>,
    counted: u64,
}

impl<'n> Interpreted<'n> {
    fn new(block: &'n Netlist, broken: Option<&'static str>) -> Self {
        let top = block.top();
        let ports = |kind: NetKind| {
            let ports = port_names(top).into_iter().zip(top.ports.clone());
            ports.filter(move |(_, port)| top.net(*port).kind == kind)
        };
        let name = |port: NetId| top.net(port).name.to_string();
        let inputs = ports(NetKind::Input).map(|(pin, port)| (pin, name(port), top.net(port).width)).collect();
        let outputs = ports(NetKind::Output).map(|(pin, port)| (pin, name(port), 0)).collect();
        Self { interpreter: Interpreter::new(block), inputs, outputs, broken, counted: 0 }
    }
}

impl Twin for Interpreted<'_> {
    fn inputs(&self) -> Vec<(String, usize)> {
        self.inputs.iter().map(|(pin, _, width)| (pin.clone(), *width)).collect()
    }

    fn outputs(&self) -> Vec<String> {
        self.outputs.iter().map(|(pin, ..)| pin.clone()).collect()
    }

    fn cycle(&mut self, inputs: &[u64]) {
        for ((_, port, _), value) in self.inputs.iter().zip(inputs) {
            self.interpreter.set(port, *value);
        }
        for (_, port, value) in &mut self.outputs {
            let flip = self.counted > 100 && self.broken == Some(port);
            *value = self.interpreter.get(port) ^ u64::from(flip);
        }
        self.interpreter.step();
        self.counted += 1;
    }

    fn output(&mut self, index: usize) -> u64 {
        self.outputs[index].2
    }

    fn forget(&mut self) {
        self.counted = 0;
    }
}

fn core(mechanism: &str) -> (CoreConfig, Netlist) {
    let args = CoreArgs { mechanism: Some(mechanism.into()), preset: Some("tiny".into()), ..CoreArgs::default() };
    let config = presets::configure(&args).unwrap();
    let core = elaborate_core(&config).unwrap();
    (config, core)
}

/// By the names of pins, of a block that keeps its memories.
fn signals(block: &Netlist, scope: &str) -> BTreeMap<String, Signal> {
    Pins::new(block, scope, Large::from(usize::MAX)).signals
}

fn workload(kernel: &str, config: &CoreConfig) -> Workload {
    let launch = LaunchArgs { size: Some("8".into()), ..LaunchArgs::default() };
    let setup = SetupArgs { kernel: Some(kernel.into()), launch, ..SetupArgs::default() };
    Workload::new(&setup, config, &mut Compiled::default()).unwrap()
}

#[test]
fn a_block_does_what_it_does_in_the_core() {
    let (config, core) = core("capri");
    let found = ["capt", "warp_compaction_unit", "scoreboard"].map(|name| find(&core, name, None, &config).unwrap().0);
    let blocks = found.each_ref().map(|instance| core.design_of(instance.module));
    let mut twins = blocks.each_ref().map(|block| Interpreted::new(block, None));
    let mut recorder = Recorder::default();
    for ((instance, block), twin) in found.iter().zip(&blocks).zip(&mut twins) {
        recorder.follow(&instance.path, &signals(block, &instance.path), twin).unwrap();
    }
    kernel::run(&core, &config, &MemoryTiming::default(), &workload("bfs", &config), &mut recorder).unwrap();
    let cycles = recorder.cycles();
    drop(recorder);
    assert!(cycles > 1000 && twins.iter().all(|twin| twin.counted == cycles), "{cycles}");
}

#[test]
fn a_difference_is_an_error_that_says_where() {
    let (config, core) = core("spe");
    let (instance, _) = find(&core, "reconvergence_unit", None, &config).unwrap();
    let block = core.design_of(instance.module);
    let mut twin = Interpreted::new(&block, Some("fetch_mask"));
    let mut recorder = Recorder::default();
    recorder.follow("reconvergence_unit", &signals(&block, &instance.path), &mut twin).unwrap();
    let error = kernel::run(&core, &config, &MemoryTiming::default(), &workload("bfs", &config), &mut recorder)
        .unwrap_err()
        .to_string();
    let start = "the gates of reconvergence_unit are not what the core is: fetch_mask is ";
    assert!(error.starts_with(start) && error.contains(" and core.divergence.fetch_mask is "), "{error}");
}

/// The kernel's waveforms, as `warploom run --vcd a.vcd --fst a.fst` writes them into `directory`.
fn record(core: &Netlist, config: &CoreConfig, directory: &Path, globs: &[&str], window: Window) {
    let observe = globs.iter().map(|glob| glob.to_string()).collect();
    let simulator = Simulator::build(core, &BuildOptions { observe, ..Default::default() }).unwrap();
    let files = [("a.vcd", Format::Vcd), ("a.fst", Format::Fst)];
    let files = files.map(|(name, format)| WaveFile::create(&directory.join(name), format).unwrap());
    let selection = Selection::new(&simulator, &Globs::new(globs));
    let mut waveform = Waveform::begin(files.into(), selection, window).unwrap();
    let mut device = RtlDevice::new(simulator, config.clone(), MemoryTiming::default());
    device.observe(Box::new(|simulator, cycle| waveform.sample(simulator, cycle - 1)));
    workload("bfs", config).run(&mut device).unwrap();
    drop(device);
    waveform.finish().unwrap();
}

#[test]
fn a_waveform_says_the_same_as_the_run() {
    let (config, core) = core("spe");
    let (instance, _) = find(&core, "reconvergence_unit", None, &config).unwrap();
    let block = core.design_of(instance.module);
    let pins = signals(&block, &instance.path);
    let blocks = || [(instance.path.as_str(), pins.values().collect())].into_iter();
    let replay = |path: &Path, recorder: &mut Recorder<'_>| {
        let mut recorded = Recorded::open(path)?;
        recorded.check(blocks())?;
        recorded.replay(recorder)
    };
    // Cycles since the launch, or what is wrong.
    let cycles = |replay: &mut dyn FnMut(&mut Recorder<'_>) -> anyhow::Result<()>| {
        let mut twin = Interpreted::new(&block, None);
        let mut recorder = Recorder::default();
        recorder.follow("reconvergence_unit", &pins, &mut twin).unwrap();
        replay(&mut recorder).map(|()| recorder.cycles()).map_err(|error| format!("{error:#}"))
    };
    let ran = cycles(&mut |recorder| {
        kernel::run(&core, &config, &MemoryTiming::default(), &workload("bfs", &config), recorder)
    });
    assert!(ran.as_ref().is_ok_and(|cycles| *cycles > 1000), "{ran:?}");
    let directory = tempfile::tempdir().unwrap();
    let globs = ["core.divergence.*", "core.launch_start"];
    record(&core, &config, directory.path(), &globs, Window::default());
    for name in ["a.vcd", "a.fst"] {
        let path = directory.path().join(name);
        assert_eq!(cycles(&mut |recorder| replay(&path, recorder)), ran, "{name}");
    }
    let vcd = directory.path().join("a.vcd");
    let wrong = |globs: &[&str], from, parts: &[&str]| {
        record(&core, &config, directory.path(), globs, Window { from, ..Window::default() });
        let error = cycles(&mut |recorder| replay(&vcd, recorder)).unwrap_err();
        parts.iter().for_each(|part| assert!(error.contains(part), "{error}"));
    };
    wrong(&globs, 100, &["a.vcd: it starts in cycle 100;", "without --from and --trigger"]);
    let option = "--vcd FILE --signals 'core.divergence.*' --signals core.launch_start";
    wrong(&["core.divergence.fetch_*"], 0, &["signals are not in it, such as core.divergence.", option]);
    std::fs::write(&vcd, "nothing").unwrap();
    let error = cycles(&mut |recorder| replay(&vcd, recorder)).unwrap_err();
    assert!(error.contains("a.vcd: no waveform: "), "{error}");
}
