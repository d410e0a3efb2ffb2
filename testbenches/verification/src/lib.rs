//! What the core and its blocks are checked with: reference model, models of the mechanisms, equivalence, random programs, mutants.

pub mod compactability;
mod core_simulator;
pub mod cores;
pub mod coverage;
pub mod divergence_model;
pub mod dram_model;
pub mod equivalence;
pub mod fuzz;
pub mod gpu;
pub mod l2_model;
pub mod litmus;
pub mod module_simulator;
pub mod mutation;
pub mod network_model;
pub mod random_program;
pub mod reference;
pub mod stack_bench;
pub mod words;

pub use core_simulator::core_simulator;
