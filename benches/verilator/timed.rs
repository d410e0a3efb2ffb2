//! Stopwatches around a device and around its engine.
use std::time::{Duration, Instant};

use warploom_hdl::config::CoreConfig;
use warploom_runtime::host::{Device, DeviceError, GlobalMemory, Launch, LaunchStats};
use warploom_runtime::loader::Program;
use warploom_sim::{Engine, Port};

use crate::machine;

/// CPU and wall-clock seconds.
#[derive(Clone, Copy, Default)]
pub struct Seconds {
    /// Of all threads of this process.
    pub cpu: f64,
    pub wall: f64,
}

impl Seconds {
    /// Adds what `work` takes.
    pub fn time<R>(&mut self, work: impl FnOnce() -> R) -> R {
        let (cpu, wall) = (machine::cpu_seconds(), Instant::now());
        let result = work();
        self.cpu += machine::cpu_seconds() - cpu;
        self.wall += wall.elapsed().as_secs_f64();
        result
    }
}

/// A device that knows how long it was used.
pub struct Timed<D> {
    pub device: D,
    pub seconds: Seconds,
}

impl<D: Device> Device for Timed<D> {
    fn config(&self) -> &CoreConfig {
        self.device.config()
    }

    fn memory(&mut self) -> &mut GlobalMemory {
        self.device.memory()
    }

    fn read(&mut self, address: u32, count: usize) -> Vec<u32> {
        self.device.read(address, count)
    }

    fn write(&mut self, address: u32, words: &[u32]) {
        self.device.write(address, words);
    }

    fn load(&mut self, program: &Program) -> Result<(), DeviceError> {
        self.seconds.time(|| self.device.load(program))
    }

    fn launch(&mut self, launch: &Launch) -> Result<LaunchStats, DeviceError> {
        self.seconds.time(|| self.device.launch(launch))
    }
}

/// One in so many cycles is timed: a prime, so that it falls into no rhythm of the kernel.
const EVERY: u64 = 61;

/// A cycle that takes longer was interrupted: no engine is so slow.
const LONGEST: Duration = Duration::from_micros(500);

/// An engine that times some of its cycles: what of a run is the engine's, and not the host's.
pub struct Sampled<E> {
    pub engine: E,
    cycles: u64,
    seconds: f64,
    samples: u64,
    /// Seconds in skipping others.
    skipping: f64,
    /// What the stopwatch itself takes.
    overhead: f64,
}

impl<E> Sampled<E> {
    pub fn new(engine: E) -> Self {
        let start = Instant::now();
        let times = 1000;
        for _ in 0..times {
            std::hint::black_box(Instant::now().elapsed());
        }
        let overhead = start.elapsed().as_secs_f64() / f64::from(2 * times);
        Self { engine, cycles: 0, seconds: 0.0, samples: 0, skipping: 0.0, overhead }
    }

    /// Forgets what was timed so far.
    pub fn restart(&mut self) {
        (self.seconds, self.samples, self.cycles, self.skipping) = (0.0, 0, 0, 0.0);
    }

    /// Seconds in the engine since then, as far as some of its cycles tell.
    pub fn engine_seconds(&self) -> f64 {
        let step = self.seconds / self.samples.max(1) as f64 - self.overhead;
        self.cycles as f64 * step.max(0.0) + self.skipping.max(0.0)
    }
}

impl<E: Engine> Engine for Sampled<E> {
    fn port(&self, name: &str) -> Option<Port> {
        self.engine.port(name)
    }

    fn set(&mut self, port: Port, value: u64) {
        self.engine.set(port, value);
    }

    fn get(&self, port: Port) -> u64 {
        self.engine.get(port)
    }

    fn step(&mut self) {
        self.cycles += 1;
        if self.cycles.is_multiple_of(EVERY) {
            let start = Instant::now();
            self.engine.step();
            let time = start.elapsed();
            if time < LONGEST {
                self.seconds += time.as_secs_f64();
                self.samples += 1;
            }
        } else {
            self.engine.step();
        }
    }

    fn rests(&self) -> bool {
        self.engine.rests()
    }

    fn skip(&mut self, most: u64) -> u64 {
        let start = Instant::now();
        let cycles = self.engine.skip(most);
        let time = start.elapsed();
        if time < LONGEST {
            self.skipping += time.as_secs_f64() - self.overhead;
        }
        cycles
    }

    fn disturb(&mut self) {
        self.engine.disturb();
    }
}
