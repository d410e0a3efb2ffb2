//! Verilog export and the synthesis flow.
pub mod verilog;
