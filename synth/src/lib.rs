//! Verilog export and the synthesis flow.
pub mod cells;
pub mod check;
pub mod flow;
pub mod gates;
pub mod memories;
pub mod power;
pub mod report;
pub mod timing;
pub mod tools;
pub mod verilated;
pub mod verilog;
