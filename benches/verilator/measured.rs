//! What runs the kernels in either engine: a core, or a GPU of several.
use std::num::NonZeroUsize;
use std::path::Path;

use anyhow::{Result, anyhow};
use warploom_runtime::host::{Device, GpuDevice, RtlDevice};
use warploom_sim::engine::Recording;
use warploom_sim::glob::Globs;
use warploom_sim::netlist::Netlist;
use warploom_sim::wave::{Format, Selection, WaveFile, Waveform, Window};
use warploom_sim::{BuildOptions, Engine, Simulator};
use warploom_synth::verilated::{Verilated, VerilatedOptions};

use crate::Options;
use crate::timed::Sampled;

/// Seconds that building takes: from the netlist to source code, and in the compiler; and whether it was in the cache.
pub struct Built {
    pub generate_seconds: f64,
    pub compile_seconds: f64,
    pub cached: bool,
}

/// An engine to measure.
pub trait Measurable: Engine + Send + Sized {
    /// Of a design.
    fn build(netlist: Netlist, options: &Options) -> Result<Self>;

    /// What that took.
    fn built(&self) -> Built;

    /// Waits for what is compiled beside the first cycles.
    fn complete(&self) -> Result<()>;

    /// The profile that it makes, if it does.
    fn recording(&self) -> Option<Recording>;

    /// The same, after power-up.
    fn another(&self) -> Result<Self>;

    /// Writes a waveform of every net to a new file from now on, until [`Self::end_wave`].
    fn begin_wave(device: &mut RtlDevice<Sampled<Self>>, path: &Path) -> Result<()>;

    /// Closes it.
    fn end_wave(device: &mut RtlDevice<Sampled<Self>>);
}

impl Measurable for Simulator {
    fn build(netlist: Netlist, options: &Options) -> Result<Self> {
        let observe = if options.waves { vec!["*".to_string()] } else { vec![] };
        let (target, cache, record) = (options.target.first().copied(), options.cache.clone(), options.record);
        Ok(Self::build(netlist, &BuildOptions { observe, target, cache, record, soon: true, ..Default::default() })?)
    }

    fn complete(&self) -> Result<()> {
        Ok(self.straight_line().map_or(Ok(()), |straight_line| straight_line.complete())?)
    }

    fn recording(&self) -> Option<Recording> {
        self.recording()
    }

    fn built(&self) -> Built {
        let report = self.report();
        Built {
            generate_seconds: report.generate_seconds,
            compile_seconds: report.compile_seconds,
            cached: report.cached,
        }
    }

    fn another(&self) -> Result<Self> {
        Ok(self.another())
    }

    fn begin_wave(device: &mut RtlDevice<Sampled<Self>>, path: &Path) -> Result<()> {
        let engine = &device.engine().engine;
        let selection = Selection::new(engine, &Globs::new(&["*"]));
        let files = vec![WaveFile::create(path, Format::Vcd)?];
        let mut waveform = Waveform::begin(files, selection, Window::default())?;
        device.observe(Box::new(move |timed, cycle| waveform.sample(&timed.engine, cycle - 1)));
        Ok(())
    }

    fn end_wave(device: &mut RtlDevice<Sampled<Self>>) {
        device.observe(Box::new(|_, _| ()));
    }
}

impl Measurable for Verilated {
    fn build(netlist: Netlist, options: &Options) -> Result<Self> {
        let build_options = VerilatedOptions {
            trace: options.waves,
            threads: NonZeroUsize::new(options.verilator_threads),
            cache: options.cache.clone(),
            verilator: options.verilator.clone(),
        };
        Ok(Self::build(&netlist, &build_options)?)
    }

    fn complete(&self) -> Result<()> {
        Ok(())
    }

    fn recording(&self) -> Option<Recording> {
        None
    }

    fn built(&self) -> Built {
        let report = self.report();
        Built {
            generate_seconds: report.verilate_seconds,
            compile_seconds: report.compile_seconds,
            cached: report.cached,
        }
    }

    fn another(&self) -> Result<Self> {
        Ok(self.another()?)
    }

    fn begin_wave(device: &mut RtlDevice<Sampled<Self>>, path: &Path) -> Result<()> {
        device.engine_mut().engine.trace(path);
        Ok(())
    }

    fn end_wave(device: &mut RtlDevice<Sampled<Self>>) {
        device.engine_mut().engine.end_trace();
    }
}

/// A device whose engines are measured.
pub trait Measured: Device {
    /// Cycles of a core so far.
    fn cycles(&self) -> u64;

    /// How many there are of it.
    fn cores(&self) -> u64;

    /// The engines wait for what is compiled beside the first cycles.
    fn complete(&mut self) -> Result<()>;

    /// The stopwatches start anew.
    fn restart(&mut self);

    /// Seconds in the engines since then.
    fn engine_seconds(&mut self) -> f64;

    /// The same in that of what the cores share.
    fn shared_seconds(&mut self) -> f64;

    /// Writes a waveform to a new file from now on, until [`Self::end_wave`].
    fn begin_wave(&mut self, path: &Path) -> Result<()>;

    /// Closes it.
    fn end_wave(&mut self);
}

impl<E: Measurable> Measured for RtlDevice<'_, Sampled<E>> {
    fn cycles(&self) -> u64 {
        self.cycle()
    }

    fn cores(&self) -> u64 {
        1
    }

    fn complete(&mut self) -> Result<()> {
        self.engine().engine.complete()
    }

    fn restart(&mut self) {
        self.engine_mut().restart();
    }

    fn engine_seconds(&mut self) -> f64 {
        self.engine().engine_seconds()
    }

    fn shared_seconds(&mut self) -> f64 {
        0.0
    }

    fn begin_wave(&mut self, path: &Path) -> Result<()> {
        E::begin_wave(self, path)
    }

    fn end_wave(&mut self) {
        E::end_wave(self);
    }
}

impl<E: Measurable> Measured for GpuDevice<'_, Sampled<E>> {
    fn cycles(&self) -> u64 {
        self.cycle()
    }

    fn cores(&self) -> u64 {
        GpuDevice::cores(self) as u64
    }

    fn complete(&mut self) -> Result<()> {
        self.engines().iter().try_for_each(|engine| engine.engine.complete())
    }

    fn restart(&mut self) {
        self.engines().into_iter().for_each(Sampled::restart);
    }

    fn engine_seconds(&mut self) -> f64 {
        self.engines().iter().map(|engine| engine.engine_seconds()).sum()
    }

    fn shared_seconds(&mut self) -> f64 {
        let cores = self.cores();
        self.engines().iter().skip(cores).map(|engine| engine.engine_seconds()).sum()
    }

    fn begin_wave(&mut self, _: &Path) -> Result<()> {
        Err(anyhow!("a waveform is of a core alone"))
    }

    fn end_wave(&mut self) {}
}
