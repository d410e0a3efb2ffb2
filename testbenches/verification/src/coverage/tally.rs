//! How often each point was hit.
use std::sync::LazyLock;

use warploom_hdl::config::{CoreConfig, Mechanism};
use warploom_hdl::mechanism::{Entry, MECHANISMS};

use super::classes::{CtaShape, Memory, Scheduler};
use super::group::{Dimension, Group};
use super::rules::{RULES, Rule};
use super::{Seen, instructions};
use crate::fuzz::Case;

/// All points: of the rules of each mechanism a group, and of the instructions.
pub fn groups() -> &'static [Group] {
    static GROUPS: LazyLock<Vec<Group>> =
        LazyLock::new(|| MECHANISMS.iter().map(|entry| of_rules(entry)).chain([instructions::group()]).collect());
    &GROUPS
}

/// The rules of this mechanism, with their places among all.
fn rules(entry: &'static Entry) -> impl Iterator<Item = (usize, &'static Rule)> {
    RULES.iter().enumerate().filter(move |(_, rule)| rule.is_of(entry))
}

fn of_rules(entry: &'static Entry) -> Group {
    let own: Vec<&Rule> = rules(entry).map(|(_, rule)| rule).collect();
    let dimensions = vec![
        Dimension::new("rule", own.iter().map(|rule| rule.name)),
        Scheduler::dimension(),
        CtaShape::dimension(),
        Memory::dimension(),
    ];
    // Of a mechanism with variants, in all of them.
    let variants = entry.variants();
    let is_impossible = |rule: &&Rule| {
        let in_one = |variant: &Mechanism| rule.is_impossible(*variant);
        variants.iter().all(|variant| in_one(variant).is_some()).then(|| in_one(&variants[0])).flatten()
    };
    let impossible: Vec<_> = own.iter().map(is_impossible).collect();
    Group::new(format!("rules of {}", entry.name()), dimensions, |place| impossible[place[0]])
}

/// See the [module documentation](self).
#[derive(Clone, Debug)]
pub struct Tally {
    /// By group and point.
    pub(super) hits: Vec<Vec<u64>>,
}

impl Default for Tally {
    fn default() -> Self {
        Self { hits: groups().iter().map(|group| vec![0; group.impossible.len()]).collect() }
    }
}

impl Tally {
    /// Adds what a case has hit on a core.
    pub fn add(&mut self, seen: &Seen, config: &CoreConfig, case: &Case) {
        let entry = config.mechanism.entry();
        let number = MECHANISMS.iter().position(|other| other.name() == entry.name()).expect("one of them");
        let scheduler = Scheduler::of(config.scheduler) as usize;
        let (shape, memory) = (CtaShape::of(&case.shape, config.lanes) as usize, Memory::of(&case.timing) as usize);
        for (row, (rule, _)) in rules(entry).enumerate() {
            let point = groups()[number].point(&[row, scheduler, shape, memory]);
            self.hits[number][point] += seen.rules[rule];
        }
        let last = self.hits.last_mut().expect("that of the instructions");
        last.iter_mut().zip(&seen.instructions).for_each(|(sum, hits)| *sum += hits);
    }

    /// Adds all that another has.
    pub fn merge(&mut self, other: &Self) {
        let sums = self.hits.iter_mut().flatten();
        sums.zip(other.hits.iter().flatten()).for_each(|(sum, hits)| *sum += hits);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mechanism_has_rules_and_every_rule_a_mechanism_in_which_it_is_possible() {
        for entry in MECHANISMS {
            assert!(rules(entry).next().is_some(), "{entry:?}");
        }
        for rule in RULES {
            let possible = |mechanism| rule.is_impossible(mechanism).is_none();
            let has = |entry: &&&Entry| rule.is_of(entry) && entry.variants().into_iter().any(possible);
            assert!(MECHANISMS.iter().any(|entry| has(&entry)), "{}", rule.name);
        }
    }
}
