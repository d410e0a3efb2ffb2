//! What mapped gates take from the supply while a kernel runs: its inputs are replayed, and what toggles is counted.
mod estimate;
mod replay;

pub use estimate::{Part, Power, estimate};
pub use replay::{Activity, Replay};
