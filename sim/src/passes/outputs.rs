//! Observed lanes of one vector stand side by side, so that the whole vector is stored at once.
use std::collections::HashMap;

use crate::ir::{Design, NodeId, Op};

/// Runs the step: reorders what is only observed, and keeps each value once.
pub fn run(design: &mut Design) {
    let ports = design.outputs.iter().take_while(|output| output.port.is_some()).count();
    let mut first_seen: HashMap<NodeId, usize> = HashMap::new();
    let keys: Vec<(usize, u8, usize)> = design.outputs[ports..]
        .iter()
        .enumerate()
        .map(|(i, output)| match *design.graph.op(output.value) {
            Op::Extract(vector, lane) => (*first_seen.entry(vector).or_insert(i), lane, i),
            _ => (i, 0, i),
        })
        .collect();
    let mut order = keys;
    order.sort_unstable();
    let old = design.outputs.split_off(ports);
    let mut places: HashMap<NodeId, usize> = HashMap::new();
    let mut moved = vec![0; old.len()];
    for (_, _, i) in order {
        let outputs = &mut design.outputs;
        moved[i] = *places.entry(old[i].value).or_insert_with(|| {
            outputs.push(old[i].clone());
            outputs.len() - 1
        });
    }
    for net in &mut design.observed {
        net.output = moved[net.output - ports];
    }
}
