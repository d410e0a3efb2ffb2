//! `if` and `match`: every branch is executed on its own, and what they change is merged.
use rust_hdl::core::ast::{VerilogBlockOrConditional, VerilogConditional, VerilogExpression, VerilogMatch};

use super::evaluate::Value;
use super::execute::{Changes, Execution, Place, Reported, Slot};
use super::names::parse_number;
use super::wires::WireId;
use crate::netlist::{ExprId, Op};

impl Execution<'_> {
    pub(super) fn conditional(&mut self, conditional: &VerilogConditional) {
        self.place = Place::Condition;
        let test = match self.evaluate(&conditional.test) {
            Ok(Value::Flag(true)) => return self.block(&conditional.then),
            Ok(Value::Flag(false)) => return self.otherwise(&conditional.otherwise),
            Ok(value) => self.with_width(value, 1),
            Err(reported) => Err(reported),
        };
        let test = test.unwrap_or_else(|Reported| self.exprs.constant(1, 0));
        let then = self.branch(|this| this.block(&conditional.then));
        let otherwise = self.branch(|this| this.otherwise(&conditional.otherwise));
        for id in touched([&then, &otherwise]) {
            let slot = self.merge(test, self.slot_in(&then, id), self.slot_in(&otherwise, id));
            self.set(id, slot);
        }
    }

    fn otherwise(&mut self, otherwise: &VerilogBlockOrConditional) {
        match otherwise {
            VerilogBlockOrConditional::Block(block) => self.block(block),
            VerilogBlockOrConditional::Conditional(statement) => self.statement(statement),
            VerilogBlockOrConditional::None => {}
        }
    }

    pub(super) fn choice(&mut self, choice: &VerilogMatch) {
        self.place = Place::Match;
        let test = self.evaluate(&choice.test);
        let mut arms = vec![];
        let mut default = None;
        for case in &choice.cases {
            if case.condition == "default" {
                default = Some(&case.block);
                break;
            }
            if let Ok(value) = self.pattern(&case.condition) {
                arms.push((value, &case.block));
            }
        }
        let test = match test {
            Ok(Value::Number(number)) => {
                let taken = arms.iter().find(|(value, _)| *value == number).map(|(_, block)| *block).or(default);
                return taken.into_iter().for_each(|block| self.block(block));
            }
            Ok(value) => self.match_operand(value),
            Err(Reported) => self.exprs.constant(1, 0),
        };
        let width = self.exprs.width(test);
        let covered = self.covers(&choice.test, width, &arms.iter().map(|(value, _)| *value).collect::<Vec<_>>());
        // An exhaustive match needs no test for its last arm.
        let rest = match default {
            Some(block) => self.branch(|this| this.block(block)),
            None if covered => {
                let (_, block) = arms.pop().expect("a covering match has arms");
                self.branch(|this| this.block(block))
            }
            None => vec![],
        };
        let mut branches = vec![];
        for (value, block) in arms {
            self.place = Place::Match;
            if let Ok(value) = self.with_width(Value::Number(value), width) {
                let taken = self.exprs.make(1, Op::Eq(test, value));
                branches.push((taken, self.branch(|this| this.block(block))));
            }
        }
        for id in touched(branches.iter().map(|(_, changes)| changes).chain([&rest])) {
            let mut slot = self.slot_in(&rest, id);
            for (taken, changes) in branches.iter().rev() {
                slot = self.merge(*taken, self.slot_in(changes, id), slot);
            }
            self.set(id, slot);
        }
    }

    fn match_operand(&mut self, value: Value) -> ExprId {
        let width = match value {
            Value::Wire(a) | Value::Signed(a) => self.exprs.width(a),
            _ => 1,
        };
        self.with_width(value, width).unwrap_or_else(|Reported| self.exprs.constant(width, 0))
    }

    /// The encoding that the pattern of a `match` arm names.
    fn pattern(&mut self, text: &str) -> Result<u64, Reported> {
        match text {
            "true" => return Ok(1),
            "false" => return Ok(0),
            _ => {}
        }
        match parse_number(text) {
            Some(value) => Ok(value),
            None => match self.variant(text)? {
                Some((value, _)) => Ok(value),
                None => Err(self.unresolved(text)),
            },
        }
    }

    /// Whether the arms name every encoding, or every variant of an enumeration.
    fn covers(&mut self, test: &VerilogExpression, width: usize, arms: &[u64]) -> bool {
        let variants = match test {
            VerilogExpression::Signal(name) => {
                let wire = self.find(name).ok().flatten().map(|id| self.wires.get(id));
                wire.and_then(|wire| wire.variants.as_ref()).map(|variants| variants.variants.len() as u64)
            }
            _ => None,
        };
        let encodings = variants.or((width < 16).then(|| 1 << width));
        encodings.is_some_and(|count| (0..count).all(|value| arms.contains(&value)))
    }

    /// Executes `body` and takes its effects back: what it would have changed.
    fn branch(&mut self, body: impl FnOnce(&mut Self)) -> Changes {
        self.journals.push(vec![]);
        body(self);
        let journal = self.journals.pop().expect("pushed above");
        let mut changes: Changes = journal.iter().map(|&(id, _)| (id, self.slots[id.0])).collect();
        changes.sort_by_key(|&(id, _)| id);
        changes.dedup_by_key(|&mut (id, _)| id);
        for (id, before) in journal.into_iter().rev() {
            self.slots[id.0] = before;
        }
        changes
    }

    fn slot_in(&self, changes: &Changes, id: WireId) -> Slot {
        changes.binary_search_by_key(&id, |&(id, _)| id).map_or(self.slots[id.0], |at| changes[at].1)
    }

    fn merge(&mut self, test: ExprId, then: Slot, otherwise: Slot) -> Slot {
        let value = match (then.value, otherwise.value) {
            (Some(a), Some(b)) => Some(self.exprs.mux(test, a, b)),
            (one, other) => one.or(other),
        };
        Slot { value, certain: then.certain && otherwise.certain }
    }
}

/// The signals that some branch changes, in order.
fn touched<'c>(branches: impl IntoIterator<Item = &'c Changes>) -> Vec<WireId> {
    let mut ids: Vec<WireId> = branches.into_iter().flatten().map(|&(id, _)| id).collect();
    ids.sort();
    ids.dedup();
    ids
}
