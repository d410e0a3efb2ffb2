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
pub mod dram;
pub mod l2;
mod memory_channel;
pub mod network;
mod tick;

pub use address_map::AddressMap;
pub use memory_channel::MemoryChannel;
pub use tick::Tick;
