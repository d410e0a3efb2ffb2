//! Transformations of the flat design between [`flatten`](crate::flatten) and emission, one per file.
use crate::ir::{Design, Graph, NodeId, Op, Type};

mod chains;
mod dead;
mod fold;
mod groups;
mod masks;
mod narrow;
mod outputs;
mod resolve;
mod sharing;
mod transpose;
mod vectors;
mod wiring;
mod zip;

macro_rules! passes {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// Which passes run. Every one can be switched off: the simulator stays correct, only slower.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct Passes {
            $($(#[$doc])* pub $name: bool,)*
        }

        impl Default for Passes {
            fn default() -> Self {
                Self { $($name: true,)* }
            }
        }

        impl Passes {
            /// No pass at all: the scalar code that the netlist spells out.
            pub const NONE: Self = Self { $($name: false,)* };

            /// The names of all passes.
            pub const NAMES: [&str; [$(stringify!($name)),*].len()] = [$(stringify!($name)),*];

            /// These passes but the one of this name; `None` if there is none.
            pub fn without(mut self, name: &str) -> Option<Self> {
                match name {
                    $(stringify!($name) => self.$name = false,)*
                    _ => return None,
                }
                Some(self)
            }
        }
    };
}

passes! {
    /// Equal operators on equal operands are computed once.
    sharing,
    /// What never changes is a constant, write ports that are never enabled go. (Logic that nothing needs is never emitted.)
    dead,
    /// Wires that are cut up and put together again become one concatenation.
    wiring,
    /// Chains of muxes and of associative operators become one n-ary operator.
    chains,
    /// Arrays of registers, memories and nets are evaluated as vectors.
    vectors,
    /// Of vectors, also those with more than 32 bits in a lane.
    wide,
    /// Of vectors, also products.
    products,
    /// Of vectors, also shifts by what differs from lane to lane.
    shifts,
    /// Constants are folded, and operators that do nothing or less than they look like are replaced.
    fold,
    /// Vectors of which only the low bits are needed are computed in narrower elements.
    narrow,
    /// Masks that depend on one scalar are computed as scalars.
    masks,
    /// Words put together from bits of many vectors are computed the other way round, then transposed.
    transpose,
    /// What is needed under a condition only is computed under it: see [`emit`](crate::emit).
    branches,
    /// What rests is skipped: see [`gating`](crate::gating).
    gating,
    /// Where it was recorded what works together, that decides what is skipped together: see [`BuildOptions::record`](crate::BuildOptions::record). It needs `gating`.
    profile,
    /// Where that is all but counters, cycles can be: see [`Simulator::skip`](crate::Simulator::skip). It needs `gating`.
    idle,
}

type Step<'a> = &'a dyn Fn(&mut Design);

/// Runs the passes that `passes` asks for.
pub fn run(design: &mut Design, passes: &Passes) {
    let vectorise = |design: &mut Design| vectors::run(design, passes);
    let steps: [(bool, Step); 13] = [
        (passes.sharing, &sharing::run),
        (passes.dead, &dead::run),
        (passes.wiring, &wiring::run),
        (passes.chains, &chains::run),
        (passes.vectors, &vectorise),
        (passes.fold, &fold::run),
        (passes.narrow, &narrow::run),
        (passes.masks, &masks::run),
        (passes.transpose, &transpose::run),
        // What the last three have left.
        (passes.fold, &fold::run),
        (passes.dead, &dead::run),
        (passes.fold && passes.dead, &fold::run),
        (passes.vectors, &outputs::run),
    ];
    steps.into_iter().filter(|(wanted, _)| *wanted).for_each(|(_, step)| step(design));
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
