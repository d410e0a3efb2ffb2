//! Verilog export and the synthesis flow.
pub mod cells;
pub mod check;
pub mod flow;
pub mod memories;
pub mod report;
pub mod timing;
pub mod tools;
pub mod verilated;
pub mod verilog;
