//! What the hardware is told about every instruction, in the memory beside the instruction memory.
use std::collections::BTreeMap;

use petgraph::Direction;

use super::control_flow::{Branch, Function};
use super::values::{self, Condition};
use super::{ControlFlowProblem, LoadError, Program, block_length, is_safe_to_divide, likely_convergence, spins};

/// Of one instruction. Only conditional branches have any, but for [`join`](Self::join), and for jumps that [`spin`](Self::spin).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Annotation {
    /// Where the sides of the branch meet. Without it, they meet only when their threads end.
    pub rpc: Option<u32>,
    /// Where they are likely to meet before that.
    pub lpc: Option<u32>,
    /// All threads of a CTA that come to this branch together go the same way.
    pub uniform: bool,
    /// The branch depends on data, not only on the thread's number.
    pub data_dependent: bool,
    /// Instructions of the block where the sides meet, if a warp may be divided at this branch.
    pub meeting_block: Option<u32>,
    /// It goes back to the head of a loop whose threads may wait there for others: [`spins`](super::spins).
    pub spin: bool,
    /// The instruction behind it can be reached otherwise, too: as the target of a branch or jump. Any instruction may have this.
    pub join: bool,
}

/// Instructions whose next one in sequence is also a target.
fn runs_into_others<'a>(function: &'a Function<'_>) -> impl Iterator<Item = u32> + 'a {
    let graph = &function.graph;
    graph.all_edges().map(|(from, to, ())| (from, to)).filter(|&(from, to)| from.checked_add(4) == Some(to)).filter_map(
        |(from, to)| graph.neighbors_directed(to, Direction::Incoming).any(|other| other != from).then_some(from),
    )
}

/// The annotations of every word.
pub(super) fn annotate(program: &Program, functions: &[Function<'_>]) -> Result<Vec<Annotation>, LoadError> {
    let mut branches: BTreeMap<u32, Branch> = BTreeMap::new();
    for function in functions {
        for &pc in &function.branches {
            let rpc = function.reconvergence(pc)?;
            let lpc = likely_convergence::point(function, pc, rpc);
            let meeting_block = rpc.map(|rpc| block_length(function, rpc));
            let branch = branches.entry(pc).or_insert(Branch { rpc, lpc, meeting_block });
            if branch.rpc != rpc {
                return Err(function.problem(pc, ControlFlowProblem::TwoFunctions));
            }
            // A branch that two functions share has a likely point only if they agree.
            branch.lpc = branch.lpc.filter(|_| branch.lpc == lpc);
        }
    }
    let mut annotations = vec![Annotation::default(); program.words.len()];
    let known = values::known(program, functions, &branches)?;
    let may_divide = is_safe_to_divide(program, functions, &branches, &known.conditions);
    for (pc, Branch { rpc, lpc, meeting_block }) in branches {
        let meeting_block = meeting_block.filter(|_| may_divide);
        let Condition { uniform, data_dependent } = known.conditions.get(&pc).copied().unwrap_or_default();
        annotations[pc as usize / 4] =
            Annotation { rpc, lpc, uniform, data_dependent, meeting_block, spin: false, join: false };
    }
    for before in functions.iter().flat_map(runs_into_others) {
        annotations[before as usize / 4].join = true;
    }
    for pc in spins::spins(program, functions, &known)? {
        annotations[pc as usize / 4].spin = true;
    }
    Ok(annotations)
}
