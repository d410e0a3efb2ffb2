//! Power from activity.
use super::Activity;
use super::loads::Loads;
use crate::gates::kind::{Charge, ChargePin, Kind};
use crate::gates::{Cell, Gates};

/// Average power, in uW.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Part {
    /// At rest.
    pub leakage_uw: f64,
    /// Inside of cells, clock pins included.
    pub internal_uw: f64,
    /// Loading and unloading the nets that cells drive.
    pub switching_uw: f64,
}

/// Average power of gates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Power {
    /// Of all.
    pub total: Part,
    /// By module type of the children of the top; `None` is the top's own logic.
    pub parts: Vec<(Option<String>, Part)>,
    /// Energy of a clock cycle, leakage aside, in pJ.
    pub cycle_pj: f64,
}

impl Part {
    /// All of it, in uW.
    pub fn sum_uw(&self) -> f64 {
        self.leakage_uw + self.internal_uw + self.switching_uw
    }

    fn add(&mut self, other: Self) {
        self.leakage_uw += other.leakage_uw;
        self.internal_uw += other.internal_uw;
        self.switching_uw += other.switching_uw;
    }
}

/// Average power of gates that were at work, with a clock period in ns; without a cycle there is none.
pub fn estimate(gates: &Gates, activity: &Activity, clock_ns: f64) -> Power {
    let loads = Loads::new(gates);
    let mut power = Power {
        parts: gates.children.iter().map(|child| (child.clone(), Part::default())).collect(),
        ..Power::default()
    };
    if activity.cycles == 0 {
        return power;
    }
    for (i, cell) in gates.cells.iter().enumerate() {
        let part = of_cell(gates, activity, &loads, i, clock_ns).0;
        power.parts[cell.child as usize].1.add(part);
        power.total.add(part);
    }
    power.cycle_pj = (power.total.internal_uw + power.total.switching_uw) * clock_ns / 1000.0;
    power
}

/// Average power of all cells of a kind.
#[derive(Clone, Debug, PartialEq)]
pub struct OfKind {
    /// The kind.
    pub name: String,
    /// How many there are.
    pub cells: usize,
    /// How often their outputs changed.
    pub changes: u64,
    /// Of all of them.
    pub part: Part,
    /// Of the internal power, that of the edges of clocks at flip-flops.
    pub clock_uw: f64,
}

/// The same power, by kind of cell.
pub fn by_kind(gates: &Gates, activity: &Activity, clock_ns: f64) -> Vec<OfKind> {
    let loads = Loads::new(gates);
    let kind =
        |kind: &Kind| OfKind { name: kind.name.clone(), cells: 0, changes: 0, part: Part::default(), clock_uw: 0.0 };
    let mut kinds: Vec<OfKind> = gates.kinds.iter().map(kind).collect();
    for (i, cell) in gates.cells.iter().enumerate().filter(|_| activity.cycles > 0) {
        let (part, clock_uw) = of_cell(gates, activity, &loads, i, clock_ns);
        let of_kind = &mut kinds[cell.kind as usize];
        of_kind.cells += 1;
        of_kind.changes += cell.outputs.iter().map(|net| activity.toggles[*net as usize]).sum::<u64>();
        of_kind.part.add(part);
        of_kind.clock_uw += clock_uw;
    }
    kinds
}

/// Of a cell that was at work, and that of the edges of its clock, which is in it.
fn of_cell(gates: &Gates, activity: &Activity, loads: &Loads, i: usize, clock_ns: f64) -> (Part, f64) {
    let (cell, cycles) = (&gates.cells[i], activity.cycles as f64);
    let kind = gates.kind(cell);
    let counts = activity.of(i, kind);
    let energy = |charge: usize| energy(&kind.energy.charges[charge], cell, kind, loads);
    let counted = counts.charges.iter().enumerate().filter(|(_, count)| **count != 0.0);
    let changes: f64 = counted.map(|(charge, count)| count * energy(charge)).sum();
    let (mut leakage, mut clock) = (0.0, 0.0);
    for (rest, (&lasted, &edges)) in kind.energy.rests.iter().zip(counts.cycles.iter().zip(counts.edges)) {
        // The clock is at 1 in the first half of a cycle that it begins.
        let ([low, high], with_clock) = (rest.leakage_uw, edges / 2.0);
        leakage += (low * (lasted - with_clock) + high * with_clock) / cycles;
        clock += edges * rest.clock.iter().map(|&(charge, share)| share * energy(charge)).sum::<f64>();
    }
    let net = |net: &u32| {
        let [fall, rise] = loads.load[*net as usize];
        // It rises as often as it falls.
        activity.toggles[*net as usize] as f64 * (fall + rise) / 2.0
    };
    let charge_pf: f64 = cell.outputs.iter().map(net).sum::<f64>() * gates.units.capacitance_pf;
    // A pJ in a ns is a mW.
    let uw = 1000.0 / clock_ns / cycles;
    let part = Part {
        leakage_uw: leakage,
        internal_uw: (changes + clock) * gates.units.energy_pj * uw,
        switching_uw: charge_pf * gates.units.supply_v.powi(2) / 2.0 * uw,
    };
    (part, clock * gates.units.energy_pj * uw)
}

/// Energy of a transition, in the unit of the library.
fn energy(charge: &Charge, cell: &Cell, kind: &Kind, loads: &Loads) -> f64 {
    let slew = |input: usize| loads.slew[cell.inputs[input] as usize];
    match charge.pin {
        ChargePin::Input(input) => charge.table.at(slew(input)[usize::from(charge.rise)], 0.0),
        ChargePin::Output(output) => {
            let load = loads.load[cell.outputs[output] as usize][usize::from(charge.rise)];
            let Some(related) = charge.related else { return charge.table.at(0.0, load) };
            let sense = kind.sense(related, output);
            let causes = sense.causes(slew(related), charge.rise);
            causes.iter().map(|slew| charge.table.at(*slew, load)).sum::<f64>() / causes.len() as f64
        }
    }
}
