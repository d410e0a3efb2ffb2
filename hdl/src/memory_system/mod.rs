//! What lies between the cores and the pins of DRAM.
pub mod dram;
pub mod network;
mod tick;

pub use tick::Tick;
