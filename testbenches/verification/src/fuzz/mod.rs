//! Differential fuzzing: random programs on random cores and GPUs, against the reference model.
//!
//! A [`Case`] is a program with its launch, its data and the memory behind the core; like the core itself ([`core::draw`]) it is drawn from
//! [`Choices`](crate::random_program::Choices), so what fails is [shrunk](shrink) by changing choices. A [`Bench`] runs cases on the simulator of one [`Machine`] and
//! compares them with the reference model. A [`Campaign`] is many of them, by their seeds. What it finds is written to an assembly [`file`](mod@file).
use anyhow::Result;
use warploom_hdl::config::CoreConfig;
use warploom_hdl::core::Core;
use warploom_hdl::prelude::Block;
use warploom_sim::{BuildOptions, Simulator, elaborate};

mod atomics;
mod bench;
pub mod campaign;
mod case;
pub mod core;
mod failure;
pub mod file;
mod machine;
mod shared;
pub mod shrink;

pub use bench::{Bench, Passed};
pub use campaign::{Campaign, Found};
pub use case::Case;
pub use failure::Failure;
pub use machine::Machine;
pub use shared::{GpuSize, SharedParts};

/// The simulator of a core.
///
/// # Errors
/// If it cannot be elaborated or compiled.
pub fn simulator(config: &CoreConfig) -> Result<Simulator> {
    observed_simulator(config, vec![])
}

/// The simulator of a core that shows these nets.
///
/// # Errors
/// If it cannot be elaborated or compiled.
pub fn observed_simulator(config: &CoreConfig, observe: Vec<String>) -> Result<Simulator> {
    let mut core = Core::new(config);
    core.connect_all();
    Ok(Simulator::build(&elaborate(&core)?, &BuildOptions { observe, ..BuildOptions::default() })?)
}
