//! A channel of DRAM and its controller, as specified: what every command costs, and which comes next.
mod protocol;
mod scheduler;

pub use protocol::{Command, Kind, Protocol};
pub use scheduler::{Request, Scheduler};
