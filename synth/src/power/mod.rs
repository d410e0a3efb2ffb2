//! What mapped gates take from the supply while a kernel runs: its inputs are replayed, and what toggles is counted.
//!
//! ```text
//!  inputs, cycle by cycle --replay--> toggles, charges, states --estimate--> leakage, internal, switching
//!                                                                   ^
//!                         Gates --loads--> slews and capacitances --+
//! ```
//! Left out: wires, glitches, the clock's net and its tree (not the clock pins of flip-flops), nets that inputs drive, which
//! are the outside's, and black boxes.
//!
//! A flip-flop behind a gate of its clock has the edges that the gate lets through, and no other. The gate itself is cells at
//! work: its clock pin in every cycle, its enable, and its output with all clock pins behind it in cycles in which it is open.
mod activity;
#[cfg(test)]
mod agreement;
mod compiled;
mod estimate;
mod loads;
mod replay;
#[cfg(test)]
mod tests;

pub use activity::Activity;
pub use estimate::{OfKind, Part, Power, by_kind, estimate};
pub use replay::Replay;
