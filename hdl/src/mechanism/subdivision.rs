//! Dynamic warp subdivision.
use serde::{Deserialize, Serialize};

use super::{About, Choice, Entry, Mechanism, Representative, TrackedBy, Traits};
use crate::limits::{Legal, Parameter};

/// Dynamic warp subdivision: Rhu 2014, 3.1.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subdivision {
    /// A warp is divided at a branch whose reconvergence point begins a block of at most so many instructions.
    pub threshold: usize,
    /// Warp-splits of a warp that can be scheduled at once.
    pub splits: usize,
}

impl Subdivision {
    /// Those of the mechanism.
    pub fn traits(self) -> Traits {
        Traits {
            sides: self.splits,
            scoreboard: TrackedBy::Thread,
            divides_before: Some(self.threshold),
            likely_convergence: false,
            ..Traits::SINGLE_PATH
        }
    }
}

pub static ENTRY: Entry = Entry {
    about: About {
        name: "dws",
        summary: "dynamic warp subdivision: a warp is divided where the block behind the branch is short; dws:N says how short, 50 by default",
        source: "Rhu 2014, 3.1.2",
        blocks: &["warp_subdivision", "warp_split_table", "thread_scoreboard"],
    },
    alias: None,
    stack: "warp_subdivision",
    default: Mechanism::Subdivision(Subdivision { threshold: 50, splits: 4 }),
    choices: &[
        Choice::Number {
            parameter: Parameter {
                name: "subdivision_threshold",
                meaning: "instructions of the longest block before which dws divides a warp",
                legal: |_| Legal::range(0, 1 << 22),
                reason: "no block is longer than the instruction memory",
                get: |config| subdivision(config.mechanism).map(|subdivision| subdivision.threshold),
                set: |config, value| {
                    if let Mechanism::Subdivision(subdivision) = &mut config.mechanism {
                        subdivision.threshold = value;
                    }
                },
            },
            of: "instructions",
            tried: &[50, 2, 6, 10, 100],
        },
        Choice::Number {
            parameter: Parameter {
                name: "subdivision_splits",
                meaning: "warp-splits of a warp that dws can schedule at once",
                legal: |_| Legal::powers_of_two(2, 8),
                reason: "their number is a bit field beside that of the warp; more than 8 are not tested",
                get: |config| subdivision(config.mechanism).map(|subdivision| subdivision.splits),
                set: |config, value| {
                    if let Mechanism::Subdivision(subdivision) = &mut config.mechanism {
                        subdivision.splits = value;
                    }
                },
            },
            of: "warp-splits",
            tried: &[4, 2, 8],
        },
    ],
    spelled: 1,
    representatives: &[Representative::of("dws:50").covering()],
};

fn subdivision(mechanism: Mechanism) -> Option<Subdivision> {
    match mechanism {
        Mechanism::Subdivision(subdivision) => Some(subdivision),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanism::Composition;

    #[test]
    fn the_number_is_the_longest_block() {
        for (text, threshold, canonical) in
            [("dws", 50, "dws:50"), ("dws:100", 100, "dws:100"), ("dws:10+slp", 10, "dws:10+slp=balanced")]
        {
            let composition: Composition = text.parse().unwrap();
            assert_eq!(composition.mechanism, Mechanism::Subdivision(Subdivision { threshold, splits: 4 }));
            assert_eq!(composition.to_string(), canonical);
            assert_eq!(canonical.parse(), Ok(composition));
        }
        assert_eq!(ENTRY.default.in_full(), "dws:50 (subdivision_splits 4)");
        for text in ["dws:x", "dws:"] {
            let error = text.parse::<Composition>().unwrap_err().to_string();
            assert_eq!(error, "dws:N takes a number of instructions, as in dws:50");
        }
    }
}
