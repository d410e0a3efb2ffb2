//! One file per subcommand.
pub mod app;
pub mod build;
pub mod cache;
pub mod compare;
pub mod disasm;
pub mod doctor;
pub mod export;
pub mod fuzz;
pub mod kernels;
pub mod lists;
pub mod meta;
pub mod modules;
pub mod picture;
pub mod run;
pub mod synth;
