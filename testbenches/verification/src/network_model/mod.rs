//! A network as specified: its crossbar tick by tick, how many flits a packet has, and random flits.
mod crossbar;
mod packet;
mod stimulus;

pub use crossbar::{Crossbar, Flit};
pub use packet::Packet;
pub use stimulus::mostly_heads;
