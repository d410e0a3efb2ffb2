//! Verilog export and the synthesis flow.
