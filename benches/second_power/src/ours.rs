//! What `synth` has calculated: power.tsv.
use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};

use crate::design::text;
use crate::power::Part;

/// By kind of cell.
pub fn read(directory: &Path) -> Result<BTreeMap<String, Part>> {
    const FILE: &str = "power.tsv";
    let text = text(directory, FILE)?;
    let mut parts = BTreeMap::new();
    for (i, line) in text.lines().enumerate().skip(1) {
        let (kind, part) = row(line).with_context(|| {
            format!("{FILE}, line {}: a kind of cell and six numbers were expected, not `{line}`", i + 1)
        })?;
        parts.insert(kind, part);
    }
    Ok(parts)
}

/// Without the power of other inputs than clocks, which it does not say.
fn row(line: &str) -> Option<(String, Part)> {
    let fields: Vec<&str> = line.split('\t').collect();
    let &[kind, cells, changes, ref powers @ ..] = fields.as_slice() else { return None };
    let powers: Option<Vec<f64>> =
        powers.iter().map(|power| power.parse().ok().filter(|power| f64::is_finite(*power))).collect();
    let [leakage, internal, clock, switching] = powers?[..] else { return None };
    let (cells, changes) = (cells.parse().ok()?, changes.parse().ok()?);
    Some((kind.to_string(), Part { cells, changes, leakage, internal, clock, switching }))
}
