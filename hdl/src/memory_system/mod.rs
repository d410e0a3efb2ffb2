//! What lies between the cores and the pins of DRAM.
//!
//! ```text
//!  cores ---> network (requests) ---> L2Slice ---> DramController ---> pins of a channel
//!        <--- network (replies)  <---         <---
//! ```
//!
//! One physical clock; each part advances on the [`Tick`]s of its own domain.
pub mod dram;
pub mod l2;
pub mod network;
mod tick;

pub use tick::Tick;
