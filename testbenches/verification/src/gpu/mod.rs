//! GPUs for tests.
mod whole;

pub use whole::WholeGpu;

use anyhow::Result;
use warploom_hdl::config::CoreConfig;
use warploom_hdl::gpu::parts;
use warploom_hdl::memory_system::SystemConfig;
use warploom_hdl::memory_system::dram::GDDR3;
use warploom_hdl::prelude::Block;
use warploom_runtime::host::{GpuDevice, GpuEngines};
use warploom_runtime::machines;
use warploom_sim::{BuildOptions, Simulator, elaborate};

use crate::mutation;

fn simulator(mut module: Box<dyn Block>) -> Result<Simulator> {
    module.connect_all();
    Ok(mutation::build(&elaborate(&*module)?, &BuildOptions::default())?)
}

/// Cores of this configuration before two channels of DRAM, with little L2.
pub fn small_system(config: &CoreConfig, cores: usize) -> (CoreConfig, SystemConfig) {
    let config = machines::in_gpu(config);
    let system = SystemConfig::new(cores, 2, config.line_bytes, (16, 4), &GDDR3);
    (config, system)
}

/// Them, to run something.
///
/// # Panics
/// If it cannot be built, with the reason.
pub fn gpu((config, system): (CoreConfig, SystemConfig)) -> GpuDevice<'static> {
    build(config, system).unwrap_or_else(|error| panic!("{error:#}"))
}

/// Cores before a memory system, to run something.
///
/// # Errors
/// If it cannot be elaborated or compiled.
pub fn build(config: CoreConfig, system: SystemConfig) -> Result<GpuDevice<'static>> {
    let simulators: Vec<_> = parts(&config, &system).into_iter().map(simulator).collect::<Result<_>>()?;
    let Ok(simulators) = simulators.try_into() else { unreachable!("as many simulators as parts") };
    let engines = GpuEngines::of(simulators, &system, |simulator| anyhow::Ok(simulator.another()))?;
    Ok(GpuDevice::new(engines, config, system))
}
