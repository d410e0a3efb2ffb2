//! What is observed is stored as it is computed: whole vectors instead of their lanes, values instead of their slices.
use std::collections::{HashMap, HashSet};

use crate::ir::{Design, Graph, NodeId, Observed, Op, Output, Unary};

/// A vector is stored whole when one of so many lanes is observed.
const LANES_FOR_ONE: usize = 4;

/// Runs the step: finds what to store for the observed nets, each value once.
pub fn run(design: &mut Design) {
    let ports = design.outputs.iter().take_while(|output| output.port.is_some()).count();
    let observed: HashSet<NodeId> = design.outputs.iter().map(|output| output.value).collect();
    let parts: Vec<Part> =
        design.observed.iter().map(|net| Part::new(&design.graph, &observed, net, &design.outputs)).collect();
    let whole = whole_vectors(&design.graph, &parts);
    let mut places: HashMap<NodeId, usize> = HashMap::new();
    design.outputs.truncate(ports);
    for (i, port) in design.outputs.iter().enumerate() {
        places.entry(port.value).or_insert(i);
    }
    for (net, part) in design.observed.iter_mut().zip(parts) {
        let (value, lane) = match *design.graph.op(part.value) {
            Op::Extract(vector, lane) if whole.contains(&vector) => (vector, lane as usize),
            _ => (part.value, 0),
        };
        let outputs = &mut design.outputs;
        net.output = *places.entry(value).or_insert_with(|| {
            outputs.push(Output { port: None, value });
            outputs.len() - 1
        });
        (net.lane, net.low, net.stored) = (lane, part.low, part.width);
    }
}

/// Some bits of a scalar.
struct Part {
    value: NodeId,
    low: usize,
    width: usize,
}

impl Part {
    /// The widest value that is stored for the net anyway.
    fn new(graph: &Graph, observed: &HashSet<NodeId>, net: &Observed, outputs: &[Output]) -> Self {
        let mut part = Self { value: outputs[net.output].value, low: 0, width: net.width };
        loop {
            match *graph.op(part.value) {
                Op::Unary(Unary::ZeroExtend, inner) if graph.width(inner) > part.low => {
                    part.value = inner;
                    part.width = part.width.min(graph.width(inner) - part.low);
                }
                Op::Slice { value, low } if observed.contains(&value) && !graph.ty(value).is_vector() => {
                    part.value = value;
                    part.low += low as usize;
                }
                _ => return part,
            }
        }
    }
}

/// Vectors of which enough lanes are observed.
fn whole_vectors(graph: &Graph, parts: &[Part]) -> HashSet<NodeId> {
    let mut lanes: HashMap<NodeId, u64> = HashMap::new();
    for part in parts {
        if let Op::Extract(vector, lane) = *graph.op(part.value) {
            *lanes.entry(vector).or_default() |= 1 << lane;
        }
    }
    let enough =
        |&(vector, seen): &(NodeId, u64)| seen.count_ones() as usize * LANES_FOR_ONE >= graph.ty(vector).lanes as usize;
    lanes.into_iter().filter(enough).map(|(vector, _)| vector).collect()
}
