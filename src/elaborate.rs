//! From sizes to a netlist.
use anyhow::{Context, Result, bail};
use warploom_hdl::catalog::{CATALOG, CatalogEntry};
use warploom_hdl::config::CoreConfig;
use warploom_hdl::core::Core;
use warploom_hdl::prelude::Block;
use warploom_sim::netlist::Netlist;

use crate::suggest::nearest;

/// A module of the catalog.
pub fn module(name: &str) -> Result<&'static CatalogEntry> {
    let Some(module) = CATALOG.iter().find(|module| module.name == name) else {
        bail!("there is no module `{name}`{}\n  see `warploom modules`", nearest(name, CATALOG.iter().map(|m| m.name)));
    };
    Ok(module)
}

/// The core of these sizes.
pub fn elaborate_core(config: &CoreConfig) -> Result<Netlist> {
    elaborate("core", Box::new(Core::new(config)))
}

/// A module, with everything in it.
pub fn elaborate(name: &str, mut module: Box<dyn Block>) -> Result<Netlist> {
    module.connect_all();
    warploom_sim::elaborate(module.as_ref()).with_context(|| format!("cannot elaborate `{name}`"))
}
