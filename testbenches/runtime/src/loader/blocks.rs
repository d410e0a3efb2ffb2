//! Basic blocks: where they start. Only branches, jumps and their targets end a block; a call does not, it comes back.
use std::collections::BTreeSet;

use super::Program;
use super::control_flow::Function;

/// First addresses of all blocks, in order.
pub(super) fn starts(functions: &[Function<'_>]) -> Vec<u32> {
    let mut starts = BTreeSet::new();
    for function in functions {
        starts.insert(function.start);
        for (from, to, ()) in function.graph.all_edges() {
            let several = function.branches.contains(&from) || function.graph.neighbors(from).count() > 1;
            if to != from + 4 || several {
                starts.insert(to);
            }
        }
    }
    starts.into_iter().collect()
}

impl Program {
    /// First address of the basic block of an instruction; the instruction's own if it belongs to no known block.
    pub fn block(&self, pc: u32) -> u32 {
        let behind = self.blocks.partition_point(|&start| start <= pc);
        behind.checked_sub(1).map_or(pc, |index| self.blocks[index])
    }
}

#[cfg(test)]
mod tests {
    use super::Program;
    use crate::kernels::micro;

    #[test]
    fn branches_jumps_and_their_targets_end_blocks() {
        let program = micro::find("rhu_4_1").expect("a micro-kernel").binary.program();
        let names: Vec<&str> = program.blocks.iter().map(|start| program.symbols[start].as_str()).collect();
        assert_eq!(names, ["A", "C", "E", "D", "F", "B", "G"], "in the order of their addresses");
        let [a, c] = [program.blocks[0], program.blocks[1]];
        assert_eq!((program.block(a), program.block(c - 4), program.block(c)), (a, a, c));
        assert_eq!(Program::empty().block(8), 8);
    }
}
