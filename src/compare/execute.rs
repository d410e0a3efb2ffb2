//! Runs the points of a comparison.
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Context, Result};
use rayon::prelude::*;
use warploom_runtime::host::Limits;
use warploom_sim::BuildOptions;

use super::Cache;
use super::cache::Key;
use crate::eddy;
use crate::energy::Meter;
use crate::hardware::Simulators;
use crate::progress::Bar;
use crate::report::{Ending, RunReport, SimFigures};
use crate::simulation::{Ran, Simulation};

/// Stack of a thread: elaboration walks the hierarchy of the core.
const STACK: usize = 64 << 20;

/// What has come of a comparison.
pub struct Execution {
    /// A report for every point, in order; those that Ctrl-C has left out are `None`.
    pub reports: Vec<Option<RunReport>>,
    /// Of these, how many were there before.
    pub cached: usize,
}

/// The points of one core, and what it takes to build it.
struct Group<'a> {
    first: &'a Simulation,
    points: Vec<usize>,
}

/// A point whose result is not there yet.
struct Missing {
    point: usize,
    key: Key,
    figures: SimFigures,
    simulators: Simulators,
}

/// Runs all points that the cache does not have, `jobs` at a time (0: as many as there are processors). Every result that is
/// there stays there, also when `interrupt` ends this early.
///
/// # Errors
/// If a simulator cannot be built or a result cannot be kept. A run that fails or is stopped by the hardware is no error, but a report.
pub fn execute(points: &[Simulation], cache: &Cache, jobs: usize, interrupt: &Arc<AtomicBool>) -> Result<Execution> {
    let bar = Bar::new(points.len(), "runs");
    let (results, cached) = (Mutex::new(vec![None; points.len()]), Mutex::new(0));
    let keep = |point: usize, report: RunReport| {
        results.lock().expect("no thread panics with it")[point] = Some(report);
    };
    let stopped = || interrupt.load(Ordering::Relaxed);
    let run_group = |group: &Group| -> Result<()> {
        if stopped() {
            return Ok(());
        }
        let missing = group.missing(points, cache, &bar, |point, report| {
            *cached.lock().expect("no thread panics with it") += 1;
            keep(point, report);
            bar.skip();
        });
        // Ctrl-C ends a compiler under way, too.
        let missing = if stopped() { vec![] } else { missing? };
        let meter = if missing.is_empty() { None } else { group.meter(&bar) };
        let meter = if stopped() { None } else { meter.transpose()? };
        missing.into_par_iter().try_for_each(|missing| {
            if stopped() {
                return Ok(());
            }
            let (simulation, point, key) = (&points[missing.point], missing.point, missing.key);
            bar.say(format!("{} under {}", simulation.workload.name(), crate::mechanism::name(&simulation.config)));
            let mut report = run(simulation, missing, interrupt)?;
            if let Some(meter) = meter.as_ref().filter(|_| report.result == Ending::Pass) {
                let energy = meter.measure(simulation);
                if stopped() {
                    return Ok(());
                }
                report.energy = Some(energy?);
            }
            if report.result == Ending::Pass {
                cache.put(key, &simulation.setup, &report)?;
            }
            if !(report.result == Ending::Error && stopped()) {
                keep(point, report);
                bar.advance();
            }
            Ok(())
        })
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).stack_size(STACK).build();
    pool.context("cannot start threads")?.install(|| groups(points).par_iter().try_for_each(run_group))?;
    let reports = results.into_inner().expect("no thread panics with it");
    Ok(Execution { reports, cached: cached.into_inner().expect("no thread panics with it") })
}

fn groups(points: &[Simulation]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group> = Vec::new();
    for (number, point) in points.iter().enumerate() {
        match groups.iter_mut().find(|group| group.first.is_alike(point)) {
            Some(group) => group.points.push(number),
            None => groups.push(Group { first: point, points: vec![number] }),
        }
    }
    groups
}

impl Group<'_> {
    /// What measures the energy of its points, if that is asked for.
    fn meter(&self, bar: &Bar) -> Option<Result<Meter>> {
        let Simulation { setup, config, .. } = self.first;
        let args = setup.energy.as_ref()?;
        bar.say(format!("mapping the core of {} to gates", crate::mechanism::name(config)));
        Some(Meter::new(config, args))
    }

    /// The points without a result, with a simulator each; `found` gets the results of the others.
    fn missing(
        &self,
        points: &[Simulation],
        cache: &Cache,
        bar: &Bar,
        mut found: impl FnMut(usize, RunReport),
    ) -> Result<Vec<Missing>> {
        let start = Instant::now();
        let netlists = self.first.netlists()?;
        let (elaborate_seconds, fingerprint) = (start.elapsed().as_secs_f64(), netlists.fingerprint());
        let mut missing = Vec::new();
        for &point in &self.points {
            let Simulation { setup, workload, .. } = &points[point];
            let key = cache.key(setup, fingerprint, workload.fingerprint());
            match cache.get(key) {
                Some(report) => found(point, report),
                None => missing.push((point, key)),
            }
        }
        if missing.is_empty() {
            return Ok(Vec::new());
        }
        bar.say(format!("building the simulator of {}", crate::mechanism::name(&self.first.config)));
        let start = Instant::now();
        let simulators = netlists.build(&BuildOptions::brief())?;
        let generate_seconds = start.elapsed().as_secs_f64();
        let figures = SimFigures { elaborate_seconds, generate_seconds, ..SimFigures::default() };
        let own = |(point, key)| Missing { point, key, figures: figures.clone(), simulators: simulators.another() };
        Ok(missing.into_iter().map(own).collect())
    }
}

fn run(simulation: &Simulation, missing: Missing, interrupt: &Arc<AtomicBool>) -> Result<RunReport> {
    let Missing { simulators, mut figures, .. } = missing;
    let limits = Limits { interrupt: interrupt.clone(), ..Limits::default() };
    let mut eddy;
    let mut hardware = simulation.hardware(simulators, limits, 0, 1);
    let recorder = || eddy::Recorder::new(hardware.engine(), &simulation.config, simulation.workload.program());
    eddy = simulation.setup.eddy.then(recorder);
    if let Some(eddy) = &mut eddy {
        hardware.observe(Box::new(move |simulator, _| eddy.push(simulator)));
    }
    let start = Instant::now();
    let ended = simulation.workload.run(hardware.device());
    figures.cycles_per_second = hardware.cycle() as f64 / start.elapsed().as_secs_f64();
    let (stats, counts, launches) = (hardware.totals(), hardware.counts(), hardware.launches());
    let ran = Ran { stats, counts, launches, figures };
    drop(hardware);
    let (_, report) = simulation.report(ended, ran).with_context(|| simulation.workload.name().to_string())?;
    Ok(RunReport { eddy: eddy.map(eddy::Recorder::finish), ..report })
}
