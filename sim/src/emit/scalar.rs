//! Rust expressions of scalar values: every one a `u64` whose bits past its width are 0.
use super::{name, row_type};
use crate::ir::{Binary, Design, Graph, NodeId, Op, Unary, Write, mask};

/// How `id` is computed from its operands' names.
pub fn expression(design: &Design, id: NodeId) -> String {
    let graph = &design.graph;
    let node = graph.node(id);
    let width = node.ty.width();
    let n = |id: &NodeId| name(graph, *id);
    match &node.op {
        Op::Read { memory, address } => read(design, *memory, *address),
        Op::Unary(op, a) => unary(*op, &n(a), graph.width(*a), width),
        Op::Binary(op, a, b) => binary(graph, *op, *a, *b, width),
        Op::Mux(c, a, b) => format!("if {} != 0 {{ {} }} else {{ {} }}", n(c), n(a), n(b)),
        Op::Slice { value, low } => {
            let shifted = if *low == 0 { n(value) } else { format!("({} >> {low})", n(value)) };
            masked(shifted, if graph.width(*value) == width + *low as usize { 64 } else { width })
        }
        Op::Concat(parts) => {
            let mut low = width;
            let parts = parts.iter().map(|part| {
                low -= graph.width(*part);
                if low == 0 { n(part) } else { format!("({} << {low})", n(part)) }
            });
            parts.collect::<Vec<_>>().join(" | ")
        }
        Op::BitReplace { value, index, bit } => {
            let (value, i, bit) = (n(value), n(index), n(bit));
            let replaced = format!("({value} & !(1u64 << ({i} & 63))) | ({bit} << ({i} & 63))");
            if fits(graph, *index, width) {
                replaced
            } else {
                format!("if {i} < {width} {{ {replaced} }} else {{ {value} }}")
            }
        }
        Op::Select { index, inputs } => select(graph, *index, inputs),
        Op::LastWins { conditions, values, default } => {
            let choices = conditions.iter().zip(values.iter()).rev();
            let choices = choices.map(|(c, v)| format!("if {} != 0 {{ {} }} else ", n(c), n(v))).collect::<String>();
            format!("{choices}{{ {} }}", n(default))
        }
        Op::Chain(op, parts) => {
            let parts: Vec<String> = parts.iter().map(n).collect();
            match op {
                Binary::Add => masked(
                    format!(
                        "({}{})",
                        parts[0],
                        parts[1..].iter().map(|p| format!(".wrapping_add({p})")).collect::<String>()
                    ),
                    width,
                ),
                _ => parts.join(&format!(" {} ", symbol(*op))),
            }
        }
        other => unreachable!("not a scalar operator: {other:?}"),
    }
}

fn masked(text: String, width: usize) -> String {
    if width == 64 { text } else { format!("{text} & {:#x}", mask(width)) }
}

/// Whether every value of `id` is less than `bound`.
pub fn fits(graph: &Graph, id: NodeId, bound: usize) -> bool {
    mask(graph.width(id)) < bound as u64 || graph.constant(id).is_some_and(|value| value < bound as u64)
}

fn signed(a: &str, width: usize) -> String {
    format!("((({a} << {0}) as i64) >> {0})", 64 - width)
}

fn symbol(op: Binary) -> &'static str {
    match op {
        Binary::And => "&",
        Binary::Or => "|",
        Binary::Xor => "^",
        Binary::Eq => "==",
        Binary::Ne => "!=",
        Binary::Lt => "<",
        Binary::Le => "<=",
        other => unreachable!("{other:?} has no symbol"),
    }
}

fn unary(op: Unary, a: &str, from: usize, to: usize) -> String {
    match op {
        Unary::Not => format!("{a} ^ {:#x}", mask(to)),
        Unary::ZeroExtend => a.into(),
        Unary::SignExtend => masked(format!("({} as u64)", signed(a, from)), to),
        Unary::ReduceAnd => format!("({a} == {:#x}) as u64", mask(from)),
        Unary::ReduceOr => format!("({a} != 0) as u64"),
        Unary::ReduceXor => format!("({a}.count_ones() & 1) as u64"),
        Unary::Popcount => format!("{a}.count_ones() as u64"),
        Unary::LowestBit => format!("({a}.trailing_zeros() & 63) as u64"),
        Unary::HighestBit => format!("(63 - ({a} | 1).leading_zeros()) as u64"),
    }
}

fn binary(graph: &Graph, op: Binary, a: NodeId, b: NodeId, width: usize) -> String {
    let from = graph.width(a);
    let safe = fits(graph, b, from);
    let (a, b) = (name(graph, a), name(graph, b));
    let guard = |shifted: String| if safe { shifted } else { format!("if {b} < {from} {{ {shifted} }} else {{ 0 }}") };
    match op {
        Binary::And | Binary::Or | Binary::Xor => format!("{a} {} {b}", symbol(op)),
        Binary::Add => masked(format!("{a}.wrapping_add({b})"), width),
        Binary::Sub => masked(format!("{a}.wrapping_sub({b})"), width),
        Binary::Mul => masked(format!("{a}.wrapping_mul({b})"), width),
        Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le => format!("({a} {} {b}) as u64", symbol(op)),
        Binary::SignedLt => format!("({} < {}) as u64", signed(&a, from), signed(&b, from)),
        Binary::Shl => guard(masked(format!("({a} << ({b} & 63))"), width)),
        Binary::Shr => guard(format!("{a} >> ({b} & 63)")),
        Binary::Sra => masked(format!("(({} >> {b}.min(63)) as u64)", signed(&a, from)), width),
        Binary::BitSelect => guard(format!("({a} >> ({b} & 63)) & 1")),
    }
}

/// One of `inputs`, 0 past the end.
pub fn select(graph: &Graph, index: NodeId, inputs: &[NodeId]) -> String {
    let i = name(graph, index);
    let n = |id: &NodeId| name(graph, *id);
    if inputs.len() <= 4 {
        let choices = inputs.iter().enumerate();
        let choices = choices.map(|(k, input)| format!("if {i} == {k} {{ {} }} else ", n(input))).collect::<String>();
        return format!("{choices}{{ 0 }}");
    }
    let table = inputs.iter().map(n).collect::<Vec<_>>().join(", ");
    if fits(graph, index, inputs.len()) {
        format!("*[{table}].get_unchecked({i} as usize)")
    } else {
        format!("if {i} < {} {{ *[{table}].get_unchecked({i} as usize) }} else {{ 0 }}", inputs.len())
    }
}

fn read(design: &Design, memory: u32, address: NodeId) -> String {
    let depth = design.memories[memory as usize].depth;
    let a = name(&design.graph, address);
    let row = format!("*mem.m{memory}.0.get_unchecked({a} as usize) as u64");
    if fits(&design.graph, address, depth) { row } else { format!("if {a} < {depth} {{ {row} }} else {{ 0 }}") }
}

/// The statement of a write port, which does `changed` if the row is another one then.
pub fn write(design: &Design, memory: usize, write: &Write, changed: &str) -> String {
    let graph = &design.graph;
    let n = |id| name(graph, id);
    let Some(definition) = design.memories.get(memory) else { unreachable!("a write belongs to a memory") };
    let cast = row_type(definition.ty);
    let value = match write.mask {
        None => format!("{} as {cast}", n(write.data)),
        Some(enables) => {
            format!("((*row as u64 & !bytes({0})) | ({1} & bytes({0}))) as {cast}", n(enables), n(write.data))
        }
    };
    format!(
        "if {} != 0 && {address} < {} {{ let row = mem.m{memory}.0.get_unchecked_mut({address} as usize); let value = {value}; if *row != value {{ *row = value; {changed}}} }}",
        n(write.enable),
        definition.depth,
        address = n(write.address),
    )
}
