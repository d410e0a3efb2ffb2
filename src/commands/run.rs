//! `warploom run`: a kernel on the core, checked, and where the cycles went.
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag::{register, register_conditional_shutdown};
use warploom_hdl::config::CoreConfig;
use warploom_sim::wave::Waveform;
use warploom_sim::{BuildOptions, Simulator};
use warploom_testbenches::host::{DeviceError, Limits, MemoryTiming, RtlDevice};

use crate::checkpoint;
use crate::cli::{RunArgs, SetupArgs};
use crate::elaborate::elaborate_core;
use crate::progress::Progress;
use crate::report::{RunReport, SimFigures};
use crate::status::{INTERRUPTED, Status};
use crate::waveform::{self, WaveformFiles};
use crate::workload::{Finish, Workload};
use crate::{mechanism, output, presets};

/// Checks all arguments, then builds the simulator, runs, and reports.
pub fn run(args: &RunArgs) -> Result<Status> {
    let (setup, checkpoint) = match &args.checkpoints.restore {
        Some(path) => checkpoint::open(path, &args.setup).map(|(setup, checkpoint)| (setup, Some(checkpoint)))?,
        None => (args.setup.clone(), None),
    };
    let config = presets::configure(&setup.core)?;
    let name = mechanism::name(&config);
    ensure!(config.compacts() || !setup.no_compaction, "--no-compaction: {name} does not compact");
    ensure!(config.permutes() || !setup.no_permutation, "--no-permutation: {name} does not permute lanes");
    let workload = Workload::new(&setup, &config)?;
    if let Some(checkpoint) = &checkpoint {
        checkpoint.check_core(&config)?;
        checkpoint.check_program(&workload.program())?;
    }
    let checkpoints = checkpoint::Writer::new(&args.checkpoints)?;
    let files = WaveformFiles::open(&args.wave)?;

    let progress = Progress::start();
    let (simulator, mut figures) = build(&config, files.as_ref(), &progress)?;
    let mut waveform = files.map(|files| files.begin(&simulator)).transpose()?;

    let mut device = RtlDevice::new(simulator, config.clone(), timing(&setup));
    device.set_limits(Limits { cycles: args.max_cycles, silence: args.watchdog, interrupt: interrupt_flag()? });
    device.set_compaction(!setup.no_compaction);
    device.set_permutation(!setup.no_permutation);
    if let Some(checkpoint) = checkpoint {
        device.restore(checkpoint)?;
    }
    checkpoints.attach(&mut device, &setup)?;
    let first = device.cycle();
    observe_cycles(&mut device, waveform.as_mut(), &progress);
    let start = Instant::now();
    let ended = workload.run(&mut device);
    figures.cycles_per_second = (device.cycle() - first) as f64 / start.elapsed().as_secs_f64();
    let (stats, launches) = (device.totals(), device.launches());
    if ended.is_ok() {
        device.check_past()?;
    }
    drop(device);
    drop(progress);
    let written = waveform.map_or(Ok(()), waveform::finish);

    let (status, result, reason) = match ended {
        Ok(Finish::Right | Finish::Unchecked) => (Status::Pass, "pass", None),
        Ok(Finish::Wrong(mismatch)) => (Status::Fail, "fail", Some(mismatch.to_string())),
        Err(error) => (stopped(&error)?, "error", Some(error.to_string())),
    };
    let (size, unit) = workload.size();
    let report = RunReport {
        kernel: workload.name().to_string(),
        mechanism: name,
        preset: setup.core.preset().to_string(),
        result,
        checked: matches!(workload, Workload::Kernel(..)),
        reason,
        size,
        unit,
        launches,
        sim: figures,
        ..RunReport::of(&stats, &config)
    };
    output::print(if args.json { serde_json::to_string_pretty(&report)? } else { report.to_string() })?;
    checkpoints.explain(status);
    written.and(Ok(status))
}

/// Elaborates the core and builds its simulator.
fn build(config: &CoreConfig, files: Option<&WaveformFiles>, progress: &Progress) -> Result<(Simulator, SimFigures)> {
    progress.say("elaborating the core");
    let start = Instant::now();
    let netlist = elaborate_core(config)?;
    let elaborate_seconds = start.elapsed().as_secs_f64();
    files.map_or(Ok(()), |files| files.check(&netlist))?;
    let observe = files.map(WaveformFiles::observe).unwrap_or_default();
    progress.say("building its simulator (once for these sizes, then it is cached)");
    let start = Instant::now();
    let simulator = Simulator::build(&netlist, &BuildOptions { observe, ..Default::default() })
        .context("cannot build the simulator of the core")?;
    progress.say("running");
    let generate_seconds = start.elapsed().as_secs_f64();
    Ok((simulator, SimFigures { cycles_per_second: 0.0, elaborate_seconds, generate_seconds }))
}

fn timing(args: &SetupArgs) -> MemoryTiming {
    let default = MemoryTiming::default();
    MemoryTiming {
        l2_latency: args.l2_latency.unwrap_or(default.l2_latency),
        dram_latency: args.dram_latency.unwrap_or(default.dram_latency),
        dram_bandwidth: args.dram_bandwidth.unwrap_or(default.dram_bandwidth),
        ..default
    }
}

/// A flag that Ctrl-C and SIGTERM set; the second time they do not wait for anything.
fn interrupt_flag() -> Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        register_conditional_shutdown(signal, INTERRUPTED.into(), flag.clone())
            .and_then(|_| register(signal, flag.clone()))
            .context("cannot listen for Ctrl-C")?;
    }
    Ok(flag)
}

fn observe_cycles<'a>(device: &mut RtlDevice<'a>, mut waveform: Option<&'a mut Waveform>, progress: &Progress) {
    let mut count = progress.count_cycles(device.cycle());
    if waveform.is_none() && count.is_none() {
        return;
    }
    device.observe(Box::new(move |simulator, cycle| {
        if let Some(waveform) = &mut waveform {
            waveform.sample(simulator, cycle - 1);
        }
        if let Some(count) = &mut count {
            count(cycle);
        }
    }));
}

/// The status of a run that the hardware, the watchdog or the user stopped; any other error is one of input.
fn stopped(error: &DeviceError) -> Result<Status> {
    match error {
        DeviceError::Trap(_) | DeviceError::Deadlock { .. } | DeviceError::Limit { .. } => Ok(Status::Stopped),
        DeviceError::Interrupted { .. } => Ok(Status::Interrupted),
        DeviceError::Load(_)
        | DeviceError::BadLaunch { .. }
        | DeviceError::OutOfMemory { .. }
        | DeviceError::OtherRun(_) => Err(error.clone().into()),
    }
}
