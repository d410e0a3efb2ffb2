//! Verilog export and the synthesis flow.
pub mod check;
pub mod tools;
pub mod verilated;
pub mod verilog;
