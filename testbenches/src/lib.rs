//! Host runtime, reference model, loader, kernels, and one testbench per module.

pub mod cores;
pub mod disassembly;
pub mod divergence_model;
pub mod equivalence;
pub mod fuzz;
pub mod host;
pub mod isa;
pub mod kernels;
pub mod loader;
pub mod module_simulator;
pub mod mutation;
pub mod random_program;
pub mod reference;
pub mod toolchain;
