//! What a simulation runs on: a core alone, or a GPU; its netlists, and simulators of them.
use std::hash::{Hash, Hasher};

use anyhow::{Context, Result};
use twox_hash::XxHash64;
use warploom_hdl::config::CoreConfig;
use warploom_hdl::gpu;
use warploom_hdl::memory_system::SystemConfig;
use warploom_sim::engine::{Recording, StraightLine};
use warploom_sim::netlist::Netlist;
use warploom_sim::{BuildOptions, Simulator};

use crate::elaborate::{elaborate, elaborate_core};

/// What is simulated. Of a GPU: one of its cores, which are all the same, and what they share.
pub struct Netlists {
    /// The core, or its tile.
    pub core: Netlist,
    /// Interconnect, and one of the memory partitions.
    shared: Option<[Netlist; 2]>,
}

/// Simulators of it.
pub struct Simulators {
    /// The core, or its tile.
    pub core: Simulator,
    /// The interconnect, and a memory partition.
    pub shared: Option<[Simulator; 2]>,
}

impl Netlists {
    /// A core; one of a GPU if there is a memory system.
    ///
    /// # Errors
    /// If it cannot be elaborated.
    pub fn new(config: &CoreConfig, system: Option<&SystemConfig>) -> Result<Self> {
        Ok(match system {
            None => Self { core: elaborate_core(config)?, shared: None },
            Some(system) => {
                let [core, interconnect, partition] = gpu::parts(config, system);
                let interconnect = elaborate("interconnect", interconnect)?;
                let shared = Some([interconnect, elaborate("memory_partition", partition)?]);
                Self { core: elaborate("core_tile", core)?, shared }
            }
        })
    }

    /// Of all of it, as a number.
    pub fn fingerprint(&self) -> u64 {
        let Some([interconnect, partition]) = &self.shared else { return self.core.fingerprint() };
        let mut hasher = XxHash64::default();
        [&self.core, interconnect, partition].map(Netlist::fingerprint).hash(&mut hasher);
        hasher.finish()
    }

    /// Builds the simulators; what is to be observed is of the core.
    ///
    /// # Errors
    /// If one cannot be built.
    pub fn build(self, options: &BuildOptions) -> Result<Simulators> {
        let of_shared = BuildOptions { observe: vec![], ..options.clone() };
        let core = Simulator::build(self.core, options).context("cannot build the simulator of the core")?;
        let of = |netlist: Netlist, what: &str| {
            Simulator::build(netlist, &of_shared).with_context(|| format!("cannot build the simulator of {what}"))
        };
        let shared = match self.shared {
            None => None,
            Some([interconnect, partition]) => {
                Some([of(interconnect, "the interconnect")?, of(partition, "a memory partition")?])
            }
        };
        Ok(Simulators { core, shared })
    }
}

impl Simulators {
    /// What is recorded of them, if they were built to be.
    pub fn recordings(&self) -> Vec<Recording> {
        self.all().filter_map(Simulator::recording).collect()
    }

    /// Their straight-line code.
    pub fn straight_lines(&self) -> Vec<StraightLine> {
        self.all().filter_map(Simulator::straight_line).collect()
    }

    fn all(&self) -> impl Iterator<Item = &Simulator> {
        [&self.core].into_iter().chain(self.shared.iter().flatten())
    }

    /// The same, after power-up.
    pub fn another(&self) -> Self {
        Self {
            core: self.core.another(),
            shared: self.shared.as_ref().map(|shared| shared.each_ref().map(Simulator::another)),
        }
    }
}
