//! A network: packets from any of its inputs to any of its outputs, flit by flit. There is one for requests and one for replies.
//!
//! ```text
//!                              +---------------------------- Crossbar ----------------------------+
//!  Packet ---> PacketSender ---|--> FlitBuffer --+--> CrossbarOutput: arbiter, mux, HopPipeline --|---> PacketReceiver ---> Packet
//!                              |                  \/                                              |
//!                              |                  /\                                              |
//!  Packet ---> PacketSender ---|--> FlitBuffer --+--> CrossbarOutput                              |---> PacketReceiver ---> Packet
//!                              |                       ...                                        |
//!                              +------------------------------------------------------------------+
//! ```
//!
//! Between a core and the network lies a link, of wires and registers only: a [`LinkSender`] at its one end, a [`LinkReceiver`] at the other, a [`LinkPipeline`] between.
//!
//! Everything advances on the `tick` of the network's domain ([`Tick`](super::Tick)): what is offered and can be taken moves at the edge
//! of a cycle with a tick, and stays otherwise.
mod config;
mod crossbar;
mod crossbar_output;
mod delay_line;
mod flit;
mod flit_buffer;
mod hop_pipeline;
mod link_pipeline;
mod link_receiver;
mod link_sender;
mod packet;
mod packet_receiver;
mod packet_sender;

pub use config::NetworkConfig;
pub use crossbar::Crossbar;
pub use crossbar_output::CrossbarOutput;
pub use delay_line::{DelayLine, DelayedFlit, DelayedTable};
pub use flit::{ArrivedFlit, ArrivedFlitRegister, Flit, FlitRegister};
pub use flit_buffer::{FlitBuffer, FlitTable, WaitingFlit};
pub use hop_pipeline::HopPipeline;
pub use link_pipeline::LinkPipeline;
pub use link_receiver::LinkReceiver;
pub use link_sender::LinkSender;
pub use packet::{Packet, PacketKind, SECTOR_BYTES};
pub use packet_receiver::PacketReceiver;
pub use packet_sender::PacketSender;
