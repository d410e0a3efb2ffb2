//! GPUs for tests.
mod whole;

pub use whole::WholeGpu;

use warploom_hdl::config::CoreConfig;
use warploom_hdl::gpu::{CoreTile, Uncore};
use warploom_hdl::memory_system::SystemConfig;
use warploom_hdl::memory_system::dram::GDDR3;
use warploom_hdl::prelude::Block;
use warploom_runtime::host::GpuDevice;
use warploom_sim::{BuildOptions, Simulator, elaborate};

use crate::mutation;

fn simulator(mut module: impl Block) -> Simulator {
    module.connect_all();
    let netlist = elaborate(&module).unwrap_or_else(|error| panic!("{error}"));
    mutation::build(&netlist, &BuildOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// Cores of this configuration before two channels of DRAM, with little L2.
pub fn small_system(config: &CoreConfig, cores: usize) -> (CoreConfig, SystemConfig) {
    let config = CoreConfig { in_gpu: true, line_bytes: config.line_bytes.max(32), ..config.clone() };
    let system = SystemConfig::new(cores, 2, config.line_bytes, (16, 4), &GDDR3);
    (config, system)
}

/// Them, to run something.
///
/// # Panics
/// If it cannot be built, with the reason.
pub fn gpu((config, system): (CoreConfig, SystemConfig)) -> GpuDevice<'static> {
    let tile = simulator(CoreTile::new(&config, &system));
    let tiles = (0..system.cores).map(|_| tile.another()).collect();
    GpuDevice::new(tiles, simulator(Uncore::new(&system)), config, system)
}
