//! From sizes to a netlist.
use anyhow::{Context, Result};
use warploom_hdl::config::CoreConfig;
use warploom_hdl::core::Core;
use warploom_hdl::prelude::Block;
use warploom_sim::netlist::Netlist;

/// The core of these sizes.
pub fn elaborate_core(config: &CoreConfig) -> Result<Netlist> {
    elaborate("core", Box::new(Core::new(config)))
}

/// A module, with everything in it.
pub fn elaborate(name: &str, mut module: Box<dyn Block>) -> Result<Netlist> {
    module.connect_all();
    warploom_sim::elaborate(module.as_ref()).with_context(|| format!("cannot elaborate `{name}`"))
}
