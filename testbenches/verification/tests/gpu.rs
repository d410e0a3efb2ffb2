//! Several cores and what they share: kernels, on GPUs of the small cores.
use warploom_hdl::config::CoreConfig;
use warploom_hdl::gpu::{CoreTile, Uncore};
use warploom_hdl::memory_system::SystemConfig;
use warploom_hdl::memory_system::dram::GDDR3;
use warploom_hdl::prelude::Block;
use warploom_runtime::host::{Device, GpuDevice};
use warploom_runtime::kernels::{self, Problem};
use warploom_sim::{BuildOptions, Simulator, elaborate};

fn simulator(mut module: impl Block) -> Simulator {
    module.connect_all();
    let netlist = elaborate(&module).unwrap_or_else(|error| panic!("{error}"));
    Simulator::build(&netlist, &BuildOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn gpu(config: &CoreConfig, cores: usize) -> GpuDevice {
    let config = CoreConfig { in_gpu: true, line_bytes: config.line_bytes.max(32), ..config.clone() };
    let system = SystemConfig::new(cores, 2, config.line_bytes, (16, 4), &GDDR3);
    let tiles = (0..cores).map(|_| simulator(CoreTile::new(&config, &system))).collect();
    GpuDevice::new(tiles, simulator(Uncore::new(&system)), config, system)
}

#[test]
fn every_kernel_on_one_two_and_four_cores() {
    for cores in [1, 2, 4] {
        let mut device = gpu(&CoreConfig::tiny(), cores);
        let config = device.config().clone();
        for kernel in kernels::on(&config) {
            let what = format!("{} on {cores} cores", kernel.name());
            let problem = Problem { seed: 3, ..Problem::new(kernel.sizes().smoke) };
            let outcome = kernels::run(kernel, &mut device, &problem).unwrap_or_else(|error| panic!("{what}: {error}"));
            if let Some(mismatch) = outcome.mismatch() {
                panic!("{what}: {mismatch}");
            }
            println!("{what}: {} cycles", outcome.stats.cycles);
        }
    }
}
