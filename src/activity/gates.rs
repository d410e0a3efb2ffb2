//! Gates as the twin of their block.
use warploom_synth::gates::Gates;
use warploom_synth::power::{Activity, Power, Replay, estimate};

use super::recorder::Twin;

/// Names and widths of what gates are given in every cycle.
pub fn inputs(gates: &Gates) -> Vec<(String, usize)> {
    gates.inputs().iter().map(|port| (port.name.clone(), port.width)).collect()
}

/// Mapped gates at work.
pub struct GatesAtWork<'g> {
    gates: &'g Gates,
    replay: Replay<'g>,
}

impl<'g> GatesAtWork<'g> {
    /// Nothing has happened yet.
    pub fn new(gates: &'g Gates) -> Self {
        Self { gates, replay: Replay::new(gates) }
    }

    /// What happened in them.
    pub fn activity(&self) -> Activity {
        self.replay.activity()
    }

    /// What they took on average, with a clock period in ns.
    pub fn power(&self, clock_ns: f64) -> Power {
        estimate(self.gates, &self.activity(), clock_ns)
    }
}

impl Twin for GatesAtWork<'_> {
    fn inputs(&self) -> Vec<(String, usize)> {
        inputs(self.gates)
    }

    fn outputs(&self) -> Vec<String> {
        self.gates.outputs().iter().map(|port| port.name.clone()).collect()
    }

    fn cycle(&mut self, inputs: &[u64]) {
        self.replay.cycle(inputs);
    }

    fn output(&mut self, index: usize) -> u64 {
        self.replay.output(index)[0]
    }

    fn forget(&mut self) {
        self.replay.forget();
    }
}
