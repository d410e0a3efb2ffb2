//! Power from a waveform: every change of every pin at the time at which it is in there.
//!
//! What changes at one time changes in the order of arrival by static timing: the input that makes an output what it is in
//! the end is its cause. The condition of a group is asked of the state after that change; of the pin that clocks a
//! flip-flop, which rises before all else, of the state before; of its data, with the clock as it is when they arrive.
use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::design::Design;
use crate::library::{Kind, Power};
use crate::timing::Timing;
use crate::vcd::{Event, Waveform};

/// Mean power in uW, and changes of outputs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Part {
    pub cells: usize,
    pub changes: u64,
    pub leakage: f64,
    pub internal: f64,
    /// Of the internal power, that of pins that clock flip-flops.
    pub clock: f64,
    pub switching: f64,
}

impl Part {
    pub fn add(&mut self, other: &Self) {
        self.cells += other.cells;
        self.changes += other.changes;
        self.leakage += other.leakage;
        self.internal += other.internal;
        self.clock += other.clock;
        self.switching += other.switching;
    }

    pub fn sum<'a>(parts: impl Iterator<Item = &'a Self>) -> Self {
        parts.fold(Self::default(), |mut total, part| {
            total.add(part);
            total
        })
    }
}

/// A cell in the waveform.
#[derive(Clone, Copy, Default)]
struct State {
    /// Values of its variables.
    now: u32,
    /// Those of the last time.
    seen: u32,
    since: u64,
    touched: bool,
}

/// What happened, in the units of the library, but for leakage, which is times units of the waveform's time.
struct Count<'a> {
    design: &'a Design,
    timing: &'a Timing,
    states: Vec<State>,
    parts: Vec<Part>,
}

/// By kind of cell.
pub fn power(design: &Design, timing: &Timing, directory: &Path) -> Result<BTreeMap<String, Part>> {
    const FILE: &str = "bench.vcd";
    let waveform = Waveform::open(&directory.join(FILE)).context(FILE)?;
    by_kind(design, timing, waveform).context(FILE)
}

fn by_kind(design: &Design, timing: &Timing, waveform: Waveform) -> Result<BTreeMap<String, Part>> {
    let unit_ns = waveform.unit_ns;
    let codes = waveform.codes.values().max().map_or(0, |most| most + 1);
    let code = |path: &str| waveform.codes.get(path).copied();
    // Who hears of a variable: the cell and the number of its variable.
    let mut listeners: Vec<Vec<(usize, usize)>> = vec![vec![]; codes];
    for (i, cell) in design.cells.iter().enumerate() {
        for (variable, name) in design.kinds[cell.kind].variables.iter().enumerate() {
            let path = format!("bench.dut.{}.{name}", cell.scope);
            let code = code(&path).with_context(|| format!("{path} is not in it"))?;
            listeners[code].push((i, variable));
        }
    }
    let clock = code(&format!("bench.dut.{}", design.clock)).context("the clock is not in it")?;
    let states = vec![State::default(); design.cells.len()];
    let parts = vec![Part::default(); design.cells.len()];
    let mut count = Count { design, timing, states, parts };
    let (mut touched, mut time, mut begin, mut cycles, mut level) = (vec![], 0, None, 0u64, false);
    for event in waveform {
        match event? {
            Event::Time(next) => {
                ensure!(next >= time, "time goes back from {time} to {next}");
                touched.drain(..).for_each(|cell| count.settle(cell, time, begin.is_some()));
                time = next;
            }
            Event::Unknown(code) => {
                let heard = listeners.get(code).and_then(|listeners| listeners.first());
                if let Some((cell, variable)) = heard {
                    let cell = &design.cells[*cell];
                    let name = &design.kinds[cell.kind].variables[*variable];
                    bail!("{name} of {} is neither 0 nor 1 at {time}", cell.scope);
                }
            }
            Event::Change(code, value) => {
                if code == clock {
                    if value && !level {
                        if begin.is_none() {
                            begin = Some(time);
                            count.states.iter_mut().for_each(|state| state.since = time);
                        }
                        cycles += 1;
                    }
                    level = value;
                }
                for &(cell, variable) in listeners.get(code).into_iter().flatten() {
                    let state = &mut count.states[cell];
                    state.now = state.now & !(1 << variable) | u32::from(value) << variable;
                    if !std::mem::replace(&mut state.touched, true) {
                        touched.push(cell);
                    }
                }
            }
        }
    }
    touched.drain(..).for_each(|cell| count.settle(cell, time, true));
    (0..design.cells.len()).for_each(|cell| count.rest(cell, time));
    let lasted = (time - begin.context("the clock does not rise")?) as f64;
    // Not exactly: Icarus rounds a quarter of a period to 1 ps.
    let periods = lasted * unit_ns / design.clock_ns;
    ensure!((periods / cycles as f64 - 1.0).abs() < 0.3, "{cycles} cycles last {periods:.1} periods of the clock");
    let mut kinds = BTreeMap::<String, Part>::new();
    let per_cycle = 1000.0 / design.clock_ns / cycles as f64;
    let energy = design.units.energy_pj * per_cycle;
    let charge = design.units.capacitance_pf * design.units.volts.powi(2) / 2.0 * per_cycle;
    for (cell, part) in design.cells.iter().zip(&count.parts) {
        let part = Part {
            cells: 1,
            changes: part.changes,
            leakage: part.leakage * design.units.leakage_uw / lasted,
            internal: part.internal * energy,
            clock: part.clock * energy,
            switching: part.switching * charge,
        };
        kinds.entry(design.kinds[cell.kind].name.clone()).or_default().add(&part);
    }
    Ok(kinds)
}

impl Count<'_> {
    fn kind(&self, cell: usize) -> &Kind {
        &self.design.kinds[self.design.cells[cell].kind]
    }

    /// Leakage of the state that lasts.
    fn rest(&mut self, cell: usize, time: u64) {
        let state = self.states[cell];
        let leakage = self.kind(cell).leakage[state.seen as usize] * (time - state.since) as f64;
        self.parts[cell].leakage += leakage;
        self.states[cell].since = time;
    }

    /// All that has changed at a time.
    fn settle(&mut self, cell: usize, time: u64, counts: bool) {
        self.states[cell].touched = false;
        let State { now, seen, .. } = self.states[cell];
        if counts {
            self.rest(cell, time);
            self.count(cell, seen, now);
        }
        self.states[cell].seen = now;
    }

    fn count(&mut self, cell: usize, old: u32, new: u32) {
        let (design, timing) = (self.design, self.timing);
        let (kind, nets) = (&design.kinds[design.cells[cell].kind], &design.cells[cell].nets);
        let changed = |pin: usize| (old ^ new) >> pin & 1 == 1;
        let edge = |pin: usize| (new >> pin & 1) as usize;
        let of_net = |values: &[[f64; 2]], pin: usize| nets[pin].map_or(0.0, |net| values[net][edge(pin)]);
        let mut arriving: Vec<usize> =
            (0..kind.pins.len()).filter(|pin| kind.pins[*pin].is_input && changed(*pin)).collect();
        arriving.sort_by(|a, b| of_net(&timing.arrival, *a).total_cmp(&of_net(&timing.arrival, *b)));
        let part = &mut self.parts[cell];
        for (i, pin) in kind.pins.iter().enumerate().filter(|(i, _)| changed(*i)) {
            let all = || kind.powers.iter().filter(|power| power.pin == i);
            if pin.is_input {
                let state = match kind.clock() {
                    // Rising at the clock's pin, all else is still what it was.
                    Some(clock) if clock == i => old & !(1 << i) | new & 1 << i,
                    // Later, the clock has fallen.
                    Some(clock) if of_net(&timing.arrival, i) > design.clock_ns / 2.0 => new & !(1 << clock),
                    _ => new,
                };
                let energy = energy(&holding(all(), state), edge(i), of_net(&timing.slew, i), 0.0);
                part.internal += energy;
                if pin.is_clock {
                    part.clock += energy;
                }
            } else {
                part.changes += 1;
                let load = of_net(&timing.load, i);
                part.switching += load;
                let (cause, state) = cause(kind, i, old, new, &arriving);
                let groups = holding(all().filter(|power| power.related.is_none() || power.related == cause), state);
                let slew = cause.map_or(0.0, |cause| of_net(&timing.slew, cause));
                part.internal += energy(&groups, edge(i), slew, load);
            }
        }
    }
}

/// The input whose change makes an output what it is in the end, and the state after it, where inputs arrive one after the
/// other. Of a cell that stores a bit, the one that arrives last of those that its power is related to.
fn cause(kind: &Kind, output: usize, old: u32, new: u32, arriving: &[usize]) -> (Option<usize>, u32) {
    if kind.storage.is_some() {
        let is_related =
            |pin: &&usize| kind.powers.iter().any(|power| power.pin == output && power.related == Some(**pin));
        return (arriving.iter().rev().find(is_related).copied(), new);
    }
    let value = |state: u32| kind.pins[output].function.as_ref().is_some_and(|function| function.value(state));
    let (mut state, mut found) = (old, (None, new));
    for &pin in arriving {
        let after = state ^ 1 << pin;
        if value(after) != value(state) {
            found = (Some(pin), after & !(1 << output) | u32::from(value(after)) << output);
        }
        state = after;
    }
    found
}

/// Groups whose condition holds; where none of a supply does, those of it without one.
fn holding<'k>(groups: impl Iterator<Item = &'k Power>, state: u32) -> Vec<&'k Power> {
    let groups: Vec<&Power> = groups.collect();
    let holds = |power: &Power| power.has_condition && power.holds[state as usize];
    let has = |supply: &str| groups.iter().any(|power| power.supply == supply && holds(power));
    let counts = |power: &&&Power| if has(&power.supply) { holds(power) } else { !power.has_condition };
    groups.iter().filter(counts).copied().collect()
}

fn energy(groups: &[&Power], edge: usize, slew: f64, load: f64) -> f64 {
    let tables = groups.iter().filter_map(|power| power.tables[edge].as_ref());
    tables.map(|table| table.at(slew, load)).sum()
}
