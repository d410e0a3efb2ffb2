//! Transformations of the flat design between [`flatten`](crate::flatten) and emission, one per file.
use crate::ir::{Design, Graph, NodeId, Op, Type};

mod chains;
mod dead;
mod fold;
mod groups;
mod masks;
mod outputs;
mod resolve;
mod sharing;
mod transpose;
mod vectors;
mod wiring;
mod zip;

/// Which passes run. Every one can be switched off: the simulator stays correct, only slower.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Passes {
    /// Equal operators on equal operands are computed once.
    pub sharing: bool,
    /// State that nothing outside ever sees is left out. (Logic that nothing needs is never emitted.)
    pub dead: bool,
    /// Wires that are cut up and put together again become one concatenation.
    pub wiring: bool,
    /// Chains of muxes and of associative operators become one n-ary operator.
    pub chains: bool,
    /// Arrays of registers, memories and nets are evaluated as vectors.
    pub vectors: bool,
    /// Constants are folded, and operators that do nothing or less than they look like are replaced.
    pub fold: bool,
    /// Masks that depend on one scalar are computed as scalars.
    pub masks: bool,
    /// Words put together from bits of many vectors are computed the other way round, then transposed.
    pub transpose: bool,
}

impl Default for Passes {
    fn default() -> Self {
        Self { sharing: true, dead: true, wiring: true, chains: true, vectors: true, fold: true, masks: true, transpose: true }
    }
}

impl Passes {
    /// No pass at all: the scalar code that the netlist spells out.
    pub const NONE: Self = Self { sharing: false, dead: false, wiring: false, chains: false, vectors: false, fold: false, masks: false, transpose: false };
}

/// Runs the passes that `passes` asks for.
pub fn run(design: &mut Design, passes: &Passes) {
    if passes.sharing {
        sharing::run(design);
    }
    if passes.dead {
        dead::run(design);
    }
    if passes.wiring {
        wiring::run(design);
    }
    if passes.chains {
        chains::run(design);
    }
    if passes.vectors {
        vectors::run(design);
        outputs::run(design);
    }
    if passes.fold {
        fold::run(design);
    }
    if passes.masks {
        masks::run(design);
    }
    if passes.transpose {
        transpose::run(design);
        if passes.fold {
            fold::run(design);
        }
    }
    if passes.dead {
        dead::run(design);
    }
}

/// Rebuilds the graph, operands first: `make` gets every node with its operands replaced by what it made of them.
fn rewrite(design: &mut Design, mut make: impl FnMut(&mut Graph, Op, Type) -> NodeId) {
    let old = design.graph.take();
    let mut new: Vec<NodeId> = Vec::with_capacity(old.len());
    for node in old.nodes() {
        let op = node.op.clone().map_operands(|operand| new[operand.0 as usize]);
        new.push(make(&mut design.graph, op, node.ty));
    }
    design.map_sinks(|_, id| new[id.0 as usize]);
    for (_, id) in &mut design.arrayed {
        *id = new[id.0 as usize];
    }
}
