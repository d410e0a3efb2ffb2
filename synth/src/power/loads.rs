//! What nets weigh and how fast they change, as a static timing analyser sees it: the worst of all ways, no wires.
use std::collections::HashSet;

use crate::flow::LOAD;
use crate::gates::kind::Arc;
use crate::gates::{Gates, Step};

/// Of every net, in the units of the library; of its fall and its rise.
pub(super) struct Loads {
    /// Capacitance of the pins that it goes to, and of the load of an output.
    pub load: Vec<[f64; 2]>,
    /// Transition time; 0 of clocks, gated or not, which are ideal.
    pub slew: Vec<[f64; 2]>,
}

impl Loads {
    pub fn new(gates: &Gates) -> Self {
        let mut load = vec![[0.0; 2]; gates.nets];
        let mut add = |net: u32, capacitance: [f64; 2]| {
            let load = &mut load[net as usize];
            *load = [load[0] + capacitance[0], load[1] + capacitance[1]];
        };
        for cell in &gates.cells {
            let kind = gates.kind(cell);
            let inputs = cell.inputs.iter().zip(&kind.inputs);
            for (&net, pin) in inputs.chain(cell.outputs.iter().zip(&kind.outputs)) {
                add(net, pin.capacitance);
            }
        }
        gates.output_nets.iter().flatten().for_each(|&net| add(net, [LOAD; 2]));
        let mut loads = Self { load, slew: vec![[0.0; 2]; gates.nets] };
        loads.propagate(gates);
        loads
    }

    fn propagate(&mut self, gates: &Gates) {
        for &net in gates.input_nets.iter().flatten() {
            let Some(driver) = &gates.driver else { continue };
            // Its own input changes at once.
            self.arrive(net, driver.arcs.iter().map(|arc| (arc, [0.0; 2])));
        }
        let ideal: HashSet<u32> = gates.clock_gates.iter().map(|gate| gate.gated).collect();
        // Flip-flops first, which no other cell makes slower.
        let watches = gates.steps.iter().filter(|step| matches!(step, Step::Watch(_)));
        let follows = gates.steps.iter().filter(|step| matches!(step, Step::Follow(_)));
        for step in watches.chain(follows) {
            let (Step::Watch(cell) | Step::Follow(cell)) = *step;
            let cell = &gates.cells[cell as usize];
            for (output, &net) in cell.outputs.iter().enumerate().filter(|(_, net)| !ideal.contains(net)) {
                let arcs = gates.kind(cell).arcs.iter().filter(|arc| arc.output == output);
                let arcs: Vec<_> = arcs.map(|arc| (arc, self.slew[cell.inputs[arc.input] as usize])).collect();
                self.arrive(net, arcs.into_iter());
            }
        }
    }

    /// A net is as slow as the slowest way makes it.
    fn arrive<'a>(&mut self, net: u32, arcs: impl Iterator<Item = (&'a Arc, [f64; 2])>) {
        let (load, slew) = (self.load[net as usize], &mut self.slew[net as usize]);
        for (arc, input) in arcs {
            for rise in [false, true] {
                let Some(table) = &arc.transition[usize::from(rise)] else { continue };
                let worst = &mut slew[usize::from(rise)];
                let causes = arc.sense.causes(input, rise).into_iter();
                *worst = causes.map(|slew| table.at(slew, load[usize::from(rise)])).fold(*worst, f64::max);
            }
        }
    }
}
