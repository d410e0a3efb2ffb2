//! Independent thread scheduling.
use serde::{Deserialize, Serialize};

use super::turns::{QUANTUM, SPIN};
use super::{About, Choice, Entry, Mechanism, Representative, Traits, options::Turns};
use crate::limits::{Legal, Parameter};

/// A PC for every thread, and convergence barriers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndependentThreads {
    /// Convergence barriers of a warp.
    pub barriers: usize,
    /// When threads give up their turn.
    pub turns: Turns,
}

impl IndependentThreads {
    /// Those of the mechanism.
    pub fn traits(self) -> Traits {
        Traits {
            likely_convergence: false,
            turns: Some(self.turns),
            progresses: true,
            divergent_jumps: true,
            barriers: Some(self.barriers),
            ..Traits::SINGLE_PATH
        }
    }
}

pub static ENTRY: Entry = Entry {
    about: About {
        name: "its",
        summary: "independent thread scheduling: a PC for every thread; its:N has N convergence barriers a warp, 8 by default",
        source: "US 10,067,768; Vortex, its_rtl_design_review",
        blocks: &["independent_threads", "convergence_barriers", "group_selector", "thread_pcs", "turn_counters"],
    },
    alias: None,
    stack: "independent_threads",
    default: Mechanism::IndependentThreads(IndependentThreads { barriers: 8, turns: Turns::DEFAULT }),
    choices: &[
        Choice::Number {
            parameter: Parameter {
                name: "its_barriers",
                meaning: "convergence barriers of a warp under its",
                legal: |_| Legal::range(0, 16),
                reason: "each compares its PC with three others in a cycle; without one left, threads do not reconverge, and that is all",
                get: |config| barriers(config.mechanism).map(|threads| threads.barriers),
                set: |config, value| {
                    if let Mechanism::IndependentThreads(threads) = &mut config.mechanism {
                        threads.barriers = value;
                    }
                },
            },
            of: "barriers",
            tried: &[8, 0, 1, 2, 3],
        },
        SPIN,
        QUANTUM,
    ],
    spelled: 1,
    representatives: &[
        Representative::of("its:8").covering().on_paper(),
        // Short of barriers, and of turns that end.
        Representative::of("its:1").with(&[("spin", 2), ("quantum", 16)]),
    ],
};

fn barriers(mechanism: Mechanism) -> Option<IndependentThreads> {
    match mechanism {
        Mechanism::IndependentThreads(threads) => Some(threads),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanism::Composition;

    #[test]
    fn the_number_is_that_of_the_barriers() {
        for (text, barriers, canonical) in
            [("its", 8, "its:8"), ("its:0", 0, "its:0"), ("its:3+slp", 3, "its:3+slp=balanced")]
        {
            let composition: Composition = text.parse().unwrap();
            let mechanism = Mechanism::IndependentThreads(IndependentThreads { barriers, turns: Turns::DEFAULT });
            assert_eq!((composition.mechanism, composition.to_string().as_str()), (mechanism, canonical));
        }
        assert_eq!(ENTRY.default.in_full(), "its:8 (spin 8, quantum 16384)");
        let turns = Turns { spin: 1, quantum: 64 };
        let chosen = SPIN.with(QUANTUM.with(ENTRY.default, 64), 1);
        assert_eq!(chosen.traits().turns, Some(turns));
    }
}
