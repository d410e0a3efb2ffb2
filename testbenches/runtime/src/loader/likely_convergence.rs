//! Likely-convergence points: where the sides of a branch usually meet, before the point where they must.
//!
//! Fung & Aamodt 2011, section 4, footnote 6: the closest enclosing backward-taken branch. In a loop with a `break`, all
//! threads that stay pass it, though the sides of a branch in the loop need not meet before the loop's end:
//!
//! ```text
//! while (i < K) {        A   x = data[i]; if (x == 0) ..     lpc E, rpc F
//!     x = data[i];       B       result[i] = y
//!     if (x == 0)        C   else if (x == 1)                lpc E, rpc F
//!         result[i] = y; D       break
//!     else if (x == 1)   E   i++; backward branch            none: the branch itself
//!         break;         F   return
//!     i++;
//! }
//! ```
//!
//! *Enclosing* goes by addresses, between a branch or jump and its target before it, and by control flow: the three
//! lie on one loop. The point is the first instruction of the basic block that ends with the backward branch, so that every
//! path to it passes the point.
//!
//! A branch has none where the hardware could never use it: if every path to the point leads over the reconvergence
//! point (an `if` that ends inside the loop's body), or if one side is the reconvergence point (then nobody but the
//! other side's threads come by).
use std::collections::BTreeSet;

use petgraph::Direction::{self, Incoming, Outgoing};

use super::control_flow::Function;

/// The likely-convergence point of the branch at `pc`, which reconverges at `rpc`.
pub(super) fn point(function: &Function, pc: u32, rpc: Option<u32>) -> Option<u32> {
    let (after, before) = (reachable(function, pc, None, Outgoing), reachable(function, pc, None, Incoming));
    let encloses = |from: u32, to: u32| to <= pc && pc <= from && after.contains(&from) && before.contains(&to);
    let backward = function.graph.all_edges().filter(|&(from, to, ())| encloses(from, to));
    let (from, ..) = backward.min_by_key(|&(from, to, ())| (from - to, from))?;
    let point = first_of_block(function, from);
    let side_ends_at_once = rpc.is_some_and(|rpc| function.graph.contains_edge(pc, rpc));
    (from != pc && !side_ends_at_once && between(function, pc, rpc).contains(&point)).then_some(point)
}

/// The instructions that threads may run from the branch at `pc` until they are at `rpc`.
pub(super) fn between(function: &Function, pc: u32, rpc: Option<u32>) -> BTreeSet<u32> {
    reachable(function, pc, rpc, Outgoing)
}

/// The instructions after or before the one at `pc`, along paths that do not lead over `stop`.
fn reachable(function: &Function, pc: u32, stop: Option<u32>, direction: Direction) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    let mut pending: Vec<u32> = function.graph.neighbors_directed(pc, direction).collect();
    while let Some(pc) = pending.pop() {
        if Some(pc) != stop && found.insert(pc) {
            pending.extend(function.graph.neighbors_directed(pc, direction));
        }
    }
    found
}

/// The first instruction of the basic block of `pc`.
fn first_of_block(function: &Function, mut pc: u32) -> u32 {
    while pc != function.start {
        let mut before = function.graph.neighbors_directed(pc, Incoming);
        let (Some(only), None) = (before.next(), before.next()) else { break };
        if only.wrapping_add(4) != pc || function.branches.contains(&only) {
            break;
        }
        pc = only;
    }
    pc
}
