//! The functions that the library exports to be called: its layout, the state at the start, a cycle with its edge and without.
//!
//! A cycle runs partition by partition, or straight through everything: a partition costs more than its work, so when most of
//! them run in most of the cycles, straight-line code is faster. Every so many cycles the work that was not skipped is
//! looked at anew.
//!
//! Straight-line code is a library of its own, which may come later: until then a step says that it would be worth it.
//!
//! ```text
//!          +---- more than BUSY of the work was done in WINDOW cycles ----+
//!          |                                                              v
//!   partition by partition                                     straight, STRAIGHT cycles
//!          ^                                                              |
//!          +--------------------------------------------------------------+
//! ```
use std::fmt::Write as _;

use super::{Body, Class, Emitter, MOVED, class, vector};
use crate::gating::cost;

/// Cycles over which work is summed.
pub(crate) const WINDOW: u64 = 32;
/// Cycles of straight-line code before it is looked at again.
const STRAIGHT: u64 = 224;
/// Share of the work from which straight-line code is faster.
const BUSY: f64 = 0.75;
/// What the function takes that does everything.
const EVERYTHING: &str = "(cur: &Registers, next: &mut Registers, rest: &mut Rest)";

impl Emitter<'_> {
    /// Writes them, and what the state is; if there is a choice, a function that is given later does [everything](Self::straight).
    pub(super) fn entry_points(&self, straight: bool, out: &mut String) {
        out.push_str("#[repr(C, align(64))]\nstruct State {\n    bank: u64,\n    driven: u64,\n    straight: u64,\n    window: u64,\n    work: u64,\n    known: u64,\n    rates: Rates,\n    seen: Io,\n    registers: [Registers; 2],\n    rest: Rest,\n}\n");
        if straight {
            out.push_str("use std::sync::atomic::{AtomicPtr, Ordering};\nstatic STRAIGHT: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());\n");
            writeln!(out, "type Straight = unsafe extern \"C\" fn{EVERYTHING};").unwrap();
            out.push_str("#[no_mangle]\npub extern \"C\" fn warploom_link(straight: *mut ()) { STRAIGHT.store(straight, Ordering::Release); }\n");
        }
        out.push_str("#[no_mangle]\npub unsafe extern \"C\" fn warploom_layout(layout: *mut [usize; 8]) {\n");
        out.push_str("    *layout = [std::mem::size_of::<State>(), std::mem::align_of::<State>(), std::mem::offset_of!(State, rest.io), std::mem::size_of::<Io>() / 8, std::mem::offset_of!(State, driven), std::mem::offset_of!(State, rest.later), std::mem::offset_of!(State, known), std::mem::offset_of!(State, rest.now)];\n}\n");
        out.push_str("#[no_mangle]\npub unsafe extern \"C\" fn warploom_initialize(s: *mut State) {\n    (*s).rest.later = !0;\n    let r = &mut (*s).registers[0];\n");
        for (i, register) in self.design.registers.iter().enumerate() {
            if register.initial.iter().all(|&value| value == 0) {
                continue;
            }
            let value = match class(register.ty) {
                Class::Word => register.initial[0].to_string(),
                _ => vector::constants(&register.initial, register.ty),
            };
            writeln!(out, "    r.r{i} = {value};").unwrap();
        }
        let mut body = Body::new(*self, Default::default());
        self.schedule.constants.iter().for_each(|&i| body.output(i));
        writeln!(out, "    let io = &mut (*s).rest.io;\n{}}}", body.text).unwrap();
        for (entry, commits) in [("warploom_evaluate", false), ("warploom_step", true)] {
            self.entry(entry, commits, straight && commits, out);
        }
    }

    /// Writes the function that does everything there is to do in a cycle.
    pub(super) fn straight(&self, out: &mut String) {
        writeln!(out, "#[no_mangle]\npub unsafe extern \"C\" fn warploom_straight{EVERYTHING} {{").unwrap();
        self.calls(true, out);
        out.push_str("}\n");
    }

    /// Writes a cycle. One that commits says whether straight-line code is missed.
    fn entry(&self, entry: &str, commits: bool, straight: bool, out: &mut String) {
        // Without the edge, the other bank holds what is never to be.
        let (says, ends) =
            if commits { (" -> bool", "    s.bank ^= 1;\n    missed\n}\n") } else { ("", "    rest.later = !0;\n}\n") };
        writeln!(
            out,
            "#[no_mangle]\npub unsafe extern \"C\" fn {entry}(s: *mut State){says} {{\n    let s = &mut *s;\n    let [a, b] = &mut s.registers;\n    let (cur, next) = if s.bank == 0 {{ (&*a, b) }} else {{ (&*b, a) }};\n    let rest = &mut s.rest;\n    let mut missed = false;"
        )
        .unwrap();
        if straight {
            for line in [
                "if s.straight != 0 {",
                "    s.straight -= 1;",
                "    std::mem::transmute::<*mut (), Straight>(STRAIGHT.load(Ordering::Acquire))(cur, next, rest);",
                "    rest.later = !0;",
                "    s.known = 0;",
                "    s.bank ^= 1;",
                "    return false;",
                "}",
            ] {
                writeln!(out, "    {line}").unwrap();
            }
        }
        out.push_str(
            "    rest.now = std::mem::take(&mut rest.later);\n    rest.ticked = 0;\n    let mut work = 0u64;\n",
        );
        self.driven(out);
        self.calls(commits, out);
        if straight {
            let busy = (BUSY * WINDOW as f64 * self.work().iter().sum::<u64>() as f64) as u64;
            for line in [
                "s.work += work;".to_string(),
                "s.window += 1;".into(),
                format!("if s.window == {WINDOW} {{"),
                format!("    let busy = s.work > {busy};"),
                "    missed = busy && STRAIGHT.load(Ordering::Acquire).is_null();".into(),
                format!("    if busy && !missed {{ s.straight = {STRAIGHT}; }}"),
                "    s.window = 0;".into(),
                "    s.work = 0;".into(),
                "}".into(),
            ] {
                writeln!(out, "    {line}").unwrap();
            }
        }
        if commits && self.moving.is_some() {
            writeln!(out, "    if rest.later & {MOVED:#x} != 0 {{ s.known = 0; }}").unwrap();
        }
        out.push_str(ends);
    }

    /// Wakes who reads inputs that the host has driven.
    fn driven(&self, out: &mut String) {
        let Some(wakes) = self.wakes else { return };
        out.push_str("    if s.driven != 0 {\n        s.driven = 0;\n        s.known = 0;\n");
        let mut first = 0;
        for inputs in wakes.inputs.chunk_by(|a, b| a == b) {
            let (end, woken) = (first + inputs.len(), inputs[0]);
            writeln!(out, "        if rest.io[{first}..{end}] != s.seen[{first}..{end}] {{ s.seen[{first}..{end}].copy_from_slice(&rest.io[{first}..{end}]); rest.now |= {woken:#x}; }}").unwrap();
            first = end;
        }
        out.push_str("    }\n");
    }

    /// Calls the functions, those of partitions if they have been woken.
    fn calls(&self, commits: bool, out: &mut String) {
        let work = self.work();
        let mut first = 0;
        for functions in self.schedule.functions.chunk_by(|a, b| (a.writes, a.partition) == (b.writes, b.partition)) {
            let (part, range) = (functions[0].partition, first..first + functions.len());
            first = range.end;
            let calls: String = range.clone().map(|i| format!("f{i}::run(cur, next, rest); ")).collect();
            match self.wakes {
                _ if functions[0].writes && !commits => (),
                Some(wakes) if !functions[0].writes => {
                    let work: u64 = work[range].iter().sum();
                    self.gate(part, wakes.ticks_of(part), &format!("work += {work}; {calls}"), out);
                }
                _ => writeln!(out, "    {calls}").unwrap(),
            }
        }
    }

    /// Does this if the partition has been woken; if only by ticks, unless it is known to rest. Its ticks make a number, and of each number a bit says whether it has run at it, and changed
    /// nothing, since anything else woke it.
    fn gate(&self, partition: usize, ticks: u64, calls: &str, out: &mut String) {
        let bit = 1u64 << partition;
        if ticks == 0 {
            writeln!(out, "    if rest.now & {bit:#x} != 0 {{ {calls}}}").unwrap();
            return;
        }
        let (woken, resting) = (format!("rest.now & {bit:#x} != 0"), format!("rest.resting[{partition}]"));
        let number = format!("(rest.ticks & {ticks:#x})");
        for line in [
            format!("if {woken} {{ {resting} = 0; }} else {{ rest.now |= rest.ticked & {bit:#x}; }}"),
            format!("if {woken} && {resting} >> {number} & 1 == 0 {{"),
            "    let woken = [std::mem::take(&mut rest.now), std::mem::take(&mut rest.later)];".into(),
            "    rest.changed = 0;".into(),
            format!("    {calls}"),
            "    let same = rest.now | rest.later | rest.changed == 0;".into(),
            format!("    {resting} = if same {{ {resting} | 1 << {number} }} else {{ 0 }};"),
            "    rest.now |= woken[0];".into(),
            "    rest.later |= woken[1];".into(),
            "}".into(),
        ] {
            writeln!(out, "    {line}").unwrap();
        }
    }

    /// By function: what it costs.
    fn work(&self) -> Vec<u64> {
        let nodes = |function: &super::Function| {
            let costs = function.steps.iter().map(|step| match *step {
                super::Step::Node(id) => cost::of_node(&self.design.graph, id),
                _ => 1.0,
            });
            costs.sum::<f64>() as u64
        };
        let work = self.schedule.functions.iter();
        work.map(|function| if function.writes { 0 } else { nodes(function) }).collect()
    }
}
