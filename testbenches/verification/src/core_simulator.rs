//! The core of a configuration as a generated simulator, for tests.
use warploom_hdl::config::CoreConfig;
use warploom_hdl::core::Core;
use warploom_hdl::prelude::Block;
use warploom_sim::{BuildOptions, Simulator, elaborate};

use crate::mutation;

/// Elaborates the core and builds its simulator.
///
/// # Panics
/// If either fails, with its message.
pub fn core_simulator(config: &CoreConfig, options: &BuildOptions) -> Simulator {
    let mut core = Core::new(config);
    core.connect_all();
    let netlist = elaborate(&core).unwrap_or_else(|e| panic!("{e}"));
    mutation::build(&netlist, options).unwrap_or_else(|e| panic!("{e}"))
}
