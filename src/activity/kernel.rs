//! Activity from a kernel that runs on the core.
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Error, Result, bail};
use warploom_hdl::config::CoreConfig;
use warploom_runtime::host::{Limits, MemoryTiming, RtlDevice};
use warploom_sim::netlist::Netlist;
use warploom_sim::{BuildOptions, Engine, Port, Simulator};

use super::recorder::Recorder;
use crate::workload::{Finish, Workload};

/// Runs it to its end on the core, which `core` describes, before this memory.
///
/// # Errors
/// If the kernel does not end or its result is wrong, or if an output of gates is not what it is in the core.
pub fn run(
    core: &Netlist,
    config: &CoreConfig,
    timing: &MemoryTiming,
    workload: &Workload,
    recorder: &mut Recorder<'_>,
) -> Result<()> {
    let observe = recorder.signals().iter().map(|signal| signal.path.clone()).collect();
    let simulator = Simulator::build(core, &BuildOptions { observe, ..Default::default() })
        .context("cannot build the simulator of the core")?;
    let stop = Arc::new(AtomicBool::new(false));
    let outcome = RefCell::new(Ok(()));
    let observer = Observer::new(simulator, recorder, &outcome, stop.clone())?;
    let mut device = RtlDevice::new(observer, config.clone(), timing.clone());
    device.set_limits(Limits { interrupt: stop, ..Limits::default() });
    let ended = workload.run(&mut device);
    drop(device);
    // A difference explains whatever came of it.
    outcome.into_inner()?;
    match ended.with_context(|| format!("{} has not ended", workload.name()))? {
        Finish::Right | Finish::Unchecked(_) => Ok(()),
        Finish::Wrong(mismatch) => bail!("the result of {} is wrong: {mismatch}", workload.name()),
    }
}

/// The core's simulator, and who looks at it in every cycle from the first on.
struct Observer<'a, 'g> {
    simulator: Simulator,
    recorder: &'a mut Recorder<'g>,
    /// Positions among the observed nets, by number of the signal.
    places: Vec<usize>,
    launch: Port,
    cycle: u64,
    outcome: &'a RefCell<Result<(), Error>>,
    stop: Arc<AtomicBool>,
}

impl<'a, 'g> Observer<'a, 'g> {
    fn new(
        simulator: Simulator,
        recorder: &'a mut Recorder<'g>,
        outcome: &'a RefCell<Result<()>>,
        stop: Arc<AtomicBool>,
    ) -> Result<Self> {
        let observed = simulator.observed().iter().enumerate();
        let observed: HashMap<&str, usize> = observed.map(|(place, net)| (net.path.as_str(), place)).collect();
        let place = |path: &str| observed.get(path).copied().with_context(|| format!("the core has no net {path}"));
        let places = recorder.signals().iter().map(|signal| place(&signal.path)).collect::<Result<_>>()?;
        let launch = simulator.port("launch_start").context("the core has no input launch_start")?;
        Ok(Self { simulator, recorder, places, launch, cycle: 0, outcome, stop })
    }
}

impl Engine for Observer<'_, '_> {
    fn port(&self, name: &str) -> Option<Port> {
        self.simulator.port(name)
    }

    fn set(&mut self, port: Port, value: u64) {
        self.simulator.set(port, value);
    }

    fn get(&self, port: Port) -> u64 {
        self.simulator.get(port)
    }

    fn step(&mut self) {
        self.simulator.step();
        if self.stop.load(Ordering::Relaxed) {
            return;
        }
        let (simulator, places) = (&self.simulator, &self.places);
        let launch = simulator.get(self.launch) == 1;
        let value = |signal: usize| simulator.observed_value(places[signal]);
        if let Err(difference) = self.recorder.cycle(self.cycle, launch, value) {
            *self.outcome.borrow_mut() = Err(difference);
            self.stop.store(true, Ordering::Relaxed);
        }
        self.cycle += 1;
    }
}
