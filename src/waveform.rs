//! `--vcd` and `--signals`: a waveform and the save file with which GTKWave opens on it.
use std::cell::RefCell;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::{Context, Result, bail, ensure};
use warploom_sim::Simulator;
use warploom_sim::glob::Globs;
use warploom_sim::wave::{VcdWriter, write_save_file};

/// Files that have been opened, so that a path that cannot be written is known before anything runs.
pub struct WaveformFiles {
    vcd: PathBuf,
    file: File,
    save_file: PathBuf,
    signals: Vec<String>,
}

/// A waveform being written.
#[derive(Clone)]
pub struct Waveform {
    path: PathBuf,
    writer: Rc<RefCell<Option<VcdWriter<File>>>>,
    error: Rc<RefCell<Option<io::Error>>>,
}

impl WaveformFiles {
    /// Opens the files. Without `signals`, every net is written.
    pub fn open(vcd: &Path, signals: &[String]) -> Result<Self> {
        let save_file = vcd.with_extension("gtkw");
        ensure!(save_file != vcd, "--vcd {}: FILE.gtkw is the save file beside it; name it FILE.vcd", vcd.display());
        let create =
            |path: &Path| File::create(path).with_context(|| format!("--vcd: cannot write {}", path.display()));
        let file = create(vcd)?;
        create(&save_file)?;
        let signals = if signals.is_empty() { vec!["*".to_string()] } else { signals.to_vec() };
        Ok(Self { vcd: vcd.to_path_buf(), file, save_file, signals })
    }

    /// Globs over the nets that the simulator must let us see.
    pub fn signals(&self) -> &[String] {
        &self.signals
    }

    /// Writes the save file and the header of the waveform.
    pub fn begin(self, simulator: &Simulator) -> Result<Waveform> {
        let nets = simulator.observed();
        for signal in &self.signals {
            let glob = Globs::new(&[signal]);
            if !nets.iter().any(|net| glob.matches(&net.path)) {
                bail!(
                    "--signals '{signal}': no signal has such a name\n  names are hierarchical, as in core.issue.scoreboard.*; without --signals every net is written"
                );
            }
        }
        write_save_file(&self.save_file, &self.vcd, nets)
            .with_context(|| format!("cannot write {}", self.save_file.display()))?;
        let writer =
            VcdWriter::new(self.file, simulator).with_context(|| format!("cannot write {}", self.vcd.display()))?;
        Ok(Waveform { path: self.vcd, writer: Rc::new(RefCell::new(Some(writer))), error: Rc::default() })
    }
}

impl Waveform {
    /// Adds the cycle just stepped. After an error nothing more is written; [`Self::finish`] reports it.
    pub fn sample(&self, simulator: &Simulator) {
        let mut writer = self.writer.borrow_mut();
        if let Some(Err(error)) = writer.as_mut().map(|writer| writer.sample(simulator)) {
            *writer = None;
            *self.error.borrow_mut() = Some(error);
        }
    }

    /// Ends the waveform.
    pub fn finish(self) -> Result<()> {
        let result = match (self.error.take(), self.writer.take()) {
            (Some(error), _) => Err(error),
            (None, Some(writer)) => writer.finish(),
            (None, None) => Ok(()),
        };
        result.with_context(|| format!("the waveform {} is incomplete", self.path.display()))
    }
}
