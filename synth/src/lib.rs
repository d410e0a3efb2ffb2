//! Verilog export and the synthesis flow.
pub mod assertions;
pub mod cells;
pub mod check;
pub mod flow;
pub mod fpga;
pub mod gates;
pub mod memories;
pub mod papers;
pub mod picture;
pub mod power;
pub mod prove;
pub mod report;
pub mod timing;
pub mod tools;
mod units;
pub mod verilated;
pub mod verilog;
mod yosys_json;
