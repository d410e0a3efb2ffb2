//! Turns: how long threads of a warp run while others of it wait for them, or could run.
use serde::{Deserialize, Serialize};

use super::{Choice, Mechanism};
use crate::config::CoreConfig;
use crate::limits::{Legal, Parameter};

/// When the running threads of a warp give up their turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turns {
    /// Trips round loops that may wait for other threads.
    pub spin: usize,
    /// Instructions, counted while another thread of the warp waits for these or could run; looked at where control flow may change.
    pub quantum: usize,
}

impl Turns {
    /// As they are when nothing is chosen.
    pub const DEFAULT: Self = Self { spin: 8, quantum: 16_384 };
}

/// [`Turns::spin`], of every mechanism that has turns.
pub const SPIN: Choice = Choice::Number {
    parameter: Parameter {
        name: "spin",
        meaning: "trips round a loop that may wait for other threads, before these get their turn",
        legal: |_| Legal::range(1, 15),
        reason: "the counter has four bits",
        get: |config| turns(config).map(|turns| turns.spin),
        set: |config, value| {
            if let Some(turns) = config.mechanism.turns_mut() {
                turns.spin = value;
            }
        },
    },
    of: "trips",
    tried: &[8, 1, 3],
};

/// [`Turns::quantum`], of every mechanism that has turns.
pub const QUANTUM: Choice = Choice::Number {
    parameter: Parameter {
        name: "quantum",
        meaning: "instructions of a warp before threads that wait for the running ones get their turn",
        legal: |_| Legal::powers_of_two(1, 1 << 24),
        reason: "a power of two is a bit of the counter",
        get: |config| turns(config).map(|turns| turns.quantum),
        set: |config, value| {
            if let Some(turns) = config.mechanism.turns_mut() {
                turns.quantum = value;
            }
        },
    },
    of: "instructions",
    tried: &[16_384, 1, 16, 256],
};

fn turns(config: &CoreConfig) -> Option<Turns> {
    config.mechanism.traits().turns
}

impl Mechanism {
    fn turns_mut(&mut self) -> Option<&mut Turns> {
        match self {
            Self::SchedulableStack(turns) => Some(turns),
            Self::IndependentThreads(threads) => Some(&mut threads.turns),
            _ => None,
        }
    }
}
