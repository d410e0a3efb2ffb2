//! Which expressions get a wire of their own, and what uses them.
use warploom_sim::netlist::{Driver, ExprId, Module, NetId, Op};

/// How the expressions of a module are printed: inside their users, or under a name.
pub(super) struct Sharing {
    /// Whether the expression has a name.
    pub named: Vec<bool>,
}

impl Sharing {
    /// Named are: what Verilog cannot slice or extend in place, shifts whose sign must not depend on their
    /// surroundings, and what several users share unless it is shorter than a name.
    pub fn new(module: &Module) -> Self {
        let count = module.exprs.len();
        let mut uses = vec![0usize; count];
        let mut forced = vec![false; count];
        for (root, _) in roots(module) {
            uses[root.0 as usize] += 1;
        }
        // From the last expression down, every user is seen before its operands.
        for i in (0..count).rev() {
            if uses[i] > 0 {
                module.exprs[i].op.operands().iter().for_each(|operand| uses[operand.0 as usize] += 1);
                forced[i] |= matches!(module.exprs[i].op, Op::Sra(..));
                if let Some(operand) = operand_by_name(module, ExprId(i as u32)) {
                    forced[operand.0 as usize] = true;
                }
            }
        }
        for write in module.memories.iter().flat_map(|memory| &memory.writes) {
            for operand in write.mask.into_iter().flat_map(|mask| [mask, write.data]) {
                forced[operand.0 as usize] |= !matches!(module.expr(operand).op, Op::Net(_) | Op::Const(_));
            }
        }
        let mut cost = vec![0usize; count];
        let mut named = vec![false; count];
        for i in (0..count).filter(|&i| uses[i] > 0) {
            let op = &module.exprs[i].op;
            let inside: usize = op.operands().iter().map(|operand| cost[operand.0 as usize]).sum();
            let total = inside + own_cost(op);
            named[i] = forced[i] || (uses[i] > 1 && total > 1);
            cost[i] = if named[i] { 0 } else { total };
        }
        Self { named }
    }
}

/// The operand that Verilog takes only under a name.
fn operand_by_name(module: &Module, id: ExprId) -> Option<ExprId> {
    let width = |id: &ExprId| module.expr(*id).width;
    let operand = match &module.expr(id).op {
        Op::Slice { value, .. } if width(value) > width(&id) => *value,
        Op::SignExtend(value) if width(value) > 1 => *value,
        Op::BitSelect { value, index } if indexes_all(width(value), width(index)) => *value,
        Op::BitReplace { index, .. } => *index,
        _ => return None,
    };
    (!matches!(module.expr(operand).op, Op::Net(_) | Op::Const(_))).then_some(operand)
}

/// Whether no index of `index_width` bits can pass the end of `width` bits (and there is something to index).
pub(super) fn indexes_all(width: usize, index_width: usize) -> bool {
    width > 1 && index_width < 7 && (1 << index_width) <= width
}

/// How much longer than a name an operator makes a line.
fn own_cost(op: &Op) -> usize {
    match op {
        Op::Const(_) | Op::Net(_) | Op::Slice { .. } => 0,
        Op::Add(..) | Op::Sub(..) | Op::Mul(..) | Op::Shl(..) | Op::Shr(..) | Op::Select { .. } => 2,
        Op::Popcount(_) | Op::LowestBit(_) | Op::LowestOneHot(_) | Op::BitReplace { .. } | Op::Mux(..) => 2,
        _ => 1,
    }
}

/// Every use of an expression outside expressions, with the net it is for (for a write port, some read port's).
pub(super) fn roots(module: &Module) -> impl Iterator<Item = (ExprId, NetId)> {
    let nets = module.nets.iter().enumerate().filter_map(|(i, net)| match net.driver {
        Driver::Expr(root) => Some((root, NetId(i as u32))),
        _ => None,
    });
    let registers = module.registers.iter().flat_map(|register| {
        let all = register.reset.into_iter().chain(register.enable).chain([register.d]);
        all.map(|root| (root, register.q))
    });
    let memories = module.memories.iter().flat_map(|memory| {
        let reads = memory.reads.iter().flat_map(|read| {
            let all = read.enable.into_iter().chain([read.address]);
            all.map(|root| (root, read.data))
        });
        let writes = memory.writes.iter().flat_map(|write| {
            let all = [write.enable, write.address, write.data].into_iter().chain(write.mask);
            all.map(|root| (root, memory.reads.first().map_or(memory.clock, |read| read.data)))
        });
        reads.chain(writes)
    });
    nets.chain(registers).chain(memories)
}
