//! DRAM behind its pins: it checks every command it is given; and what it uses.
mod array;
mod cells;
mod energy;
mod protocol;

pub use array::{DramArray, DramPins};
pub use cells::{Cells, Place, SparseCells};
pub use energy::{ChannelActivity, DramEnergy, DramPart, GDDR3_PART, GDDR5_PART};
pub use protocol::{Command, Protocol, Violation};
