//! What a block of the core does while a kernel runs, replayed on its gates.
//!
//! ```text
//!  core --instance--> block --pins--> which net of the core is which pin of the gates
//!                                       |
//!  kernel or waveform --values, cycle by cycle--> Recorder --inputs--> Twin (the gates)
//!                                                    ^-------outputs-------+   compared
//! ```
pub mod gates;
pub mod instance;
pub mod kernel;
pub mod memories;
pub mod observable;
pub mod pins;
pub mod recorder;
pub mod waveform;

#[cfg(test)]
mod tests;
