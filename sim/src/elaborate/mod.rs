//! From rust-hdl modules to one [`Netlist`].
//!
//! ```text
//!  &dyn Block --survey--> instance tree with syntax trees          scope.rs
//!             per module, children first:
//!               wires: what update() can name                      wires.rs, names.rs
//!               declared connections and update() executed
//!               symbolically, loops unrolled                       execute.rs, branches.rs,
//!                                                                  evaluate.rs, expressions.rs
//!               primitives' tags become registers, memories,
//!               expressions; nets get their drivers                finish.rs, primitives.rs
//!               inputs that a bundle brings and nobody reads go    unread.rs
//!               equal modules become one                           here
//! ```
//!
//! Everything that could mean one thing in Rust and another in hardware is refused with a
//! [`Diagnostic`]; all findings are collected before giving up.
use std::collections::{BTreeSet, HashSet};

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rust_hdl::core::ast::{Verilog, VerilogBlock, VerilogExpression, VerilogStatement};
use rust_hdl::prelude::{AtomKind, Block};
use warploom_hdl::prim::Tag;

use crate::hash::hash;
use crate::heap;
use crate::lint::{self, Dependencies, Diagnostic, Problem};
use crate::netlist::{Module, ModuleId, Netlist, Segment};

mod branches;
mod evaluate;
mod execute;
mod expressions;
mod finish;
mod names;
mod primitives;
mod scope;
mod unread;
mod wires;

use finish::{Finished, Parts};
use scope::{Enumerations, Member, Scope};
use wires::{ChildKind, Wires};

/// The path of the design under study.
const TOP: &str = "top";

/// A loop variable while its loop is unrolled.
struct LoopVariable {
    name: String,
    value: u64,
}

/// Why a design is refused: everything that was found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the design does not elaborate:\n{}", .diagnostics.iter().map(|d| format!("  {d}")).collect::<Vec<_>>().join("\n"))]
pub struct ElaborateError {
    /// The findings, in the order of the design; each once.
    pub diagnostics: Vec<Diagnostic>,
}

/// Elaborates a design after its `connect_all()`.
///
/// A primitive alone is given a module around it, with the same ports.
///
/// # Errors
/// Everything that is wrong with the design, see [`Problem`].
pub fn elaborate(top: &dyn Block) -> Result<Netlist, ElaborateError> {
    heap::keep_little();
    let (scope, enumerations) = scope::survey(top);
    let mut elaborator = Elaborator { enumerations, ..Default::default() };
    let mut scope = match tag(&scope.hdl) {
        Some(tag) => around(scope, &tag),
        None => scope,
    };
    let top = elaborator.module(&mut scope, TOP);
    match top {
        Some(top) if elaborator.diagnostics.is_empty() => Ok(Netlist { modules: elaborator.modules, top }),
        _ => Err(ElaborateError { diagnostics: elaborator.diagnostics }),
    }
}

fn tag(hdl: &Verilog) -> Option<Tag> {
    match hdl {
        Verilog::Custom(text) => Tag::parse(text),
        _ => None,
    }
}

#[derive(Default)]
struct Elaborator {
    enumerations: Enumerations,
    modules: Vec<Module>,
    /// Per module: which outputs follow which inputs.
    dependencies: Vec<Dependencies>,
    /// Modules by what they are, but for their names.
    known: HashTable<ModuleId>,
    names: BTreeSet<String>,
    diagnostics: Vec<Diagnostic>,
}

impl Elaborator {
    fn report(&mut self, module: &str, net: Option<String>, problem: Problem) {
        let finding = Diagnostic { module: module.to_string(), net, problem };
        if !self.diagnostics.contains(&finding) {
            self.diagnostics.push(finding);
        }
    }

    /// The module type of an instance; `None` when it cannot be one. What it is made from is no longer there then, but for its signals: of thousands of instances that is much.
    fn module(&mut self, scope: &mut Scope, path: &str) -> Option<ModuleId> {
        let [hdl, declared] = [&mut scope.hdl, &mut scope.declared].map(|hdl| std::mem::replace(hdl, Verilog::Empty));
        let update = match &hdl {
            Verilog::Combinatorial(update) => update,
            other => {
                let kind = match other {
                    Verilog::Empty => "it has no hdl()",
                    Verilog::Blackbox(_) | Verilog::Wrapper(_) => "a black box",
                    _ => "custom Verilog",
                };
                self.report(path, None, Problem::NotAModule(kind.into()));
                return None;
            }
        };
        let Some(source) = module_name(update) else {
            self.report(path, None, Problem::Nameless(scope.first_fields()));
            return None;
        };
        let declared = match &declared {
            Verilog::Combinatorial(declared) => &declared[..],
            _ => &[],
        };
        let mut wires = Wires::default();
        let mut parts = Parts::default();
        for member in &mut scope.members {
            match member {
                Member::Atom(signal) => {
                    self.check_name(&source, std::slice::from_ref(&signal.name));
                    if let Err((net, problem)) = wires.add_own(signal) {
                        self.report(&source, Some(net.to_string()), problem);
                    }
                }
                Member::Child(child) => {
                    self.check_name(&source, &child.path);
                    self.child(child, path, &source, &mut wires, &mut parts);
                    child.members = vec![];
                }
            }
        }
        let Finished { mut module, bundled, problems } =
            finish::module(source.clone(), declared, update, wires, parts, &self.enumerations);
        if path != TOP {
            unread::remove(&mut module, &bundled);
        }
        for (net, problem) in problems {
            self.report(&source, net, problem);
        }
        let found = lint::combinational_dependencies(&module, &self.modules, &self.dependencies);
        for path in found.loops {
            self.report(&source, None, Problem::CombinationalLoop(path));
        }
        Some(self.intern(module, found.dependencies))
    }

    fn child(&mut self, child: &mut Scope, path: &str, source: &str, wires: &mut Wires, parts: &mut Parts) {
        let [name] = &child.path[..] else {
            let what = "a module inside a bundle".to_string();
            self.report(source, None, Problem::Unsupported { what, place: format!("{path}.{}", child.path[0]) });
            return;
        };
        let name = name.clone();
        let kind = match tag(&child.hdl) {
            Some(tag) => ChildKind::Primitive(parts.add_primitive(name, tag)),
            None => match self.module(child, &format!("{path}.{name}")) {
                Some(id) => ChildKind::Instance(parts.add_instance(name, id)),
                None => return,
            },
        };
        let first = wires.list.len();
        let ports = match kind {
            ChildKind::Instance(_) => self.ports_of(parts.last_module()),
            ChildKind::Primitive(_) => HashSet::new(),
        };
        let problems = wires.add_child(child, kind, &ports);
        for (net, problem) in problems {
            self.report(source, Some(net.to_string()), problem);
        }
        parts.set_ports(kind, first, wires);
    }

    fn ports_of(&self, module: Option<ModuleId>) -> HashSet<&Segment> {
        let module = module.map(|id| &self.modules[id.0 as usize]);
        module.into_iter().flat_map(|module| module.ports.iter().map(|&net| &module.net(net).name.0[0])).collect()
    }

    fn check_name(&mut self, module: &str, path: &[Segment]) {
        for segment in path.iter().filter(|segment| lint::is_keyword(&segment.field)) {
            let problem = Problem::Keyword(segment.field.clone());
            self.report(module, Some(segment.field.clone()), problem);
        }
    }

    fn intern(&mut self, mut module: Module, dependencies: Dependencies) -> ModuleId {
        let (modules, id) = (&self.modules, ModuleId(self.modules.len() as u32));
        let of = |id: &ModuleId| modules[id.0 as usize].structure();
        match self.known.entry(hash(&module.structure()), |id| of(id) == module.structure(), |id| hash(&of(id))) {
            Entry::Occupied(known) => return *known.get(),
            Entry::Vacant(free) => free.insert(id),
        };
        if lint::is_keyword(&module.source) {
            self.report(&module.source.clone(), None, Problem::Keyword(module.source.clone()));
        }
        let mut name = module.source.clone();
        for variant in 2.. {
            if self.names.insert(name.clone()) {
                break;
            }
            name = format!("{}_{variant}", module.source);
        }
        module.name = name;
        self.modules.push(module);
        self.dependencies.push(dependencies);
        id
    }
}

/// What `comment!("module X")` says; rust-hdl hands over the macro's text, spaced as the compiler likes.
fn module_name(update: &VerilogBlock) -> Option<String> {
    let VerilogStatement::Comment(text) = update.first()? else { return None };
    let (before, name) = text.split_once("module ")?;
    let name = name.trim_end_matches([')', '"', ' ']);
    let plain = before.trim_start_matches("comment").trim_matches([' ', '!', '(', '"']).is_empty();
    (plain && !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')).then(|| name.to_string())
}

/// A module that holds nothing but a primitive.
fn around(primitive: Scope, tag: &Tag) -> Scope {
    let name = format!("{tag:?}");
    let name = name.split([' ', '{']).next().unwrap_or_default();
    let signal = |path: String| VerilogExpression::Signal(path);
    let mut update = vec![VerilogStatement::Comment(format!("module {name}"))];
    let mut members = vec![];
    for port in primitive.atoms() {
        let outside = port.key.clone();
        let inside = format!("inner${outside}");
        update.push(match port.kind {
            AtomKind::InputParameter => VerilogStatement::Assignment(signal(inside), signal(outside)),
            _ => VerilogStatement::Assignment(signal(outside), signal(inside)),
        });
        members.push(Member::Atom(port.clone()));
    }
    let path = vec![Segment { field: "inner".into(), index: vec![] }];
    members.push(Member::Child(Scope { path: path.clone(), ..primitive }));
    Scope { path, hdl: Verilog::Combinatorial(update), declared: Verilog::Empty, members }
}
