//! DRAM behind its pins: an array of bytes that checks every command it is given.
mod array;
mod cells;
mod protocol;

pub use array::{DramArray, DramPins};
pub use cells::{Cells, Place, SparseCells};
pub use protocol::{Command, Protocol, Violation};
