//! DRAM behind its pins: an array of bytes that checks every command it is given.
mod array;
mod protocol;

pub use array::{DramArray, DramPins};
pub use protocol::{Command, Protocol, Violation};
