//! `warploom fuzz`: random programs on random cores and GPUs, against the reference model.
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use rayon::prelude::*;
use serde::Serialize;
use warploom_hdl::mechanism::MECHANISMS;
use warploom_sim::files;
use warploom_verification::coverage::{Report, Tally};
use warploom_verification::fuzz::campaign::Block;
use warploom_verification::fuzz::{Campaign, Found, GpuSize, Machine, file};

use crate::cli::FuzzArgs;
use crate::mechanism;
use crate::output;
use crate::progress::Bar;
use crate::simulation::interrupt_flag;
use crate::status::Status;

/// Stack of a thread: elaboration walks the hierarchy of the core.
const STACK: usize = 64 << 20;

/// What has been done.
#[derive(Clone, Debug, Default, Serialize)]
struct Summary {
    /// Programs that were run.
    programs: u64,
    /// Of these, how many showed a difference.
    mismatches: u64,
    /// Of these, how many were stopped by a full stack on a core with shallow ones.
    overflows: u64,
    /// First and last seed, if a program was run.
    seeds: Option<[u64; 2]>,
    /// With several cores: how many, and with which channels.
    #[serde(skip_serializing_if = "Option::is_none")]
    gpu: Option<GpuSize>,
    /// Cores that were built, or GPUs.
    cores: u64,
    /// Cycles of all cores, without those of shrinking.
    cycles: u64,
    /// From start to end.
    seconds: f64,
    /// Programs by mechanism.
    mechanisms: BTreeMap<&'static str, u64>,
    /// What was written.
    files: Vec<PathBuf>,
    /// With `--coverage`.
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<Report>,
}

/// Fuzzes, or replays a file.
pub fn fuzz(args: &FuzzArgs) -> Result<Status> {
    match &args.replay {
        Some(path) => replay(path),
        None => search(args),
    }
}

fn replay(path: &Path) -> Result<Status> {
    let name = path.display().to_string();
    let text = files::read_text(path, files::MOST).with_context(|| format!("cannot read {name}"))?;
    let file::OnMachine { machine, case } = file::parse(&name, &text)?;
    let core = described(&machine);
    let outcome = machine.bench()?.check(&case);
    let (status, text) = match outcome {
        Ok(passed) if passed.overflow => {
            (Status::Pass, format!("PASS {name}: the stack is full, as it may be: {core}"))
        }
        Ok(passed) => (Status::Pass, format!("PASS {name}: {core}, {} cycles", passed.cycles)),
        Err(failure) => (Status::Fail, format!("FAIL {name}: {core}: {failure}")),
    };
    output::print(text)?;
    Ok(status)
}

fn search(args: &FuzzArgs) -> Result<Status> {
    let mechanisms = if args.mechanism.is_empty() { MECHANISMS.to_vec() } else { args.mechanism.clone() };
    let channels = args.system.channels;
    let gpu = args.system.gpu()?.map(|cores| GpuSize { cores, channels });
    ensure!(gpu.is_none() || !args.coverage, "--coverage: it is counted on a core alone, without --cores and --memory");
    let campaign = Campaign { mechanisms, isa: args.isa, gpu };
    let seeds = args.seed..args.programs.map_or(u64::MAX, |programs| args.seed.saturating_add(programs));
    let start = Instant::now();
    let search = Search {
        args,
        bar: Bar::new(args.programs.map(|programs| programs as usize), "programs"),
        summary: Mutex::new(Summary { gpu, ..Summary::default() }),
        coverage: args.coverage.then(Mutex::default),
        interrupt: interrupt_flag()?,
        stop: Arc::default(),
        deadline: args.seconds.map(|seconds| start + Duration::from_secs(seconds)),
    };
    let jobs = args.jobs.map_or(0, |jobs| jobs.get().into());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).stack_size(STACK).build();
    // In order: with a limit in time, the first seeds are those that have run.
    let blocks = campaign.blocks(seeds).take_while(|_| !search.stopped());
    let pool = pool.context("cannot start threads")?;
    thread::scope(|scope| {
        let (running, done) = mpsc::channel::<()>();
        let search = &search;
        scope.spawn(move || search.watch(&done));
        // It is over when there is nobody left who could say so.
        let _running = running;
        pool.install(|| blocks.par_bridge().try_for_each(|block| search.run(&block)))
    })?;
    search.finish(start)
}

/// A machine, for people.
fn described(Machine { config, shared }: &Machine) -> String {
    let core = format!("{} on {} lanes x {} warps", mechanism::name(config), config.lanes, config.warps);
    match shared {
        None => core,
        Some(shared) => {
            let (cores, channels) = (counted(shared.cores as u64, "core"), counted(shared.channels as u64, "channel"));
            format!("{core}, {cores} before {channels}")
        }
    }
}

struct Search<'a> {
    args: &'a FuzzArgs,
    bar: Bar,
    summary: Mutex<Summary>,
    /// If it is asked for.
    coverage: Option<Mutex<Tally>>,
    /// Ctrl-C.
    interrupt: Arc<AtomicBool>,
    /// That, or the time is up.
    stop: Arc<AtomicBool>,
    deadline: Option<Instant>,
}

impl Search<'_> {
    /// Sets `stop` at Ctrl-C or when the time is up, until it is over: a program may run for minutes.
    fn watch(&self, over: &Receiver<()>) {
        while let Err(RecvTimeoutError::Timeout) = over.recv_timeout(Duration::from_millis(50)) {
            let is_late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if is_late || self.interrupt.load(Ordering::Relaxed) {
                self.stop.store(true, Ordering::Relaxed);
            }
        }
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn with_summary<T>(&self, change: impl FnOnce(&mut Summary) -> T) -> T {
        change(&mut self.summary.lock().expect("no thread panics with it"))
    }

    fn run(&self, block: &Block) -> Result<()> {
        if self.stopped() {
            return Ok(());
        }
        self.bar.say(described(&block.machine));
        self.with_summary(|summary| summary.cores += 1);
        let mut coverage = self.coverage.as_ref().map(|_| Tally::default());
        block
            .run(&self.stop, coverage.as_mut(), |seed, outcome| {
                self.with_summary(|summary| {
                    summary.programs += 1;
                    let [first, last] = summary.seeds.unwrap_or([seed; 2]);
                    summary.seeds = Some([first.min(seed), last.max(seed)]);
                    *summary.mechanisms.entry(block.mechanism.name()).or_default() += 1;
                    if let Ok(passed) = &outcome {
                        summary.cycles += passed.cycles;
                        summary.overflows += u64::from(passed.overflow);
                    }
                });
                self.bar.advance();
                outcome.map(|_| ()).or_else(|found| self.keep(&found))
            })
            .or_else(|error| {
                // Ctrl-C ends a compiler under way, too.
                if self.interrupt.load(Ordering::Relaxed) { Ok(()) } else { Err(error) }
            })
            .with_context(|| format!("seeds {:?}, {:?}", block.seeds, block.machine))?;
        if let (Some(all), Some(own)) = (&self.coverage, &coverage) {
            all.lock().expect("no thread panics with it").merge(own);
        }
        Ok(())
    }

    /// Writes what was found, and says so.
    fn keep(&self, found: &Found) -> Result<()> {
        let Found { seed, failure, smallest, tried } = found;
        let corpus = &self.args.corpus;
        fs::create_dir_all(corpus).with_context(|| format!("cannot make the directory {}", corpus.display()))?;
        let path = corpus.join(format!("seed-{seed}.s"));
        let about = format!(
            "Written by `warploom fuzz --seed {seed} --programs 1{}`; run again with `warploom fuzz --replay FILE`.\n{}: {failure}",
            self.args.drawn_from(),
            described(&smallest.machine)
        );
        let text = file::text(&about, smallest)?;
        output::save(&path, text)?;
        let (instructions, threads) = (smallest.case.program.words.len(), smallest.case.shape.all_threads());
        self.bar.suspend(|| {
            output::say!(
                "seed {seed}: {failure}\n  {}: {instructions} instructions, {threads} threads, after {tried} tries",
                path.display()
            );
        });
        self.with_summary(|summary| {
            summary.mismatches += 1;
            summary.files.push(path);
        });
        Ok(())
    }

    fn finish(self, start: Instant) -> Result<Status> {
        let args = self.args;
        drop(self.bar);
        let mut summary = self.summary.into_inner().expect("no thread panics with it");
        let interrupted = self.interrupt.load(Ordering::Relaxed);
        some_ran(&summary, interrupted)?;
        summary.seconds = (start.elapsed().as_secs_f64() * 10.0).round() / 10.0;
        summary.files.sort();
        let coverage = self.coverage.map(|tally| tally.into_inner().expect("no thread panics with it"));
        summary.coverage = coverage.as_ref().map(Report::new);
        let contradicted = summary.coverage.as_ref().is_some_and(|report| !report.contradicted.is_empty());
        output::print(if args.json { serde_json::to_string_pretty(&summary)? } else { text(&summary) })?;
        Ok(match summary.mismatches {
            // Without a number of programs, Ctrl-C is how it ends.
            0 if contradicted => Status::Fail,
            0 if interrupted && (args.programs.is_some() || summary.programs == 0) => Status::Interrupted,
            0 => Status::Pass,
            _ => Status::Fail,
        })
    }
}

/// A machine that does not get to the first program has checked nothing.
fn some_ran(summary: &Summary, interrupted: bool) -> Result<()> {
    const NONE: &str = "no program has been run: the time was up before a simulator was ready; --seconds allows more";
    ensure!(summary.programs > 0 || interrupted, NONE);
    Ok(())
}

fn text(summary: &Summary) -> String {
    let Summary { programs, mismatches, overflows, seeds, gpu, cores, cycles, mechanisms, coverage, .. } = summary;
    let Some([first, last]) = seeds else {
        return "no program has been run".to_string();
    };
    let by_mechanism: Vec<_> = mechanisms.iter().map(|(name, programs)| format!("{name} {programs}")).collect();
    let contradicted = coverage.as_ref().map_or(0, |report| report.contradicted.len());
    let (verdict, found) = match mismatches {
        0 if contradicted > 0 => {
            let points = counted(contradicted as u64, "point");
            ("FAIL", format!("no difference, but {points} hit that are declared impossible"))
        }
        0 => ("PASS", "no difference".to_string()),
        1 => ("FAIL", "1 differs".to_string()),
        _ => ("FAIL", format!("{mismatches} differ")),
    };
    let seeds = if *programs == 1 { format!("seed {first}") } else { format!("seeds {first} to {last}") };
    let machines = match gpu {
        None => counted(*cores, "core"),
        Some(gpu) => format!("{} of {}", counted(*cores, "GPU"), counted(gpu.cores as u64, "core")),
    };
    let summary = format!(
        "{verdict}: {} ({seeds}) on {}, {cycles} cycles: {found}\n  {}\n  {overflows} stopped by a full stack, on cores with shallow ones",
        counted(*programs, "program"),
        machines,
        by_mechanism.join(", ")
    );
    match coverage {
        Some(report) => format!("{summary}\n{report}"),
        None => summary,
    }
}

/// As in `1 core`, `2 cores`.
fn counted(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_one_and_none_is_no_success() {
        let none = Summary::default();
        assert_eq!(text(&none), "no program has been run");
        assert!(some_ran(&none, false).is_err() && some_ran(&none, true).is_ok());
        let one = Summary { programs: 1, cores: 1, seeds: Some([7, 7]), cycles: 9, ..Summary::default() };
        assert!(text(&one).starts_with("PASS: 1 program (seed 7) on 1 core, 9 cycles: no difference\n"));
        let two = Summary { programs: 2, cores: 2, seeds: Some([7, 8]), mismatches: 1, ..Summary::default() };
        assert!(text(&two).starts_with("FAIL: 2 programs (seeds 7 to 8) on 2 cores, 0 cycles: 1 differs\n"));
        let gpu = Summary { gpu: Some(GpuSize { cores: 4, channels: None }), cores: 1, ..two };
        assert!(text(&gpu).starts_with("FAIL: 2 programs (seeds 7 to 8) on 1 GPU of 4 cores, 0 cycles"));
    }
}
