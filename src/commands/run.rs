//! `warploom run`: a kernel on the core, checked, and where the cycles went.
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use warploom_hdl::config::CoreConfig;
use warploom_sim::{BuildOptions, Simulator};
use warploom_testbenches::host::{DeviceError, Limits, MemoryTiming, RtlDevice};

use crate::cli::RunArgs;
use crate::elaborate::elaborate_core;
use crate::progress::Progress;
use crate::report::{RunReport, SimFigures};
use crate::status::{INTERRUPTED, Status};
use crate::waveform::{Waveform, WaveformFiles};
use crate::workload::{Finish, Workload};
use crate::{mechanism, output, presets};

/// Checks all arguments, then builds the simulator, runs, and reports.
pub fn run(args: &RunArgs) -> Result<Status> {
    let config = presets::configure(&args.core)?;
    let name = mechanism::name(&config);
    ensure!(config.compacts() || !args.no_compaction, "--no-compaction: {name} does not compact");
    ensure!(config.permutes() || !args.no_permutation, "--no-permutation: {name} does not permute lanes");
    let workload = Workload::new(args, &config)?;
    let files = args.vcd.as_deref().map(|vcd| WaveformFiles::open(vcd, &args.signals)).transpose()?;

    let progress = Progress::start();
    let observe = files.as_ref().map(|files| files.signals().to_vec()).unwrap_or_default();
    let (simulator, mut figures) = build(&config, observe, &progress)?;
    let waveform = files.map(|files| files.begin(&simulator)).transpose()?;

    let mut device = RtlDevice::new(simulator, config.clone(), timing(args));
    device.set_limits(Limits { cycles: args.max_cycles, silence: args.watchdog, interrupt: interrupt_flag()? });
    device.set_compaction(!args.no_compaction);
    device.set_permutation(!args.no_permutation);
    observe_cycles(&mut device, waveform.clone(), &progress);
    let start = Instant::now();
    let ended = workload.run(&mut device);
    figures.cycles_per_second = device.cycle() as f64 / start.elapsed().as_secs_f64();
    let (stats, launches) = (device.totals(), device.launches());
    drop(device);
    drop(progress);
    waveform.map_or(Ok(()), Waveform::finish)?;

    let (status, result, reason) = match ended {
        Ok(Finish::Right | Finish::Unchecked) => (Status::Pass, "pass", None),
        Ok(Finish::Wrong(mismatch)) => (Status::Fail, "fail", Some(mismatch.to_string())),
        Err(error) => (stopped(&error)?, "error", Some(error.to_string())),
    };
    let (size, unit) = workload.size();
    let report = RunReport {
        kernel: workload.name().to_string(),
        mechanism: name,
        preset: args.core.preset.clone(),
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
    Ok(status)
}

/// Elaborates the core and builds its simulator.
fn build(config: &CoreConfig, observe: Vec<String>, progress: &Progress) -> Result<(Simulator, SimFigures)> {
    progress.say("elaborating the core");
    let start = Instant::now();
    let netlist = elaborate_core(config)?;
    let elaborate_seconds = start.elapsed().as_secs_f64();
    progress.say("building its simulator (once for these sizes, then it is cached)");
    let start = Instant::now();
    let simulator = Simulator::build(&netlist, &BuildOptions { observe, ..Default::default() })
        .context("cannot build the simulator of the core")?;
    progress.say("running");
    let generate_seconds = start.elapsed().as_secs_f64();
    Ok((simulator, SimFigures { cycles_per_second: 0.0, elaborate_seconds, generate_seconds }))
}

fn timing(args: &RunArgs) -> MemoryTiming {
    let default = MemoryTiming::default();
    MemoryTiming {
        l2_latency: args.l2_latency.unwrap_or(default.l2_latency),
        dram_latency: args.dram_latency.unwrap_or(default.dram_latency),
        dram_bandwidth: args.dram_bandwidth.unwrap_or(default.dram_bandwidth),
        ..default
    }
}

/// A flag that Ctrl-C sets; a second Ctrl-C does not wait for anything.
fn interrupt_flag() -> Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let seen = flag.clone();
    ctrlc::set_handler(move || {
        if seen.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(flag)
}

fn observe_cycles(device: &mut RtlDevice, waveform: Option<Waveform>, progress: &Progress) {
    let mut count = progress.count_cycles();
    if waveform.is_none() && count.is_none() {
        return;
    }
    device.observe(Box::new(move |simulator, cycle| {
        if let Some(waveform) = &waveform {
            waveform.sample(simulator);
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
        DeviceError::Load(_) | DeviceError::BadLaunch { .. } | DeviceError::OutOfMemory { .. } => {
            Err(error.clone().into())
        }
    }
}
