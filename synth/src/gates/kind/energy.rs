//! What transitions of a cell cost, and what its states do: which tables, and how much of each.
//!
//! A group of internal power counts for the transitions of its pin. Of an output it counts where its related pin has
//! made the change; where several have changed, one after the other, in all orders alike. A condition (`when`) is that of the
//! state after the transition of that one pin, with a clock at 1 half of the time; a group without one is for the states that
//! no other covers. Groups of several supply pins add up.
use std::collections::BTreeSet;

use liberty_parser::Value;
use liberty_parser::liberty::Group;

use super::{Logic, Names};
use crate::cells::function::Function;
use crate::cells::liberty::{number, text};
use crate::cells::tables::{Table, Templates, Units};

/// The pin that a charge is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChargePin {
    /// An input.
    Input(usize),
    /// An output.
    Output(usize),
}

/// A table of the energy of a transition.
#[derive(Clone, Debug, PartialEq)]
pub struct Charge {
    /// Whose transition.
    pub pin: ChargePin,
    /// The input that caused that of an output.
    pub related: Option<usize>,
    /// Whether the pin rises.
    pub rise: bool,
    /// Over the slew of the input and the load of the output.
    pub table: Table,
}

/// How often each charge counts: its number and its share.
pub type Shares = Vec<(usize, f64)>;

/// What a cell takes in a state that lasts.
#[derive(Clone, Debug, PartialEq)]
pub struct Rest {
    /// Leakage, in uW, with the clock of a flip-flop at 0 and at 1; else the same.
    pub leakage_uw: [f64; 2],
    /// Charges of the two edges of the clock in every cycle.
    pub clock: Shares,
}

/// What a cell takes.
#[derive(Clone, Debug)]
pub struct Energy {
    /// The tables.
    pub charges: Vec<Charge>,
    /// States at rest that differ.
    pub rests: Vec<Rest>,
    /// By state: which of them.
    pub rest: Vec<u8>,
    /// By state before and state after: where its shares are.
    spans: Vec<(u32, u32)>,
    shares: Vec<(u16, f32)>,
}

/// A group of internal power, for one related pin.
struct Item {
    pin: ChargePin,
    related: Option<usize>,
    when: Option<Function>,
    supply: String,
    /// Charges of its fall and its rise.
    charges: [Option<usize>; 2],
}

impl Energy {
    pub(super) fn read(
        cell: &Group,
        names: &Names,
        logic: &Logic,
        templates: &Templates,
        units: &Units,
    ) -> Result<Self, String> {
        let mut charges = vec![];
        let items = items(cell, names, templates, &mut charges)?;
        let context = Context { items: &items, names, logic };
        let leakage = leakage_groups(cell, names)?;
        let (mut rests, mut rest): (Vec<Rest>, Vec<u8>) = (vec![], vec![]);
        for state in 0..logic.states() {
            let of_cell = number(cell, "cell_leakage_power");
            let leakage_uw =
                [false, true].map(|clock| context.leakage(&leakage, of_cell, state, clock) * units.leakage_uw);
            let new = Rest { leakage_uw, clock: context.clock(state) };
            let known = rests.iter().position(|known| *known == new);
            rest.push(known.unwrap_or(rests.len()) as u8);
            rests.extend(known.is_none().then_some(new));
        }
        let (mut spans, mut shares) = (vec![], vec![]);
        for (old, new) in (0..logic.states()).flat_map(|old| (0..logic.states()).map(move |new| (old, new))) {
            let start = shares.len() as u32;
            shares
                .extend(context.transition(old, new).into_iter().map(|(charge, share)| (charge as u16, share as f32)));
            spans.push((start, shares.len() as u32));
        }
        Ok(Self { charges, rests, rest, spans, shares })
    }

    /// What counts when a cell goes from a state to another: the number of a charge and its share.
    pub fn transition(&self, old: u16, new: u16) -> &[(u16, f32)] {
        let (start, end) = self.spans[usize::from(old) * self.rest.len() + usize::from(new)];
        &self.shares[start as usize..end as usize]
    }
}

fn items(cell: &Group, names: &Names, templates: &Templates, charges: &mut Vec<Charge>) -> Result<Vec<Item>, String> {
    let mut items = vec![];
    for pin in cell.iter_pins() {
        let output = names.outputs.iter().position(|output| *output == pin.name);
        let input = names.input(&pin.name).map(ChargePin::Input);
        let Some(charge_pin) = output.map(ChargePin::Output).or(input) else { continue };
        for group in pin.iter_subgroups_of_type("internal_power") {
            let related = text(group, "related_pin").unwrap_or("").split_whitespace();
            let related: Vec<_> = related.map(|name| names.input(name)).filter(Option::is_some).collect();
            let related = if related.is_empty() || output.is_none() { vec![None] } else { related };
            for related in related {
                let mut charge = |rise: bool| {
                    let own = if rise { "rise_power" } else { "fall_power" };
                    let table = group.iter_subgroups().find(|table| table.type_ == own || table.type_ == "power");
                    let Some(table) = table else { return Ok(None) };
                    let table =
                        Table::read(table, templates).map_err(|error| format!("its pin {}: {error}", pin.name))?;
                    charges.push(Charge { pin: charge_pin, related, rise, table });
                    Ok::<_, String>(Some(charges.len() - 1))
                };
                let charges = [charge(false)?, charge(true)?];
                let supply = text(group, "related_pg_pin").unwrap_or("").to_string();
                items.push(Item { pin: charge_pin, related, when: names.function(group, "when")?, supply, charges });
            }
        }
    }
    Ok(items)
}

/// A group of leakage power.
struct Leakage {
    when: Option<Function>,
    supply: String,
    value: f64,
}

/// Those of the supply, not of ground, through which the same current flows.
fn leakage_groups(cell: &Group, names: &Names) -> Result<Vec<Leakage>, String> {
    let is_ground = |supply: &str| {
        let pin = cell.iter_subgroups_of_type("pg_pin").find(|pin| pin.name == supply);
        pin.and_then(|pin| text(pin, "pg_type")).is_some_and(|kind| kind.contains("ground"))
    };
    let mut groups = vec![];
    for group in cell.iter_subgroups_of_type("leakage_power") {
        let supply = text(group, "related_pg_pin").unwrap_or("").to_string();
        let value = number(group, "value").or(match group.complex_attribute("values").map(Vec::as_slice) {
            Some([Value::Float(value)]) => Some(*value),
            _ => None,
        });
        if let Some(value) = value.filter(|_| !is_ground(&supply)) {
            groups.push(Leakage { when: names.function(group, "when")?, supply, value });
        }
    }
    Ok(groups)
}

/// One over the part of all orders of so many inputs in which a certain one comes after a certain set of so many others.
fn orders(inputs: usize, place: usize) -> f64 {
    let factorial = |n: usize| (1..=n).map(|n| n as f64).product::<f64>();
    factorial(inputs) / (factorial(place) * factorial(inputs - place - 1))
}

struct Context<'a> {
    items: &'a [Item],
    names: &'a Names,
    logic: &'a Logic,
}

impl Context<'_> {
    /// How much of a state a condition covers, with the clock at any of these levels: all, nothing, or the half with it at one.
    fn holds(&self, when: &Function, state: usize, clock: &[bool]) -> f64 {
        let holds = |clock: &&bool| when.value(self.logic.condition(state, **clock, self.names));
        clock.iter().filter(holds).count() as f64 / clock.len() as f64
    }

    /// The parts of a state that conditions cover; what has none covers the rest.
    fn cover<'a, T>(
        &self,
        items: &[&'a T],
        when: impl Fn(&T) -> Option<&Function>,
        state: usize,
        clock: &[bool],
    ) -> Vec<(&'a T, f64)> {
        let covered = items.iter().filter_map(|item| Some((*item, self.holds(when(item)?, state, clock))));
        let mut cover: Vec<(&T, f64)> = covered.filter(|(_, part)| *part > 0.0).collect();
        let rest = 1.0 - cover.iter().map(|(_, part)| part).sum::<f64>();
        let default = items.iter().filter(|item| rest > 0.0 && when(item).is_none());
        cover.extend(default.map(|item| (*item, rest)));
        cover
    }

    /// Shares of the items of a pin in a state, for every supply pin.
    fn shares(&self, items: &[&Item], rise: bool, state: usize, share: f64) -> Shares {
        let supplies: BTreeSet<&str> = items.iter().map(|item| item.supply.as_str()).collect();
        let shares = supplies.into_iter().flat_map(|supply| {
            let items: Vec<&Item> = items.iter().copied().filter(|item| item.supply == supply).collect();
            let cover = self.cover(&items, |item| item.when.as_ref(), state, &[false, true]);
            cover.into_iter().filter_map(|(item, part)| Some((item.charges[usize::from(rise)]?, part * share)))
        });
        shares.collect()
    }

    fn of(&self, pin: ChargePin) -> Vec<&Item> {
        self.items.iter().filter(|item| item.pin == pin).collect()
    }

    fn clock(&self, state: usize) -> Shares {
        let Some(clock) = self.logic.clock else { return vec![] };
        let items = self.of(ChargePin::Input(clock.input));
        [true, false].iter().flat_map(|rise| self.shares(&items, *rise, state, 1.0)).collect()
    }

    fn transition(&self, old: usize, new: usize) -> Shares {
        let mut shares = vec![];
        let changed = |input: usize| self.logic.bit(input).is_some_and(|bit| (old ^ new) >> bit & 1 == 1);
        let changed: Vec<usize> = (0..self.names.inputs.len()).filter(|input| changed(*input)).collect();
        for &input in &changed {
            let rise = self.logic.bit(input).is_some_and(|bit| new >> bit & 1 == 1);
            shares.extend(self.shares(&self.of(ChargePin::Input(input)), rise, new, 1.0));
        }
        // Where no input has changed the stored bit has, at an edge of the clock.
        let clock = self.logic.clock.filter(|_| changed.is_empty());
        let causes: Vec<usize> = clock.map(|clock| clock.input).into_iter().chain(changed).collect();
        for output in 0..self.names.outputs.len() {
            if (self.logic.outputs[old] ^ self.logic.outputs[new]) >> output & 1 == 1 {
                shares.extend(self.output(output, old, new, &causes));
            }
        }
        shares
    }

    /// Shares of a transition of an output.
    fn output(&self, output: usize, old: usize, new: usize, causes: &[usize]) -> Shares {
        let rise = self.logic.outputs[new] >> output & 1 == 1;
        let of_output = self.of(ChargePin::Output(output));
        let of_cause = |cause: usize| {
            let related: Vec<&Item> = of_output.iter().copied().filter(|item| item.related == Some(cause)).collect();
            let any = || of_output.iter().copied().filter(|item| item.related.is_none()).collect();
            if related.is_empty() { any() } else { related }
        };
        let steps = if self.logic.stores {
            causes.iter().map(|&cause| (cause, new, 1.0)).collect()
        } else {
            self.steps(output, old, new, causes)
        };
        let shares =
            steps.into_iter().map(|(cause, state, share)| (self.shares(&of_cause(cause), rise, state, 1.0), share));
        let mut shares: Vec<(Shares, f64)> = shares.filter(|(shares, _)| !shares.is_empty()).collect();
        if shares.is_empty() {
            // What is said of other causes is better than nothing.
            let related: BTreeSet<Option<usize>> = of_output.iter().map(|item| item.related).collect();
            let items = |related| of_output.iter().copied().filter(|item| item.related == related).collect::<Vec<_>>();
            let all = related.into_iter().map(|related| (self.shares(&items(related), rise, new, 1.0), 1.0));
            shares = all.filter(|(shares, _)| !shares.is_empty()).collect();
        }
        let total: f64 = shares.iter().map(|(_, share)| share).sum();
        let parts = shares.into_iter().flat_map(|(shares, part)| shares.into_iter().map(move |share| (share, part)));
        parts.map(|((charge, share), part)| (charge, share * part / total)).collect()
    }

    /// Where inputs of logic have changed, one after the other in an order that nobody knows: the changes that may have made
    /// the output what it is in the end, each with the state after it and how likely it is, orders being alike.
    fn steps(&self, output: usize, old: usize, new: usize, causes: &[usize]) -> Vec<(usize, usize, f64)> {
        let value = |state: usize| self.logic.outputs[state] >> output & 1;
        let mask = |input: usize| self.logic.bit(input).map_or(0, |bit| 1 << bit);
        let mut steps = vec![];
        for earlier in 0..1usize << causes.len() {
            let is_earlier = |i: usize| earlier >> i & 1 == 1;
            let before = (0..causes.len()).filter(|&i| is_earlier(i)).fold(old, |state, i| state ^ mask(causes[i]));
            for (_, &cause) in causes.iter().enumerate().filter(|(i, _)| !is_earlier(*i)) {
                let after = before ^ mask(cause);
                if value(before) != value(after) && value(after) == value(new) {
                    steps.push((cause, after, 1.0 / orders(causes.len(), earlier.count_ones() as usize)));
                }
            }
        }
        steps
    }

    /// Leakage of a state, in the unit of the library.
    fn leakage(&self, groups: &[Leakage], of_cell: Option<f64>, state: usize, clock: bool) -> f64 {
        let supplies: BTreeSet<&str> = groups.iter().map(|group| group.supply.as_str()).collect();
        let leakage = supplies.iter().map(|supply| {
            let groups: Vec<&Leakage> = groups.iter().filter(|group| group.supply == *supply).collect();
            let cover = self.cover(&groups, |group| group.when.as_ref(), state, &[clock]);
            let covered: f64 = cover.iter().map(|(_, part)| part).sum();
            // What is said of the cell holds for what is not said of its states; once, not for every supply.
            let rest = of_cell.filter(|_| supplies.len() == 1).unwrap_or(0.0) * (1.0 - covered).max(0.0);
            cover.iter().map(|(group, part)| group.value * part).sum::<f64>() + rest
        });
        if supplies.is_empty() { of_cell.unwrap_or(0.0) } else { leakage.sum() }
    }
}
