//! Shared building blocks: arbiters, encoders, queues, and what keeps a branch annotation.
mod annotation_memory;
mod annotation_register;
mod crossbar_slot;
mod fifo;
mod fifo_control;
mod lane_crossbar;
mod oldest_first_arbiter;
mod oldest_first_row;
mod one_hot_mux;
mod prefix_or;
mod rotating_choice;
mod round_robin_arbiter;
mod two_level_arbiter;

pub use annotation_memory::AnnotationMemory;
pub use annotation_register::AnnotationRegister;
pub use crossbar_slot::CrossbarSlot;
pub use fifo::Fifo;
pub use fifo_control::FifoControl;
pub use lane_crossbar::LaneCrossbar;
pub use oldest_first_arbiter::OldestFirstArbiter;
pub use oldest_first_row::OldestFirstRow;
pub use one_hot_mux::OneHotMux;
pub use prefix_or::PrefixOr;
pub use rotating_choice::RotatingChoice;
pub use round_robin_arbiter::RoundRobinArbiter;
pub use two_level_arbiter::TwoLevelArbiter;
