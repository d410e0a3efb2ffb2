//! Elaboration into one netlist, lint, the generated simulator, waveforms.

pub mod netlist;
