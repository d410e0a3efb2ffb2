//! What was seen to work together: how many cycles woke which pieces of a design.
use std::collections::HashMap;

use serde::{Deserialize, Serialize};

/// Of a run, or of several: how often each set of [pieces](super::Pieces) was woken in a cycle. A set is the bits of a word.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    woken: HashMap<u64, u64>,
}

impl Profile {
    /// A cycle has woken these.
    pub fn note(&mut self, woken: u64) {
        *self.woken.entry(woken).or_default() += 1;
    }

    /// Adds what was seen in another run.
    pub fn add(&mut self, other: &Self) {
        for (&woken, cycles) in &other.woken {
            *self.woken.entry(woken).or_default() += cycles;
        }
    }

    /// How many cycles were seen.
    pub fn cycles(&self) -> u64 {
        self.woken.values().sum()
    }

    /// The same as shares of all cycles.
    pub fn shares(self) -> Shares {
        let cycles = self.cycles().max(1) as f64;
        Shares { woken: self.woken.into_iter().collect(), cycles }
    }
}

/// In how many of so many cycles each set of pieces was woken.
pub struct Shares {
    woken: Vec<(u64, u64)>,
    cycles: f64,
}

impl Shares {
    /// Share of those in which at least one of these pieces was woken.
    pub fn of(&self, pieces: u64) -> f64 {
        // In whole cycles, whose sum is the same in any order.
        let cycles: u64 = self.woken.iter().filter(|(woken, _)| woken & pieces != 0).map(|(_, cycles)| cycles).sum();
        cycles as f64 / self.cycles
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_works_in_the_same_cycles_is_counted_once() {
        let seen = |cycles: &[u64]| {
            let mut profile = Profile::default();
            cycles.iter().for_each(|&woken| profile.note(woken));
            profile
        };
        let profile = seen(&[0b011, 0b011, 0b100, 0]);
        let shares = profile.clone().shares();
        assert_eq!([0b001, 0b011, 0b110, 0b111].map(|pieces| shares.of(pieces)), [0.5, 0.5, 0.75, 0.75]);
        let mut both = seen(&[0b100; 4]);
        both.add(&profile);
        assert_eq!((both.cycles(), both.shares().of(0b100)), (8, 0.625));
    }

    #[test]
    fn nothing_seen_is_nothing_woken() {
        assert_eq!(Profile::default().shares().of(1), 0.0);
    }
}
