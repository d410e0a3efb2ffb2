//! The order of evaluation, and where it is cut into functions.
use std::ops::Range;

use crate::gating::{NOWHERE, Partitions, is_leaf};
use crate::ir::{Design, NodeId, Op};

/// One statement of the generated code.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// Compute a value.
    Node(NodeId),
    /// Store a register's next value.
    Register(usize),
    /// Store a value for the outside.
    Output(usize),
    /// Have a value ready for a write port, which takes it if the bit is set (of a vector: one of the bits).
    Prepare {
        /// The write port's enable.
        enable: NodeId,
        /// Its address, data or mask.
        value: NodeId,
    },
    /// Perform write port `.1` of memory `.0`.
    Write(usize, usize),
}

/// Statements of one generated function.
#[derive(Debug, Default)]
pub struct Function {
    /// In order.
    pub steps: Vec<Step>,
    /// Whether it writes memories instead of computing values.
    pub writes: bool,
    /// Which partition it is of; those that write are of none.
    pub partition: usize,
    /// The words that its outputs are stored in.
    pub words: Range<usize>,
}

/// The whole cycle.
pub struct Schedule {
    /// How many partitions there are; 1: everything runs in every cycle.
    pub partitions: usize,
    /// In order; those that write come last.
    pub functions: Vec<Function>,
    /// By node: computed in one function and used in another.
    pub spilled: Vec<bool>,
    /// By node: spilled, and not only for a write port that may not take it.
    pub crossing: Vec<bool>,
    /// By output: the first of its words. What is stored by one function stands together.
    pub slots: Vec<usize>,
    /// Outputs that no step stores: constants. They stand after all others.
    pub constants: Vec<usize>,
    /// How many words the outputs take.
    pub words: usize,
}

/// rustc's time grows faster than a function's length.
const STEPS_PER_FUNCTION: usize = 2000;

/// Partition by partition; within each, values in depth-first order from what they are for, so that they are used
/// soon after they are computed.
pub fn schedule(design: &Design, partitions: &Partitions) -> Schedule {
    let mut order = Order {
        design,
        partitions,
        placed: vec![false; design.graph.len()],
        wanted: vec![vec![]; partitions.count],
        steps: vec![],
    };
    let mut sinks = sinks(design, partitions);
    let mut writes = vec![];
    let mut crossing = vec![false; design.graph.len()];
    let is_leaf = |id: NodeId| is_leaf(design.graph.op(id));
    let part = |id: NodeId| partitions.nodes[id.0 as usize] as usize;
    for (m, memory) in design.memories.iter().enumerate() {
        for (w, write) in memory.writes.iter().enumerate() {
            writes.push(Step::Write(m, w));
            for value in write.operands().filter(|&id| !is_leaf(id)) {
                if value != write.enable && (is_leaf(write.enable) || part(write.enable) <= part(value)) {
                    sinks[part(value)].push((value, Step::Prepare { enable: write.enable, value }));
                } else {
                    crossing[value.0 as usize] = true;
                    order.want(value);
                }
            }
        }
    }
    let mut functions: Vec<Function> = cut(&writes, true, NOWHERE as usize);
    // The last one first: only then is known what the others have to make for it.
    for part in (0..partitions.count).rev() {
        for (value, step) in std::mem::take(&mut sinks[part]) {
            order.place(value, part as u32);
            if let Step::Prepare { enable, .. } = step {
                order.place(enable, part as u32);
            }
            order.steps.push(step);
        }
        for value in std::mem::take(&mut order.wanted[part]) {
            order.place(value, part as u32);
        }
        functions.splice(0..0, cut(&std::mem::take(&mut order.steps), false, part));
    }
    let spilled = spills(design, &functions, &mut crossing);
    let is_constant = |&i: &usize| is_constant(design.graph.op(design.outputs[i].value));
    let constants: Vec<usize> = (0..design.outputs.len()).filter(is_constant).collect();
    let (mut slots, mut words) = (vec![0; design.outputs.len()], 0);
    let mut assign = |outputs: &mut dyn Iterator<Item = usize>| {
        let start = words;
        for i in outputs {
            slots[i] = words;
            words += super::words(design.graph.ty(design.outputs[i].value));
        }
        start..words
    };
    for function in &mut functions {
        function.words = assign(&mut function.steps.iter().filter_map(|step| match *step {
            Step::Output(i) => Some(i),
            _ => None,
        }));
    }
    assign(&mut constants.iter().copied());
    Schedule { partitions: partitions.count, functions, spilled, crossing, slots, constants, words }
}

fn is_constant(op: &Op) -> bool {
    matches!(op, Op::Const(_) | Op::Constants(_))
}

fn cut(steps: &[Step], writes: bool, partition: usize) -> Vec<Function> {
    let function = |steps: &[Step]| Function { steps: steps.to_vec(), writes, partition, words: 0..0 };
    let functions = steps.chunks(STEPS_PER_FUNCTION).map(function);
    functions.collect()
}

/// By partition: what is stored, and how.
fn sinks(design: &Design, partitions: &Partitions) -> Vec<Vec<(NodeId, Step)>> {
    let mut sinks = vec![vec![]; partitions.count];
    for (i, register) in design.registers.iter().enumerate() {
        sinks[partitions.registers[i] as usize].push((register.next, Step::Register(i)));
    }
    for (i, output) in design.outputs.iter().enumerate() {
        if !is_constant(design.graph.op(output.value)) {
            sinks[partitions.of_stored(design, output.value)].push((output.value, Step::Output(i)));
        }
    }
    sinks
}

struct Order<'a> {
    design: &'a Design,
    partitions: &'a Partitions,
    placed: Vec<bool>,
    /// By partition: what later ones use.
    wanted: Vec<Vec<NodeId>>,
    steps: Vec<Step>,
}

impl Order<'_> {
    /// `id` will be used outside of its partition.
    fn want(&mut self, id: NodeId) {
        if !is_leaf(self.design.graph.op(id)) {
            self.wanted[self.partitions.nodes[id.0 as usize] as usize].push(id);
        }
    }

    /// Computes `root` in `part`, with what it needs; what another partition makes, is wanted from there.
    fn place(&mut self, root: NodeId, part: u32) {
        let mut stack = vec![(root, false)];
        while let Some((id, ready)) = stack.pop() {
            let op = self.design.graph.op(id);
            if self.placed[id.0 as usize] || is_leaf(op) {
                continue;
            }
            if self.partitions.nodes[id.0 as usize] != part {
                self.want(id);
            } else if ready {
                self.placed[id.0 as usize] = true;
                self.steps.push(Step::Node(id));
            } else {
                stack.push((id, true));
                op.for_each_operand(|operand| stack.push((operand, false)));
            }
        }
    }
}

impl Step {
    /// Calls `f` on every value it uses.
    pub fn for_each_use(self, design: &Design, mut f: impl FnMut(NodeId)) {
        match self {
            Self::Node(id) => design.graph.op(id).for_each_operand(f),
            Self::Register(i) => f(design.registers[i].next),
            Self::Output(i) => f(design.outputs[i].value),
            Self::Prepare { enable, value } => {
                f(enable);
                f(value);
            }
            Self::Write(m, w) => design.memories[m].writes[w].operands().for_each(f),
        }
    }
}

fn spills(design: &Design, functions: &[Function], crossing: &mut [bool]) -> Vec<bool> {
    let mut home = vec![usize::MAX; design.graph.len()];
    let mut spilled = vec![false; design.graph.len()];
    for (f, function) in functions.iter().enumerate() {
        for &step in &function.steps {
            step.for_each_use(design, |id| {
                let i = id.0 as usize;
                if home[i] != usize::MAX && home[i] != f {
                    spilled[i] = true;
                    // What only is written somewhere, has been prepared for it, or was noted as crossing.
                    crossing[i] |= !function.writes;
                }
            });
            if let Step::Node(id) = step {
                home[id.0 as usize] = f;
            }
        }
    }
    spilled
}
