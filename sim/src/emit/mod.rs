//! Rust source of a design: straight-line code, cut into functions that rustc compiles quickly.
//!
//! Registers stand in two banks: a cycle reads one and writes the other. Memories are written at the end of a
//! cycle, when everything has been read. Inputs, outputs and observed nets are one array of words that the host
//! reads and writes.
use std::fmt::Write as _;

use crate::engine::BuildReport;
use crate::ir::{Design, Graph, MAX_LANES, NodeId, Op, Type};

mod scalar;
mod schedule;
pub mod state;
mod vector;

use schedule::{Function, Step};

/// What the vectors are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// 512-bit registers with masks.
    Avx512,
    /// 256-bit registers.
    Avx2,
    /// Arrays.
    Portable,
}

impl Target {
    /// All, the fastest first.
    pub const ALL: [Self; 3] = [Self::Avx512, Self::Avx2, Self::Portable];

    /// The best this machine has.
    pub fn native() -> Self {
        Self::ALL.into_iter().find(|target| target.is_here()).expect("arrays run everywhere")
    }

    /// Whether this machine can run it.
    pub fn is_here(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                use std::arch::is_x86_feature_detected as has;
                has!("avx512f") && has!("avx512dq") && has!("avx512vl") && has!("avx512vpopcntdq")
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => std::arch::is_x86_feature_detected!("avx2"),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx512 | Self::Avx2 => false,
            Self::Portable => true,
        }
    }

    /// Its name: `avx512`, `avx2`, `portable`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Avx512 => "avx512",
            Self::Avx2 => "avx2",
            Self::Portable => "portable",
        }
    }

    /// The machine that rustc compiles for. What is less than this machine has gets no instruction that the machines
    /// it stands for lack: what LLVM makes of scalar code would use them.
    pub(crate) fn cpu(self) -> &'static str {
        match self {
            Self::Avx512 => "native",
            _ if self == Self::native() => "native",
            Self::Avx2 => "x86-64-v3",
            Self::Portable => "x86-64",
        }
    }

    fn prelude(self) -> &'static str {
        match self {
            Self::Avx512 => include_str!("prelude/avx512.rs"),
            Self::Avx2 => include_str!("prelude/avx2.rs"),
            Self::Portable => include_str!("prelude/portable.rs"),
        }
    }
}

/// How a value is held in the generated code. Vectors come in chunks of 16 lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// A scalar, in a `u64`.
    Word,
    /// One-bit lanes, packed in a `u64`.
    Mask,
    /// Lanes of up to 32 bits: `V<chunks>`.
    V(usize),
    /// Lanes of up to 64 bits: `W<chunks>`.
    W(usize),
}

fn class(ty: Type) -> Class {
    let chunks = (ty.lanes as usize).div_ceil(16);
    match (chunks, ty.width) {
        (0, _) => Class::Word,
        (_, 1) => Class::Mask,
        (_, 2..=32) => Class::V(chunks),
        _ => Class::W(chunks),
    }
}

impl Class {
    /// Its Rust type.
    fn rust(self) -> String {
        match self {
            Self::Word | Self::Mask => "u64".into(),
            Self::V(chunks) => format!("V<{chunks}>"),
            Self::W(chunks) => format!("W<{chunks}>"),
        }
    }
}

/// Lanes of a group, padded to whole chunks.
fn padded(ty: Type) -> usize {
    (ty.lanes as usize).next_multiple_of(16)
}

/// The smallest unsigned type that holds a word.
fn word_type(width: usize) -> &'static str {
    match width {
        0..=8 => "u8",
        9..=16 => "u16",
        17..=32 => "u32",
        _ => "u64",
    }
}

/// The element type of a memory: vectors gather 32 or 64 bits.
fn row_type(ty: Type) -> &'static str {
    if ty.width <= 32 { "u32" } else { "u64" }
}

/// What the generated code of `design` will do in a cycle.
pub fn count(design: &Design) -> BuildReport {
    let mut report = BuildReport::default();
    for step in schedule::schedule(design).functions.iter().flat_map(|function| &function.steps) {
        let Step::Node(id) = *step else { continue };
        match design.graph.op(id) {
            Op::Lanes(_) => report.scalar_fallbacks += 1,
            _ if design.graph.ty(id).is_vector() => report.vector_ops += 1,
            _ => report.scalar_ops += 1,
        }
    }
    report
}

/// The Rust source of `design`.
pub fn emit(design: &Design, target: Target) -> String {
    let schedule = schedule::schedule(design);
    let mut out = String::new();
    out.push_str("#![allow(warnings)]\n");
    out.push_str(include_str!("prelude/scalar.rs"));
    out.push_str(target.prelude());
    out.push_str(include_str!("prelude/lanes.rs"));
    emit_types(design, &schedule.spilled, &mut out);
    for (i, function) in schedule.functions.iter().enumerate() {
        emit_function(design, function, &schedule.spilled, i, &mut out);
    }
    emit_entry_points(design, &schedule.functions, &mut out);
    state::emit(design, &mut out);
    out
}

fn emit_types(design: &Design, spilled: &[bool], out: &mut String) {
    out.push_str("#[repr(C, align(64))]\nstruct Registers {\n");
    for (i, register) in design.registers.iter().enumerate() {
        let ty = match class(register.ty) {
            Class::Word => word_type(register.ty.width()).to_string(),
            vector => vector.rust(),
        };
        writeln!(out, "    r{i}: {ty},").unwrap();
    }
    out.push_str("}\n#[repr(C, align(64))]\nstruct Memories {\n");
    for (i, memory) in design.memories.iter().enumerate() {
        let rows = memory.depth * padded(memory.ty).max(1);
        writeln!(out, "    m{i}: Aligned<[{}; {rows}]>,", row_type(memory.ty)).unwrap();
    }
    out.push_str("}\n#[repr(C, align(64))]\nstruct Scratch {\n");
    for (i, _) in spilled.iter().enumerate().filter(|(_, spilled)| **spilled) {
        let id = NodeId(i as u32);
        writeln!(out, "    n{i}: {},", class(design.graph.ty(id)).rust()).unwrap();
    }
    // Inputs are also read as whole vectors.
    let words = design.inputs.len() + design.outputs.len() + MAX_LANES;
    writeln!(
        out,
        "}}\ntype Io = [u64; {words}];\n#[repr(C, align(64))]\nstruct State {{\n    bank: u64,\n    registers: [Registers; 2],\n    memories: Memories,\n    scratch: Scratch,\n    io: Io,\n}}"
    )
    .unwrap();
}

/// Lines of one function, with what it has already loaded.
struct Body<'a> {
    design: &'a Design,
    spilled: &'a [bool],
    text: String,
    /// Nodes that have a name in this function.
    known: std::collections::HashSet<NodeId>,
}

impl Body<'_> {
    fn graph(&self) -> &Graph {
        &self.design.graph
    }

    /// The name of a value, after loading it if that has to be done.
    fn value(&mut self, id: NodeId) -> String {
        let node = self.graph().node(id);
        if let Op::Const(value) = node.op {
            return format!("{value}u64");
        }
        let name = format!("n{}", id.0);
        if self.known.insert(id) {
            let load = leaf(self.design, id).unwrap_or_else(|| format!("t.n{}", id.0));
            writeln!(self.text, "        let {name} = {load};").unwrap();
        }
        name
    }

    fn define(&mut self, id: NodeId) {
        let node = self.graph().node(id).clone();
        node.op.for_each_operand(|operand| {
            self.value(operand);
        });
        let value = if vector::is_vector_code(self.graph(), id) {
            vector::expression(self.design, id)
        } else {
            scalar::expression(self.design, id)
        };
        self.known.insert(id);
        let (ty, i) = (class(node.ty).rust(), id.0);
        writeln!(self.text, "        let n{i}: {ty} = {value};").unwrap();
        if self.spilled[i as usize] {
            writeln!(self.text, "        t.n{i} = n{i};").unwrap();
        }
    }
}

/// The name of a value that has been loaded.
fn name(graph: &Graph, id: NodeId) -> String {
    match graph.op(id) {
        Op::Const(value) => format!("{value}u64"),
        _ => format!("n{}", id.0),
    }
}

/// What every function can load by itself.
fn leaf(design: &Design, id: NodeId) -> Option<String> {
    let node = design.graph.node(id);
    Some(match &node.op {
        Op::Const(value) => format!("{value}u64"),
        Op::Input(i) if node.ty.is_vector() => vector::inputs(*i, node.ty),
        Op::Input(i) => format!("io[{i}]"),
        Op::Register(i) => match class(node.ty) {
            Class::Word => format!("cur.r{i} as u64"),
            _ => format!("cur.r{i}"),
        },
        Op::Constants(values) => vector::constants(values, node.ty),
        _ => return None,
    })
}

fn emit_function(design: &Design, function: &Function, spilled: &[bool], index: usize, out: &mut String) {
    let mut body = Body { design, spilled, text: String::new(), known: Default::default() };
    for step in &function.steps {
        match *step {
            Step::Node(id) => body.define(id),
            Step::Register(i) => {
                let register = &design.registers[i];
                let value = body.value(register.next);
                let cast = match class(register.ty) {
                    Class::Word => format!(" as {}", word_type(register.ty.width())),
                    _ => String::new(),
                };
                writeln!(body.text, "        next.r{i} = {value}{cast};").unwrap();
            }
            Step::Output(i) => {
                let value = body.value(design.outputs[i].value);
                writeln!(body.text, "        io[{}] = {value};", design.inputs.len() + i).unwrap();
            }
            Step::OutputVector(i, vector) => {
                body.value(vector);
                let text = vector::store(&design.graph, vector, design.inputs.len() + i);
                writeln!(body.text, "        {text}").unwrap();
            }
            Step::Write(m, w) => {
                let write = design.memories[m].writes[w];
                write.operands().for_each(|id| {
                    body.value(id);
                });
                let text = if design.memories[m].ty.is_vector() {
                    vector::write(design, m, &write)
                } else {
                    scalar::write(design, m, &write)
                };
                writeln!(body.text, "        {text}").unwrap();
            }
        }
    }
    let mutable = if function.writes { "&mut " } else { "&" };
    writeln!(
        out,
        "mod f{index} {{\n    use super::*;\n    #[inline(never)]\n    pub(super) unsafe fn run(cur: &Registers, next: &mut Registers, mem: {mutable}Memories, t: &mut Scratch, io: &mut Io) {{\n{}    }}\n}}",
        body.text
    )
    .unwrap();
}

fn emit_entry_points(design: &Design, functions: &[Function], out: &mut String) {
    out.push_str("#[no_mangle]\npub unsafe extern \"C\" fn warploom_layout(layout: *mut [usize; 4]) {\n");
    out.push_str("    *layout = [std::mem::size_of::<State>(), std::mem::align_of::<State>(), std::mem::offset_of!(State, io), std::mem::size_of::<Io>() / 8];\n}\n");
    out.push_str("#[no_mangle]\npub unsafe extern \"C\" fn warploom_initialize(s: *mut State) {\n    let r = &mut (*s).registers[0];\n");
    for (i, register) in design.registers.iter().enumerate() {
        if register.initial.iter().all(|&value| value == 0) {
            continue;
        }
        let value = match class(register.ty) {
            Class::Word => register.initial[0].to_string(),
            _ => vector::constants(&register.initial, register.ty),
        };
        writeln!(out, "    r.r{i} = {value};").unwrap();
    }
    out.push_str("}\n");
    for (entry, commits) in [("warploom_evaluate", false), ("warploom_step", true)] {
        writeln!(
            out,
            "#[no_mangle]\npub unsafe extern \"C\" fn {entry}(s: *mut State) {{\n    let s = &mut *s;\n    let [a, b] = &mut s.registers;\n    let (cur, next) = if s.bank == 0 {{ (&*a, b) }} else {{ (&*b, a) }};"
        )
        .unwrap();
        for (i, function) in functions.iter().enumerate() {
            if commits || !function.writes {
                let mutable = if function.writes { "&mut " } else { "&" };
                writeln!(out, "    f{i}::run(cur, next, {mutable}s.memories, &mut s.scratch, &mut s.io);").unwrap();
            }
        }
        if commits {
            out.push_str("    s.bank ^= 1;\n");
        }
        out.push_str("}\n");
    }
}
