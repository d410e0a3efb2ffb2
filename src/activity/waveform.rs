//! Activity from a waveform that `warploom run --vcd` or `--fst` has written.
use std::collections::HashMap;
use std::iter::Peekable;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use warploom_sim::files;
use warploom_sim::wave::UNITS_PER_CYCLE;
use wellen::simple::{self, Waveform};
use wellen::{SignalRef, SignalValue, TimeTableIdx};

use super::pins::Signal;
use super::recorder::Recorder;
use crate::foreign;

/// Says that a launch starts.
const LAUNCH: &str = "core.launch_start";

/// A waveform that has been opened.
pub struct Recorded {
    shown: String,
    waveform: Waveform,
    variables: HashMap<String, SignalRef>,
}

impl Recorded {
    /// Opens it.
    ///
    /// # Errors
    /// If it cannot be read, or is no waveform.
    pub fn open(path: &Path) -> Result<Self> {
        let shown = format!("--activity {}", path.display());
        files::check_readable(path, u64::MAX).with_context(|| format!("{shown}: it cannot be read"))?;
        std::fs::File::open(path).with_context(|| format!("{shown}: it cannot be read"))?;
        let waveform = foreign::quietly(|| simple::read(path)).with_context(|| format!("{shown}: it is damaged"))?;
        let waveform = waveform.map_err(|error| anyhow!("{shown}: no waveform: {error}"))?;
        let variables = variables(&waveform);
        Ok(Self { shown, waveform, variables })
    }

    /// Whether it has the signals of blocks, each with its scope.
    ///
    /// # Errors
    /// If it lacks one; says how to record it.
    pub fn check<'s>(&self, blocks: impl Iterator<Item = (&'s str, Vec<&'s Signal>)>) -> Result<()> {
        let (mut missing, mut options, mut all) = (vec![], String::new(), 1);
        let lacks = |path: &str| !self.variables.contains_key(path);
        for (scope, signals) in blocks {
            all += signals.len();
            let paths = signals.into_iter().map(|signal| signal.path.as_str());
            let before = missing.len();
            missing.extend(paths.filter(|path| lacks(path)).map(str::to_string));
            if missing.len() > before {
                options += &format!(" --signals '{scope}.*'");
            }
        }
        missing.extend(lacks(LAUNCH).then(|| LAUNCH.to_string()));
        let Some(first) = missing.first() else { return Ok(()) };
        bail!(
            "{}: {} of {all} signals are not in it, such as {first}\n  record them with: warploom run KERNEL [the same core] --vcd FILE{options} --signals {LAUNCH}",
            self.shown,
            missing.len()
        )
    }

    /// Replays it.
    ///
    /// # Errors
    /// If it does not begin where a run does; if an output of gates is not what it is in it.
    pub fn replay(&mut self, recorder: &mut Recorder<'_>) -> Result<()> {
        let launch = Signal { path: LAUNCH.to_string(), width: 1, variants: None };
        let signals: Vec<Signal> = recorder.signals().iter().cloned().chain([launch]).collect();
        let reference = |path: &str| {
            let signal = self.variables.get(path).copied();
            signal.with_context(|| format!("{}: it has no {path}", self.shown))
        };
        let references = signals.iter().map(|signal| reference(&signal.path)).collect::<Result<Vec<_>>>()?;
        let clock = reference("core.clock")?;
        let Self { shown, waveform, .. } = self;
        let load = || {
            waveform.load_signals(&references);
            waveform.load_signals(&[clock]);
        };
        foreign::quietly(load).with_context(|| format!("{shown}: it is damaged"))?;
        let cycles = cycles(waveform, clock);
        // A run counts from 0, and is recorded from its second cycle on; in both the core is reset.
        if let Some(&first) = cycles.first().filter(|first| **first > 1) {
            bail!(
                "{shown}: it starts in cycle {first}; gates need the run from its beginning: record it without --from and --trigger"
            );
        }
        let mut lines: Vec<Line> = references.iter().map(|signal| Line::new(waveform, *signal)).collect();
        let mut values = vec![0; signals.len()];
        for cycle in cycles {
            for ((value, line), signal) in values.iter_mut().zip(&mut lines).zip(&signals) {
                if let Some(new) = line.until(cycle * UNITS_PER_CYCLE + UNITS_PER_CYCLE / 2, waveform) {
                    let text = new.to_string();
                    *value = number(&text, signal).with_context(|| {
                        format!("{shown}: {} is `{text}` in cycle {cycle}, which is no value of it", signal.path)
                    })?;
                }
            }
            recorder.cycle(cycle, values[signals.len() - 1] == 1, |signal| values[signal])?;
        }
        ensure!(recorder.cycles() > 0, "{shown}: no kernel is launched in it");
        Ok(())
    }
}

/// Signals by the names that a run gives them.
fn variables(waveform: &Waveform) -> HashMap<String, SignalRef> {
    let hierarchy = waveform.hierarchy();
    // The reader makes scopes of arrays.
    let name = |name: String| name.replace(".[", "[");
    hierarchy.iter_vars().map(|variable| (name(variable.full_name(hierarchy)), variable.signal_ref())).collect()
}

/// Numbers of the cycles in it.
fn cycles(waveform: &Waveform, clock: SignalRef) -> Vec<u64> {
    let changes = waveform.get_signal(clock).into_iter().flat_map(|signal| signal.iter_changes());
    let rises = changes.filter(|(_, value)| value.to_string() == "1");
    rises.map(|(time, _)| waveform.time_table()[time as usize] / UNITS_PER_CYCLE).collect()
}

/// The changes of a signal that are still to come.
struct Line<'a>(Peekable<Box<dyn Iterator<Item = (TimeTableIdx, SignalValue<'a>)> + 'a>>);

impl<'a> Line<'a> {
    fn new(waveform: &'a Waveform, signal: SignalRef) -> Self {
        let changes = waveform.get_signal(signal).into_iter().flat_map(|signal| signal.iter_changes());
        Self((Box::new(changes) as Box<dyn Iterator<Item = _>>).peekable())
    }

    /// Its last change until then that has not been asked for.
    fn until(&mut self, time: u64, waveform: &Waveform) -> Option<SignalValue<'a>> {
        let mut last = None;
        while let Some((_, value)) = self.0.next_if(|(at, _)| waveform.time_table()[*at as usize] <= time) {
            last = Some(value);
        }
        last
    }
}

/// Digits, or the name of a variant; one that has no name is a number with a question mark.
fn number(text: &str, signal: &Signal) -> Option<u64> {
    let variants = signal.variants.iter().flat_map(|variants| &variants.variants);
    let named = variants.zip(0..).find(|(variant, _)| *variant == text).map(|(_, number)| number);
    let unnamed = || text.strip_suffix('?')?.parse().ok();
    named.or_else(|| u64::from_str_radix(text, 2).ok()).or_else(unnamed)
}
