//! Programs of basic blocks, their reconvergence points, and the path of every thread.
use petgraph::algo::dominators::simple_fast;
use petgraph::graphmap::DiGraphMap;

/// How a block ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terminator {
    /// Without an instruction, in the next block.
    Fall,
    /// With a jump.
    Jump,
    /// With a conditional branch: its successors are the taken and the fall-through side.
    Branch,
    /// With `bar.sync`.
    Barrier,
    /// The thread ends.
    Exit,
}

/// A basic block.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its end.
    pub terminator: Terminator,
    /// The blocks behind it.
    pub successors: Vec<usize>,
    /// A branch on which all threads of a CTA-wide entry agree.
    pub uniform: bool,
    /// Instructions, the terminator included.
    pub length: usize,
}

/// Blocks in the order of their addresses; the first one is the entry.
#[derive(Clone, Debug)]
pub struct Program {
    /// The blocks.
    pub blocks: Vec<Block>,
    /// Where each branch reconverges, if it does.
    pub rpc: Vec<Option<usize>>,
    /// The likely-convergence point of each branch.
    pub lpc: Vec<Option<usize>>,
}

/// A program and what its threads do.
#[derive(Clone, Debug)]
pub struct Case {
    /// The program.
    pub program: Program,
    /// The blocks that each thread executes.
    pub paths: Vec<Vec<usize>>,
}

impl Program {
    /// Finds the reconvergence points. With `past_exits` they need not lie on the paths that end before the last block: threads that end are
    /// removed from every entry, so the others may reconverge without them.
    pub fn new(blocks: Vec<Block>, past_exits: bool) -> Self {
        let end = blocks.len();
        let exits = |block: usize| blocks[block].terminator == Terminator::Exit;
        let post_dominators = |counts: &dyn Fn(usize) -> bool| {
            let mut reversed = DiGraphMap::<usize, ()>::new();
            reversed.add_node(end);
            for (from, block) in blocks.iter().enumerate() {
                for &to in &block.successors {
                    reversed.add_edge(to, from, ());
                }
                if exits(from) && counts(from) {
                    reversed.add_edge(end, from, ());
                }
            }
            let tree = simple_fast(&reversed, end);
            (0..end).map(|block| tree.immediate_dominator(block)).collect::<Vec<_>>()
        };
        let all = post_dominators(&|_| true);
        let last = post_dominators(&|block| block + 1 == end);
        let rpc: Vec<_> = (0..end)
            .map(|block| if past_exits && last[block].is_some() { last[block] } else { all[block] })
            .map(|point| point.filter(|&point| point != end))
            .collect();

        let backward =
            |from: usize| blocks[from].successors.iter().filter(move |&&to| to <= from).map(move |&to| (to, from));
        let loops: Vec<(usize, usize)> = (0..end).flat_map(backward).collect();
        let closest = |block: usize| {
            let around = loops.iter().filter(|(top, latch)| (*top..=*latch).contains(&block));
            around.min_by_key(|(top, latch)| latch - top).map(|&(_, latch)| latch)
        };
        let lpc = (0..end)
            .map(|block| {
                closest(block)
                    .filter(|&latch| blocks[block].successors.len() == 2 && latch != block && Some(latch) != rpc[block])
            })
            .collect();
        Self { blocks, rpc, lpc }
    }

    /// `A>C,B B>D C>D D`: two targets are a branch (taken, fall-through), one is the next block or that of a jump, none an exit;
    /// `A!>B` ends with a barrier. Blocks are named in order.
    pub fn parse(text: &str) -> Self {
        let number = |name: &str| (name.as_bytes()[0] - b'A') as usize;
        let block = |word: &str| {
            let successors: Vec<usize> =
                word[1..].trim_start_matches(['!', '>']).split(',').filter(|s| !s.is_empty()).map(number).collect();
            let terminator = match successors[..] {
                [] => Terminator::Exit,
                [_] if word[1..].starts_with('!') => Terminator::Barrier,
                [next] if next == number(word) + 1 => Terminator::Fall,
                [_] => Terminator::Jump,
                _ => Terminator::Branch,
            };
            Block { terminator, successors, uniform: false, length: 1 }
        };
        Self::new(text.split_whitespace().map(block).collect(), false)
    }

    /// Whether the `number`th instruction of a block, from 1, is the control instruction that ends it.
    pub fn ends(&self, block: usize, number: usize) -> bool {
        let block = &self.blocks[block];
        block.terminator != Terminator::Fall && number == block.length
    }

    /// The address of each block, of four-byte instructions.
    pub fn addresses(&self) -> Vec<usize> {
        let before = |block: usize| self.blocks[..block].iter().map(|block| 4 * block.length).sum();
        (0..self.blocks.len()).map(before).collect()
    }

    /// Branches that reconverge at a block of at most so many instructions.
    pub fn short(&self, instructions: usize) -> Vec<bool> {
        let is_short = |point: &Option<usize>| point.is_some_and(|point| self.blocks[point].length <= instructions);
        self.rpc.iter().map(is_short).collect()
    }

    /// The longest chain of distinct reconvergence points that can nest.
    pub fn nesting(&self) -> usize {
        let chain = |branch: usize| {
            let (mut at, mut seen) = (self.rpc[branch], vec![]);
            while let Some(point) = at {
                assert!(!seen.contains(&point));
                seen.push(point);
                at = self.rpc[point];
            }
            seen.len() + 1
        };
        let branches = (0..self.blocks.len()).filter(|&block| self.blocks[block].terminator == Terminator::Branch);
        branches.map(chain).max().unwrap_or(0)
    }
}

impl Case {
    /// A worked example: a path per thread, as block names.
    pub fn parse(program: &str, paths: &[&str]) -> Self {
        let path = |text: &&str| text.bytes().map(|name| (name - b'A') as usize).collect();
        Self { program: Program::parse(program), paths: paths.iter().map(path).collect() }
    }
}
