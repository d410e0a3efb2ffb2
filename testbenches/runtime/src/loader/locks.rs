//! Loops that may wait for a lock.
use super::Program;
use crate::isa::{Instruction, decode};

impl Program {
    /// Whether the innermost loop around an instruction, as the code lies, swaps a word of memory: what takes a lock does.
    pub fn may_wait_for_lock(&self, pc: u32) -> bool {
        let ends = (pc..4 * self.words.len() as u32).step_by(4);
        let loops = ends.filter_map(|end| Some((self.target(end)?, end))).filter(|(start, _)| *start <= pc);
        let innermost = loops.min_by_key(|(start, end)| end - start);
        let swaps = |pc| {
            let instruction = self.word(pc).map(decode);
            matches!(instruction, Some(Instruction::Atomic { .. } | Instruction::StoreConditional { .. }))
        };
        innermost.is_some_and(|(start, end)| (start..=end).step_by(4).any(swaps))
    }
}
