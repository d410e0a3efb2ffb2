//! Rust expressions of vectors, and of scalars taken from vectors.
//!
//! In `V` and `W` the bits of a lane past its width are 0, as in scalars. Lanes past the group's own hold anything, so
//! whatever looks at all lanes masks them first.
use super::{Class, class, name, padded, row_type};
use crate::ir::{Binary, Design, Graph, NodeId, Op, Type, Unary, Write, mask};

/// Whether `id` is a vector or takes vectors as operands.
pub fn is_vector_code(graph: &Graph, id: NodeId) -> bool {
    graph.ty(id).is_vector()
        || matches!(
            graph.op(id),
            Op::ReadLane { .. } | Op::Lookup { .. } | Op::Extract(..) | Op::Pack(_) | Op::Reduce(..)
        )
}

/// A vector literal.
pub fn constants(values: &[u64], ty: Type) -> String {
    match class(ty) {
        Class::Mask => format!("{:#x}u64", values.iter().enumerate().fold(0, |bits, (i, value)| bits | (value << i))),
        class => {
            let padding = std::iter::repeat_n(&0, padded(ty) - values.len());
            let words = values.iter().chain(padding).map(|value| value.to_string()).collect::<Vec<_>>();
            format!("{}::load(&[{}])", turbofish(class), words.join(", "))
        }
    }
}

/// A vector literal with one bit set in every lane, none where the index is past the lane's end.
fn bits_at(indices: &[u64], at: Class, ty: Type) -> String {
    let width = if matches!(at, Class::W(_)) { 64 } else { 32 };
    let bits: Vec<u64> = indices.iter().map(|&i| if i < width { 1 << i } else { 0 }).collect();
    constants(&bits, ty.with_width(width as usize))
}

/// Consecutive inputs.
pub fn inputs(first: u32, ty: Type) -> String {
    let lanes = padded(ty);
    let all = format!("W::<{}>::load(&*(io.as_ptr().add({first}) as *const [u64; {lanes}]))", lanes / 16);
    convert(&all, Class::W(lanes / 16), class(ty))
}

/// The statement that stores a vector for the outside, from word `first` upward: one-bit lanes in one word, lanes of up
/// to 32 bits two in a word.
pub fn store(graph: &Graph, vector: NodeId, first: usize) -> String {
    let (ty, n) = (graph.ty(vector), name(graph, vector));
    match class(ty) {
        Class::Mask => format!("io[{first}] = {n} & {:#x};", live(ty)),
        _ => format!("{n}.store_lanes::<{}>(io.as_mut_ptr().add({first}) as *mut _);", ty.lanes),
    }
}

/// No bit set.
pub fn zero(class: Class) -> String {
    match class {
        Class::Word | Class::Mask => "0u64".into(),
        _ => format!("{}::splat(0)", turbofish(class)),
    }
}

fn turbofish(class: Class) -> String {
    match class {
        Class::V(chunks) => format!("V::<{chunks}>"),
        Class::W(chunks) => format!("W::<{chunks}>"),
        Class::Word | Class::Mask => unreachable!("not a vector of words"),
    }
}

/// One bit for every lane of a group.
pub fn live(ty: Type) -> u64 {
    mask(ty.lanes as usize)
}

/// Writes expressions for one design.
#[derive(Clone, Copy)]
struct Writer<'a> {
    graph: &'a Graph,
}

/// How `id` is computed from its operands' names.
pub fn expression(design: &Design, id: NodeId) -> String {
    let w = Writer { graph: &design.graph };
    let node = w.graph.node(id);
    let ty = node.ty;
    let to = class(ty);
    match &node.op {
        Op::Read { memory, address } => w.read(design, *memory, *address, ty),
        Op::ReadLane { memory, lane, address } => {
            let memory_type = &design.memories[*memory as usize];
            let (a, depth) = (w.name(*address), memory_type.depth);
            let row =
                format!("*mem.m{memory}.0.get_unchecked({a} as usize * {} + {lane}) as u64", padded(memory_type.ty));
            format!("if {a} < {depth} {{ {row} }} else {{ 0 }}")
        }
        Op::Unary(op, a) => w.unary(*op, *a, ty),
        Op::Binary(op, a, b) => w.binary(*op, *a, *b, ty),
        Op::Mux(c, a, b) => w.choose(&w.name(*c), &w.name(*a), &w.name(*b), to),
        Op::Slice { value, low } => w.slice(*value, *low as usize, ty),
        Op::Concat(parts) => {
            let mut low = ty.width();
            let parts = parts.iter().map(|&part| {
                low -= w.graph.width(part);
                w.shifted(&w.converted(part, to), low, to)
            });
            let parts: Vec<String> = parts.collect();
            parts[1..].iter().fold(parts[0].clone(), |all, part| format!("{all}.or({part})"))
        }
        Op::BitReplace { value, index, bit } => w.bit_replace(*value, *index, *bit, ty),
        Op::Select { index, inputs } => {
            if !w.graph.ty(*index).is_vector() {
                // Of bits: one of the masks.
                return super::scalar::select(w.graph, *index, inputs);
            }
            let index_class = class(w.graph.ty(*index));
            let mut result = zero(to);
            for (k, input) in inputs.iter().enumerate() {
                let hit = match index_class {
                    Class::Mask if k == 0 => format!("(!{})", w.name(*index)),
                    Class::Mask if k == 1 => w.name(*index),
                    Class::Mask => "0u64".into(),
                    other if k as u64 <= mask(w.graph.width(*index)) => {
                        format!("{}.eq({}::splat({k}))", w.name(*index), turbofish(other))
                    }
                    _ => continue,
                };
                result = w.choose(&hit, &w.name(*input), &result, to);
            }
            result
        }
        Op::LastWins { conditions, values, default } => {
            let choices = conditions.iter().zip(values.iter());
            choices.fold(w.name(*default), |rest, (&c, &v)| w.choose(&w.name(c), &w.name(v), &rest, to))
        }
        Op::Chain(op, parts) => {
            parts[1..].iter().fold(w.name(parts[0]), |all, &part| w.arithmetic(*op, &all, &w.name(part), ty))
        }
        Op::Broadcast(a) => match to {
            Class::Mask => format!("0u64.wrapping_sub({})", w.name(*a)),
            _ => format!("{}::splat({})", turbofish(to), w.name(*a)),
        },
        Op::Lanes(parts) => w.lanes(parts, ty),
        Op::Unpack { value, low, stride } => w.unpack(*value, *low as usize, *stride as usize, ty),
        Op::Permute(a, lanes) => w.permute(*a, lanes, ty),
        Op::Blend(a, b, lanes) => w.choose(&format!("{lanes:#x}u64"), &w.name(*a), &w.name(*b), to),
        Op::Lookup { table, index } => w.lookup(*table, *index, ty),
        Op::Extract(a, lane) => match class(w.graph.ty(*a)) {
            Class::Mask => format!("({} >> {lane}) & 1", w.name(*a)),
            _ => format!("{}.lane({lane})", w.name(*a)),
        },
        Op::Pack(a) => format!("{} & {:#x}", w.name(*a), live(w.graph.ty(*a))),
        Op::Reduce(op, a) => w.reduce(*op, *a, ty),
        Op::Transpose(a) => w.transpose(*a, ty),
        other => unreachable!("not a vector operator: {other:?}"),
    }
}

/// The statement of a write port of a bank.
pub fn write(design: &Design, memory: usize, write: &Write) -> String {
    let w = Writer { graph: &design.graph };
    let definition = &design.memories[memory];
    let lanes = Type { width: definition.ty.width, lanes: definition.ty.lanes };
    let to = if definition.ty.width <= 32 { Class::V(padded(lanes) / 16) } else { Class::W(padded(lanes) / 16) };
    let enable = w.name(write.enable);
    let data = w.converted(write.data, to);
    let table = format!("mem.m{memory}.0.as_mut_ptr()");
    let merged = |old: String| match write.mask {
        None => data.clone(),
        Some(enables) => {
            let bytes = format!("{}.bytes()", w.converted(enables, to));
            format!("{{ let (old, bits) = ({old}, {bytes}); old.xor(old.xor({data}).and(bits)) }}")
        }
    };
    if !w.graph.ty(write.address).is_vector() {
        let (row, live, depth) = (w.name(write.address), live(lanes), definition.depth);
        let value = merged(format!("{}::row({table}, {row})", turbofish(to)));
        return format!(
            "{{ let m = {enable} & {live:#x}; if m != 0 && {row} < {depth} {{ {value}.set_row({table}, {row}, m); }} }}"
        );
    }
    let inside = w.in_range(write.address, definition.depth, lanes);
    let index = w.index(write.address);
    let value = merged(format!("{}::gather({table}, index, m)", turbofish(to)));
    format!(
        "{{ let m = {enable} & {inside}; if m != 0 {{ let index = {index}.own_row(); {value}.scatter({table}, index, m); }} }}"
    )
}

impl Writer<'_> {
    fn name(&self, id: NodeId) -> String {
        name(self.graph, id)
    }

    /// The value held as another class; bits that do not fit are dropped.
    fn converted(&self, id: NodeId, to: Class) -> String {
        convert(&self.name(id), class(self.graph.ty(id)), to)
    }

    fn shifted(&self, text: &str, by: usize, class: Class) -> String {
        match class {
            _ if by == 0 => text.into(),
            Class::Mask => unreachable!("one bit is not shifted"),
            _ => format!("{text}.shl({}::splat({by}))", turbofish(class)),
        }
    }

    fn masked(&self, text: String, ty: Type) -> String {
        match class(ty) {
            Class::V(_) if ty.width < 32 => {
                format!("{text}.and({}::splat({:#x}))", turbofish(class(ty)), mask(ty.width()))
            }
            Class::W(_) if ty.width < 64 => {
                format!("{text}.and({}::splat({:#x}))", turbofish(class(ty)), mask(ty.width()))
            }
            _ => text,
        }
    }

    fn choose(&self, c: &str, a: &str, b: &str, class: Class) -> String {
        match class {
            Class::Mask => format!("(({c} & {a}) | (!{c} & {b}))"),
            _ => format!("{}::select({c}, {a}, {b})", turbofish(class)),
        }
    }

    fn unary(&self, op: Unary, a: NodeId, ty: Type) -> String {
        let (from_type, to) = (self.graph.ty(a), class(ty));
        let (from, n) = (class(from_type), self.name(a));
        let width = from_type.width();
        match (op, from) {
            (Unary::Not, Class::Mask) => format!("!{n}"),
            (Unary::Not, _) => format!("{n}.xor({}::splat({:#x}))", turbofish(from), mask(width)),
            (Unary::ZeroExtend, _) => convert(&n, from, to),
            (Unary::SignExtend, Class::Mask) => match to {
                Class::Mask => n,
                _ => format!("{}::from_mask({n}, {:#x})", turbofish(to), mask(ty.width())),
            },
            (Unary::SignExtend, _) => self.masked(format!("{}.signed({width})", convert(&n, from, to)), ty),
            (Unary::ReduceAnd | Unary::ReduceOr | Unary::ReduceXor | Unary::Popcount, Class::Mask) => {
                convert(&n, from, to)
            }
            (Unary::LowestBit | Unary::HighestBit, Class::Mask) => zero(to),
            (Unary::ReduceAnd, _) => format!("{n}.eq({}::splat({:#x}))", turbofish(from), mask(width)),
            (Unary::ReduceOr, _) => format!("{n}.test(!0)"),
            (Unary::ReduceXor, _) => format!("{n}.popcount().test(1)"),
            (Unary::Popcount, _) => convert(&format!("{n}.popcount()"), from, to),
            (Unary::LowestBit, _) => convert(&format!("{n}.lowest()"), from, to),
            (Unary::HighestBit, _) => unreachable!("made on scalars only"),
        }
    }

    fn arithmetic(&self, op: Binary, a: &str, b: &str, ty: Type) -> String {
        let mask_class = class(ty) == Class::Mask;
        match op {
            Binary::And | Binary::Mul if mask_class => format!("({a} & {b})"),
            Binary::Or if mask_class => format!("({a} | {b})"),
            Binary::Xor | Binary::Add | Binary::Sub if mask_class => format!("({a} ^ {b})"),
            Binary::And => format!("{a}.and({b})"),
            Binary::Or => format!("{a}.or({b})"),
            Binary::Xor => format!("{a}.xor({b})"),
            Binary::Add => self.masked(format!("{a}.add({b})"), ty),
            Binary::Sub => self.masked(format!("{a}.sub({b})"), ty),
            Binary::Mul => self.masked(format!("{a}.mul({b})"), ty),
            other => unreachable!("{other:?} is not arithmetic"),
        }
    }

    fn binary(&self, op: Binary, a: NodeId, b: NodeId, ty: Type) -> String {
        let from_type = self.graph.ty(a);
        let from = class(from_type);
        let (x, y) = (self.name(a), self.name(b));
        match op {
            Binary::And | Binary::Or | Binary::Xor | Binary::Add | Binary::Sub | Binary::Mul => {
                self.arithmetic(op, &x, &y, ty)
            }
            Binary::Shl | Binary::Shr | Binary::Sra | Binary::BitSelect => self.shift(op, a, b, ty),
            Binary::Eq if from == Class::Mask => format!("!({x} ^ {y})"),
            Binary::Ne if from == Class::Mask => format!("{x} ^ {y}"),
            Binary::Lt if from == Class::Mask => format!("!{x} & {y}"),
            Binary::Le if from == Class::Mask => format!("!{x} | {y}"),
            Binary::SignedLt if from == Class::Mask => format!("{x} & !{y}"),
            Binary::Eq => format!("{x}.eq({y})"),
            Binary::Ne => format!("!{x}.eq({y})"),
            Binary::Lt => format!("{x}.lt({y})"),
            Binary::Le => format!("!{y}.lt({x})"),
            Binary::SignedLt => {
                let by = if matches!(from, Class::V(_)) { 32 } else { 64 } - from_type.width();
                format!("{}.slt({})", self.shifted(&x, by, from), self.shifted(&y, by, from))
            }
        }
    }

    fn shift(&self, op: Binary, a: NodeId, b: NodeId, ty: Type) -> String {
        let (value_type, amount_type) = (self.graph.ty(a), self.graph.ty(b));
        let amount_class = class(amount_type);
        if class(value_type) == Class::Mask {
            let none = match amount_class {
                Class::Mask => format!("!{}", self.name(b)),
                _ => format!("!{}.test(!0)", self.name(b)),
            };
            return if op == Binary::Sra { self.name(a) } else { format!("{} & {none}", self.name(a)) };
        }
        if let (Binary::BitSelect, Op::Constants(indices)) = (op, self.graph.op(b)) {
            let at = class(value_type);
            return format!("{}.test_each({})", self.name(a), bits_at(indices, at, value_type));
        }
        // An amount of more than 32 bits would lose its top in 32-bit lanes.
        let wide = matches!(class(value_type), Class::W(_)) || matches!(amount_class, Class::W(_));
        let chunks = padded(value_type) / 16;
        let at = if wide { Class::W(chunks) } else { Class::V(chunks) };
        let (x, y) = (self.converted(a, at), self.converted(b, at));
        let width = value_type.width();
        let shifted = match op {
            Binary::Shl => format!("{x}.shl({y})"),
            Binary::Sra => format!("{x}.signed({width}).sra({y})"),
            _ => format!("{x}.shr({y})"),
        };
        if op == Binary::BitSelect {
            return format!("{shifted}.test(1)");
        }
        self.masked(convert(&shifted, at, class(ty)), ty)
    }

    fn slice(&self, value: NodeId, low: usize, ty: Type) -> String {
        let (from_type, to) = (self.graph.ty(value), class(ty));
        let (from, n) = (class(from_type), self.name(value));
        match (from, to) {
            (Class::Mask, _) => n,
            (_, Class::Mask) => format!("{n}.test({:#x})", 1u64 << low),
            _ => {
                let down = if low == 0 { n } else { format!("{n}.shr({}::splat({low}))", turbofish(from)) };
                let result = convert(&down, from, to);
                if low + ty.width() == from_type.width() { result } else { self.masked(result, ty) }
            }
        }
    }

    fn bit_replace(&self, value: NodeId, index: NodeId, bit: NodeId, ty: Type) -> String {
        let to = class(ty);
        if to == Class::Mask {
            let hit = match class(self.graph.ty(index)) {
                Class::Mask => format!("!{}", self.name(index)),
                _ => format!("!{}.test(!0)", self.name(index)),
            };
            return self.choose(&format!("({hit})"), &self.name(bit), &self.name(value), to);
        }
        let index_class = class(self.graph.ty(index));
        let one = match (to, index_class) {
            // A wide index would lose its top in 32-bit lanes.
            (Class::V(chunks), Class::W(_)) => format!("W::<{chunks}>::splat(1).shl({}).narrow()", self.name(index)),
            _ => format!("{0}::splat(1).shl({1})", turbofish(to), self.converted(index, to)),
        };
        let one = self.masked(one, ty);
        let n = self.name(value);
        let (set, clear) = (format!("{n}.or(one)"), format!("{n}.and(one).xor({n})"));
        format!("{{ let one = {one}; {} }}", self.choose(&self.name(bit), &set, &clear, to))
    }

    fn lanes(&self, parts: &[NodeId], ty: Type) -> String {
        let parts = parts.iter().map(|&part| self.name(part));
        match class(ty) {
            Class::Mask => {
                parts.enumerate().map(|(l, part)| format!("({part} << {l})")).collect::<Vec<_>>().join(" | ")
            }
            class => {
                let word = row_type(ty);
                let mut words: Vec<String> = parts.map(|part| format!("{part} as {word}")).collect();
                words.resize(padded(ty), "0".into());
                format!("{}::load(&[{}])", turbofish(class), words.join(", "))
            }
        }
    }

    fn unpack(&self, value: NodeId, low: usize, stride: usize, ty: Type) -> String {
        let n = self.name(value);
        if ty.width == 1 && stride == 1 {
            return if low == 0 { n } else { format!("{n} >> {low}") };
        }
        let chunks = padded(ty) / 16;
        let wide = self.graph.width(value) > 32;
        let at = if wide { Class::W(chunks) } else { Class::V(chunks) };
        let amounts: Vec<u64> = (0..ty.lanes as usize).map(|l| (low + l * stride) as u64).collect();
        if ty.width == 1 {
            return format!("{}::splat({n}).test_each({})", turbofish(at), bits_at(&amounts, at, ty));
        }
        let amounts = constants(&amounts, ty.with_width(if wide { 64 } else { 32 }));
        let down = format!("{}::splat({n}).shr({amounts})", turbofish(at));
        self.masked(convert(&down, at, class(ty)), ty)
    }

    fn permute(&self, a: NodeId, lanes: &[u8], ty: Type) -> String {
        let index: Vec<u64> = lanes.iter().map(|&lane| lane as u64).collect();
        let index = constants(&index, ty.with_width(32));
        let live = live(ty);
        match class(ty) {
            Class::Mask if lanes.is_sorted_by(|a, b| a < b) => {
                let bits = lanes.iter().fold(0u64, |bits, lane| bits | 1 << lane);
                format!("extract_bits({}, {bits:#x})", self.name(a))
            }
            Class::Mask if lanes.windows(2).all(|pair| pair[0] == pair[1] + 1) => {
                format!("{}.reverse_bits() >> {}", self.name(a), 63 - lanes[0])
            }
            Class::Mask => {
                let from = Class::V(padded(self.graph.ty(a)) / 16);
                format!("{}.lookup({index}, {live:#x}).test(1)", self.converted(a, from))
            }
            _ => format!("{}.lookup({index}, {live:#x})", self.name(a)),
        }
    }

    fn lookup(&self, table: NodeId, index: NodeId, ty: Type) -> String {
        let table_type = self.graph.ty(table);
        let (n, i, lanes) = (self.name(table), self.name(index), table_type.lanes);
        if !ty.is_vector() {
            let value = match class(table_type) {
                Class::Mask => format!("({n} >> {i}) & 1"),
                _ => format!("{n}.lane({i} as usize)"),
            };
            let inside = mask(self.graph.width(index)) < lanes as u64;
            return if inside { value } else { format!("if {i} < {lanes} {{ {value} }} else {{ 0 }}") };
        }
        let inside = self.in_range(index, lanes as usize, ty);
        let index = self.index(index);
        match class(table_type) {
            Class::Mask => {
                let from = Class::V(padded(table_type) / 16);
                format!("{}.lookup({index}, {inside}).test(1)", self.converted(table, from))
            }
            _ => format!("{n}.lookup({index}, {inside})"),
        }
    }

    fn reduce(&self, op: Binary, a: NodeId, ty: Type) -> String {
        let from_type = self.graph.ty(a);
        let (n, live) = (self.name(a), live(from_type));
        match (op, class(from_type)) {
            (Binary::And, Class::Mask) => format!("(({n} & {live:#x}) == {live:#x}) as u64"),
            (Binary::Or, Class::Mask) => format!("(({n} & {live:#x}) != 0) as u64"),
            (_, Class::Mask) => format!("(({n} & {live:#x}).count_ones() & 1) as u64"),
            (Binary::And, _) => format!("{n}.reduce_and({live:#x})"),
            (Binary::Or, _) => format!("{n}.reduce_or({live:#x})"),
            (Binary::Xor, _) => format!("{n}.reduce_xor({live:#x})"),
            (Binary::Add, _) => format!("{n}.reduce_add({live:#x}) & {:#x}", mask(ty.width())),
            (op, _) => unreachable!("{op:?} is not reduced"),
        }
    }

    /// In blocks of 32 by 32 bits.
    fn transpose(&self, a: NodeId, ty: Type) -> String {
        let (from, n) = (self.graph.ty(a), self.name(a));
        let half = |across: usize| match (class(from), across) {
            (Class::W(_), 0) => format!("{n}.narrow()"),
            (wide @ Class::W(_), _) => format!("{n}.shr({}::splat(32)).narrow()", turbofish(wide)),
            _ => n.clone(),
        };
        let block = |across: usize, down: usize| match 32 * across < from.width() {
            true => format!("{}.block({down}).transposed()", half(across)),
            false => "V::<2>::splat(0)".into(),
        };
        let rows = |down: usize| format!("V::<{}>::of_blocks({}, {})", padded(ty) / 16, block(0, down), block(1, down));
        match class(ty) {
            Class::Mask => unreachable!("one lane is not transposed"),
            Class::V(_) => self.masked(rows(0), ty),
            wide => {
                let high = format!("{}.widen().shl({}::splat(32))", rows(1), turbofish(wide));
                self.masked(format!("{}.widen().or({high})", rows(0)), ty)
            }
        }
    }

    /// Lanes whose row is less than `bound`, the group's own only.
    fn in_range(&self, id: NodeId, bound: usize, lanes: Type) -> String {
        let live = live(lanes);
        let width = self.graph.width(id);
        if mask(width) < bound as u64 {
            return format!("{live:#x}");
        }
        match class(self.graph.ty(id)) {
            Class::Mask => format!("(!{} & {live:#x})", self.name(id)),
            class => format!("({}.lt({}::splat({bound})) & {live:#x})", self.name(id), turbofish(class)),
        }
    }

    /// An address or index as 32-bit lanes.
    fn index(&self, id: NodeId) -> String {
        self.converted(id, Class::V(padded(self.graph.ty(id)) / 16))
    }

    fn read(&self, design: &Design, memory: u32, address: NodeId, ty: Type) -> String {
        let definition = &design.memories[memory as usize];
        let at = if definition.ty.width <= 32 { Class::V(padded(ty) / 16) } else { Class::W(padded(ty) / 16) };
        if !self.graph.ty(address).is_vector() {
            let (n, bank) = (self.name(address), turbofish(at));
            let rows = format!("{bank}::row(mem.m{memory}.0.as_ptr(), {n})");
            let inside = super::scalar::fits(self.graph, address, definition.depth);
            let rows = if inside {
                rows
            } else {
                format!("(if {n} < {} {{ {rows} }} else {{ {bank}::splat(0) }})", definition.depth)
            };
            return convert(&rows, at, class(ty));
        }
        let inside = self.in_range(address, definition.depth, ty);
        let row = if definition.ty.is_vector() { ".own_row()" } else { "" };
        let rows =
            format!("{}::gather(mem.m{memory}.0.as_ptr(), {}{row}, {inside})", turbofish(at), self.index(address));
        convert(&rows, at, class(ty))
    }
}

fn convert(text: &str, from: Class, to: Class) -> String {
    match (from, to) {
        (Class::Mask, Class::Mask) | (Class::V(_), Class::V(_)) | (Class::W(_), Class::W(_)) => text.into(),
        (Class::Mask, _) => format!("{}::from_mask({text}, 1)", turbofish(to)),
        (_, Class::Mask) => format!("{text}.test(1)"),
        (Class::V(_), _) => format!("{text}.widen()"),
        (_, _) => format!("{text}.narrow()"),
    }
}
