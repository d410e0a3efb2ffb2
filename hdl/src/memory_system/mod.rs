//! What lies between the cores and the pins of DRAM.
pub mod dram;
pub mod l2;
