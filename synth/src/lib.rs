//! Verilog export and the synthesis flow.
pub mod verilated;
pub mod verilog;
