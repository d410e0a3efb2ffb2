//! How much of what is mapped has a gated clock.
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use serde::Serialize;

use super::{FlowError, MAPPED_JSON};
use crate::clock_gates::CLOCK_GATE;
use crate::yosys_json::{Bit, Design};

/// Gates of clocks, and what is behind them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GatedClocks {
    /// How many.
    pub gates: usize,
    /// Flip-flops whose clock is one of theirs, one bit each.
    pub flip_flops: usize,
}

impl GatedClocks {
    /// Of the gates in a directory.
    pub(super) fn count(directory: &Path) -> Result<Self, FlowError> {
        let path = directory.join(MAPPED_JSON);
        let text = std::fs::read_to_string(&path).map_err(|error| FlowError::io(&path, &error))?;
        let design: Design = serde_json::from_str(&text)
            .map_err(|error| FlowError::Io { path: path.clone(), reason: error.to_string() })?;
        Ok(design.top().map_or(Self::default(), |top| Self::inside(&design, top, &mut BTreeMap::new())))
    }

    /// Of a module, with everything in it.
    fn inside<'a>(design: &'a Design, module: &'a str, known: &mut BTreeMap<&'a str, Self>) -> Self {
        if let Some(known) = known.get(module) {
            return *known;
        }
        let cells = &design.modules[module].cells;
        let gates = cells.values().filter(|cell| cell.kind == CLOCK_GATE);
        let gated: HashSet<u32> = gates.filter_map(|gate| net(gate.connections.get("gated")?)).collect();
        let mut total = Self { gates: gated.len(), flip_flops: 0 };
        for cell in cells.values().filter(|cell| cell.kind != CLOCK_GATE) {
            let inside = match design.modules.contains_key(&cell.kind) {
                true => Self::inside(design, &cell.kind, known),
                // Nothing else is at such a net.
                false if cell.connections.values().filter_map(|bits| net(bits)).any(|net| gated.contains(&net)) => {
                    Self { gates: 0, flip_flops: 1 }
                }
                false => Self::default(),
            };
            total.gates += inside.gates;
            total.flip_flops += inside.flip_flops;
        }
        known.insert(module, total);
        total
    }
}

fn net(bits: &[Bit]) -> Option<u32> {
    match bits {
        [Bit::Net(net)] => Some(*net),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_count_as_often_as_they_occur() {
        let gate = r#"{ "type": "ClockGate", "connections": { "clock": [2], "enable": [3], "gated": [4] } }"#;
        let flop = |clock| format!(r#"{{ "type": "DFF", "connections": {{ "C": [{clock}], "D": [5], "Q": [6] }} }}"#);
        let row = format!(r#"{{ "cells": {{ "g": {gate}, "a": {}, "b": {}, "c": {} }} }}"#, flop(4), flop(4), flop(2));
        let top = format!(
            r#"{{ "cells": {{ "r": {{ "type": "Row", "connections": {{}} }}, "s": {{ "type": "Row", "connections": {{}} }}, "g": {gate}, "a": {} }} }}"#,
            flop(4)
        );
        let directory = tempfile::tempdir().expect("a temporary directory");
        let inside = r#"{ "cells": { "gate": { "type": "ICG", "connections": { "CK": [2], "GCK": [4] } } } }"#;
        let text = format!(r#"{{ "modules": {{ "ClockGate": {inside}, "Row": {row}, "Top": {top} }} }}"#);
        std::fs::write(directory.path().join(MAPPED_JSON), text).expect("a writable file");
        let counted = GatedClocks::count(directory.path()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(counted, GatedClocks { gates: 3, flip_flops: 5 });
    }
}
