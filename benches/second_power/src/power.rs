//! Power from a waveform: every change of every pin at the time at which it is in there.
//!
//! What changes at one time changes at once, as in a simulation without delays. Where several inputs of a cell have changed,
//! its output goes back to the one that arrives last. The condition of a group is asked of the state after the change; of the pin that clocks a
//! flip-flop, which rises before all else, of the state before.
use std::collections::BTreeMap;
use std::path::Path;

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
    /// Of the internal power, that of all other inputs.
    pub inputs: f64,
    pub switching: f64,
}

impl Part {
    pub fn add(&mut self, other: &Self) {
        self.cells += other.cells;
        self.changes += other.changes;
        self.leakage += other.leakage;
        self.internal += other.internal;
        self.clock += other.clock;
        self.inputs += other.inputs;
        self.switching += other.switching;
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
    /// By net: changes, and time at 1.
    nets: Vec<(u64, u64)>,
    /// By cell: pins at which its nets are watched, one of each net.
    watched: Vec<u32>,
}

/// What a net did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Activity {
    /// Changes in a cycle.
    pub changes: f64,
    /// Part of the time in which it is 1.
    pub high: f64,
}

/// By kind of cell, and the activity of all nets at cells.
pub fn power(design: &Design, timing: &Timing, directory: &Path) -> (BTreeMap<String, Part>, Vec<Activity>) {
    let path = directory.join("bench.vcd");
    let waveform = Waveform::open(&path.display().to_string()).expect("a waveform");
    let unit_ns = waveform.unit_ns;
    let codes = waveform.codes.values().max().map_or(0, |most| most + 1);
    let code = |path: &str| waveform.codes.get(path).copied();
    // Who hears of a variable: the cell and the number of its variable.
    let mut listeners: Vec<Vec<(usize, usize)>> = vec![vec![]; codes];
    for (i, cell) in design.cells.iter().enumerate() {
        for (variable, name) in design.kinds[cell.kind].variables.iter().enumerate() {
            let path = format!("bench.dut.{}.{name}", cell.scope);
            let code = code(&path).unwrap_or_else(|| panic!("{path} is not in the waveform"));
            listeners[code].push((i, variable));
        }
    }
    let clock = code(&format!("bench.dut.{}", design.clock)).expect("the clock is in the waveform");
    let states = vec![State::default(); design.cells.len()];
    let (parts, nets) = (vec![Part::default(); design.cells.len()], vec![(0, 0); design.netlist.nets]);
    let mut watched = vec![0u32; design.cells.len()];
    let mut has_watcher = vec![false; design.netlist.nets];
    for (cell, watched) in design.cells.iter().zip(&mut watched) {
        for (pin, net) in cell.nets.iter().enumerate() {
            let Some(net) = *net else { continue };
            if !std::mem::replace(&mut has_watcher[net], true) {
                *watched |= 1 << pin;
            }
        }
    }
    let mut count = Count { design, timing, states, parts, nets, watched };
    let (mut touched, mut time, mut begin, mut cycles, mut level) = (vec![], 0, None, 0u64, false);
    for event in waveform {
        match event {
            Event::Time(next) => {
                touched.drain(..).for_each(|cell| count.settle(cell, time, begin.is_some()));
                time = next;
            }
            Event::Unknown(code) => {
                assert!(listeners[code].is_empty(), "a pin of a cell is neither 0 nor 1 at {time}");
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
                for &(cell, variable) in &listeners[code] {
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
    let lasted = (time - begin.expect("the clock rises")) as f64;
    eprintln!(
        "{}: {cycles} cycles, {:.3} of the clock's period each",
        directory.display(),
        lasted * unit_ns / cycles as f64 / design.clock_ns
    );
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
            inputs: part.inputs * energy,
            switching: part.switching * charge,
        };
        kinds.entry(design.kinds[cell.kind].name.clone()).or_default().add(&part);
    }
    let activity = |&(changes, high): &(u64, u64)| Activity {
        changes: changes as f64 / cycles as f64,
        high: high as f64 / lasted,
    };
    (kinds, count.nets.iter().map(activity).collect())
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
        self.watch(cell, |net| net.1 += time - state.since, state.seen);
        self.states[cell].since = time;
    }

    /// Of the nets at the pins in `which` that are watched here.
    fn watch(&mut self, cell: usize, add: impl Fn(&mut (u64, u64)), which: u32) {
        let mut pins = self.watched[cell] & which;
        while pins != 0 {
            let pin = pins.trailing_zeros() as usize;
            pins &= pins - 1;
            self.design.cells[cell].nets[pin].into_iter().for_each(|net| add(&mut self.nets[net]));
        }
    }

    /// All that has changed at a time.
    fn settle(&mut self, cell: usize, time: u64, counts: bool) {
        self.states[cell].touched = false;
        let State { now, seen, .. } = self.states[cell];
        if counts {
            self.rest(cell, time);
            self.watch(cell, |net| net.0 += 1, seen ^ now);
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
        let part = &mut self.parts[cell];
        for (i, pin) in kind.pins.iter().enumerate().filter(|(i, _)| changed(*i)) {
            if pin.is_input {
                // Rising at the clock's pin, all else is still what it was.
                let state = if pin.is_clock { old & !(1 << i) | new & 1 << i } else { new };
                let groups = holding(kind.powers.iter().filter(|power| power.pin == i), state);
                let slew = of_net(&timing.slew, i);
                let energy = energy(&groups, edge(i), slew, 0.0);
                part.internal += energy;
                *(if pin.is_clock { &mut part.clock } else { &mut part.inputs }) += energy;
            } else {
                part.changes += 1;
                let load = of_net(&timing.load, i);
                part.switching += load;
                let all = || kind.powers.iter().filter(|power| power.pin == i);
                let is_cause = |power: &&Power| power.related.is_some_and(changed);
                let causes: Vec<usize> = all().filter(is_cause).filter_map(|power| power.related).collect();
                let last = causes
                    .into_iter()
                    .max_by(|a, b| of_net(&timing.arrival, *a).total_cmp(&of_net(&timing.arrival, *b)));
                let groups = holding(all().filter(|power| power.related.is_none() || power.related == last), new);
                let slew = last.map_or(0.0, |last| of_net(&timing.slew, last));
                part.internal += energy(&groups, edge(i), slew, load);
            }
        }
    }
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
