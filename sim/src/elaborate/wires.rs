//! Every signal that `update()` of one module can name, and what may be done with it.
use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;

use rust_hdl::prelude::AtomKind;

use super::scope::{Scope, SignalInfo};
use crate::lint::Problem;
use crate::netlist::{EnumType, NetId, NetName, Segment};

/// Index into [`Wires::list`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct WireId(pub usize);

/// One signal, own or of a child.
pub(super) struct Wire {
    pub name: NetName,
    pub width: usize,
    pub role: Role,
    pub variants: Option<Rc<EnumType>>,
    /// A field of a bundle: nobody need read it.
    pub bundled: bool,
    /// The net that stands for it; clocks of children, constants and unread pins have none.
    pub net: Option<NetId>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Role {
    Input,
    Clock,
    Output,
    Local,
    Constant(u64),
    /// Ports of the instance with this number.
    ChildClock(usize),
    ChildInput(usize),
    ChildOutput(usize),
    /// A field of a child's bundle that the child does not read: it has no port.
    ChildUnread,
    /// Ports of the primitive with this number.
    PinClock(usize),
    PinInput(usize),
    PinOutput(usize),
}

impl Role {
    /// Driven by this module's `update()`.
    pub fn is_target(self) -> bool {
        use Role::*;
        matches!(self, Output | Local | ChildClock(_) | ChildInput(_) | ChildUnread | PinClock(_) | PinInput(_))
    }

    pub fn is_clock(self) -> bool {
        matches!(self, Role::Clock | Role::ChildClock(_) | Role::PinClock(_))
    }
}

#[derive(Default)]
pub(super) struct Wires {
    pub list: Vec<Wire>,
    /// Sorted, so that what belongs to one bundle or `Vec` stands together.
    by_key: BTreeMap<String, WireId>,
    names: HashSet<NetName>,
    fields: HashSet<String>,
}

/// Which of the two kinds of children a scope is.
#[derive(Clone, Copy)]
pub(super) enum ChildKind {
    Instance(usize),
    Primitive(usize),
}

impl Wires {
    pub fn get(&self, id: WireId) -> &Wire {
        &self.list[id.0]
    }

    pub fn ids(&self) -> impl Iterator<Item = WireId> + use<> {
        (0..self.list.len()).map(WireId)
    }

    /// By the resolved name `lanes[7]$x`.
    pub fn find(&self, key: &str) -> Option<WireId> {
        self.by_key.get(key).copied()
    }

    /// The signals of a bundle or `Vec`: what follows its name, and which signal that is.
    pub fn below<'a>(&'a self, key: &'a str) -> impl Iterator<Item = (&'a str, WireId)> {
        let inside = move |name: &'a str| name.strip_prefix(key).filter(|rest| rest.starts_with(['$', '[']));
        let from_here = self.by_key.range(key.to_string()..).take_while(move |(name, _)| name.starts_with(key));
        from_here.filter_map(move |(name, &id)| inside(name).map(|rest| (rest, id)))
    }

    /// Some signal's name starts with this field.
    pub fn has_field(&self, field: &str) -> bool {
        self.fields.contains(field)
    }

    /// Adds a module's own signal.
    pub fn add_own(&mut self, signal: &SignalInfo) -> Result<(), (NetName, Problem)> {
        let role = match signal.kind {
            AtomKind::InputParameter if signal.clock => Role::Clock,
            AtomKind::InputParameter => Role::Input,
            AtomKind::OutputParameter => Role::Output,
            AtomKind::LocalSignal => Role::Local,
            AtomKind::Constant => Role::Constant(signal.constant.unwrap_or(0)),
            kind => return Err((NetName(vec![signal.name.clone()]), Problem::UnsupportedSignal(format!("{kind:?}")))),
        };
        self.add(signal.key.clone(), vec![signal.name.clone()], signal, role)
    }

    /// Adds the ports of a child, all but those in `ports` as unread.
    pub fn add_child(&mut self, child: &Scope, kind: ChildKind, ports: &HashSet<&Segment>) -> Vec<(NetName, Problem)> {
        let mut problems = vec![];
        let above = child.path.iter().map(Segment::to_string).collect::<Vec<_>>().join("$");
        for signal in child.atoms() {
            let role = match (signal.kind, kind) {
                (AtomKind::InputParameter, ChildKind::Instance(i)) if signal.clock => Role::ChildClock(i),
                (AtomKind::InputParameter, ChildKind::Instance(i)) if ports.contains(&signal.name) => {
                    Role::ChildInput(i)
                }
                (AtomKind::InputParameter, ChildKind::Instance(_)) => Role::ChildUnread,
                (AtomKind::OutputParameter, ChildKind::Instance(i)) => Role::ChildOutput(i),
                (AtomKind::InputParameter, ChildKind::Primitive(i)) if signal.clock => Role::PinClock(i),
                (AtomKind::InputParameter, ChildKind::Primitive(i)) => Role::PinInput(i),
                (AtomKind::OutputParameter, ChildKind::Primitive(i)) => Role::PinOutput(i),
                _ => continue,
            };
            let path = child.path.iter().chain([&signal.name]).cloned().collect();
            problems.extend(self.add(format!("{above}${}", signal.key), path, signal, role).err());
        }
        problems
    }

    fn add(
        &mut self,
        key: String,
        path: Vec<Segment>,
        signal: &SignalInfo,
        role: Role,
    ) -> Result<(), (NetName, Problem)> {
        let id = WireId(self.list.len());
        let field = key.split(['$', '[']).next().unwrap_or_default();
        if !self.fields.contains(field) {
            self.fields.insert(field.to_string());
        }
        self.by_key.insert(key, id);
        let name = NetName(path);
        let fresh = self.names.insert(name.clone());
        let sized = (1..=64).contains(&signal.width);
        let width = if sized { signal.width } else { 1 };
        let (variants, bundled) = (signal.variants.clone(), signal.bundled());
        self.list.push(Wire { name: name.clone(), width, role, variants, bundled, net: None });
        if !fresh {
            return Err((name, Problem::SameName));
        }
        if !sized {
            return Err((name, Problem::Width(signal.width)));
        }
        if signal.signed {
            return Err((name, Problem::UnsupportedSignal("Signed".into())));
        }
        Ok(())
    }
}
