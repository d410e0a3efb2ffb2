//! Elaboration into one netlist, lint, the generated simulator, waveforms.

pub mod cache;
pub mod elaborate;
pub mod emit;
pub mod engine;
pub mod files;
pub mod flatten;
pub mod gating;
pub mod glob;
mod hash;
mod heap;
pub mod interpret;
pub mod ir;
pub mod lint;
pub mod netlist;
pub mod passes;
pub mod storage;
pub mod tool;
pub mod wave;

pub use elaborate::{ElaborateError, elaborate};
pub use engine::{BuildError, BuildOptions, BuildReport, Engine, ObservedNet, Port, RestoreError, Simulator, State};
pub use interpret::Interpreter;
pub use passes::Passes;
