//! Shared building blocks: arbiters, encoders, queues.
mod round_robin_arbiter;
pub use round_robin_arbiter::RoundRobinArbiter;
