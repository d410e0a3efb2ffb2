//! A channel of DRAM: what may be said to it, and what is.
//!
//! ```text
//!  DramController
//!    requests --+--> DramScheduler                                                 DRAM
//!               |      DramQueue ---> CommandChoice -------------------------------> command, bank, row, column
//!               |          ^            ^   ^    |
//!               |          |            |   |    +------------+
//!               |          +-- chosen --+   |                 v
//!               |                           +--- DramBank x B, DramChannel (Countdown)
//!               +--> WriteBuffer (BurstTimer) -------------------------------------> data, mask
//!    replies <------ ReadReturn (BurstTimer) <-------------------------------------- data
//! ```
mod burst_timer;
mod channel_counters;
mod command_choice;
mod countdown;
mod dram_bank;
mod dram_channel;
mod dram_controller;
mod dram_map;
mod dram_queue;
mod dram_scheduler;
mod read_return;
mod timing;
mod write_buffer;

pub use burst_timer::BurstTimer;
pub use channel_counters::{CHANNEL_COUNTERS, ChannelCounters, ChannelEvents};
pub use command_choice::CommandChoice;
pub use countdown::Countdown;
pub use dram_bank::DramBank;
pub use dram_channel::DramChannel;
pub use dram_controller::{DramBus, DramController};
pub use dram_map::{AddressBits, DramMap};
pub use dram_queue::{DramQueue, DramRequest};
pub use dram_scheduler::DramScheduler;
pub use read_return::{FetchedBurst, ReadReturn};
pub use timing::{ChannelConfig, DramCommand, DramTiming, GDDR3, GDDR5};
pub use write_buffer::{WriteBuffer, WrittenLine};
