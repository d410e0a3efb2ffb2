//! Rust source of a design: straight-line code, cut into functions that rustc compiles quickly.
//!
//! Registers stand in two banks: a cycle reads one and writes the other. Memories are written at the end of a
//! cycle, when everything has been read. Inputs, outputs and observed nets are one array of words that the host
//! reads and writes.
//!
//! With more than one [partition](crate::gating) a cycle runs those whose bit is set in `now`: what was woken at the last
//! edge (`later`) or by driven inputs, and by what the partitions before have changed.
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;

use crate::gating::moving::{self, Moving};
use crate::gating::{MAX_PARTITIONS, Partitions, is_leaf};
use crate::ir::{Design, Graph, MAX_LANES, NodeId, Op, Type, mask};

mod entry;
mod idle;
mod layout;
mod regions;
mod scalar;
mod schedule;
pub mod state;
mod vector;
mod wakes;

pub(crate) use entry::WINDOW;
pub use layout::{Bits, Layout, layout};
use regions::{Arm, Regions};
use schedule::{Function, Step};
pub use schedule::{Schedule, schedule};
use wakes::Wakes;

/// Among what is woken for the next cycle: something has changed that may not in a design that [rests](crate::gating::moving).
pub const MOVED: u64 = 1 << MAX_PARTITIONS;

/// What the vectors are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// 512-bit registers with masks.
    Avx512,
    /// 256-bit registers.
    Avx2,
    /// 128-bit registers, which every x86-64 has.
    Sse2,
    /// 128-bit registers, which every aarch64 has.
    Neon,
    /// Arrays.
    Portable,
}

impl Target {
    /// All, of those that a machine can have the fastest first.
    pub const ALL: [Self; 5] = [Self::Avx512, Self::Avx2, Self::Sse2, Self::Neon, Self::Portable];

    /// The best this machine has.
    pub fn native() -> Self {
        Self::ALL.into_iter().find(|target| target.is_here()).expect("arrays run everywhere")
    }

    /// Whether this machine can run it.
    pub fn is_here(self) -> bool {
        self.missing().is_empty()
    }

    /// What it needs and this machine has not.
    pub fn missing(self) -> Vec<&'static str> {
        #[cfg(target_arch = "x86_64")]
        macro_rules! missing {
            ($($feature:tt)*) => {{
                let all = [$(($feature, std::arch::is_x86_feature_detected!($feature))),*];
                all.into_iter().filter(|(_, is_here)| !is_here).map(|(feature, _)| feature).collect()
            }};
        }
        #[cfg(not(target_arch = "x86_64"))]
        macro_rules! missing {
            ($($feature:tt)*) => {
                vec!["x86-64"]
            };
        }
        match self {
            Self::Avx512 => missing!("avx512f" "avx512dq" "avx512vl" "avx512vpopcntdq"),
            Self::Avx2 => missing!("avx2"),
            Self::Sse2 => missing!("sse2"),
            Self::Neon if cfg!(not(target_arch = "aarch64")) => vec!["aarch64"],
            Self::Neon | Self::Portable => Vec::new(),
        }
    }

    /// Its name: `avx512`, `avx2`, `sse2`, `neon`, `portable`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Avx512 => "avx512",
            Self::Avx2 => "avx2",
            Self::Sse2 => "sse2",
            Self::Neon => "neon",
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
            Self::Sse2 => "x86-64",
            Self::Portable if cfg!(target_arch = "x86_64") => "x86-64",
            Self::Neon | Self::Portable => "generic",
        }
    }

    fn prelude(self) -> &'static str {
        macro_rules! registers {
            ($($file:literal),*) => { concat!(include_str!("prelude/both.rs"), $(include_str!(concat!("prelude/", $file))),*) };
        }
        match self {
            Self::Avx512 => registers!("avx512.rs"),
            Self::Avx2 => registers!("avx2.rs"),
            Self::Sse2 => registers!("sse2.rs", "words128.rs"),
            Self::Neon => registers!("neon.rs", "words128.rs"),
            Self::Portable => include_str!("prelude/portable.rs"),
        }
    }
}

/// How a value is held in the generated code. Vectors come in chunks of 16 lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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

/// How many words a value takes for the outside.
fn words(ty: Type) -> usize {
    match class(ty) {
        Class::Word | Class::Mask => 1,
        Class::V(_) => (ty.lanes as usize).div_ceil(2),
        Class::W(_) => ty.lanes as usize,
    }
}

/// What generated code does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Scalar operations a cycle.
    pub scalar_ops: usize,
    /// Vector operations a cycle.
    pub vector_ops: usize,
    /// Vectors that are put together from scalars one by one, because their lanes differ.
    pub scalar_fallbacks: usize,
    /// Parts that are skipped in a cycle in which nothing they read has changed; 1: everything is evaluated.
    pub partitions: usize,
}

/// What the generated code of `design` will do in a cycle.
pub fn count(design: &Design, schedule: &Schedule) -> Work {
    let mut work = Work { partitions: schedule.partitions, ..Work::default() };
    for step in schedule.functions.iter().flat_map(|function| &function.steps) {
        let Step::Node(id) = *step else { continue };
        match design.graph.op(id) {
            Op::Lanes(_) => work.scalar_fallbacks += 1,
            _ if design.graph.ty(id).is_vector() => work.vector_ops += 1,
            _ => work.scalar_ops += 1,
        }
    }
    work
}

/// What the generated code does besides computing values.
#[derive(Clone, Copy, Debug)]
pub struct Choices {
    /// What is needed under a condition only is computed under it.
    pub branches: bool,
    /// Cycles in which only counters change can be skipped.
    pub idle: bool,
    /// While most of the partitions are woken, straight-line code runs in their place.
    pub straight: bool,
}

/// The Rust source of a simulator: a crate, or two of them, which become a library each. The second may come later, and the compiler has one half of the code
/// before it at a time, which bounds its memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// All but that.
    pub main: String,
    /// If there is straight-line code in place of partitions: `warploom_straight`, which the other library is given by `warploom_link`.
    pub straight: Option<String>,
}

/// The Rust source of `design`.
pub fn emit(design: &Design, schedule: &Schedule, choices: Choices, target: Target) -> Source {
    let Choices { branches, idle, straight } = choices;
    let wakes = (schedule.partitions > 1).then(|| wakes::wakes(design, schedule));
    let moving = (idle && wakes.is_some()).then(|| moving::find(design)).flatten();
    let mut out = ["#![allow(warnings)]\n", include_str!("prelude/scalar.rs"), target.prelude()].concat();
    out.push_str(include_str!("prelude/lanes.rs"));
    // What is stored has its place, whoever stores it.
    let straight = wakes.as_ref().filter(|_| straight).map(|_| {
        let straight = self::schedule(design, &Partitions::single(design));
        Schedule { slots: schedule.slots.clone(), ..straight }
    });
    let spilled = |i: usize| schedule.spilled[i] || straight.as_ref().is_some_and(|straight| straight.spilled[i]);
    emit_types(design, schedule.words, spilled, &mut out);
    let emitter = Emitter { design, schedule, wakes: wakes.as_ref(), moving: moving.as_ref(), branches };
    let straight = straight.map(|schedule| {
        let mut out = out.clone();
        let emitter = Emitter { schedule: &schedule, wakes: None, ..emitter };
        emitter.functions(&mut out);
        emitter.straight(&mut out);
        out
    });
    emitter.functions(&mut out);
    emitter.entry_points(straight.is_some(), &mut out);
    emitter.idle(&mut out);
    emit_blocks(design, &schedule.functions, &mut out);
    out.push_str(include_str!("prelude/changes.rs"));
    state::emit(design, &mut out);
    Source { main: out, straight }
}

/// The words that are compared where a waveform is written: a block for each function that stores any.
fn emit_blocks(design: &Design, functions: &[Function], out: &mut String) {
    let blocks: Vec<&Function> = functions.iter().filter(|function| !function.words.is_empty()).collect();
    writeln!(out, "static BLOCKS: [[usize; 2]; {}] = [", blocks.len()).unwrap();
    for Function { words, .. } in blocks {
        writeln!(out, "    [{}, {}],", words.start, words.end).unwrap();
    }
    writeln!(out, "];\nconst FIRST_OUTPUT: usize = {};", design.inputs.len()).unwrap();
}

fn emit_types(design: &Design, words: usize, spilled: impl Fn(usize) -> bool, out: &mut String) {
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
    for i in (0..design.graph.len()).filter(|&i| spilled(i)) {
        let id = NodeId(i as u32);
        writeln!(out, "    n{i}: {},", class(design.graph.ty(id)).rust()).unwrap();
    }
    // Inputs are also read as whole vectors.
    let words = design.inputs.len() + words + MAX_LANES;
    writeln!(
        out,
        "}}\ntype Io = [u64; {words}];\n#[repr(C, align(64))]\nstruct Rest {{\n    now: u64,\n    later: u64,\n    ticks: u64,\n    ticked: u64,\n    changed: u64,\n    resting: [u64; {MAX_PARTITIONS}],\n    scratch: Scratch,\n    io: Io,\n    memories: Memories,\n}}"
    )
    .unwrap();
}

/// What the generated code is written from.
#[derive(Clone, Copy)]
struct Emitter<'a> {
    design: &'a Design,
    schedule: &'a Schedule,
    /// None: everything runs in every cycle.
    wakes: Option<&'a Wakes>,
    /// None: no cycle is skipped.
    moving: Option<&'a Moving>,
    branches: bool,
}

/// Lines of one function, with what it has already loaded.
struct Body<'a> {
    emitter: Emitter<'a>,
    text: String,
    /// What is done in branches only.
    regions: Regions,
    /// Nodes that have a name: in the function, then in each of the branches around what is being written.
    known: Vec<HashSet<NodeId>>,
    /// Names of sums of changes.
    changes: BTreeMap<Change, String>,
    /// Everything that is stored is compared, so that it can be known to rest.
    rests: bool,
}

/// What changes of one kind wake.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Change {
    when: When,
    woken: u64,
    class: Class,
    /// Lanes that count.
    live: u64,
}

/// When something is woken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum When {
    Now,
    Later,
    /// Now, unless it is known to rest.
    Ticks,
    /// Nothing is woken; but it was a change.
    Never,
}

impl When {
    /// The word of who is woken.
    fn word(self) -> &'static str {
        match self {
            Self::Now => "now",
            Self::Later => "later",
            Self::Ticks => "ticked",
            Self::Never => "changed",
        }
    }
}

impl<'a> Body<'a> {
    fn new(emitter: Emitter<'a>, regions: Regions) -> Self {
        Self {
            emitter,
            text: String::new(),
            regions,
            known: vec![HashSet::new()],
            changes: BTreeMap::new(),
            rests: false,
        }
    }

    fn graph(&self) -> &Graph {
        &self.emitter.design.graph
    }

    /// Notes the difference between a value and what stood in its place.
    fn compare(&mut self, id: NodeId, place: &str, when: When, woken: u64) {
        self.compare_lanes(id, place, when, woken, u64::MAX);
    }

    /// The same in some lanes.
    fn compare_lanes(&mut self, id: NodeId, place: &str, when: When, woken: u64, lanes: u64) {
        let (when, woken) = match (woken, self.rests) {
            (0, false) => return,
            (0, true) => (When::Never, 1),
            (woken, _) => (when, woken),
        };
        let (ty, value) = (self.graph().ty(id), self.value(id));
        let (class, live) = match class(ty) {
            Class::Word => (Class::Word, u64::MAX),
            Class::Mask => (Class::Word, vector::live(ty) & lanes),
            class => (class, vector::live(ty) & lanes),
        };
        let next = self.changes.len();
        let sum = self.changes.entry(Change { when, woken, class, live }).or_insert_with(|| format!("x{next}"));
        match class {
            Class::Word => writeln!(self.text, "        {sum} |= {value} ^ {place} as u64;"),
            _ => writeln!(self.text, "        {sum} = {sum}.or({value}.xor({place}));"),
        }
        .unwrap();
    }

    /// The name of a value, after loading it if that has to be done.
    fn value(&mut self, id: NodeId) -> String {
        let node = self.graph().node(id);
        if let Op::Const(value) = node.op {
            return format!("{value}u64");
        }
        let name = format!("n{}", id.0);
        if !self.known.iter().any(|scope| scope.contains(&id)) {
            self.name(id);
            let load = leaf(self.emitter.design, id).unwrap_or_else(|| format!("t.n{}", id.0));
            writeln!(self.text, "        let {name} = {load};").unwrap();
        }
        name
    }

    /// Stores an output.
    fn output(&mut self, i: usize) {
        let Emitter { design, schedule, .. } = self.emitter;
        let (id, slot) = (design.outputs[i].value, design.inputs.len() + schedule.slots[i]);
        let value = self.value(id);
        if self.rests && !is_leaf(self.graph().op(id)) {
            self.compare(id, &format!("io[{slot}]"), When::Never, 0);
        }
        let store = match self.graph().ty(id).is_vector() {
            true => vector::store(self.graph(), id, slot),
            false => format!("io[{slot}] = {value};"),
        };
        writeln!(self.text, "        {store}").unwrap();
    }

    /// `id` has a name from here to the end of the branch.
    fn name(&mut self, id: NodeId) {
        self.known.last_mut().expect("the function's own").insert(id);
    }

    /// Computes a value, and keeps it for where else it is used.
    fn define(&mut self, id: NodeId) {
        self.compute(id);
        self.keep(id);
    }

    fn compute(&mut self, id: NodeId) {
        let node = self.graph().node(id).clone();
        let (ty, i) = (class(node.ty).rust(), id.0);
        let branches = [Arm::First, Arm::Second].map(|arm| self.regions.arms.remove(&(id, arm)));
        match (&node.op, branches) {
            (Op::Select { index, inputs }, _) if regions::is_switch(self.emitter.design, id) => {
                let index = self.value(*index);
                writeln!(self.text, "        let n{i}: {ty} = match {index} {{").unwrap();
                for (k, &input) in inputs.iter().enumerate() {
                    let steps = self.regions.arms.remove(&(id, Arm::Case(k)));
                    writeln!(self.text, "        {k} => {{").unwrap();
                    self.branch(steps, input, &name(self.graph(), input));
                    self.text.push_str("        }\n");
                }
                writeln!(self.text, "        _ => {} }};", vector::zero(class(node.ty))).unwrap();
            }
            (_, [None, None]) => {
                node.op.for_each_operand(|operand| {
                    self.value(operand);
                });
                let value = self.expression(id);
                writeln!(self.text, "        let n{i}: {ty} = {value};").unwrap();
            }
            (&Op::Mux(c, a, b), [first, second]) => {
                let condition = self.holds(c);
                if self.graph().ty(c).is_vector() {
                    self.value(b);
                }
                writeln!(self.text, "        let n{i}: {ty} = if {condition} {{").unwrap();
                let chosen = if self.graph().ty(c).is_vector() { self.expression(id) } else { name(self.graph(), a) };
                self.branch(first, a, &chosen);
                self.text.push_str("        } else {\n");
                self.branch(second, b, &name(self.graph(), b));
                self.text.push_str("        };\n");
            }
            (&Op::Binary(_, a, b), [first, second]) => {
                let (guard, lazy, steps) = if first.is_some() { (b, a, first) } else { (a, b, second) };
                let (condition, value) = (self.holds(guard), self.expression(id));
                writeln!(self.text, "        let n{i}: {ty} = if {condition} {{").unwrap();
                self.branch(steps, lazy, &value);
                self.text.push_str("        } else { 0 };\n");
            }
            (op, _) => unreachable!("{op:?} needs all its operands"),
        }
        self.name(id);
    }

    fn keep(&mut self, id: NodeId) {
        let i = id.0;
        if self.emitter.schedule.spilled[i as usize] {
            if let Some(wakes) = self.emitter.wakes {
                let place = format!("t.n{i}");
                if let Some(k) = wakes.ticks.iter().position(|tick| tick.node == id) {
                    self.compare(id, &place, When::Ticks, wakes.ticks[k].readers);
                    writeln!(self.text, "        *ticks = *ticks & !{:#x} | n{i} << {k};", 1u64 << k).unwrap();
                }
                self.compare(id, &place, When::Now, wakes.nodes[i as usize]);
            }
            writeln!(self.text, "        t.n{i} = n{i};").unwrap();
        }
    }

    /// Whether a bit is set, or one of a vector's.
    fn holds(&mut self, condition: NodeId) -> String {
        let (value, ty) = (self.value(condition), self.graph().ty(condition));
        if ty.is_vector() { format!("{value} & {:#x} != 0", vector::live(ty)) } else { format!("{value} != 0") }
    }

    /// What is done in a branch, with its result.
    fn branch(&mut self, steps: Option<Vec<NodeId>>, last: NodeId, result: &str) {
        self.known.push(HashSet::new());
        steps.into_iter().flatten().for_each(|id| self.define(id));
        self.value(last);
        writeln!(self.text, "        {result}").unwrap();
        self.known.pop();
    }

    fn expression(&self, id: NodeId) -> String {
        if vector::is_vector_code(self.graph(), id) {
            vector::expression(self.emitter.design, id)
        } else {
            scalar::expression(self.emitter.design, id)
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

impl Emitter<'_> {
    fn functions(&self, out: &mut String) {
        for (i, function) in self.schedule.functions.iter().enumerate() {
            self.function(function, i, out);
        }
    }

    fn function(&self, function: &Function, index: usize, out: &mut String) {
        let design = self.design;
        let regions = if self.branches {
            regions::find(design, &function.steps, &self.schedule.crossing)
        } else {
            Regions { root: function.steps.clone(), ..Regions::default() }
        };
        let mut body = Body::new(*self, regions);
        body.rests = !function.writes && self.wakes.is_some_and(|wakes| wakes.ticks_of(function.partition) != 0);
        for step in std::mem::take(&mut body.regions.root) {
            match step {
                Step::Node(id) => body.define(id),
                Step::Register(i) => {
                    let register = &design.registers[i];
                    let value = body.value(register.next);
                    let cast = match class(register.ty) {
                        Class::Word => format!(" as {}", word_type(register.ty.width())),
                        _ => String::new(),
                    };
                    self.compare_register(&mut body, i);
                    writeln!(body.text, "        next.r{i} = {value}{cast};").unwrap();
                }
                Step::Output(i) => body.output(i),
                Step::Prepare { enable, .. } => {
                    let Some(steps) = body.regions.arms.remove(&(enable, Arm::Written)) else { continue };
                    let condition = body.holds(enable);
                    writeln!(body.text, "        if {condition} {{").unwrap();
                    body.known.push(HashSet::new());
                    steps.into_iter().for_each(|id| body.define(id));
                    body.known.pop();
                    body.text.push_str("        }\n");
                }
                Step::Write(m, w) => self.write(&mut body, m, w),
            }
        }
        writeln!(
            out,
            "mod f{index} {{\n    use super::*;\n    #[inline(never)]\n    pub(super) unsafe fn run(cur: &Registers, next: &mut Registers, rest: &mut Rest) {{\n        let Rest {{ memories: mem, scratch: t, io, ticks, .. }} = rest;"
        )
        .unwrap();
        for (change, sum) in &body.changes {
            writeln!(out, "        let mut {sum} = {};", vector::zero(change.class)).unwrap();
        }
        out.push_str(&body.text);
        for (Change { when, woken, class, live }, sum) in &body.changes {
            let word = when.word();
            let changed = match class {
                Class::Word => sum.clone(),
                _ => format!("{sum}.test(!0)"),
            };
            writeln!(out, "        if {changed} & {live:#x} != 0 {{ rest.{word} |= {woken:#x}; }}").unwrap();
        }
        out.push_str("    }\n}\n");
    }

    /// Notes what is woken by a change of a register.
    fn compare_register(&self, body: &mut Body, i: usize) {
        let Some(wakes) = self.wakes else { return };
        let (register, place) = (&self.design.registers[i], format!("cur.r{i}"));
        let still = self.moving.map_or(0, |moving| moving.still(i, register.ty));
        let all = mask(register.ty.lanes.max(1) as usize);
        let moved = if still == all { MOVED } else { 0 };
        body.compare(register.next, &place, When::Later, wakes.registers[i] | moved);
        if still != 0 && still != all {
            body.compare_lanes(register.next, &place, When::Later, MOVED, still);
        }
    }

    fn write(&self, body: &mut Body, m: usize, w: usize) {
        let memory = &self.design.memories[m];
        let write = memory.writes[w];
        let condition = body.holds(write.enable);
        writeln!(body.text, "        if {condition} {{").unwrap();
        body.known.push(HashSet::new());
        write.operands().for_each(|id| {
            body.value(id);
        });
        let moved = if self.moving.is_some() { MOVED } else { 0 };
        let woken = self.wakes.map_or(0, |wakes| wakes.memories[m] | moved);
        let wake = if woken == 0 { String::new() } else { format!("rest.later |= {woken:#x}; ") };
        // Of vectors, looking whether rows change costs more than who reads them.
        let text = if memory.ty.is_vector() {
            vector::write(self.design, m, &write) + " " + &wake
        } else {
            scalar::write(self.design, m, &write, &wake)
        };
        writeln!(body.text, "        {text}").unwrap();
        body.known.pop();
        body.text.push_str("        }\n");
    }
}
