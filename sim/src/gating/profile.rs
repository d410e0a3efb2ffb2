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

    /// Share of the cycles in which at least one of these was woken.
    pub fn share(&self, pieces: u64) -> f64 {
        let cycles: u64 = self.woken.iter().filter(|&(woken, _)| woken & pieces != 0).map(|(_, cycles)| cycles).sum();
        cycles as f64 / self.cycles().max(1) as f64
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
        assert_eq!([0b001, 0b011, 0b110, 0b111].map(|pieces| profile.share(pieces)), [0.5, 0.5, 0.75, 0.75]);
        let mut both = seen(&[0b100; 4]);
        both.add(&profile);
        assert_eq!((both.cycles(), both.share(0b100)), (8, 0.625));
    }

    #[test]
    fn nothing_seen_is_nothing_woken() {
        assert_eq!(Profile::default().share(1), 0.0);
    }
}
