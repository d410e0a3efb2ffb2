//! DRAM behind its pins: an array of bytes that checks every command it is given.
mod array;
mod energy;
mod protocol;

pub use array::{DramArray, DramPins};
pub use energy::{ChannelActivity, DramEnergy, DramPart, GDDR3_PART, GDDR5_PART};
pub use protocol::{Command, Protocol, Violation};
