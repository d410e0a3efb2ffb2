//! A channel of DRAM for tests: its controller as specified, and a bench that puts the RTL between random requests and the DRAM.
mod bench;
mod pins;
mod scheduler;
mod timings;

pub use bench::{DramBench, LineAccess};
pub use pins::pins;
pub use scheduler::{Burst, Request, Scheduler};
pub use timings::{EVERY_RULE, TIMINGS};
