//! Mutants that change nothing where their block stands, though they do for some inputs or in some state of the block alone.
use crate::campaign::{Record, Verdict};

/// A mutant, and why it makes no difference.
pub struct Explanation {
    /// Its name.
    pub mutant: &'static str,
    /// Why.
    pub reason: &'static str,
}

/// All of them.
pub const EXPLAINED: &[Explanation] = &[];

/// Why a mutant makes no difference, if it is known.
pub fn reason(mutant: &str) -> Option<&'static str> {
    EXPLAINED.iter().find(|known| known.mutant == mutant).map(|known| known.reason)
}

/// Those that a test has noticed.
pub fn stale(records: &[Record]) -> Vec<&str> {
    let caught = records.iter().filter(|record| matches!(record.verdict, Verdict::Caught { .. }));
    caught.map(|record| record.name.as_str()).filter(|name| reason(name).is_some()).collect()
}
