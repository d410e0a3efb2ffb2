//! Loads, slews and arrivals of nets: the worst of all ways, without wires.
use anyhow::{Result, ensure};

use crate::design::Design;

/// By net; of its fall and its rise.
pub struct Timing {
    pub load: Vec<[f64; 2]>,
    pub slew: Vec<[f64; 2]>,
    pub arrival: Vec<[f64; 2]>,
}

impl Timing {
    /// With clocks that take so long to change at flip-flops, 0 if they are ideal; or, behind gates, as long as the gates make them.
    pub fn new(design: &Design, clock_slew: f64, ideal: bool) -> Result<Self> {
        let nets = design.netlist.nets;
        let mut timing = Self { load: vec![[0.0; 2]; nets], slew: vec![[0.0; 2]; nets], arrival: vec![[0.0; 2]; nets] };
        let (mut pending, mut readers) = (vec![0; design.cells.len()], vec![vec![]; nets]);
        let mut clocks = vec![false; nets];
        let mut driven = vec![false; nets];
        for (i, cell) in design.cells.iter().enumerate() {
            let kind = &design.kinds[cell.kind];
            for (pin, net) in kind.pins.iter().zip(&cell.nets) {
                let Some(net) = *net else { continue };
                for edge in 0..2 {
                    timing.load[net][edge] += pin.capacitance[edge];
                }
                clocks[net] |= pin.is_clock;
                driven[net] |= !pin.is_input;
            }
            let mut from: Vec<usize> = kind.arcs.iter().filter_map(|arc| cell.nets[arc.from]).collect();
            from.sort_unstable();
            from.dedup();
            for net in from {
                readers[net].push(i);
                pending[i] += 1;
            }
        }
        let at_clock =
            design.netlist.inputs.iter().filter(|(name, _)| *name == design.clock).flat_map(|(_, nets)| nets);
        for &net in at_clock {
            timing.slew[net] = [clock_slew; 2];
        }
        for &net in &design.netlist.outputs {
            timing.load[net] = timing.load[net].map(|load| load + design.load);
        }
        let mut done: Vec<usize> = (0..nets).filter(|net| !driven[*net]).collect();
        for (name, nets) in &design.netlist.inputs {
            let Some(driver) = design.driver.filter(|_| *name != design.clock) else { continue };
            for &net in nets {
                for arc in &design.kinds[driver].arcs {
                    timing.arrive(net, arc, None);
                }
            }
        }
        let mut ready: Vec<usize> = (0..design.cells.len()).filter(|cell| pending[*cell] == 0).collect();
        loop {
            if let Some(net) = done.pop() {
                for &cell in &readers[net] {
                    pending[cell] -= 1;
                    if pending[cell] == 0 {
                        ready.push(cell);
                    }
                }
                continue;
            }
            let Some(cell) = ready.pop() else { break };
            let cell = &design.cells[cell];
            let kind = &design.kinds[cell.kind];
            for (pin, net) in kind
                .pins
                .iter()
                .enumerate()
                .filter(|(pin, _)| !kind.pins[*pin].is_input)
                .map(|(pin, _)| (pin, cell.nets[pin]))
            {
                let Some(net) = net else { continue };
                if ideal && clocks[net] {
                    timing.slew[net] = [clock_slew; 2];
                } else {
                    for arc in kind.arcs.iter().filter(|arc| arc.to == pin) {
                        timing.arrive(net, arc, cell.nets[arc.from]);
                    }
                }
                done.push(net);
            }
        }
        ensure!(pending.iter().all(|pending| *pending == 0), "mapped.v: the gates have a loop");
        Ok(timing)
    }

    fn arrive(&mut self, net: usize, arc: &crate::library::Arc, from: Option<usize>) {
        for to in 0..2 {
            let load = self.load[net][to];
            for edge in (0..2).filter(|edge| arc.causes[to][*edge]) {
                let (slew, arrival) = from.map_or((0.0, 0.0), |from| (self.slew[from][edge], self.arrival[from][edge]));
                if let Some(table) = &arc.transition[to] {
                    self.slew[net][to] = self.slew[net][to].max(table.at(slew, load));
                }
                if let Some(table) = &arc.delay[to] {
                    self.arrival[net][to] = self.arrival[net][to].max(arrival + table.at(slew, load));
                }
            }
        }
    }
}
