//! The whole core on kernels: inputs recorded once, memory's answers included, and replayed into every execution.
use std::cell::RefCell;

use warploom_hdl::config::{AdequacyHistory, AdequacyPredictor, CoreConfig, DualPathVariant, Mechanism, Permutation};
use warploom_hdl::core::Core;
use warploom_testbenches::equivalence::{Execution, Port, Trace, replay};
use warploom_testbenches::host::{MemoryTiming, Recording, RtlDevice, core_simulator};
use warploom_testbenches::kernels::{self, Problem};

/// What the core's inputs carry while a kernel runs.
fn recorded(kernel: &str, size: usize, config: &CoreConfig) -> Trace {
    let simulator = core_simulator(config, &Default::default());
    let recording = RefCell::new(Recording::new(&simulator, config));
    {
        let timing = MemoryTiming { l2_latency: 5, dram_latency: 20, ..MemoryTiming::default() };
        let mut device = RtlDevice::new(simulator, config.clone(), timing);
        device.observe(Box::new(|engine, _| recording.borrow_mut().push(engine)));
        let kernel = kernels::find(kernel).expect("a kernel");
        let outcome = kernels::run(kernel, &mut device, &Problem { size, seed: 1, block: None }).expect("it runs");
        assert_eq!(outcome.mismatch(), None);
    }
    let recording = recording.into_inner();
    let ports = recording.inputs().map(|(name, width)| Port { name: name.to_string(), width });
    let mut trace = Trace::new(ports.collect());
    recording.rows().iter().for_each(|row| trace.push(row.iter().copied()));
    trace
}

fn agree(kernel: &str, size: usize, config: &CoreConfig, executions: &[Execution]) {
    let trace = recorded(kernel, size, config);
    let agreement = replay(Box::new(Core::new(config)), &trace, executions);
    let agreement = agreement.unwrap_or_else(|error| panic!("{kernel}: {error}"));
    println!("{kernel}: {} cycles agree in {:?}", agreement.cycles, agreement.executions);
    assert!(agreement.cycles > 1000, "{kernel} runs for {} cycles only", agreement.cycles);
}

#[test]
fn kernels_on_the_tiny_core() {
    let config = CoreConfig { instruction_words: 512, ..CoreConfig::tiny() };
    agree("bfs", 24, &config, &Execution::ALL);
    agree("gcd", 24, &config, &Execution::ALL);
}

#[test]
fn kernels_on_compacting_cores() {
    let capri = Mechanism::Capri(AdequacyPredictor { entries: 4, history: AdequacyHistory::Latest });
    let core = |mechanism, likely_convergence, permutation| CoreConfig {
        instruction_words: 512,
        mechanism,
        likely_convergence,
        permutation,
        ..CoreConfig::tiny()
    };
    agree("bfs", 24, &core(Mechanism::Tbc, true, Permutation::None), &Execution::ALL);
    agree("bfs", 24, &core(capri, false, Permutation::None), &Execution::ALL);
    agree("backprop", 16, &core(capri, true, Permutation::Balanced), &Execution::ALL);
}

/// Kernels whose branches have work on both sides.
#[test]
fn kernels_on_dual_path_cores() {
    for (kernel, size, variant) in [
        ("lud", 8, DualPathVariant::Full),
        ("qsort", 24, DualPathVariant::Constrained),
        ("qsort", 24, DualPathVariant::Optimistic),
    ] {
        let mechanism = Mechanism::DualPath(variant);
        agree(kernel, size, &CoreConfig { instruction_words: 512, mechanism, ..CoreConfig::tiny() }, &Execution::ALL);
    }
}

/// update() would take too long.
#[test]
fn a_kernel_on_the_paper_core() {
    agree("bfs", 1000, &CoreConfig::paper(), &[Execution::Simulator, Execution::Verilator]);
}
