//! Faults for the mutation check: the netlist with one operator changed, chosen when a test starts.
//!
//! ```text
//! netlist --operators: list--> mutants by name --weave--> one netlist with all of them,
//!                                                         and an input `mutant` that chooses one (0: none)
//! ```
//! All mutants are in one netlist, so that one compiled simulator serves all of them: a mutant costs the time of a test, not that of
//! rustc. Tests know nothing of it. What builds a simulator for them ([`ModuleSimulator`](crate::module_simulator::ModuleSimulator),
//! [`core_simulator`](crate::core_simulator()), [`update::simulate`]) takes the netlist through [`Chosen::weave`], and
//! drives the input once. Without the environment variables of [`Chosen::from_environment`] nothing is changed.
use std::collections::HashMap;
use std::sync::OnceLock;

use warploom_sim::netlist::Netlist;
use warploom_sim::{BuildError, BuildOptions, Simulator};

use crate::equivalence::port;

mod operators;
mod text;
pub mod update;
mod weave;

pub use operators::{Change, Mutant, Site, mutants};
pub use weave::{PORT, Selection, weave};

/// A file with the names of mutants, one a line.
pub const LIST: &str = "WARPLOOM_MUTANTS";
/// The line of the mutant that is active, from 1 on; 0: none.
pub const NUMBER: &str = "WARPLOOM_MUTANT";

/// The mutants that a process builds into its simulators, and the one that is active.
pub struct Chosen {
    numbers: HashMap<String, u64>,
    active: u64,
}

impl Chosen {
    /// What [`LIST`] and [`NUMBER`] say; none without them.
    ///
    /// # Panics
    /// If the list cannot be read, or the number is none.
    pub fn from_environment() -> Option<&'static Self> {
        static CHOSEN: OnceLock<Option<Chosen>> = OnceLock::new();
        let read = || {
            let path = std::env::var_os(LIST)?;
            let names = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{LIST}={}: {e}", path.display()));
            let number = std::env::var(NUMBER).unwrap_or_default();
            let active = number.parse().unwrap_or_else(|_| panic!("{NUMBER} is the line of a mutant, not `{number}`"));
            Some(Self { numbers: numbered(names.lines()), active })
        };
        CHOSEN.get_or_init(read).as_ref()
    }

    /// The netlist with all mutants in it that it has a place for.
    pub fn weave(&self, netlist: &Netlist) -> Netlist {
        weave(netlist, &self.numbers, Selection::Port)
    }

    /// The number of the active one; 0: none.
    pub fn active(&self) -> u64 {
        self.active
    }

    /// Makes the mutant active.
    pub fn drive(&self, simulator: &mut Simulator) {
        simulator.set(simulator.port(PORT).expect("the netlist has been woven"), self.active);
    }
}

/// Names with their numbers, from 1 on.
pub fn numbered<'a>(names: impl Iterator<Item = &'a str>) -> HashMap<String, u64> {
    names.map(str::to_string).zip(1..).collect()
}

/// Builds a simulator of the netlist, with the mutants of the environment.
///
/// # Errors
/// As [`Simulator::build`].
pub fn build(netlist: &Netlist, options: &BuildOptions) -> Result<Simulator, BuildError> {
    let Some(chosen) = Chosen::from_environment() else { return Simulator::build(netlist, options) };
    let mut simulator = Simulator::build(chosen.weave(netlist), options)?;
    chosen.drive(&mut simulator);
    Ok(simulator)
}
