//! The instance tree of a rust-hdl design, as its `Probe` shows it.
use std::collections::BTreeMap;
use std::rc::Rc;

use rust_hdl::core::ast::{Verilog, VerilogLiteral};
use rust_hdl::prelude::{Atom, AtomKind, Block, Probe, TypeKind};

use warploom_hdl::wire::DECLARED;

use crate::netlist::{EnumType, Segment};

/// One instance.
pub(super) struct Scope {
    /// Field names on the way from the parent: more than one inside a bundle.
    pub path: Vec<Segment>,
    pub hdl: Verilog,
    /// What the declarations of its children connect.
    pub declared: Verilog,
    /// Own signals and children, in declaration order.
    pub members: Vec<Member>,
}

pub(super) enum Member {
    Atom(SignalInfo),
    Child(Scope),
}

/// One signal.
#[derive(Clone)]
pub(super) struct SignalInfo {
    /// Its name in the hardware: the field `valid` of the bundle `resolve` is called `resolve_valid`.
    pub name: Segment,
    /// As the syntax tree writes it, indices resolved: `resolve$valid`.
    pub key: String,
    pub width: usize,
    pub kind: AtomKind,
    pub clock: bool,
    pub signed: bool,
    pub variants: Option<Rc<EnumType>>,
    /// The value of a `Constant`.
    pub constant: Option<u64>,
}

impl SignalInfo {
    /// A field of a bundle.
    pub fn bundled(&self) -> bool {
        self.key.contains('$')
    }
}

impl Scope {
    pub fn atoms(&self) -> impl Iterator<Item = &SignalInfo> {
        self.members.iter().filter_map(|member| match member {
            Member::Atom(atom) => Some(atom),
            Member::Child(_) => None,
        })
    }

    /// The names of its first fields, by which people recognise a module that has no name.
    pub fn first_fields(&self) -> String {
        let mut names: Vec<&str> = Vec::new();
        for member in &self.members {
            let name = match member {
                Member::Atom(atom) => &atom.name.field,
                Member::Child(child) => &child.path[0].field,
            };
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names.truncate(6);
        names.join(", ")
    }
}

/// Every enumeration of a design by name; `None` when two different ones share the name.
pub(super) type Enumerations = BTreeMap<String, Option<Rc<EnumType>>>;

/// The instance tree below `top`.
pub(super) fn survey(top: &dyn Block) -> (Scope, Enumerations) {
    let root = Scope { path: vec![], hdl: Verilog::Empty, declared: Verilog::Empty, members: vec![] };
    let mut surveyor = Surveyor { open: vec![root], namespaces: vec![vec![]], enumerations: BTreeMap::new() };
    top.accept("top", &mut surveyor);
    let root = surveyor.open.pop().expect("the root stays open");
    let top = root.members.into_iter().find_map(|member| match member {
        Member::Child(scope) => Some(scope),
        Member::Atom(_) => None,
    });
    (
        top.unwrap_or(Scope { path: vec![], hdl: Verilog::Empty, declared: Verilog::Empty, members: vec![] }),
        surveyor.enumerations,
    )
}

struct Surveyor {
    open: Vec<Scope>,
    /// Per open scope: the bundles that enclose the signal.
    namespaces: Vec<Vec<Segment>>,
    enumerations: Enumerations,
}

impl Surveyor {
    fn path(&self, name: &str) -> Vec<Segment> {
        let mut path = self.namespaces.last().cloned().unwrap_or_default();
        path.push(segment(name));
        path
    }

    fn enumeration(&mut self, name: String, variants: Vec<String>) -> Rc<EnumType> {
        let variants = variants.iter().map(|v| v.rsplit("::").next().unwrap_or(v).to_string()).collect();
        let found = Rc::new(EnumType { name: name.clone(), variants });
        match self.enumerations.get_mut(&name) {
            Some(Some(known)) if *known == found => known.clone(),
            Some(known) => {
                *known = None;
                found
            }
            None => {
                self.enumerations.insert(name, Some(found.clone()));
                found
            }
        }
    }
}

impl Probe for Surveyor {
    fn visit_start_scope(&mut self, name: &str, node: &dyn Block) {
        self.open.push(Scope { path: self.path(name), hdl: node.hdl(), declared: Verilog::Empty, members: vec![] });
        self.namespaces.push(vec![]);
    }
    fn visit_end_scope(&mut self, name: &str, _node: &dyn Block) {
        self.namespaces.pop();
        let mut scope = self.open.pop().expect("scopes nest");
        // There are tens of thousands, and all of them stay until the last module is elaborated.
        scope.members.shrink_to_fit();
        let parent = self.open.last_mut().expect("the root stays open");
        match name {
            DECLARED => parent.declared = scope.hdl,
            _ => parent.members.push(Member::Child(scope)),
        }
    }
    fn visit_start_namespace(&mut self, name: &str, _node: &dyn Block) {
        self.namespaces.last_mut().expect("inside a scope").push(segment(name));
    }
    fn visit_end_namespace(&mut self, _name: &str, _node: &dyn Block) {
        self.namespaces.last_mut().expect("inside a scope").pop();
    }
    fn visit_atom(&mut self, name: &str, signal: &dyn Atom) {
        let descriptor = signal.descriptor();
        let clock = descriptor.name == "clock";
        let signed = matches!(descriptor.kind, TypeKind::Signed(_));
        let variants = match descriptor.kind {
            TypeKind::Enum(variants) => Some(self.enumeration(descriptor.name, variants)),
            _ => None,
        };
        let constant = (signal.kind() == AtomKind::Constant).then(|| number(&signal.verilog())).flatten();
        let path = self.path(name);
        let info = SignalInfo {
            key: path.iter().map(Segment::to_string).collect::<Vec<_>>().join("$"),
            name: flat(&path),
            width: signal.bits(),
            kind: signal.kind(),
            clock,
            signed,
            variants,
            constant,
        };
        self.open.last_mut().expect("inside a scope").members.push(Member::Atom(info));
    }
}

/// One name for a field of a bundle, so that it is called the same in waves, in traces and in Verilog: port and field,
/// whatever bundles lie between.
fn flat(path: &[Segment]) -> Segment {
    let field = match path {
        [port, .., field] => format!("{}_{}", port.field, field.field),
        path => path.iter().map(|segment| segment.field.as_str()).collect(),
    };
    Segment { field, index: path.iter().flat_map(|segment| segment.index.clone()).collect() }
}

/// `lanes$3` as rust-hdl names the elements of a `Vec`.
fn segment(name: &str) -> Segment {
    let mut parts = name.split('$');
    let field = parts.next().unwrap_or_default().to_string();
    Segment { field, index: parts.filter_map(|part| part.parse().ok()).collect() }
}

/// The value of a literal, whose fields are private; `None` when it is negative or over 64 bits.
pub(super) fn number(literal: &VerilogLiteral) -> Option<u64> {
    let text = format!("{literal:x}");
    u64::from_str_radix(text.split_once("'h")?.1, 16).ok()
}

/// A literal of one bit is a `bool`; rust-hdl gives numbers at least 8.
pub(super) fn is_bool(literal: &VerilogLiteral) -> bool {
    format!("{literal:x}").starts_with("1'h")
}
