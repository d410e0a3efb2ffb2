//! How often each rule has taken effect.
use std::collections::BTreeMap;
use std::fmt;

use super::rules;

/// A rule, and what is counted.
pub type Rule = (&'static str, &'static str);

/// The rules of all stacks, those of a model being beside it. The numbers are those of the specification; 1 (no reconvergence point), 5 (a parent
/// never resumes at its own end) and 13 (all warps of an entry meet the same event) are assertions or count with others.
pub const RULES: &[Rule] = &[
    ("2 slot reuse", "a branch reconverges where its entry ends: the entry's slot is reused"),
    ("2 region", "a branch with a new reconvergence point: its entry waits there"),
    ("3 empty side", "a side with no threads, or starting at the reconvergence point, is not pushed"),
    ("4 hole", "an entry takes a hole below the top"),
    ("4 empty top", "an empty entry is dropped from the top"),
    ("5 pop", "an entry ends at its reconvergence point"),
    ("6 uniform", "all threads of a warp's entry go the same way: only its PC changes"),
    ("7 exit", "threads end that are in several entries"),
    ("8 entry", "a likely-convergence entry is pushed"),
    ("8 inherit", "sides inherit the link of the entry whose slot they reuse"),
    ("8 chain", "a likely-convergence entry inherits a link to another one"),
    ("9 merge", "an entry merges into its likely-convergence entry"),
    ("10 wait", "an entry waits at a barrier"),
    ("11 yield", "an entry runs below one that waits"),
    ("11 fallback", "a likely-convergence entry runs though others could still merge into it"),
];

/// A count per rule.
#[derive(Clone, Debug, Default)]
pub struct Coverage(BTreeMap<&'static str, u64>);

impl Coverage {
    /// The rule has taken effect.
    pub fn fires(&mut self, rule: &'static str) {
        debug_assert!(rules().any(|(name, _)| name == rule), "{rule}");
        *self.0.entry(rule).or_default() += 1;
    }

    /// Adds the counts of `other`.
    pub fn add(&mut self, other: &Self) {
        for (rule, count) in &other.0 {
            *self.0.entry(rule).or_default() += count;
        }
    }

    /// How often.
    pub fn count(&self, rule: &str) -> u64 {
        self.0.get(rule).copied().unwrap_or(0)
    }

    /// Rules that have never taken effect.
    pub fn missing(&self) -> Vec<&'static str> {
        rules().map(|(rule, _)| rule).filter(|rule| self.count(rule) == 0).collect()
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (rule, meaning) in rules() {
            writeln!(f, "{:>9}  {rule:16} {meaning}", self.count(rule))?;
        }
        Ok(())
    }
}
