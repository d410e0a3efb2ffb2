//! The order of evaluation, and where it is cut into functions.
use crate::ir::{Design, NodeId, Op, Output};

/// One statement of the generated code.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// Compute a value.
    Node(NodeId),
    /// Store a register's next value.
    Register(usize),
    /// Store a value for the outside.
    Output(usize),
    /// Store all lanes of a vector for the outside: the values from `.0` upward.
    OutputVector(usize, NodeId),
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
}

/// The whole cycle.
pub struct Schedule {
    /// In order; those that write come last.
    pub functions: Vec<Function>,
    /// By node: computed in one function and used in another.
    pub spilled: Vec<bool>,
}

/// rustc's time grows faster than a function's length.
const STEPS_PER_FUNCTION: usize = 2000;

/// Values in depth-first order from what they are for, so that they are used soon after they are computed.
pub fn schedule(design: &Design) -> Schedule {
    let mut order = Order { design, placed: vec![false; design.graph.len()], steps: vec![] };
    for (i, register) in design.registers.iter().enumerate() {
        order.place(register.next);
        order.steps.push(Step::Register(i));
    }
    let mut i = 0;
    while i < design.outputs.len() {
        match whole_vector(design, i) {
            Some((vector, lanes)) => {
                order.place(vector);
                order.steps.push(Step::OutputVector(i, vector));
                i += lanes;
            }
            None => {
                order.place(design.outputs[i].value);
                order.steps.push(Step::Output(i));
                i += 1;
            }
        }
    }
    let mut writes = vec![];
    for (m, memory) in design.memories.iter().enumerate() {
        for (w, write) in memory.writes.iter().enumerate() {
            write.operands().for_each(|id| order.place(id));
            writes.push(Step::Write(m, w));
        }
    }
    let cut = |steps: &[Step], writes| {
        let functions = steps.chunks(STEPS_PER_FUNCTION).map(|steps| Function { steps: steps.to_vec(), writes });
        functions.collect::<Vec<_>>()
    };
    let mut functions = cut(&order.steps, false);
    functions.extend(cut(&writes, true));
    let spilled = spills(design, &functions);
    Schedule { functions, spilled }
}

/// The vector whose lanes are the outputs from `first` upward, and how many they are.
fn whole_vector(design: &Design, first: usize) -> Option<(NodeId, usize)> {
    let &Op::Extract(vector, 0) = design.graph.op(design.outputs[first].value) else { return None };
    let lanes = design.graph.ty(vector).lanes as usize;
    let outputs = design.outputs.get(first..first + lanes)?;
    let is_lane = |(l, output): (usize, &Output)| *design.graph.op(output.value) == Op::Extract(vector, l as u8);
    outputs.iter().enumerate().all(is_lane).then_some((vector, lanes))
}

struct Order<'a> {
    design: &'a Design,
    placed: Vec<bool>,
    steps: Vec<Step>,
}

impl Order<'_> {
    fn place(&mut self, root: NodeId) {
        let mut stack = vec![(root, false)];
        while let Some((id, ready)) = stack.pop() {
            let op = self.design.graph.op(id);
            if self.placed[id.0 as usize] || is_leaf(op) {
                continue;
            }
            if ready {
                self.placed[id.0 as usize] = true;
                self.steps.push(Step::Node(id));
            } else {
                stack.push((id, true));
                op.for_each_operand(|operand| stack.push((operand, false)));
            }
        }
    }
}

/// What every function loads by itself.
fn is_leaf(op: &Op) -> bool {
    matches!(op, Op::Const(_) | Op::Constants(_) | Op::Input(_) | Op::Register(_))
}

fn spills(design: &Design, functions: &[Function]) -> Vec<bool> {
    let mut home = vec![usize::MAX; design.graph.len()];
    let mut spilled = vec![false; design.graph.len()];
    for (f, function) in functions.iter().enumerate() {
        for &step in &function.steps {
            let mut used = |id: NodeId| {
                let i = id.0 as usize;
                if home[i] != usize::MAX && home[i] != f {
                    spilled[i] = true;
                }
            };
            match step {
                Step::Node(id) => {
                    design.graph.op(id).for_each_operand(&mut used);
                    home[id.0 as usize] = f;
                }
                Step::Register(i) => used(design.registers[i].next),
                Step::Output(i) => used(design.outputs[i].value),
                Step::OutputVector(_, vector) => used(vector),
                Step::Write(m, w) => design.memories[m].writes[w].operands().for_each(&mut used),
            }
        }
    }
    spilled
}
