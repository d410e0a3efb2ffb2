//! How many gates a design will have, roughly, before anything is mapped: enough to tell what can be flattened.
use warploom_sim::netlist::{Expr, ExprId, Module, ModuleId, Netlist, Op};

/// Gates of a flip-flop, with what enables it.
const FLIP_FLOP: f64 = 6.0;
/// Gates of a 2-to-1 multiplexer.
const MUX: f64 = 2.0;

/// Gate equivalents of every module with everything in it, by number; memories in `boxes` are none.
pub(super) fn gates(netlist: &Netlist, boxes: &[&str]) -> Vec<f64> {
    // Children come before their parents.
    let mut known: Vec<f64> = Vec::with_capacity(netlist.modules.len());
    for module in &netlist.modules {
        let inside: f64 = module.instances.iter().map(|instance| known[instance.module.0 as usize]).sum();
        let is_box = boxes.contains(&module.name.as_str());
        known.push(if is_box { 0.0 } else { own(module) + inside });
    }
    known
}

/// Of the top.
pub(super) fn total(netlist: &Netlist, gates: &[f64]) -> f64 {
    let ModuleId(top) = netlist.top;
    gates[top as usize]
}

fn own(module: &Module) -> f64 {
    let logic: f64 = module.exprs.iter().map(|expr| operator(module, expr)).sum();
    let bits: usize = module.registers.iter().map(|register| register.width).sum();
    let memories = module.memories.iter().map(|memory| {
        let bit = FLIP_FLOP + MUX * memory.reads.len() as f64;
        bit * (memory.width * memory.depth) as f64
    });
    logic + FLIP_FLOP * bits as f64 + memories.sum::<f64>()
}

/// Gates per bit, times the bits that go in or out.
fn operator(module: &Module, expr: &Expr) -> f64 {
    let bits = |id: ExprId| module.expr(id).width as f64;
    let is_constant = |id: ExprId| matches!(module.expr(id).op, Op::Const(_));
    let width = expr.width as f64;
    match &expr.op {
        Op::Const(_) | Op::Net(_) | Op::Slice { .. } | Op::Concat(_) | Op::ZeroExtend(_) | Op::SignExtend(_) => 0.0,
        Op::Not(_) => 0.5 * width,
        Op::And(..) | Op::Or(..) => width,
        Op::Xor(..) => MUX * width,
        Op::Add(..) | Op::Sub(..) => 7.0 * width,
        Op::Mul(a, b) => 10.0 * extended(module, *a) * extended(module, *b),
        Op::Eq(a, b) | Op::Ne(a, b) if is_constant(*a) || is_constant(*b) => bits(*a),
        Op::Eq(a, _) | Op::Ne(a, _) => 3.0 * bits(*a),
        Op::Lt(a, _) | Op::Le(a, _) | Op::SignedLt(a, _) => 5.0 * bits(*a),
        Op::Shl(_, by) | Op::Shr(_, by) | Op::Sra(_, by) if is_constant(*by) => 0.0,
        Op::Shl(..) | Op::Shr(..) | Op::Sra(..) => MUX * width * width.log2().ceil(),
        Op::Mux(..) => MUX * width,
        Op::BitSelect { value, .. } => MUX * bits(*value),
        Op::BitReplace { value, .. } => 3.0 * bits(*value),
        Op::Select { inputs, .. } => MUX * width * inputs.len() as f64,
        Op::ReduceAnd(a) | Op::ReduceOr(a) => bits(*a),
        Op::ReduceXor(a) => MUX * bits(*a),
        Op::Popcount(a) => 7.0 * bits(*a),
        Op::LowestBit(a) => 10.0 * bits(*a),
        Op::LowestOneHot(a) => 5.0 * bits(*a),
    }
}

/// Bits of an operand without those that only extend it.
fn extended(module: &Module, id: ExprId) -> f64 {
    let expr = module.expr(id);
    match &expr.op {
        Op::ZeroExtend(inner) | Op::SignExtend(inner) => module.expr(*inner).width as f64,
        _ => expr.width as f64,
    }
}

#[cfg(test)]
mod tests {
    use warploom_hdl::parts::Fifo;
    use warploom_hdl::prelude::{Block, Multiplier, PriorityEncoder};
    use warploom_sim::elaborate;

    use super::*;

    /// Beside what yosys makes of them in OSU018.
    #[test]
    fn it_is_right_within_a_factor_of_two() {
        let blocks: [(Box<dyn Block>, f64); 3] = [
            (Box::new(Fifo::new(4, 32)), 1158.0),
            (Box::new(Multiplier::new(32)), 13_098.0),
            (Box::new(PriorityEncoder::new(32)), 437.0),
        ];
        for (mut block, mapped) in blocks {
            block.connect_all();
            let netlist = elaborate(block.as_ref()).unwrap_or_else(|error| panic!("{error}"));
            let estimate = total(&netlist, &gates(&netlist, &[]));
            assert!((0.5..2.0).contains(&(estimate / mapped)), "{}: {estimate} for {mapped}", netlist.top().name);
        }
    }
}
