//! What is recorded of the launches of an application: a waveform, and what every warp does. The files are complete when the process ends.
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use warploom_hdl::config::CoreConfig;
use warploom_runtime::application::{LAUNCHES, PERFETTO, SIGNALS, WAVE, WAVE_LAUNCHES};
use warploom_runtime::host::{ControlTrace, Device, RtlDevice};
use warploom_runtime::loader::Program;
use warploom_runtime::trace::{Perfetto, PerfettoFile};
use warploom_sim::Simulator;
use warploom_sim::files::{self, Place};
use warploom_sim::glob::Globs;
use warploom_sim::netlist::Netlist;
use warploom_sim::wave::{Format, Selection, WaveFile, Waveform, Window, write_save_file};

use crate::machine::{path_of, variable};
use crate::object::locked;

/// What the environment asks for.
#[derive(Clone, Debug)]
pub struct Wanted {
    wave: Option<(PathBuf, Format)>,
    signals: Vec<String>,
    launches: RangeInclusive<u64>,
    perfetto: Option<PathBuf>,
}

/// Under way, from the first launch on.
struct Recorder {
    /// Whose files they are: not those of the processes that this one forks.
    process: u32,
    waveform: Option<Waveform>,
    launches: RangeInclusive<u64>,
    /// The one that is loaded or runs, from 1.
    launch: u64,
    perfetto: Option<(PathBuf, Perfetto, ControlTrace)>,
}

/// Where the end of the process finds it.
static RECORDER: Mutex<Option<Recorder>> = Mutex::new(None);

impl Wanted {
    /// Of the environment.
    ///
    /// # Errors
    /// If it is nothing that can be recorded.
    pub fn of_environment() -> Result<Self, String> {
        let wave = variable(WAVE)?.map(|path| format(path.as_ref())).transpose()?;
        let wave = path_of(WAVE)?.zip(wave);
        let list = variable(SIGNALS)?.unwrap_or_else(|| "*".to_string());
        let signals = list.split(',').map(|glob| glob.trim().to_string()).collect();
        let launches = match variable(WAVE_LAUNCHES)? {
            None => 1..=u64::MAX,
            Some(text) => launches(&text).ok_or_else(|| {
                format!("{WAVE_LAUNCHES}={text}: it is the number of a launch, as in 3, or the first and the last, as in 3-5")
            })?,
        };
        for (name, needed) in [(SIGNALS, WAVE), (WAVE_LAUNCHES, WAVE)] {
            if wave.is_none() && variable(name)?.is_some() {
                return Err(format!("{name} is for a waveform, and there is none: {needed}=FILE"));
            }
        }
        let wanted = Self { wave, signals, launches, perfetto: path_of(PERFETTO)? };
        let mut outputs: Vec<(&str, PathBuf)> = wanted.perfetto.iter().map(|path| (PERFETTO, path.clone())).collect();
        outputs.extend(path_of(LAUNCHES)?.map(|path| (LAUNCHES, path)));
        if let Some((path, _)) = &wanted.wave {
            outputs.extend([(WAVE, path.clone()), (WAVE, path.with_extension("gtkw"))]);
        }
        check_outputs(&outputs)?;
        Ok(wanted)
    }

    /// Whether there is anything to record.
    pub fn is_something(&self) -> bool {
        self.wave.is_some() || self.perfetto.is_some()
    }

    /// Globs over the nets that the simulator has to show.
    pub fn observe(&self, config: &CoreConfig) -> Vec<String> {
        let signals = self.wave.iter().flat_map(|_| self.signals.clone());
        signals.chain(self.perfetto.iter().flat_map(|_| ControlTrace::nets(config))).collect()
    }

    /// Checks that there are such signals.
    ///
    /// # Errors
    /// If there is none of a name.
    pub fn check(&self, netlist: &Netlist) -> Result<(), String> {
        if self.wave.is_none() {
            return Ok(());
        }
        let nets = Simulator::nets(netlist, &Globs::new(&["*"])).map_err(|error| error.to_string())?;
        let is_there = |signal: &&String| nets.iter().any(|net| Globs::new(&[*signal]).matches(&net.path));
        match self.signals.iter().find(|signal| !is_there(signal)) {
            Some(signal) => {
                Err(format!("{SIGNALS}: there is no signal `{signal}`; names are as in core.issue.scoreboard.*"))
            }
            None => Ok(()),
        }
    }

    /// Opens the files, and has every cycle of the device recorded.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn begin(&self, device: &mut RtlDevice<'static>) -> Result<(), String> {
        if !self.is_something() {
            return Ok(());
        }
        let waveform = match &self.wave {
            None => None,
            Some((path, format)) => {
                let simulator = device.engine();
                let selection = Selection::new(simulator, &Globs::new(&self.signals));
                let file = WaveFile::create(path, *format).map_err(|error| cannot_write(WAVE, path, &error))?;
                write_save_file(&path.with_extension("gtkw"), path, selection.nets())
                    .map_err(|error| cannot_write(WAVE, &path.with_extension("gtkw"), &error))?;
                let all = Window { from: 0, to: None, trigger: None };
                Some(Waveform::begin(vec![file], selection, all).map_err(|error| error.to_string())?)
            }
        };
        let perfetto = match &self.perfetto {
            None => None,
            Some(path) => {
                let file = PerfettoFile::create(path).map_err(|error| cannot_write(PERFETTO, path, &error))?;
                let trace =
                    Perfetto::begin(file, device.engine(), device.config(), device.launches(), Program::empty());
                Some((path.clone(), trace, ControlTrace::new(device.engine(), device.config())))
            }
        };
        let process = std::process::id();
        *locked(&RECORDER) = Some(Recorder { process, waveform, launches: self.launches.clone(), launch: 0, perfetto });
        // SAFETY: a function without arguments that does not unwind.
        unsafe { libc::atexit(finish) };
        device.observe(Box::new(|simulator, cycle| {
            if let Some(recorder) = locked(&RECORDER).as_mut() {
                recorder.push(simulator, cycle);
            }
        }));
        Ok(())
    }
}

/// A launch of this program begins.
pub fn next_launch(program: &Program) {
    if let Some(recorder) = locked(&RECORDER).as_mut() {
        recorder.launch += 1;
        if let Some((_, trace, _)) = &mut recorder.perfetto {
            trace.load(program);
        }
    }
}

/// At the end of the process.
extern "C" fn finish() {
    let own = locked(&RECORDER).take_if(|recorder| recorder.process == std::process::id());
    let Some(Recorder { waveform, perfetto, .. }) = own else { return };
    if let Some(Err(errors)) = waveform.map(Waveform::finish) {
        errors.iter().for_each(|error| eprintln!("warploom: {error}"));
    }
    if let Some((path, trace, _)) = perfetto
        && let Err(error) = trace.finish()
    {
        eprintln!("warploom: {}", cannot_write(PERFETTO, &path, &error));
    }
}

impl Recorder {
    /// Adds the cycle just simulated, the `cycle`th of all.
    fn push(&mut self, simulator: &Simulator, cycle: u64) {
        if let Some(waveform) = self.waveform.as_mut().filter(|_| self.launches.contains(&self.launch)) {
            waveform.sample(simulator, cycle - 1);
        }
        if let Some((_, trace, control)) = &mut self.perfetto {
            trace.push(control, simulator, cycle);
        }
    }
}

/// Sees that all of them can be written, and that no two are one file, however they are spelled.
fn check_outputs(outputs: &[(&str, PathBuf)]) -> Result<(), String> {
    let mut places = Vec::new();
    for (variable, path) in outputs {
        let place = files::check_writable(path).and_then(|()| files::place(path));
        let place = place.map_err(|error| cannot_write(variable, path, &error))?;
        if matches!(place, Place::File(_)) && places.contains(&place) {
            return Err(format!("{} would be written as two files at once", path.display()));
        }
        places.push(place);
    }
    Ok(())
}

fn format(path: &Path) -> Result<Format, String> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("vcd") => Ok(Format::Vcd),
        Some("fst") => Ok(Format::Fst),
        _ => Err(format!("{WAVE}={}: its name ends with .vcd or .fst", path.display())),
    }
}

fn launches(text: &str) -> Option<RangeInclusive<u64>> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
    (1..=last).contains(&first).then_some(first..=last)
}

fn cannot_write(variable: &str, path: &Path, error: &std::io::Error) -> String {
    format!("{variable}: cannot write {}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::launches;

    #[test]
    fn launches_count_from_one() {
        assert_eq!([launches("3"), launches("1-4"), launches("2 - 2")], [Some(3..=3), Some(1..=4), Some(2..=2)]);
        for wrong in ["0", "4-3", "", "-", "1-", "a", "-1", "1-2-3"] {
            assert_eq!(launches(wrong), None, "{wrong}");
        }
    }
}
