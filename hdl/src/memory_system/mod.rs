//! What lies between the cores and the pins of DRAM.
//!
//! ```text
//!                                     MemoryChannel
//!  cores ---> network (requests) ---> L2Slice ---> DramController ---> pins of the channel
//!        <--- network (replies)  <---         <---
//! ```
//!
//! One physical clock; each part advances on the [`Tick`]s of its own domain.
mod address_map;
mod core_port;
pub mod dram;
pub mod l2;
mod l2_port;
mod memory_channel;
pub mod network;
mod read_delay;
mod ripening;
mod system_config;
mod tick;

pub use address_map::AddressMap;
pub use core_port::CorePort;
pub use l2_port::{L2Port, L2QueueTable, QueuedL2Request};
pub use memory_channel::MemoryChannel;
pub use read_delay::{DelayedRead, DelayedReadTable, ReadDelay};
pub use ripening::Ripening;
pub use system_config::{Clocks, SystemConfig};
pub use tick::Tick;
