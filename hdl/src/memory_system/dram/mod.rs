//! A channel of DRAM: what may be said to it, and what is.
//!
//! ```text
//!  requests ---> DramQueue ---> CommandChoice ---> command, bank, row, column
//!                    ^            ^   ^    |
//!                    |            |   |    +------------+
//!                    +-- chosen --+   |                 v
//!                                     +--- DramBank x B, DramChannel
//! ```
mod command_choice;
mod countdown;
mod dram_bank;
mod dram_channel;
mod dram_queue;
mod dram_scheduler;
mod timing;

pub use command_choice::CommandChoice;
pub use countdown::Countdown;
pub use dram_bank::DramBank;
pub use dram_channel::DramChannel;
pub use dram_queue::{DramQueue, DramRequest};
pub use dram_scheduler::DramScheduler;
pub use timing::{ChannelConfig, DramCommand, DramTiming, GDDR3, GDDR5};
