//! `warploom picture`: who runs in each lane, cycle by cycle, under several mechanisms.
use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail, ensure};
use warploom_runtime::host::{DeviceError, Limits};
use warploom_sim::{BuildOptions, Simulator, tool};

use super::run;
use crate::cli::{CoreArgs, PictureArgs, SetupArgs};
use crate::hardware::Simulators;
use crate::output;
use crate::picture::{self, FirstIdleLane, Panel, Recorder, Window};
use crate::progress::Progress;
use crate::simulation::{Simulation, stopped};
use crate::status::Status;
use crate::workload::Finish;

/// Checks all arguments, runs the kernel under each mechanism up to the end of the window, and draws.
pub fn picture(args: &PictureArgs) -> Result<Status> {
    ensure!(!args.setup.compactability, "--compactability: `run` counts that; a picture has no place for it");
    ensure!(!args.setup.eddy, "--eddy: `run` counts that; a picture has no place for it");
    let asked = args.from.or(args.to).map(|_| Window::new(args.from, args.to)).transpose()?;
    let default = [args.setup.core.mechanism().to_string()];
    let mechanisms = if args.mechanisms.is_empty() { &default[..] } else { &args.mechanisms };
    let simulations = simulations(&args.setup, mechanisms)?;
    let (window, panels, status) = panels(&simulations, asked)?;
    if panels.iter().all(|panel| panel.columns.is_empty()) {
        let ends = panels.iter().zip(mechanisms);
        let ends = ends.map(|(panel, name)| format!("{} cycles under {name}", panel.end.unwrap_or(0)));
        let kernel = args.setup.kernel.as_deref().unwrap_or_default();
        bail!("--from {}: {kernel} has ended by then: it takes {}", window.from, ends.collect::<Vec<_>>().join(", "));
    }
    write(&args.path(), &picture::render(&panels), &panels)?;
    Ok(status)
}

/// The picture of a kernel under these mechanisms, where lanes idle for the first time; `None` if nothing happens there.
pub fn drawn(setup: &SetupArgs, mechanisms: &[String]) -> Result<Option<String>> {
    let (_, panels, _) = panels(&simulations(setup, mechanisms)?, None)?;
    let empty = panels.iter().all(|panel| panel.columns.is_empty());
    Ok((!empty).then(|| picture::render(&panels)))
}

/// The kernel under each of the mechanisms.
fn simulations(setup: &SetupArgs, mechanisms: &[String]) -> Result<Vec<Simulation>> {
    let under = |mechanism: &String| {
        let core = CoreArgs { mechanism: Some(mechanism.clone()), ..setup.core.clone() };
        Simulation::new(SetupArgs { core, ..setup.clone() })
    };
    mechanisms.iter().map(under).collect()
}

/// A panel for each simulation, in the window that is asked for or else in an interesting one; and the status of the last that was stopped.
fn panels(simulations: &[Simulation], asked: Option<Window>) -> Result<(Window, Vec<Panel>, Status)> {
    let progress = Progress::start();
    let window = match (asked, simulations.first()) {
        (None, Some(first)) => interesting(first, &progress)?,
        (asked, _) => asked.unwrap_or(Window::around(None)),
    };
    let (mut panels, mut status) = (vec![], Status::Pass);
    for simulation in simulations {
        let (panel, stopped) = panel(simulation, window, &progress)?;
        panels.push(panel);
        status = stopped.unwrap_or(status);
    }
    Ok((window, panels, status))
}

/// Where lanes idle for the first time.
fn interesting(simulation: &Simulation, progress: &Progress) -> Result<Window> {
    let (simulators, _) = run::build(simulation, None, BuildOptions::default(), progress)?;
    let search = RefCell::new(FirstIdleLane::new(&simulators.core, &simulation.config));
    // What goes wrong is said when the picture is made.
    let _ = watch(simulation, simulators, |simulator| search.borrow_mut().push(simulator));
    tool::go_on()?;
    Ok(Window::around(search.into_inner().found()))
}

/// What a mechanism does in the window. A run that the hardware or the watchdog stops is drawn up to there, and has a status.
pub(crate) fn panel(simulation: &Simulation, window: Window, progress: &Progress) -> Result<(Panel, Option<Status>)> {
    let Simulation { setup, config, workload, .. } = simulation;
    let name = setup.core.mechanism();
    let (simulators, _) = run::build(simulation, None, BuildOptions::default(), progress)?;
    let varied: String = setup.parameters().iter().map(|(name, value)| format!(", {name} {value}")).collect();
    let title = format!("{} on {} under {name}{varied}", workload.name(), setup.core.preset());
    let recorder = RefCell::new(Recorder::new(&simulators.core, config, title, workload, window));
    let ended = watch(simulation, simulators, |simulator| recorder.borrow_mut().push(simulator));
    tool::go_on()?;
    let finished = ended.is_ok();
    let panel = recorder.into_inner().finish(finished);
    match ended {
        Ok(_) | Err(DeviceError::Interrupted { .. }) => Ok((panel, None)),
        Err(error) => {
            let status = stopped(&error)?;
            progress.suspend(|| output::say!("under {name}: {error}"));
            Ok((panel, Some(status)))
        }
    }
}

/// Runs until the observer has seen enough.
fn watch(
    simulation: &Simulation,
    simulators: Simulators,
    observer: impl Fn(&Simulator) -> bool,
) -> Result<Finish, DeviceError> {
    let stop = Arc::new(AtomicBool::new(false));
    let limits = Limits { interrupt: stop.clone(), ..Limits::default() };
    let mut hardware = simulation.hardware(simulators, limits, 0, 1);
    hardware.observe(Box::new(|simulator, _| {
        if !observer(simulator) || tool::go_on().is_err() {
            stop.store(true, Ordering::Relaxed);
        }
    }));
    simulation.workload.run(hardware.device())
}

/// Writes the picture, and says what is in it; only the picture to standard output.
fn write(path: &Path, svg: &str, panels: &[Panel]) -> Result<()> {
    if path == Path::new("-") {
        return output::print(svg.trim_end());
    }
    output::save(path, svg).context("--output")?;
    for panel in panels {
        output::print(panel.caption())?;
    }
    output::print(format!("drawn in {}", path.display()))
}
