//! Whole kernels on either engine: Verilator's model of the exported Verilog takes the place of the generated simulator.
use warploom_hdl::config::CoreConfig;
use warploom_hdl::core::Core;
use warploom_hdl::prelude::Block;
use warploom_requirements::met;
use warploom_runtime::host::{MemoryTiming, RtlDevice};
use warploom_runtime::kernels::{self, Kernel, Outcome, Problem};
use warploom_sim::{Engine, Simulator, elaborate};
use warploom_synth::tools::{self, Tool};
use warploom_synth::verilated::Verilated;
use warploom_verification::cores;

fn config() -> CoreConfig {
    cores::with_floats(CoreConfig::tiny())
}

fn run(engine: impl Engine, kernel: &Kernel) -> Outcome {
    let mut device = RtlDevice::new(engine, config(), MemoryTiming::default());
    let problem = Problem::new(kernel.sizes().smoke);
    kernels::run(kernel, &mut device, &problem).unwrap_or_else(|error| panic!("{}: {error}", kernel.name()))
}

#[test]
#[ignore = "long: a whole core in Verilator; runs in .ci/run"]
fn outputs_and_counters_are_equal() {
    if !met(&[("verilator", tools::tool("verilator").is_some_and(Tool::is_here))]) {
        return;
    }
    let mut core = Core::new(&config());
    core.connect_all();
    let netlist = elaborate(&core).unwrap_or_else(|error| panic!("{error}"));
    for name in ["bfs", "matmul"] {
        let kernel = kernels::find(name).expect("a kernel");
        let simulator = Simulator::build(&netlist, &Default::default()).unwrap_or_else(|error| panic!("{error}"));
        let verilated = Verilated::build(&netlist, &Default::default()).unwrap_or_else(|error| panic!("{error}"));
        let (one, other) = (run(simulator, kernel), run(verilated, kernel));
        assert_eq!(one.mismatch(), None, "{name}");
        assert_eq!(one.stats, other.stats, "{name}");
        assert_eq!(one.outputs, other.outputs, "{name}");
    }
}
