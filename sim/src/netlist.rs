//! The one netlist everything comes from: typed, hierarchical, word-level.
//!
//! Built once by [`elaborate` from the rust-hdl modules, then read by lint, the
//! Verilog exporter, the generated simulator and the waveform writer. Nothing after elaboration
//! looks at rust-hdl again.
//!
//! A [`Module`] is one *type* of hardware: instances with equal structure share it. Inside it every
//! net has exactly one [`Driver`], and combinational logic is an arena of hash-consed [`Expr`]s, so
//! a repeated subexpression exists once. Registers and memories are items of their own; primitives
//! that are pure functions (multiplier, shifter, encoder...) are expressions.
//!
//! Widths are 1 to 64 bits and exact: no operator widens, and the operands of every binary operator
//! have the width that [`Op`] states.
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use twox_hash::XxHash64;

/// Index of a [`Module`] in [`Netlist::modules`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModuleId(pub u32);

/// Index of a [`Net`] in [`Module::nets`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NetId(pub u32);

/// Index of an [`Expr`] in [`Module::exprs`]. Operands come before their users.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub u32);

/// A whole design.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Netlist {
    /// Module types, children before parents: the order in which they can be emitted.
    pub modules: Vec<Module>,
    /// The design under study.
    pub top: ModuleId,
}

/// One type of hardware.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Module {
    /// Unique in the netlist: the Rust type's name, with `_2`, `_3`... for other parameters of the same type.
    pub name: String,
    /// The Rust type's name, as `comment!("module ...")` gives it.
    pub source: String,
    /// Ports, locals, registers' outputs, memories' read data, and the ports of children.
    pub nets: Vec<Net>,
    /// Ports in declaration order.
    pub ports: Vec<NetId>,
    /// Combinational logic, hash-consed, operands first.
    pub exprs: Vec<Expr>,
    /// Children, in declaration order.
    pub instances: Vec<Instance>,
    /// Flip-flops.
    pub registers: Vec<Register>,
    /// Memories.
    pub memories: Vec<Memory>,
}

/// What two modules have in common that are the same but for their names.
pub type Structure<'m> = (&'m str, &'m [Net], &'m [NetId], &'m [Expr], &'m [Instance], &'m [Register], &'m [Memory]);

/// A named bundle of wires.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Net {
    /// Name inside the module, as in the Rust source: `grant`, `lanes[3].sum`.
    pub name: NetName,
    /// 1 to 64 bits.
    pub width: usize,
    /// Where it stands.
    pub kind: NetKind,
    /// What drives it.
    pub driver: Driver,
    /// Variant names by encoding, when it holds a hardware enumeration.
    pub variants: Option<Rc<EnumType>>,
}

/// Path of a net inside its module: field names with optional array positions.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NetName(pub Vec<Segment>);

/// One step of a [`NetName`] or an instance name: `lanes[3]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Segment {
    /// Field name.
    pub field: String,
    /// Position in a `Vec`; nested `Vec`s give several.
    pub index: Vec<usize>,
}

impl std::fmt::Display for Segment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.field)?;
        self.index.iter().try_for_each(|i| write!(f, "[{i}]"))
    }
}

impl std::fmt::Display for NetName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, segment) in self.0.iter().enumerate() {
            write!(f, "{}{segment}", if i > 0 { "." } else { "" })?;
        }
        Ok(())
    }
}

/// A hardware enumeration.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EnumType {
    /// Rust type name.
    pub name: String,
    /// Variant names by encoding, without the type's name.
    pub variants: Vec<String>,
}

/// Where a net stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NetKind {
    /// Port into the module. Clocks are inputs too ([`NetKind::Clock`]).
    Input,
    /// The clock port: one bit, drives registers and memories only.
    Clock,
    /// Port out of the module.
    Output,
    /// A `Signal<Local, _>` or `Net<Local>`.
    Local,
    /// Input port of the child `instances[.0]`.
    ChildInput(usize),
    /// Output port of the child `instances[.0]`.
    ChildOutput(usize),
    /// Output of `registers[.0]`.
    RegisterOutput(usize),
    /// Read data of port `.1` of `memories[.0]`.
    ReadData(usize, usize),
}

/// What drives a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Driver {
    /// The parent: input ports and the clock.
    Parent,
    /// An expression over nets of this module.
    Expr(ExprId),
    /// A child instance (`ChildOutput`).
    Child,
    /// A register or a memory read port.
    State,
}

/// A child.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Instance {
    /// `lanes[3]`.
    pub name: Segment,
    /// Its type.
    pub module: ModuleId,
    /// For every port of the child, in its order: the net of this module that stands for it
    /// (`ChildInput`, `ChildOutput`); clock ports map to this module's clock net.
    pub ports: Vec<NetId>,
}

/// A bank of flip-flops, `width` bits wide.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Register {
    /// Field name of the primitive.
    pub name: NetName,
    /// 1 to 64 bits.
    pub width: usize,
    /// Value before the first edge and after reset.
    pub initial: u64,
    /// Clock net.
    pub clock: NetId,
    /// Synchronous reset, one bit.
    pub reset: Option<ExprId>,
    /// Enable, one bit; reset wins over it.
    pub enable: Option<ExprId>,
    /// Next value.
    pub d: ExprId,
    /// Its output net.
    pub q: NetId,
}

/// A memory, all zeros at start.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Memory {
    /// Field name of the primitive.
    pub name: NetName,
    /// Bits of a row, 1 to 64.
    pub width: usize,
    /// Rows.
    pub depth: usize,
    /// Clock net.
    pub clock: NetId,
    /// Read ports.
    pub reads: Vec<ReadPort>,
    /// Write ports; on a collision the later one wins, byte by byte.
    pub writes: Vec<WritePort>,
}

/// A read port. Past the depth it reads 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ReadPort {
    /// Row.
    pub address: ExprId,
    /// `Some`: synchronous, takes the row's old contents at the edge when the enable is set, else holds. `None`: asynchronous.
    pub enable: Option<ExprId>,
    /// Read data net.
    pub data: NetId,
}

/// A write port. Past the depth the write is lost.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WritePort {
    /// One bit.
    pub enable: ExprId,
    /// Row.
    pub address: ExprId,
    /// Value.
    pub data: ExprId,
    /// Byte enables, `width / 8` bits.
    pub mask: Option<ExprId>,
}

/// A combinational value of a fixed width.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expr {
    /// Width of the result, 1 to 64 bits.
    pub width: usize,
    /// How it is computed.
    pub op: Op,
}

/// Operators. `w` is the result's width; where nothing is said the operands have it too.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each variant's line names its fields")]
pub enum Op {
    /// A constant.
    Const(u64),
    /// The value of a net.
    Net(NetId),
    /// Bitwise complement.
    Not(ExprId),
    /// Bitwise and.
    And(ExprId, ExprId),
    /// Bitwise or.
    Or(ExprId, ExprId),
    /// Bitwise exclusive or.
    Xor(ExprId, ExprId),
    /// Sum modulo 2^w.
    Add(ExprId, ExprId),
    /// Difference modulo 2^w.
    Sub(ExprId, ExprId),
    /// Product modulo 2^w.
    Mul(ExprId, ExprId),
    /// a == b; w = 1, operands equally wide.
    Eq(ExprId, ExprId),
    /// a != b; w = 1.
    Ne(ExprId, ExprId),
    /// Unsigned a < b; w = 1.
    Lt(ExprId, ExprId),
    /// Unsigned a <= b; w = 1.
    Le(ExprId, ExprId),
    /// Two's-complement a < b; w = 1.
    SignedLt(ExprId, ExprId),
    /// Left shift; the amount has any width, an amount >= w gives 0.
    Shl(ExprId, ExprId),
    /// Logical right shift; an amount >= w gives 0.
    Shr(ExprId, ExprId),
    /// Arithmetic right shift; an amount >= w gives the sign everywhere.
    Sra(ExprId, ExprId),
    /// Condition (1 bit) ? then : else.
    Mux(ExprId, ExprId, ExprId),
    /// w bits from bit `low` of a wider (or equally wide) operand.
    Slice { value: ExprId, low: usize },
    /// Operands side by side, the first one on top; w is the sum of their widths.
    Concat(Vec<ExprId>),
    /// Zero extension to w.
    ZeroExtend(ExprId),
    /// Sign extension to w.
    SignExtend(ExprId),
    /// Bit `index` of `value`; w = 1, 0 past the end. (A constant index is a `Slice`.)
    BitSelect { value: ExprId, index: ExprId },
    /// `value` with bit `index` replaced by `bit`; unchanged when the index is past the end.
    BitReplace { value: ExprId, index: ExprId, bit: ExprId },
    /// `inputs[index]`, 0 past the end.
    Select { index: ExprId, inputs: Vec<ExprId> },
    /// And of all bits; w = 1.
    ReduceAnd(ExprId),
    /// Or of all bits; w = 1.
    ReduceOr(ExprId),
    /// Parity; w = 1.
    ReduceXor(ExprId),
    /// Number of set bits; w = the bits needed to count to the operand's width.
    Popcount(ExprId),
    /// Position of the lowest set bit, 0 when none is set; w = `index_width` of the operand's width.
    LowestBit(ExprId),
    /// The lowest set bit alone, nothing when none is set.
    LowestOneHot(ExprId),
}

impl Netlist {
    /// The module behind an id.
    pub fn module(&self, id: ModuleId) -> &Module {
        &self.modules[id.0 as usize]
    }

    /// A hash that is the same for the same hardware, in every release of Rust.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = XxHash64::default();
        self.hash(&mut hasher);
        hasher.finish()
    }

    /// The design under study.
    pub fn top(&self) -> &Module {
        self.module(self.top)
    }

    /// One of the modules as a design of its own, with all that is in it.
    pub fn design_of(&self, top: ModuleId) -> Netlist {
        let mut inside = vec![false; self.modules.len()];
        let mut pending = vec![top];
        while let Some(id) = pending.pop() {
            if !std::mem::replace(&mut inside[id.0 as usize], true) {
                pending.extend(self.module(id).instances.iter().map(|instance| instance.module));
            }
        }
        let before = |id: ModuleId| ModuleId(inside[..id.0 as usize].iter().filter(|inside| **inside).count() as u32);
        let kept = self.modules.iter().zip(&inside).filter(|(_, inside)| **inside).map(|(module, _)| {
            let mut module = module.clone();
            module.instances.iter_mut().for_each(|instance| instance.module = before(instance.module));
            module
        });
        Netlist { modules: kept.collect(), top: before(top) }
    }

    /// How many instances of each module type the design holds, by module name.
    pub fn instance_counts(&self) -> BTreeMap<&str, usize> {
        let mut counts = BTreeMap::new();
        let mut pending = vec![self.top];
        while let Some(id) = pending.pop() {
            *counts.entry(self.module(id).name.as_str()).or_insert(0) += 1;
            pending.extend(self.module(id).instances.iter().map(|instance| instance.module));
        }
        counts
    }
}

impl Module {
    /// All but its name.
    pub fn structure(&self) -> Structure<'_> {
        let Self { name: _, source, nets, ports, exprs, instances, registers, memories } = self;
        (source, nets, ports, exprs, instances, registers, memories)
    }

    /// The net behind an id.
    pub fn net(&self, id: NetId) -> &Net {
        &self.nets[id.0 as usize]
    }

    /// The expression behind an id.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize]
    }

    /// A port by name.
    pub fn port(&self, name: &str) -> Option<NetId> {
        self.ports.iter().copied().find(|&id| self.net(id).name.to_string() == name)
    }
}

impl Op {
    /// Operands, in order.
    pub fn operands(&self) -> Vec<ExprId> {
        use Op::*;
        match self {
            Const(_) | Net(_) => vec![],
            Not(a) | ZeroExtend(a) | SignExtend(a) | ReduceAnd(a) | ReduceOr(a) | ReduceXor(a) | Popcount(a)
            | LowestBit(a) | LowestOneHot(a) => vec![*a],
            Slice { value, .. } => vec![*value],
            And(a, b)
            | Or(a, b)
            | Xor(a, b)
            | Add(a, b)
            | Sub(a, b)
            | Mul(a, b)
            | Eq(a, b)
            | Ne(a, b)
            | Lt(a, b)
            | Le(a, b)
            | SignedLt(a, b)
            | Shl(a, b)
            | Shr(a, b)
            | Sra(a, b) => vec![*a, *b],
            BitSelect { value, index } => vec![*value, *index],
            Mux(a, b, c) => vec![*a, *b, *c],
            BitReplace { value, index, bit } => vec![*value, *index, *bit],
            Concat(parts) => parts.clone(),
            Select { index, inputs } => std::iter::once(*index).chain(inputs.iter().copied()).collect(),
        }
    }

    /// Visits every operand, in order, to change it.
    pub fn for_each_operand(&mut self, visit: &mut impl FnMut(&mut ExprId)) {
        use Op::*;
        match self {
            Const(_) | Net(_) => {}
            Not(a) | ZeroExtend(a) | SignExtend(a) | ReduceAnd(a) | ReduceOr(a) | ReduceXor(a) | Popcount(a)
            | LowestBit(a) | LowestOneHot(a) => visit(a),
            Slice { value, .. } => visit(value),
            And(a, b)
            | Or(a, b)
            | Xor(a, b)
            | Add(a, b)
            | Sub(a, b)
            | Mul(a, b)
            | Eq(a, b)
            | Ne(a, b)
            | Lt(a, b)
            | Le(a, b)
            | SignedLt(a, b)
            | Shl(a, b)
            | Shr(a, b)
            | Sra(a, b) => [a, b].into_iter().for_each(visit),
            BitSelect { value, index } => [value, index].into_iter().for_each(visit),
            Mux(a, b, c) => [a, b, c].into_iter().for_each(visit),
            BitReplace { value, index, bit } => [value, index, bit].into_iter().for_each(visit),
            Concat(parts) => parts.iter_mut().for_each(visit),
            Select { index, inputs } => {
                visit(index);
                inputs.iter_mut().for_each(visit);
            }
        }
    }
}
