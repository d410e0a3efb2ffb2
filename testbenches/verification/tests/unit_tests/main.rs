//! The modules' own unit tests (hdl/src) once more, on their netlists: what the mutation check runs.
//!
//! The sources are those of the `warploom-hdl` crate, but for `simulate`, which is that of
//! [`update`](warploom_verification::mutation::update): a test that drives a module sees the outputs of its netlist, with the mutant that the
//! environment asks for. Not built by `cargo test`, where these tests run as they are: `cargo test -p warploom-verification --test unit_tests`.
#![recursion_limit = "512"] // as of the modules
#![allow(missing_docs, dead_code, unused_imports, reason = "the crate's own build checks that")]

// For what is shared with the library: the modules here are those of this crate.
extern crate self as warploom_hdl;

/// As in hdl/src/lib.rs.
macro_rules! tick {
    ($module:expr) => {
        simulate(&mut $module, 1000);
        for _ in 0..2 {
            $module.clock.next = !$module.clock.val();
            simulate(&mut $module, 1000);
        }
    };
}

use warploom_verification::mutation::Chosen;

#[path = "../../src/equivalence/port.rs"]
mod port;
#[path = "../../src/mutation/update.rs"]
mod update;

#[path = "../../../../hdl/src/prelude.rs"]
mod names;

pub mod prelude {
    pub use crate::names::*;
    pub use crate::update::simulate;
}

#[path = "../../../../hdl/src/bundle.rs"]
pub mod bundle;
#[path = "../../../../hdl/src/catalog.rs"]
pub mod catalog;
#[path = "../../../../hdl/src/compaction_counters.rs"]
pub mod compaction_counters;
#[path = "../../../../hdl/src/config.rs"]
pub mod config;
#[path = "../../../../hdl/src/core.rs"]
pub mod core;
#[path = "../../../../hdl/src/counters.rs"]
pub mod counters;
#[path = "../../../../hdl/src/divergence/mod.rs"]
pub mod divergence;
#[path = "../../../../hdl/src/execute/mod.rs"]
pub mod execute;
#[path = "../../../../hdl/src/formation_counters.rs"]
pub mod formation_counters;
#[path = "../../../../hdl/src/frontend/mod.rs"]
pub mod frontend;
#[path = "../../../../hdl/src/gpu/mod.rs"]
pub mod gpu;
#[path = "../../../../hdl/src/interface.rs"]
pub mod interface;
#[path = "../../../../hdl/src/issue/mod.rs"]
pub mod issue;
#[path = "../../../../hdl/src/limits.rs"]
pub mod limits;
#[path = "../../../../hdl/src/mechanism/mod.rs"]
pub mod mechanism;
#[path = "../../../../hdl/src/memory/mod.rs"]
pub mod memory;
#[path = "../../../../hdl/src/memory_system/mod.rs"]
pub mod memory_system;
#[path = "../../../../hdl/src/module.rs"]
pub mod module;
#[path = "../../../../hdl/src/net.rs"]
pub mod net;
#[path = "../../../../hdl/src/parts/mod.rs"]
pub mod parts;
#[path = "../../../../hdl/src/path_counters.rs"]
pub mod path_counters;
#[path = "../../../../hdl/src/performance_counters.rs"]
pub mod performance_counters;
#[path = "../../../../hdl/src/prim/mod.rs"]
pub mod prim;
#[path = "../../../../hdl/src/records.rs"]
pub mod records;
#[path = "../../../../hdl/src/registers.rs"]
pub mod registers;
#[path = "../../../../hdl/src/replay/mod.rs"]
pub mod replay;
#[path = "../../../../hdl/src/sub_warp_counters.rs"]
pub mod sub_warp_counters;
#[path = "../../../../hdl/src/trap_unit.rs"]
pub mod trap_unit;
#[path = "../../../../hdl/src/turn_statistics.rs"]
pub mod turn_statistics;
#[path = "../../../../hdl/src/wire.rs"]
pub mod wire;
#[path = "../../../../hdl/src/word.rs"]
pub mod word;
