//! `update()` and declared connections executed symbolically: every signal ends up with one expression. `if` and `match` are in branches.rs.
use rust_hdl::core::ast::{VerilogExpression, VerilogLink, VerilogLoop, VerilogStatement};

use super::LoopVariable;
use super::evaluate::Value;
use super::expressions::Expressions;
use super::names::resolve;
use super::scope::{Enumerations, number};
use super::wires::{Role, WireId, Wires};
use crate::lint::Problem;
use crate::netlist::{ExprId, NetId};

/// A problem has been recorded; what depends on it is not looked at.
pub(super) struct Reported;

/// The value of a signal at one point of `update()`.
#[derive(Clone, Copy, Default)]
pub(super) struct Slot {
    pub value: Option<ExprId>,
    /// Assigned on every path so far.
    pub certain: bool,
}

/// How the values of a local or output have been read.
#[derive(Clone, Copy, Default)]
pub(super) struct Reads {
    last: Option<ExprId>,
    /// More than one of its successive values.
    several: bool,
    /// The last one inside a loop.
    in_loop: bool,
}

impl Reads {
    /// Whether the net's name may stand for its final value where that is used. Not for the scratch
    /// variable of a loop: the last iteration would look unlike the others.
    pub fn nameable(&self, value: ExprId) -> bool {
        self.last == Some(value) && !(self.several && self.in_loop)
    }
}

/// What is being elaborated, for messages.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Assignment(WireId),
    Condition,
    Match,
    Update,
}

/// What a branch changes, by signal.
pub(super) type Changes = Vec<(WireId, Slot)>;

pub(super) struct Execution<'a> {
    pub wires: &'a mut Wires,
    pub exprs: Expressions,
    pub slots: Vec<Slot>,
    /// Per child clock: the module's clock that drives it.
    pub clock_of: Vec<Option<WireId>>,
    pub loops: Vec<LoopVariable>,
    pub enumerations: &'a Enumerations,
    pub problems: Vec<(Option<WireId>, Problem)>,
    /// Nets so far; pins that are read add some.
    pub net_count: usize,
    reads: Vec<Reads>,
    linked: Vec<bool>,
    /// While declared connections are executed: those found that lead to children, each target with its source.
    connecting: Option<Vec<(WireId, WireId)>>,
    /// Per open branch: the slots it has overwritten.
    pub(super) journals: Vec<Changes>,
    pub(super) place: Place,
}

impl<'a> Execution<'a> {
    pub fn new(wires: &'a mut Wires, enumerations: &'a Enumerations, net_count: usize) -> Self {
        let count = wires.list.len();
        Self {
            wires,
            exprs: Expressions::default(),
            slots: vec![Slot::default(); count],
            clock_of: vec![None; count],
            loops: vec![],
            enumerations,
            problems: vec![],
            net_count,
            reads: vec![Reads::default(); count],
            linked: vec![false; count],
            connecting: None,
            journals: vec![],
            place: Place::Update,
        }
    }

    /// Executes what declarations connect and `update()`, and checks that every signal is driven that must be.
    pub fn run(&mut self, declared: &[VerilogStatement], update: &[VerilogStatement]) {
        // `update()` may read what children drive here, and children what it decides.
        self.connecting = Some(vec![]);
        self.block(declared);
        let to_children = self.connecting.take().unwrap_or_default();
        self.block(update);
        for (target, source) in to_children {
            self.link_once(target);
            let _ = self.drive(target, source);
        }
        self.follow();
        for id in self.wires.ids() {
            let slot = self.slots[id.0];
            let role = self.wires.get(id).role;
            if !role.is_target() || role == Role::ChildUnread {
                continue;
            }
            if slot.value.is_none() {
                self.report(Some(id), Problem::Undriven);
            } else if !slot.certain {
                self.report(Some(id), Problem::Latch);
            }
            if !slot.certain {
                self.poison(id);
            }
        }
    }

    /// Clock and reset of the module reach every child that has them, unless `update()` drives its reset.
    fn follow(&mut self) {
        let own = |wires: &Wires, name, role| wires.find(name).filter(|&id| wires.get(id).role == role);
        let clock = own(self.wires, "clock", Role::Clock);
        let reset = own(self.wires, "reset", Role::Input);
        for id in self.wires.ids().filter(|id| self.slots[id.0].value.is_none()).collect::<Vec<_>>() {
            let wire = self.wires.get(id);
            let is_reset = wire.name.0.len() == 2 && wire.name.0[1].field == "reset" && wire.width == 1;
            match (wire.role, clock, reset) {
                (Role::ChildClock(_) | Role::PinClock(_), Some(clock), _) => self.drive_clock(id, Some(clock)),
                (Role::ChildInput(_) | Role::PinInput(_), _, Some(reset)) if is_reset => {
                    if let Ok(value) = self.read(reset).and_then(|value| self.with_width(value, 1)) {
                        self.set(id, Slot { value: Some(value), certain: true });
                    }
                }
                _ => {}
            }
        }
    }

    /// The final value of a signal.
    pub fn value(&self, id: WireId) -> ExprId {
        self.slots[id.0].value.expect("every target has a value after run()")
    }

    /// Whether the signal's name may stand where its final value is used.
    pub fn nameable(&self, id: WireId) -> bool {
        let role = self.wires.get(id).role;
        role.is_target() && role != Role::ChildUnread && self.reads[id.0].nameable(self.value(id))
    }

    pub(super) fn note_read(&mut self, id: WireId, value: ExprId) {
        let reads = &mut self.reads[id.0];
        reads.several |= reads.last.is_some_and(|last| last != value);
        reads.last = Some(value);
        reads.in_loop = !self.loops.is_empty();
    }

    pub(super) fn block(&mut self, block: &[VerilogStatement]) {
        for statement in block {
            self.statement(statement);
        }
    }

    pub(super) fn statement(&mut self, statement: &VerilogStatement) {
        self.place = Place::Update;
        match statement {
            VerilogStatement::Assignment(target, value) => self.assign(target, value),
            VerilogStatement::SliceAssignment { base, width, offset, replacement } => {
                let _ = self.assign_field(base, *width, offset, replacement);
            }
            VerilogStatement::If(conditional) => self.conditional(conditional),
            VerilogStatement::Match(choice) => self.choice(choice),
            VerilogStatement::Loop(unrolled) => self.unroll(unrolled),
            VerilogStatement::Macro(block) => self.block(block),
            VerilogStatement::Link(links) => {
                for link in links {
                    let _ = self.link(link);
                }
            }
            VerilogStatement::Comment(_) => {}
        }
    }

    fn assign(&mut self, target: &VerilogExpression, value: &VerilogExpression) {
        let Ok(target) = self.target(target) else { return };
        self.check_unlinked(target);
        let role = self.wires.get(target).role;
        if role.is_clock() {
            let source = match value {
                VerilogExpression::Signal(name) => self.find(name).ok().flatten(),
                _ => None,
            };
            self.drive_clock(target, source);
            return;
        }
        let driven = self.evaluate(value);
        let width = self.wires.get(target).width;
        match driven.and_then(|value| self.with_width(value, width)) {
            Ok(value) => self.set(target, Slot { value: Some(value), certain: true }),
            Err(Reported) => self.poison(target),
        }
    }

    fn assign_field(
        &mut self,
        base: &VerilogExpression,
        width: usize,
        offset: &VerilogExpression,
        field: &VerilogExpression,
    ) -> Result<(), Reported> {
        let target = self.target(base)?;
        let Value::Number(low) = self.evaluate(offset)? else {
            return Err(self.unsupported("a field at a run-time position".into()));
        };
        let field = self.evaluate(field)?;
        let field = self.with_width(field, width)?;
        let whole = match self.slots[target.0].value {
            Some(value) => value,
            None => {
                let place = self.place_text();
                self.poison(target);
                return Err(self.report(Some(target), Problem::ReadBeforeAssigned(place)));
            }
        };
        let value = self.replace(whole, low, field)?;
        let certain = self.slots[target.0].certain;
        self.set(target, Slot { value: Some(value), certain });
        Ok(())
    }

    fn target(&mut self, target: &VerilogExpression) -> Result<WireId, Reported> {
        let VerilogExpression::Signal(name) = target else {
            return Err(self.unsupported("this target of an assignment".into()));
        };
        let name = name.strip_suffix("$next").unwrap_or(name);
        match self.find(name)? {
            Some(id) => self.as_target(id),
            None => Err(self.unresolved(name)),
        }
    }

    fn as_target(&mut self, id: WireId) -> Result<WireId, Reported> {
        self.place = Place::Assignment(id);
        let role = self.wires.get(id).role;
        if role.is_target() {
            return Ok(id);
        }
        let other = match role {
            Role::Input | Role::Clock => "an input belongs to the module outside",
            Role::Constant(_) => "it is a constant",
            _ => "an output belongs to the child",
        };
        Err(self.report(Some(id), Problem::MultiplyDriven(other.into())))
    }

    fn drive_clock(&mut self, target: WireId, source: Option<WireId>) {
        let clock = source.filter(|&source| self.wires.get(source).role == Role::Clock);
        if clock.is_none() || !self.journals.is_empty() {
            self.report_here(Problem::Clock);
        }
        self.clock_of[target.0] = clock;
        self.poison(target);
    }

    fn link(&mut self, link: &VerilogLink) -> Result<(), Reported> {
        let (target, source) = match link {
            VerilogLink::Forward(names) => ((&names.other_name, &names.my_name), (&names.owner_name, &names.my_name)),
            VerilogLink::Backward(names) => ((&names.owner_name, &names.my_name), (&names.other_name, &names.my_name)),
            VerilogLink::Bidirectional(names) => return self.join(&names.owner_name, &names.other_name),
        };
        let full = |(bundle, field): (&String, &String)| format!("{bundle}{field}").replace('.', "$");
        let (target_name, source_name) = (full(target), full(source));
        let target = self.find(&target_name)?.ok_or_else(|| self.unresolved(&target_name))?;
        let source = self.find(&source_name)?.ok_or_else(|| self.unresolved(&source_name))?;
        if !self.journals.is_empty() {
            return Err(self.unsupported("a link inside a condition".into()));
        }
        self.link_once(target);
        self.drive(target, source)
    }

    /// Notes that a link drives `target`, and nothing else may.
    fn link_once(&mut self, target: WireId) {
        if self.slots[target.0].value.is_some() {
            self.report(Some(target), Problem::MultiplyDriven("a link on top of another driver".into()));
        }
        self.linked[target.0] = true;
    }

    fn check_unlinked(&mut self, target: WireId) {
        if self.linked[target.0] {
            self.report(Some(target), Problem::MultiplyDriven("a link drives it already".into()));
        }
    }

    /// `wire::join`: every signal of `port` with its namesake in `other`, as so many assignments; which of the two drives follows
    /// from what they are.
    fn join(&mut self, port: &str, other: &str) -> Result<(), Reported> {
        for name in [port, other] {
            let _ = self.find(name)?;
        }
        let port = resolve(port, &self.loops).unwrap_or_default();
        let other = resolve(other, &self.loops).unwrap_or_default();
        let pairs = match (self.wires.find(&port), self.wires.find(&other)) {
            (Some(port), Some(other)) => Some(vec![(port, other)]),
            // Without elements on either side if these are vectors of none here.
            _ if self.wires.below(&port).count() == self.wires.below(&other).count() => {
                let namesake = |(field, id)| Some((id, self.wires.find(&format!("{other}{field}"))?));
                self.wires.below(&port).map(namesake).collect()
            }
            _ => None,
        };
        let mut pairs = pairs.ok_or_else(|| self.unresolved(&other))?;
        pairs.sort_unstable();
        for (port, other) in pairs {
            let is_own = |id| matches!(self.wires.get(id).role, Role::Output | Role::Local);
            let outward = match self.wires.get(other).role {
                Role::ChildOutput(_) | Role::PinOutput(_) => true,
                Role::Output | Role::Local => is_own(port),
                _ => false,
            };
            let (target, source) = if outward { (port, other) } else { (other, port) };
            let is_inward = is_own(target);
            let is_childs = matches!(self.wires.get(source).role, Role::ChildOutput(_) | Role::PinOutput(_));
            if self.connecting.is_none() && !outward && is_childs && is_inward {
                self.report(Some(target), Problem::JoinedBackwards);
            }
            let is_of_a_child = matches!(self.wires.get(target).role, Role::ChildInput(_) | Role::PinInput(_));
            if self.connecting.is_some() && outward && is_of_a_child {
                self.report(Some(target), Problem::ConnectedBackwards);
            }
            match &mut self.connecting {
                Some(to_children) if !is_inward => {
                    to_children.push((target, source));
                    continue;
                }
                Some(_) => self.link_once(target),
                None => self.check_unlinked(target),
            }
            self.drive(target, source)?;
        }
        Ok(())
    }

    fn drive(&mut self, target: WireId, source: WireId) -> Result<(), Reported> {
        let target = self.as_target(target)?;
        if self.wires.get(target).role.is_clock() {
            self.drive_clock(target, Some(source));
            return Ok(());
        }
        let width = self.wires.get(target).width;
        match self.read(source).and_then(|value| self.with_width(value, width)) {
            Ok(value) => self.set(target, Slot { value: Some(value), certain: true }),
            Err(Reported) => self.poison(target),
        }
        Ok(())
    }

    fn unroll(&mut self, unrolled: &VerilogLoop) {
        if self.wires.has_field(&unrolled.index) {
            self.report_here(|_| Problem::Shadowed(unrolled.index.clone()));
        }
        let (Some(from), Some(to)) = (number(&unrolled.from), number(&unrolled.to)) else {
            self.unsupported("a loop bound below zero".into());
            return;
        };
        for value in from..to {
            self.loops.push(LoopVariable { name: unrolled.index.clone(), value });
            self.block(&unrolled.block);
            self.loops.pop();
        }
    }

    pub(super) fn set(&mut self, id: WireId, slot: Slot) {
        if let Some(journal) = self.journals.last_mut() {
            journal.push((id, self.slots[id.0]));
        }
        self.slots[id.0] = slot;
    }

    /// A placeholder where a problem has been reported (and for clocks), so that nothing else is reported for it.
    fn poison(&mut self, id: WireId) {
        let value = self.exprs.constant(self.wires.get(id).width, 0);
        self.set(id, Slot { value: Some(value), certain: true });
    }

    /// The net of a signal; a primitive's input gets one when it is read.
    pub(super) fn net_of(&mut self, id: WireId) -> NetId {
        let next = NetId(self.net_count as u32);
        let net = &mut self.wires.list[id.0].net;
        if net.is_none() {
            self.net_count += 1;
        }
        *net.get_or_insert(next)
    }

    pub(super) fn report(&mut self, wire: Option<WireId>, problem: Problem) -> Reported {
        self.problems.push((wire, problem));
        Reported
    }

    /// Reports a problem of the current statement.
    pub(super) fn report_here(&mut self, problem: impl FnOnce(String) -> Problem) -> Reported {
        let place = self.place_text();
        let wire = match self.place {
            Place::Assignment(id) => Some(id),
            _ => None,
        };
        self.report(wire, problem(place))
    }

    pub(super) fn unresolved(&mut self, name: &str) -> Reported {
        let name = resolve(name, &self.loops).unwrap_or_else(|_| name.to_string()).replace('$', ".");
        self.report_here(|place| Problem::Unresolved { name, place })
    }

    pub(super) fn unsupported(&mut self, what: String) -> Reported {
        self.report_here(|place| Problem::Unsupported { what, place })
    }

    pub(super) fn place_text(&self) -> String {
        match self.place {
            Place::Assignment(id) => format!("assignment to {}", self.wires.get(id).name),
            Place::Condition => "condition of an if".into(),
            Place::Match => "match".into(),
            Place::Update => "update()".into(),
        }
    }
}
