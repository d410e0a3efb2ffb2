//! Shared building blocks: arbiters, encoders, queues.
mod fifo;
mod fifo_control;
mod oldest_first_arbiter;
mod oldest_first_row;
mod one_hot_mux;
mod round_robin_arbiter;

pub use fifo::Fifo;
pub use fifo_control::FifoControl;
pub use oldest_first_arbiter::OldestFirstArbiter;
pub use oldest_first_row::OldestFirstRow;
pub use one_hot_mux::OneHotMux;
pub use round_robin_arbiter::RoundRobinArbiter;
