//! The whole core on kernels: inputs recorded once, memory's answers included, and replayed into every execution.
use std::cell::RefCell;

use warploom_hdl::config::CoreConfig;
use warploom_hdl::core::Core;
use warploom_hdl::mechanism::representatives;
use warploom_hdl::prelude::Block;
use warploom_runtime::host::{MemoryTiming, Recording, RtlDevice};
use warploom_runtime::kernels::{self, KERNELS, Kernel, Problem};
use warploom_verification::core_simulator;
use warploom_verification::cores::with_floats;
use warploom_verification::equivalence::{Agreement, Bench, Execution, Port, Trace};

use crate::Job;
use crate::modules::{replaying, stalling};
use crate::page::Row;

/// Of each kernel, so many cycles are replayed; all of them in [`whole_runs`](crate::whole_runs).
pub const CYCLES: usize = 2000;

/// The cores that stand for the mechanisms, and one each for the other ways to wait for memory, of which one has MSHRs that merge: all of them on every kernel, and on one kernel in update() and in Icarus, which are slow.
/// The papers' sizes are among [`whole_runs`](crate::whole_runs).
pub fn jobs() -> Vec<Job> {
    let mechanisms = representatives().map(|one| (one.spelling.to_string(), with_floats(one.on_tiny())));
    let replay = ("spe replay".to_string(), replaying(with_floats(CoreConfig::tiny())));
    let merging = CoreConfig { mshr_merges: 2, ..stalling(with_floats(CoreConfig::tiny())) };
    let stalling = ("spe stalling merging".to_string(), merging);
    mechanisms.chain([replay, stalling]).map(|(name, config)| job(&name, "tiny", config, &Execution::ALL)).collect()
}

fn job(name: &str, size: &'static str, config: CoreConfig, executions: &[Execution]) -> Job {
    let (name, executions) = (format!("core: {name}"), executions.to_vec());
    let sizes = config.clone();
    Job::new(
        format!("{name}, {size}"),
        move || Box::new(Core::new(&sizes)),
        move || on_kernels(&name, size, &config, &executions).map_err(|problem| format!("{name}, {size}: {problem}")),
    )
}

/// The first kernel that fits is run in all executions, the others in those that are quick.
fn on_kernels(name: &str, size: &'static str, config: &CoreConfig, executions: &[Execution]) -> Result<Row, String> {
    let build = || -> Box<dyn Block> { Box::new(Core::new(config)) };
    let bench = Bench::new(&build, executions)?;
    let recorded = Recorder::new(config);
    let first = kernels::find("bfs").expect("a kernel");
    let mut all: Option<Agreement> = None;
    let others = KERNELS.iter().filter(|kernel| kernel.name() != first.name());
    for kernel in [first].into_iter().chain(others) {
        let trace = recorded.run(kernel, kernel.sizes().smoke)?;
        let quick = [Execution::Simulator, Execution::Plain, Execution::Verilator];
        let executions = if all.is_none() { executions } else { &quick[..] };
        let agreement = bench.run_in(&trace, executions).map_err(|problem| format!("{}: {problem}", kernel.name()))?;
        match &mut all {
            None => all = Some(agreement),
            Some(all) => all.cycles += agreement.cycles,
        }
    }
    let agreement = all.expect("at least one kernel");
    Ok(Row { what: name.to_string(), size, runs: KERNELS.len(), agreement })
}

/// Runs kernels, and writes down what goes into the core.
pub struct Recorder<'a> {
    config: &'a CoreConfig,
    simulator: warploom_sim::Simulator,
}

impl<'a> Recorder<'a> {
    /// For this core.
    pub fn new(config: &'a CoreConfig) -> Self {
        Self { config, simulator: core_simulator(config, &Default::default()) }
    }

    /// What the core's inputs carry in the first cycles of a kernel.
    pub fn run(&self, kernel: &Kernel, size: usize) -> Result<Trace, String> {
        let (inputs, _) = self.whole(kernel, size, vec![])?;
        let mut trace = Trace::new(inputs.ports().to_vec());
        inputs.rows().take(CYCLES).for_each(|row| trace.push(row.iter().copied()));
        Ok(trace)
    }

    /// What the core's inputs and these of its outputs carry until a kernel has ended, and its output has been found right.
    pub fn whole(&self, kernel: &Kernel, size: usize, outputs: Vec<Port>) -> Result<(Trace, Trace), String> {
        let simulator = self.simulator.another();
        let recording = RefCell::new(Recording::new(&simulator, self.config));
        let ports: Vec<_> =
            outputs.iter().map(|output| simulator.port(&output.name).expect("an output of the core")).collect();
        let response = RefCell::new(Trace::new(outputs));
        {
            let timing = MemoryTiming { l2_latency: 5, dram_latency: 20, ..MemoryTiming::default() };
            let mut device = RtlDevice::new(simulator, self.config.clone(), timing);
            device.observe(Box::new(|engine, _| {
                recording.borrow_mut().push(engine);
                response.borrow_mut().push(ports.iter().map(|port| engine.get(*port)));
            }));
            let problem = Problem { seed: 1, ..Problem::new(size) };
            let outcome = kernels::run(kernel, &mut device, &problem).map_err(|e| format!("{}: {e}", kernel.name()))?;
            assert_eq!(outcome.mismatch(), None, "{}", kernel.name());
        }
        let recording = recording.into_inner();
        let ports = recording.inputs().map(|(name, width)| Port { name: name.to_string(), width });
        let mut trace = Trace::new(ports.collect());
        recording.rows().iter().for_each(|row| trace.push(row.iter().copied()));
        Ok((trace, response.into_inner()))
    }
}
