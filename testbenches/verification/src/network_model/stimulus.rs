//! Random flits that a network can do something with.
use crate::equivalence::Cycle;

/// Flits at up to eight inputs that mostly begin packets: an input whose oldest flit continues none waits for ever.
pub fn mostly_heads(cycle: &mut Cycle) {
    let names = (0..8).flat_map(|i| [format!("inputs_head[{i}]"), format!("flits_head[{i}]")]);
    for name in names {
        if cycle.has(&name) && cycle.random.chance(0.95) {
            cycle.set(&name, 1);
        }
    }
}
