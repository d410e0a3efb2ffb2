//! Expressions as text, by which mutants are known.
use warploom_sim::netlist::{ExprId, Module, Op};

/// Operands deeper than this are left out.
const DEPTH: usize = 3;

/// An expression in the manner of Rust.
pub fn text(module: &Module, id: ExprId) -> String {
    below(module, id, DEPTH)
}

fn below(module: &Module, id: ExprId, depth: usize) -> String {
    let expr = module.expr(id);
    match &expr.op {
        Op::Const(value) => return value.to_string(),
        Op::Net(net) => return module.net(*net).name.to_string(),
        _ if depth == 0 => return "..".into(),
        _ => {}
    }
    let of = |id: &ExprId| below(module, *id, depth - 1);
    let infix = |a: &ExprId, operator: &str, b: &ExprId| format!("({} {operator} {})", of(a), of(b));
    match &expr.op {
        Op::Const(_) | Op::Net(_) => unreachable!("they have returned"),
        Op::Not(a) => format!("!{}", of(a)),
        Op::And(a, b) => infix(a, "&", b),
        Op::Or(a, b) => infix(a, "or", b),
        Op::Xor(a, b) => infix(a, "^", b),
        Op::Add(a, b) => infix(a, "+", b),
        Op::Sub(a, b) => infix(a, "-", b),
        Op::Mul(a, b) => infix(a, "*", b),
        Op::Eq(a, b) => infix(a, "==", b),
        Op::Ne(a, b) => infix(a, "!=", b),
        Op::Lt(a, b) => infix(a, "<", b),
        Op::Le(a, b) => infix(a, "<=", b),
        Op::SignedLt(a, b) => infix(a, "<s", b),
        Op::Shl(a, b) => infix(a, "<<", b),
        Op::Shr(a, b) => infix(a, ">>", b),
        Op::Sra(a, b) => infix(a, ">>s", b),
        Op::Mux(c, a, b) => format!("({} ? {} : {})", of(c), of(a), of(b)),
        Op::Slice { value, low } if expr.width == 1 => format!("{}[{low}]", of(value)),
        Op::Slice { value, low } => format!("{}[{}..{low}]", of(value), low + expr.width),
        Op::Concat(parts) => format!("{{{}}}", some(parts, of)),
        Op::ZeroExtend(a) => of(a),
        Op::SignExtend(a) => format!("sign({})", of(a)),
        Op::BitSelect { value, index } => format!("{}[{}]", of(value), of(index)),
        Op::BitReplace { value, index, bit } => format!("{}[{} = {}]", of(value), of(index), of(bit)),
        Op::Select { index, inputs } => format!("[{}][{}]", some(inputs, of), of(index)),
        Op::ReduceAnd(a) => format!("all({})", of(a)),
        Op::ReduceOr(a) => format!("any({})", of(a)),
        Op::ReduceXor(a) => format!("parity({})", of(a)),
        Op::Popcount(a) => format!("count({})", of(a)),
        Op::LowestBit(a) => format!("lowest({})", of(a)),
        Op::LowestOneHot(a) => format!("lowest_one_hot({})", of(a)),
    }
}

/// The first few of many.
fn some(parts: &[ExprId], of: impl Fn(&ExprId) -> String) -> String {
    const SHOWN: usize = 3;
    let shown: Vec<String> = parts.iter().take(SHOWN).map(of).collect();
    format!("{}{}", shown.join(", "), if parts.len() > SHOWN { ", .." } else { "" })
}
