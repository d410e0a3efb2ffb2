//! What can be wrong with a run.
use std::mem::{Discriminant, discriminant};

use warploom_hdl::interface::TrapCause;
use warploom_runtime::host::{DeviceError, Trap};

/// A difference between the core and the reference model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum Failure {
    /// The generator is wrong, or the model.
    #[error("the reference model stops: {0}")]
    Reference(DeviceError),
    #[error("the core stops: {0}")]
    Core(DeviceError),
    #[error("the core stops: {got:?}; the reference model: {expected:?}")]
    Trap { got: Box<Trap>, expected: Box<Trap> },
    #[error("{threads} threads have ended, of {expected}")]
    Threads { threads: usize, expected: usize },
    #[error("{place}: {got:#x} instead of {expected:#x}")]
    Memory { place: String, got: u32, expected: u32 },
    #[error("{place}: other values were written")]
    Registers { place: String },
    #[error("atomics with a result: {0}")]
    Atomics(String),
    #[error("{got} instructions of threads instead of {expected}")]
    Instructions { got: u64, expected: u64 },
}

impl Failure {
    /// Which of them it is: what is shrunk must not become something else.
    pub fn kind(&self) -> (Discriminant<Self>, Option<Discriminant<DeviceError>>, Option<TrapCause>) {
        let error = match self {
            Self::Reference(error) | Self::Core(error) => Some(error),
            _ => None,
        };
        let cause = match error {
            Some(DeviceError::Trap(trap)) => Some(trap.cause),
            _ => None,
        };
        (discriminant(self), error.map(discriminant), cause)
    }
}
