//! A pairwise covering array: every two levels of two factors that can be in one core are in one of its rows.
//!
//! Greedy: a row starts with a pair that is still missing, and every other factor takes the level that brings most of those that
//! are missing.
use std::collections::BTreeSet;

use crate::space::{Factor, Row, core, together};

/// A level of a factor.
type Level = (usize, usize);
type Pair = (Level, Level);

/// The array.
pub struct Array {
    /// Its rows; each is a legal core.
    pub rows: Vec<Row>,
    /// Pairs that it covers.
    pub pairs: usize,
    /// Pairs that cannot be in one core.
    pub excluded: usize,
}

/// Covers the factors.
pub fn cover(factors: &[Factor]) -> Array {
    let (possible, excluded): (BTreeSet<Pair>, BTreeSet<Pair>) =
        pairs(factors).into_iter().partition(|(one, other)| together(factors, *one, *other));
    let mut missing = possible.clone();
    let mut rows = Vec::new();
    while let Some(&seed) = missing.first() {
        let row = row(factors, seed, &missing, &excluded);
        let before = missing.len();
        missing.retain(|pair| !covers(factors, &row, *pair));
        assert!(missing.len() < before, "no core has both {seed:?}");
        rows.push(row);
    }
    Array { rows, pairs: possible.len(), excluded: excluded.len() }
}

fn pairs(factors: &[Factor]) -> Vec<Pair> {
    let levels = |factor: usize| (0..factors[factor].levels.len()).map(move |level| (factor, level));
    let all = (0..factors.len()).flat_map(|a| (a + 1..factors.len()).map(move |b| (a, b)));
    all.flat_map(|(a, b)| levels(a).flat_map(move |one| levels(b).map(move |other| (one, other)))).collect()
}

fn covers(factors: &[Factor], row: &Row, (one, other): Pair) -> bool {
    let config = core(factors, row, |_| usize::MAX);
    [one, other].into_iter().all(|(factor, level)| row[factor] == level && factors[factor].is_in(&config))
}

/// A legal row with a pair, and with as many other missing ones as one can have by choosing factor after factor.
fn row(factors: &[Factor], seed: Pair, missing: &BTreeSet<Pair>, excluded: &BTreeSet<Pair>) -> Row {
    let ordered = |one: Level, other: Level| (one.min(other), one.max(other));
    let mut row: Vec<Option<usize>> = vec![None; factors.len()];
    for (factor, level) in [seed.0, seed.1] {
        row[factor] = Some(level);
    }
    for factor in 0..factors.len() {
        if row[factor].is_some() {
            continue;
        }
        let fixed: Vec<Level> = row.iter().enumerate().filter_map(|(f, level)| Some((f, (*level)?))).collect();
        let gain =
            |level: usize| fixed.iter().filter(|other| missing.contains(&ordered((factor, level), **other))).count();
        let fits = |level: &usize| !fixed.iter().any(|other| excluded.contains(&ordered((factor, *level), *other)));
        // Of equal gain, another one in every row, so that the levels that matter to nobody are mixed too.
        let turn = |level: usize| (level + missing.len()) % factors[factor].levels.len();
        // A parameter that the mechanism chosen does not have takes any level.
        let best = (0..factors[factor].levels.len()).filter(fits).max_by_key(|level| (gain(*level), turn(*level)));
        row[factor] = Some(best.unwrap_or(0));
    }
    row.into_iter().map(|level| level.expect("every factor has been chosen")).collect()
}
