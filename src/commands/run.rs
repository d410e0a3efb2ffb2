//! `warploom run`: a kernel on the core, checked, and where the cycles went.
use std::fs;
use std::path::Path;
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use warploom_runtime::host::{Hardware, Imaging, Limits};
use warploom_runtime::isa;
use warploom_sim::engine::{Recording, StraightLine};
use warploom_sim::wave::Waveform;
use warploom_sim::{BuildError, BuildOptions, Simulator, tool};

use crate::checkpoint;
use crate::cli::RunArgs;
use crate::colour;
use crate::eddy;
use crate::first_look::FirstLook;
use crate::hardware::Simulators;
use crate::output;
use crate::paths;
use crate::progress::Progress;
use crate::report::{RunReport, SimFigures};
use crate::simulation::{Ran, Simulation, interrupt_flag};
use crate::status::Status;
use crate::trace::{self, Traces};
use crate::waveform::{self, WaveformFiles};
use crate::workload::Finish;

/// Checks all arguments, then builds the simulator, runs, and reports.
pub fn run(args: &RunArgs) -> Result<Status> {
    let interrupt = interrupt_flag()?;
    let (setup, checkpoint) = match &args.checkpoints.restore {
        Some(path) => {
            let (setup, checkpoint) = checkpoint::open(path, &args.setup)?;
            paths::check_restored(args, &setup)?;
            (setup, Some(checkpoint))
        }
        None => (args.setup.clone(), None),
    };
    let simulation = Simulation::new(setup)?;
    let Simulation { setup, config, workload, .. } = &simulation;
    if let Some(checkpoint) = &checkpoint {
        checkpoint::check_sizes(checkpoint, config, simulation.system.as_ref())?;
        checkpoint.check_program(&workload.program())?;
    }
    check_system(args, &simulation)?;
    let checkpoints = checkpoint::Writer::new(&args.checkpoints);
    workload.check_dumps(&args.dumps)?;
    if config.progresses() && !config.scheduler.is_fair() {
        let scheduler = setup.core.scheduler.as_deref().unwrap_or("of this preset");
        output::say!(
            "warning: every thread is to get its turn, but the scheduler {scheduler} may leave a warp waiting for ever; lrr does not, and 2lev with a timeout"
        );
    }
    let program = workload.program();
    let instructions = program.words.iter().map(|word| isa::decode(*word));
    let together = instructions.zip(0..).find(|(instruction, _)| instruction.acts_together());
    if let Some((instruction, place)) = together.filter(|_| config.regroups() || config.subdivides()) {
        let (place, name) = (program.source_place(4 * place), instruction.mnemonic());
        let mechanism = config.mechanism;
        output::say!(
            "warning: {place}: {name} sees the threads that are together when it executes, which are other ones under {mechanism}"
        );
    }
    let files = WaveformFiles::new(&args.wave)?;
    let wanted = trace::Wanted::new(args, workload, config)?;

    let progress = Progress::start();
    let options = BuildOptions { observe: wanted.observe(config), record: args.profile, ..Default::default() };
    let (simulators, mut figures) = build(&simulation, files.as_ref(), options, &progress)?;
    let recordings = simulators.recordings();
    let straight_lines = simulators.straight_lines();
    let mut look = files.as_ref().map(|files| files.first_look(&simulators.core, config));
    let mut waveform = files.map(|files| files.begin(&simulators.core)).transpose()?;
    let (mut traces, mut eddy);

    let limits = Limits { cycles: args.max_cycles, silence: args.watchdog, interrupt };
    let watched = args.watch_core.unwrap_or(0);
    let mut hardware = simulation.hardware(simulators, limits, watched, threads(args, &simulation));
    if let Some(checkpoint) = checkpoint {
        hardware.restore(checkpoint)?;
    }
    checkpoints.attach(&mut hardware, setup)?;
    let launches = hardware.launches();
    traces = wanted.begin(hardware.engine(), config, launches, workload)?;
    eddy = simulation.setup.eddy.then(|| eddy::Recorder::new(hardware.engine(), config, workload.program()));
    let first = hardware.cycle();
    observe_cycles(&mut hardware, waveform.as_mut().zip(look.as_mut()), traces.as_mut(), eddy.as_mut(), &progress);
    let start = Instant::now();
    let (ended, image) = match (&args.image, hardware.core()) {
        (Some(directory), Some(device)) => {
            let mut imaging = Imaging::new(device);
            (workload.run(&mut imaging), write_image(directory, imaging.into_files()))
        }
        _ => (workload.run(hardware.device()), Ok(())),
    };
    figures.cycles_per_second = (hardware.cycle() - first) as f64 / start.elapsed().as_secs_f64();
    let (stats, counts, launches) = (hardware.totals(), hardware.counts(), hardware.launches());
    if ended.is_ok() {
        hardware.check_past()?;
    }
    drop(hardware);
    drop(progress);
    let profiled = recordings.iter().try_for_each(keep);
    let written = waveform.map_or(Ok(()), waveform::finish).and(look.map_or(Ok(()), FirstLook::finish));
    let (traced, kept) = traces.map_or((trace::Traced::default(), Ok(())), Traces::finish);

    let dumped = match &ended {
        Ok(Finish::Unchecked(outputs)) => {
            show(&outputs.printed, args.json)?;
            outputs.write(&workload.program(), &args.dumps)
        }
        _ => Ok(()),
    };
    let (status, report) = simulation.report(ended, Ran { stats, counts, launches, figures })?;
    let eddy = eddy.map(eddy::Recorder::finish);
    let report = RunReport { eddy, branches: traced.branches, watched: traced.watched, ..report };
    output::print(if args.json {
        serde_json::to_string_pretty(&report)?
    } else {
        colour::verdicts(&report.to_string())
    })?;
    checkpoints.explain(status);
    straight_lines.iter().for_each(finish);
    written.and(kept).and(image).and(dumped).and(profiled).and(Ok(status))
}

/// Waits for what is still compiled, which the next run will find; the report is out.
fn finish(straight_line: &StraightLine) {
    let finished = straight_line.finish();
    if let Err(error) = finished
        && !matches!(*error, BuildError::Interrupted(_))
    {
        output::say!("warning: slower than it could be, for what a busy core runs was not compiled: {error}");
    }
}

/// Keeps what was recorded, and says so.
fn keep(recording: &Recording) -> Result<()> {
    let cycles = recording.keep().context("--profile")?;
    output::say!("profile: {cycles} cycles in {}; the next build uses it", recording.file().display());
    Ok(())
}

/// Shows what the kernel has printed: where the report is for a program, beside it.
fn show(printed: &str, json: bool) -> Result<()> {
    match printed.strip_suffix('\n').unwrap_or(printed) {
        "" => Ok(()),
        text if json => {
            output::say!("{text}");
            Ok(())
        }
        text => output::print(text),
    }
}

fn write_image(directory: &Path, files: Vec<(String, String)>) -> Result<()> {
    fs::create_dir_all(directory).with_context(|| format!("--image: cannot make {}", directory.display()))?;
    files.iter().try_for_each(|(name, text)| output::save(&directory.join(name), text))?;
    // Those of a run before with more launches, or one that was not stopped: a testbench would take them for this run's.
    for entry in fs::read_dir(directory)?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if is_of_launch(&name) && files.iter().all(|(new, _)| *new != name) {
            fs::remove_file(entry.path())
                .with_context(|| format!("--image: cannot remove the old {}", entry.path().display()))?;
        }
    }
    Ok(())
}

/// `launch2.hex` and its like.
fn is_of_launch(name: &str) -> bool {
    let Some(stem) = name.strip_suffix(".hex") else { return false };
    let number = ["launch", "memory", "expected"].iter().find_map(|kind| stem.strip_prefix(kind));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit()))
}

/// On how many threads the parts of a GPU are simulated.
fn threads(args: &RunArgs, simulation: &Simulation) -> usize {
    let cores = simulation.system.as_ref().map_or(1, |system| system.cores);
    let here = thread::available_parallelism().map_or(1, usize::from);
    args.threads.map_or(here.min(cores), |threads| threads as usize)
}

/// What is of a core alone, and asked of a GPU; and the other way round.
fn check_system(args: &RunArgs, simulation: &Simulation) -> Result<()> {
    let Some(system) = &simulation.system else {
        ensure!(args.threads.is_none(), "--threads: a core alone is simulated on one");
        ensure!(args.watch_core.is_none(), "--watch-core: there is one core");
        return Ok(());
    };
    // What it would leave out, a testbench would miss: the host writes to L2 between launches, and DRAM stands behind pins.
    ensure!(
        args.image.is_none(),
        "--image: it is for a core alone, with --memory model; the memory of a GPU is not at its ports"
    );
    let (watched, last) = (args.watch_core.unwrap_or(0), system.cores - 1);
    ensure!(watched <= last, "--watch-core {watched}: cores have the numbers 0 to {last}");
    Ok(())
}

/// Elaborates the hardware and builds its simulators.
pub(super) fn build(
    simulation: &Simulation,
    files: Option<&WaveformFiles>,
    mut options: BuildOptions,
    progress: &Progress,
) -> Result<(Simulators, SimFigures)> {
    progress.say("elaborating the core");
    let start = Instant::now();
    let netlists = simulation.netlists()?;
    let elaborate_seconds = start.elapsed().as_secs_f64();
    files.map_or(Ok(()), |files| files.check(&netlists.core))?;
    options.observe.extend(files.map(WaveformFiles::observe).unwrap_or_default());
    progress.say("building its simulator (once for these sizes, then it is cached)");
    let start = Instant::now();
    let simulators = netlists.build(&BuildOptions { soon: true, ..options })?;
    tool::go_on()?;
    progress.say("running");
    let generate_seconds = start.elapsed().as_secs_f64();
    Ok((simulators, SimFigures { cycles_per_second: 0.0, elaborate_seconds, generate_seconds }))
}

fn observe_cycles<'a>(
    hardware: &mut Hardware<'a>,
    mut waveform: Option<(&'a mut Waveform, &'a mut FirstLook)>,
    mut traces: Option<&'a mut Traces>,
    mut eddy: Option<&'a mut eddy::Recorder>,
    progress: &Progress,
) {
    let mut count = progress.count_cycles(hardware.cycle());
    if waveform.is_none() && traces.is_none() && eddy.is_none() && count.is_none() {
        return;
    }
    // In others the core may be left alone while it rests.
    let wanted = match &waveform {
        _ if traces.is_some() || eddy.is_some() => 0..u64::MAX,
        Some((waveform, _)) => waveform.wanted(),
        None => 0..0,
    };
    let observer = move |simulator: &Simulator, cycle: u64| {
        if let Some((waveform, look)) = &mut waveform {
            waveform.sample(simulator, cycle - 1);
            look.push(simulator, cycle - 1, waveform.is_open());
        }
        if let Some(traces) = &mut traces {
            traces.push(simulator, cycle);
        }
        if let Some(eddy) = &mut eddy {
            eddy.push(simulator);
        }
        if let Some(count) = &mut count {
            count(cycle);
        }
    };
    hardware.observe_within(wanted, Box::new(observer));
}
