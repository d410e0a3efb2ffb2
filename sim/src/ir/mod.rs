//! The flat design: one hash-consed graph of scalar and vector values, with registers and memories.
//!
//! [`flatten`](crate::flatten::flatten) makes it from the netlist with scalars alone; the passes rewrite it;
//! [`emit`](crate::emit) turns it into Rust.
use std::rc::Rc;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::hash::hash;
use crate::netlist::{EnumType, Segment};

pub mod eval;

/// Index of a [`Node`] in [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// What a node's value is: one word, or one word for every lane of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Type {
    /// Bits of a word, 1 to 64.
    pub width: u8,
    /// 0: a scalar; else the number of lanes, at most [`MAX_LANES`].
    pub lanes: u8,
}

/// The longest vector: one-bit vectors are packed into a `u64`.
pub const MAX_LANES: usize = 64;

impl Type {
    /// A single word.
    pub fn scalar(width: usize) -> Self {
        Self { width: width as u8, lanes: 0 }
    }

    /// A vector of `lanes` words.
    pub fn vector(width: usize, lanes: usize) -> Self {
        debug_assert!((1..=MAX_LANES).contains(&lanes));
        Self { width: width as u8, lanes: lanes as u8 }
    }

    /// Bits of a word.
    pub fn width(self) -> usize {
        self.width as usize
    }

    /// Whether it has lanes.
    pub fn is_vector(self) -> bool {
        self.lanes > 0
    }

    /// The same number of lanes, another width.
    pub fn with_width(self, width: usize) -> Self {
        Self { width: width as u8, ..self }
    }
}

/// One-operand operators; meanings as in [`netlist::Op`](crate::netlist::Op).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// Bitwise complement.
    Not,
    /// Zero extension.
    ZeroExtend,
    /// Sign extension.
    SignExtend,
    /// And of all bits.
    ReduceAnd,
    /// Or of all bits.
    ReduceOr,
    /// Parity.
    ReduceXor,
    /// Number of set bits.
    Popcount,
    /// Position of the lowest set bit, 0 when none is set.
    LowestBit,
    /// Position of the highest set bit, 0 when none is set.
    HighestBit,
}

/// Two-operand operators; meanings as in [`netlist::Op`](crate::netlist::Op).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Equality.
    Eq,
    /// Inequality.
    Ne,
    /// Unsigned less.
    Lt,
    /// Unsigned less or equal.
    Le,
    /// Two's-complement less.
    SignedLt,
    /// Left shift.
    Shl,
    /// Logical right shift.
    Shr,
    /// Arithmetic right shift.
    Sra,
    /// Bit of the first operand at the second.
    BitSelect,
}

/// How a value is computed. Every operator up to [`Op::Select`] works on scalars, or lane by lane on vectors whose
/// operands are all vectors of as many lanes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A scalar constant.
    Const(u64),
    /// An input port of the design.
    Input(u32),
    /// The value held by `registers[.0]`.
    Register(u32),
    /// A row of `memories[.memory]`, 0 past the depth. From a memory with lanes: a vector, for one scalar address or a
    /// vector of every lane's own. From one without: a scalar, or for a vector of addresses a vector.
    Read {
        /// Which memory.
        memory: u32,
        /// Row.
        address: NodeId,
    },
    /// A row of one lane's column of a memory with lanes: a scalar.
    ReadLane {
        /// Which memory.
        memory: u32,
        /// Column.
        lane: u8,
        /// Row.
        address: NodeId,
    },
    /// One operand.
    Unary(Unary, NodeId),
    /// Two operands.
    Binary(Binary, NodeId, NodeId),
    /// Condition ? then : else.
    Mux(NodeId, NodeId, NodeId),
    /// Bits from `low` upward.
    Slice {
        /// Operand.
        value: NodeId,
        /// Its lowest bit.
        low: u8,
    },
    /// Side by side, the first on top.
    Concat(Rc<[NodeId]>),
    /// `value` with one bit replaced.
    BitReplace {
        /// Operand.
        value: NodeId,
        /// Which bit.
        index: NodeId,
        /// New bit.
        bit: NodeId,
    },
    /// `inputs[index]`, 0 past the end. The index may be a scalar among vectors.
    Select {
        /// Which input.
        index: NodeId,
        /// Candidates.
        inputs: Rc<[NodeId]>,
    },
    /// The value of the last condition that holds, else the default: `if c0 { v0 } if c1 { v1 }...`. Scalar.
    LastWins {
        /// Conditions, one bit each.
        conditions: Rc<[NodeId]>,
        /// As many values.
        values: Rc<[NodeId]>,
        /// When no condition holds.
        default: NodeId,
    },
    /// A chain of one associative operator (and, or, xor, add). Scalar.
    Chain(Binary, Rc<[NodeId]>),

    /// A vector of constants.
    Constants(Rc<[u64]>),
    /// A scalar in every lane.
    Broadcast(NodeId),
    /// A vector put together from scalars.
    Lanes(Rc<[NodeId]>),
    /// Lane *l* is bits `low + l * stride` upward of a scalar.
    Unpack {
        /// The scalar.
        value: NodeId,
        /// Lane 0's lowest bit.
        low: u8,
        /// Bits from lane to lane.
        stride: u8,
    },
    /// Lane *l* of the result is lane `.1[l]` of a vector.
    Permute(NodeId, Rc<[u8]>),
    /// `inputs` with the lanes picked by constant: lane *l* is lane *l* of `.0` where bit *l* of `.2` is set, else of `.1`.
    Blend(NodeId, NodeId, u64),
    /// Lane `index` of `table`, 0 past the end; a scalar for a scalar index, a vector for a vector.
    Lookup {
        /// A vector.
        table: NodeId,
        /// Which lane.
        index: NodeId,
    },
    /// One lane, a scalar.
    Extract(NodeId, u8),
    /// A one-bit vector as a scalar of as many bits, lane 0 in bit 0.
    Pack(NodeId),
    /// All lanes combined by an associative operator (and, or, xor, add): a scalar.
    Reduce(Binary, NodeId),
    /// A vector as a matrix of bits, rows and columns exchanged: bit *i* of lane *l* is bit *l* of lane *i*. It has as
    /// many lanes as its operand has bits.
    Transpose(NodeId),
}

/// An operator with the type of its result.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// Operator.
    pub op: Op,
    /// Type of the value.
    pub ty: Type,
}

/// Nodes, each present once (unless it is [unshared](Graph::unshared)); operands come before their users.
#[derive(Clone, Debug)]
pub struct Graph {
    nodes: Vec<Node>,
    /// Of those that are looked for, by the hashes of what they are.
    ids: HashTable<NodeId>,
    shared: bool,
}

impl Default for Graph {
    fn default() -> Self {
        Self { shared: true, ..Self::unshared() }
    }
}

/// Where something stands: instance names from the top's scope down, then the name in the module.
pub type Path = Rc<[Segment]>;

/// A path as text, `lanes[3].alu.sum`.
pub fn path_name(path: &[Segment]) -> String {
    path.iter().map(|segment| segment.to_string()).collect::<Vec<_>>().join(".")
}

/// The whole design.
#[derive(Clone, Debug, Default)]
pub struct Design {
    /// Logic.
    pub graph: Graph,
    /// Input ports but the clock: name and width, in port order.
    pub inputs: Vec<(String, usize)>,
    /// Values computed for the outside: the outputs in port order, then those of observed nets, each once.
    pub outputs: Vec<Output>,
    /// Nets to observe.
    pub observed: Vec<Observed>,
    /// Flip-flops, all on the one clock.
    pub registers: Vec<Register>,
    /// Memories, all on the one clock.
    pub memories: Vec<Memory>,
    /// Nets that stand in an array of the hierarchy, as hints of what belongs together.
    pub arrayed: Vec<(Path, NodeId)>,
}

/// A value for the outside.
#[derive(Clone, Debug)]
pub struct Output {
    /// Name of the port; none for what is only observed.
    pub port: Option<String>,
    /// The value; a vector only where it is observed.
    pub value: NodeId,
}

/// A net to observe.
#[derive(Clone, Debug)]
pub struct Observed {
    /// Where it stands, the top's scope first.
    pub path: Path,
    /// Variants when it is an enumeration.
    pub variants: Option<Rc<EnumType>>,
    /// Bits.
    pub width: usize,
    /// Where in [`Design::outputs`] its value is.
    pub output: usize,
    /// Lane of that output, when it is a vector.
    pub lane: usize,
    /// Its lowest bit in that output or lane.
    pub low: usize,
    /// Bits that are stored; those above are zero.
    pub stored: usize,
}

/// Flip-flops with one next value. Reset and enable are part of it.
#[derive(Clone, Debug)]
pub struct Register {
    /// Where every lane stands (one path for a scalar).
    pub paths: Vec<Path>,
    /// Width and lanes.
    pub ty: Type,
    /// Value at the start, per lane (one for a scalar).
    pub initial: Vec<u64>,
    /// Value after the next edge.
    pub next: NodeId,
}

/// A memory without, or a bank of equal memories with, lanes. All zeros at the start.
#[derive(Clone, Debug)]
pub struct Memory {
    /// Where every lane stands (one path for a memory without).
    pub paths: Vec<Path>,
    /// Width of a row, and lanes.
    pub ty: Type,
    /// Rows.
    pub depth: usize,
    /// Write ports, the later one winning. In a bank every field is a vector, but the address may be a scalar.
    pub writes: Vec<Write>,
}

/// A write port. Past the depth the write is lost.
#[derive(Clone, Copy, Debug)]
pub struct Write {
    /// One bit.
    pub enable: NodeId,
    /// Row.
    pub address: NodeId,
    /// Value.
    pub data: NodeId,
    /// Byte enables.
    pub mask: Option<NodeId>,
}

impl Write {
    /// The values it takes.
    pub fn operands(&self) -> impl Iterator<Item = NodeId> + use<> {
        [Some(self.enable), Some(self.address), Some(self.data), self.mask].into_iter().flatten()
    }
}

impl Op {
    /// Calls `f` on every operand, in order.
    pub fn for_each_operand(&self, mut f: impl FnMut(NodeId)) {
        self.clone().map_operands(|id| {
            f(id);
            id
        });
    }

    /// The operator with every operand replaced.
    pub fn map_operands(self, mut f: impl FnMut(NodeId) -> NodeId) -> Self {
        use Op::*;
        let mut all = |ids: Rc<[NodeId]>| ids.iter().map(|&id| f(id)).collect::<Rc<[NodeId]>>();
        match self {
            Const(_) | Input(_) | Register(_) | Constants(_) => self,
            Read { memory, address } => Read { memory, address: f(address) },
            ReadLane { memory, lane, address } => ReadLane { memory, lane, address: f(address) },
            Unary(op, a) => Unary(op, f(a)),
            Binary(op, a, b) => Binary(op, f(a), f(b)),
            Mux(c, a, b) => Mux(f(c), f(a), f(b)),
            Slice { value, low } => Slice { value: f(value), low },
            Concat(parts) => Concat(all(parts)),
            BitReplace { value, index, bit } => BitReplace { value: f(value), index: f(index), bit: f(bit) },
            Select { index, inputs } => {
                let inputs = all(inputs);
                Select { index: f(index), inputs }
            }
            LastWins { conditions, values, default } => {
                let (conditions, values) = (all(conditions), all(values));
                LastWins { conditions, values, default: f(default) }
            }
            Chain(op, parts) => Chain(op, all(parts)),
            Broadcast(a) => Broadcast(f(a)),
            Lanes(parts) => Lanes(all(parts)),
            Unpack { value, low, stride } => Unpack { value: f(value), low, stride },
            Permute(a, lanes) => Permute(f(a), lanes),
            Blend(a, b, mask) => Blend(f(a), f(b), mask),
            Lookup { table, index } => Lookup { table: f(table), index: f(index) },
            Extract(a, lane) => Extract(f(a), lane),
            Pack(a) => Pack(f(a)),
            Reduce(op, a) => Reduce(op, f(a)),
            Transpose(a) => Transpose(f(a)),
        }
    }
}

impl Graph {
    /// An empty graph in which only constants, inputs and registers are looked for before they are added.
    pub fn unshared() -> Self {
        Self { nodes: vec![], ids: HashTable::new(), shared: false }
    }

    /// From now on every node is looked for.
    pub fn share(&mut self) {
        self.shared = true;
    }

    /// The graph, to read it; an empty one of the same kind stays behind.
    pub fn take(&mut self) -> Self {
        self.ids = HashTable::new();
        let empty = Self { shared: self.shared, ..Self::unshared() };
        std::mem::replace(self, empty)
    }

    /// The node behind an id.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// The operator behind an id.
    pub fn op(&self, id: NodeId) -> &Op {
        &self.node(id).op
    }

    /// The type behind an id.
    pub fn ty(&self, id: NodeId) -> Type {
        self.node(id).ty
    }

    /// The width behind an id.
    pub fn width(&self, id: NodeId) -> usize {
        self.ty(id).width()
    }

    /// All nodes, operands before their users.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// How many nodes there are, dead ones too.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The value of a scalar constant.
    pub fn constant(&self, id: NodeId) -> Option<u64> {
        match self.op(id) {
            Op::Const(value) => Some(*value),
            _ => None,
        }
    }

    /// The node, made unless it is there; scalar operators over constants alone are evaluated.
    ///
    /// Nothing else is simplified: folding `x + 0` would make lane 0 of an array look unlike its neighbours.
    pub fn add(&mut self, op: Op, ty: Type) -> NodeId {
        let op = match self.trivial(&op, ty) {
            Ok(id) => return id,
            Err(Some(value)) => Op::Const(value),
            Err(None) => op,
        };
        let (node, next) = (Node { op, ty }, NodeId(self.nodes.len() as u32));
        if self.shared || matches!(node.op, Op::Const(_) | Op::Input(_) | Op::Register(_)) {
            let nodes = &self.nodes;
            let of = |id: &NodeId| &nodes[id.0 as usize];
            match self.ids.entry(hash(&node), |id| *of(id) == node, |id| hash(of(id))) {
                Entry::Occupied(found) => return *found.get(),
                Entry::Vacant(free) => free.insert(next),
            };
        }
        self.nodes.push(node);
        next
    }

    /// A scalar constant.
    pub fn add_const(&mut self, value: u64, width: usize) -> NodeId {
        self.add(Op::Const(value & mask(width)), Type::scalar(width))
    }

    /// Bits from `low` upward of a scalar.
    pub fn add_slice(&mut self, value: NodeId, low: usize, width: usize) -> NodeId {
        self.add(Op::Slice { value, low: low as u8 }, Type::scalar(width))
    }

    /// Operators that do nothing, and constants.
    fn trivial(&self, op: &Op, ty: Type) -> Result<NodeId, Option<u64>> {
        if ty.is_vector() {
            return Err(None);
        }
        match op {
            Op::Slice { value, low: 0 } if self.ty(*value) == ty => return Ok(*value),
            Op::Unary(Unary::ZeroExtend | Unary::SignExtend, a) if self.ty(*a) == ty => return Ok(*a),
            Op::Unary(Unary::ReduceAnd | Unary::ReduceOr | Unary::ReduceXor, a) if self.ty(*a) == ty => return Ok(*a),
            Op::Concat(parts) if parts.len() == 1 => return Ok(parts[0]),
            Op::Mux(_, a, b) if a == b => return Ok(*a),
            _ => {}
        }
        Err(eval::scalar(op, ty.width(), |id| Some((self.constant(id)?, self.width(id)))))
    }
}

impl Design {
    /// Every value that something outside the logic takes: next values, outputs, write ports.
    pub fn sinks(&self) -> impl Iterator<Item = NodeId> {
        let registers = self.registers.iter().map(|register| register.next);
        let outputs = self.outputs.iter().map(|output| output.value);
        let writes = self.memories.iter().flat_map(|memory| &memory.writes).flat_map(|write| write.operands());
        registers.chain(outputs).chain(writes)
    }

    /// Replaces every value that something outside the logic takes.
    pub fn map_sinks(&mut self, mut f: impl FnMut(&mut Graph, NodeId) -> NodeId) {
        let graph = &mut self.graph;
        for output in &mut self.outputs {
            output.value = f(graph, output.value);
        }
        for register in &mut self.registers {
            register.next = f(graph, register.next);
        }
        for write in self.memories.iter_mut().flat_map(|memory| &mut memory.writes) {
            write.enable = f(graph, write.enable);
            write.address = f(graph, write.address);
            write.data = f(graph, write.data);
            write.mask = write.mask.map(|mask| f(graph, mask));
        }
    }
}

/// The lowest `width` bits set.
pub fn mask(width: usize) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}
