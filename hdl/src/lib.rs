//! The hardware of warploom: synthesizable rust-hdl modules, one per file.
//!
//! The folders follow the pipeline: [`frontend`] → [`issue`] → [`execute`] and [`memory`], with
//! [`divergence`] deciding which threads run next. [`parts`] are the arbiters, encoders and queues
//! they share; [`prim`] are the leaves the elaborator knows by name. `Net` and `Word` ([`net`],
//! [`word`]) carry widths that are values of the constructors, so one build serves every preset.
//!
//! A module declares its fields by [`module!`], signals that travel together are a [`bundle!`], [`wire::join`] connects them,
//! [`records!`] and [`registers!`] keep them; [`interface`] is how the blocks talk, [`core`] how they are put together.
#![recursion_limit = "512"] // `module!` takes connections one by one.
#![allow(missing_docs)] // Ports are documented in the table of each module, with width and meaning.
/// One clock cycle of a module under test: settles its inputs, then a rising and a falling edge.
#[cfg(test)]
macro_rules! tick {
    ($module:expr) => {
        simulate(&mut $module, 1000);
        for _ in 0..2 {
            $module.clock.next = !$module.clock.val();
            simulate(&mut $module, 1000);
        }
    };
}

pub mod activity;
pub mod bundle;
pub mod catalog;
pub mod compaction_counters;
pub mod config;
pub mod core;
pub mod counters;
pub mod divergence;
pub mod execute;
pub mod formation_counters;
pub mod frontend;
pub mod gpu;
pub mod interface;
pub mod issue;
pub mod limits;
pub mod mechanism;
pub mod memory;
pub mod memory_system;
pub mod module;
pub mod net;
pub mod parts;
pub mod path_counters;
pub mod performance_counters;
pub mod prelude;
pub mod prim;
pub mod records;
pub mod registers;
pub mod replay;
pub mod sub_warp_counters;
pub mod trap_unit;
pub mod turn_statistics;
pub mod wire;
pub mod word;
