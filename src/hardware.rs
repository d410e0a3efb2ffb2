//! What a simulation runs on: a core alone, or a GPU; its netlists, and simulators of them.
use std::hash::{Hash, Hasher};

use anyhow::{Context, Result};
use twox_hash::XxHash64;
use warploom_hdl::config::CoreConfig;
use warploom_hdl::gpu::{CoreTile, Uncore};
use warploom_hdl::memory_system::SystemConfig;
use warploom_sim::netlist::Netlist;
use warploom_sim::{BuildOptions, Simulator};

use crate::elaborate::{elaborate, elaborate_core};

/// What is simulated. Of a GPU: one of its cores, which are all the same, and what they share.
pub struct Netlists {
    /// The core, or its tile.
    pub core: Netlist,
    shared: Option<Netlist>,
}

/// Simulators of it.
pub struct Simulators {
    /// The core, or its tile.
    pub core: Simulator,
    /// What cores share.
    pub shared: Option<Simulator>,
}

impl Netlists {
    /// A core; one of a GPU if there is a memory system.
    ///
    /// # Errors
    /// If it cannot be elaborated.
    pub fn new(config: &CoreConfig, system: Option<&SystemConfig>) -> Result<Self> {
        Ok(match system {
            None => Self { core: elaborate_core(config)?, shared: None },
            Some(system) => Self {
                core: elaborate("core_tile", Box::new(CoreTile::new(config, system)))?,
                shared: Some(elaborate("uncore", Box::new(Uncore::new(system)))?),
            },
        })
    }

    /// Of all of it, as a number.
    pub fn fingerprint(&self) -> u64 {
        let Some(shared) = &self.shared else { return self.core.fingerprint() };
        let mut hasher = XxHash64::default();
        (self.core.fingerprint(), shared.fingerprint()).hash(&mut hasher);
        hasher.finish()
    }

    /// Builds the simulators; what is to be observed is of the core.
    ///
    /// # Errors
    /// If one cannot be built.
    pub fn build(&self, options: &BuildOptions) -> Result<Simulators> {
        let of_shared = BuildOptions { observe: vec![], ..options.clone() };
        let core = Simulator::build(&self.core, options).context("cannot build the simulator of the core")?;
        let shared = self.shared.as_ref().map(|netlist| Simulator::build(netlist, &of_shared)).transpose();
        Ok(Simulators { core, shared: shared.context("cannot build the simulator of what the cores share")? })
    }
}

impl Simulators {
    /// The same, after power-up.
    pub fn another(&self) -> Self {
        Self { core: self.core.another(), shared: self.shared.as_ref().map(Simulator::another) }
    }
}
