//! `--vcd`, `--fst` and what goes with them: a waveform, and the save file with which GTKWave opens on it.
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use warploom_hdl::config::CoreConfig;
use warploom_sim::files::{self, Place};
use warploom_sim::glob::Globs;
use warploom_sim::netlist::Netlist;
use warploom_sim::wave::{Format, Selection, Trigger, WaveFile, Waveform, Window, write_save_file};
use warploom_sim::{ObservedNet, Simulator};

use crate::cli::WaveArgs;
use crate::first_look::FirstLook;
use crate::suggest::{nearest, nearest_of_many};

/// What is to be written. Nothing is opened before it [begins](Self::begin), so that what was there stays if there is no run.
pub struct WaveformFiles {
    files: Vec<(&'static str, PathBuf, Format)>,
    /// With the waveform that each opens.
    save_files: Vec<(PathBuf, PathBuf)>,
    /// Globs.
    signals: Vec<String>,
    window: Window,
    trigger: Option<Wanted>,
}

/// What `--trigger` asks for.
pub struct Wanted {
    argument: String,
    signal: String,
    value: String,
}

impl WaveformFiles {
    /// By the options; none when there is no waveform to write. Without `--signals`, every net is written.
    pub fn new(args: &WaveArgs) -> Result<Option<Self>> {
        let trigger = args.trigger.as_deref().map(Wanted::new).transpose()?;
        let window = Window { from: args.from.unwrap_or(0), to: args.to, trigger: None };
        if let Some(to) = window.to {
            ensure!(window.from <= to, "--to {to}: that is before --from {}", window.from);
        }
        let given = [("--vcd", &args.vcd, Format::Vcd), ("--fst", &args.fst, Format::Fst)];
        let given = given.into_iter().filter_map(|(option, path, format)| Some((option, path.clone()?, format)));
        let files: Vec<_> = given.collect();
        let mut save_files = files.iter().filter_map(|(_, path, _)| Some((save_file(path)?, path.clone()))).collect();
        Vec::dedup_by_key(&mut save_files, |(save_file, _)| save_file.clone());
        let signals = if args.signals.is_empty() { vec!["*".to_string()] } else { args.signals.clone() };
        Ok((!files.is_empty()).then_some(Self { files, save_files, signals, window, trigger }))
    }

    /// Globs over the nets that the simulator must let us see.
    pub fn observe(&self) -> Vec<String> {
        let trigger = self.trigger.iter().map(|trigger| trigger.signal.clone());
        self.signals.iter().cloned().chain(trigger).collect()
    }

    /// Checks that there are such signals, before a simulator is built that shows them.
    pub fn check(&self, netlist: &Netlist) -> Result<()> {
        let nets = Simulator::nets(netlist, &Globs::new(&["*"]))?;
        for signal in &self.signals {
            let glob = Globs::new(&[signal]);
            if !nets.iter().any(|net| glob.matches(&net.path)) {
                bail!(
                    "--signals '{signal}': no signal has such a name\n  names are hierarchical, as in core.issue.scoreboard.*; without --signals every net is written"
                );
            }
        }
        self.trigger.as_ref().map_or(Ok(()), |trigger| trigger.find(&nets).map(drop))
    }

    /// Looks for what the save files open on; they are written once more when the run has ended.
    pub fn first_look(&self, simulator: &Simulator, config: &CoreConfig) -> FirstLook {
        let selection = Selection::new(simulator, &Globs::new(&self.signals));
        FirstLook::new(self.save_files.clone(), selection.nets().to_vec(), simulator, config)
    }

    /// Opens the files, and writes the save files and the headers of the waveform. What cannot be written is told at the end.
    ///
    /// # Errors
    /// If the trigger is none, or a file cannot be opened.
    pub fn begin(mut self, simulator: &Simulator) -> Result<Waveform> {
        if let Some(trigger) = &self.trigger {
            let (net, value) = trigger.find(simulator.observed())?;
            self.window.trigger = Some(Trigger { bits: simulator.observed_bits(net), value });
        }
        let selection = Selection::new(simulator, &Globs::new(&self.signals));
        for (save_file, dump) in &self.save_files {
            // They are written once more when the run has ended: an error is told then, and does not cost the run.
            let _ = write_save_file(save_file, dump, selection.nets());
        }
        let open = |(option, path, format): (&str, PathBuf, Format)| {
            let cannot = || format!("{option}: cannot write {}", path.display());
            WaveFile::create(&path, format).with_context(cannot)
        };
        let files = self.files.into_iter().map(open).collect::<Result<_>>()?;
        Ok(Waveform::begin(files, selection, self.window)?)
    }
}

impl Wanted {
    /// From the option's text.
    pub fn new(argument: &str) -> Result<Self> {
        let (signal, value) = argument
            .split_once('=')
            .with_context(|| format!("--trigger '{argument}': it is SIGNAL=VALUE, as in core.issue.valid=1"))?;
        Ok(Self { argument: argument.to_string(), signal: signal.to_string(), value: value.to_string() })
    }

    /// Which net it is, and the number that it must have.
    pub fn find(&self, nets: &[ObservedNet]) -> Result<(usize, u64)> {
        let Self { argument, signal, .. } = self;
        let Some(index) = nets.iter().position(|net| net.path == *signal) else {
            let near = nearest_of_many(signal, nets.iter().map(|net| net.path.as_str()));
            bail!("--trigger '{argument}': there is no signal `{signal}`{near}");
        };
        let value = self.number(&nets[index]).with_context(|| format!("--trigger '{argument}'"))?;
        Ok((index, value))
    }

    fn number(&self, net: &ObservedNet) -> Result<u64> {
        let text = self.value.as_str();
        let variants = net.variants.as_deref().unwrap_or_default();
        if let Some(index) = variants.iter().position(|variant| variant == text) {
            return Ok(index as u64);
        }
        let digits = text.replace('_', "").to_lowercase();
        let number = match (digits.strip_prefix("0x"), digits.strip_prefix("0b")) {
            (Some(digits), _) => u64::from_str_radix(digits, 16),
            (_, Some(digits)) => u64::from_str_radix(digits, 2),
            _ => digits.parse(),
        };
        let number = number.map_err(|_| match variants {
            [] => anyhow!("`{text}` is no number: decimal, 0x... or 0b..."),
            _ => anyhow!("there is no variant `{text}`{}", nearest(text, variants.iter().map(String::as_str))),
        })?;
        ensure!(
            net.width >= 64 || number >> net.width == 0,
            "{text} does not fit the {} bit(s) of {}",
            net.width,
            net.path
        );
        Ok(number)
    }
}

/// Where the save file of a waveform goes. What is no file, as /dev/stdout, has none: nothing can open it again.
pub fn save_file(waveform: &Path) -> Option<PathBuf> {
    let is_stream = files::place(waveform).is_ok_and(|place| place == Place::Stream);
    (!is_stream).then(|| waveform.with_extension("gtkw"))
}

/// Ends a waveform. Says so where nothing was in its window.
pub fn finish(waveform: Waveform) -> Result<()> {
    match waveform.finish() {
        Ok(0) => crate::output::say!("note: the waveform is empty: no cycle was in its window"),
        Ok(_) => {}
        Err(errors) => {
            let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
            bail!("{}", lines.join("\n"));
        }
    }
    Ok(())
}
