//! Random inputs, shaped so that a module does something.
use warploom_hdl::word::mask;
use warploom_sim::netlist::{Module, NetKind};

use super::trace::{Port, Trace};

/// How the inputs of a module are drawn.
pub struct Stimulus {
    /// The same seed gives the same inputs.
    pub seed: u64,
    /// Cycles.
    pub cycles: usize,
    /// Per input, by name (of an array, without the index): the probability that a bit is 1. Otherwise words are
    /// uniform, one in eight all zeros and one in eight all ones.
    pub ones: &'static [(&'static str, f64)],
    /// Changes the inputs of a cycle after they are drawn: to respect what a module takes for granted.
    pub shape: fn(&mut Cycle),
}

impl Default for Stimulus {
    /// 10,000 cycles, reset in one of 250.
    fn default() -> Self {
        Self { seed: 1, cycles: 10_000, ones: &[], shape: |_| {} }
    }
}

/// The inputs of one cycle.
pub struct Cycle<'a> {
    /// Cycles before this one.
    pub number: usize,
    /// For more randomness.
    pub random: &'a mut Random,
    ports: &'a Trace,
    row: Vec<u64>,
}

impl Cycle<'_> {
    /// Whether the module has this input.
    pub fn has(&self, name: &str) -> bool {
        self.ports.ports().iter().any(|port| port.name == name)
    }

    /// The value of an input.
    pub fn get(&self, name: &str) -> u64 {
        self.row[self.ports.column(name)]
    }

    /// Replaces the value of an input.
    pub fn set(&mut self, name: &str, value: u64) {
        let column = self.ports.column(name);
        self.row[column] = value & mask(self.ports.ports()[column].width);
    }

    /// Takes an input modulo `count`.
    pub fn below(&mut self, name: &str, count: u64) {
        self.set(name, self.get(name) % count);
    }
}

/// A small generator of random numbers, so that a failing run can be repeated.
pub struct Random(u64);

impl Random {
    /// Equal seeds give equal numbers.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// True with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64 <= probability
    }

    fn word(&mut self, width: usize) -> u64 {
        match self.bits() % 8 {
            0 => 0,
            1 => mask(width),
            _ => self.bits() & mask(width),
        }
    }
}

impl Stimulus {
    /// The inputs of `module` for all cycles. Enumerations get only encodings that have a variant.
    pub fn generate(&self, module: &Module) -> Trace {
        let nets = module.ports.iter().map(|&port| module.net(port)).filter(|net| net.kind == NetKind::Input);
        let nets: Vec<_> = nets.collect();
        let ports = nets.iter().map(|net| Port { name: net.name.to_string(), width: net.width });
        let mut trace = Trace::new(ports.collect());
        let mut random = Random::new(self.seed);
        for number in 0..self.cycles {
            let draw = |net: &&warploom_sim::netlist::Net| {
                let field = net.name.0[0].field.as_str();
                let ones = self.ones.iter().find(|(name, _)| *name == field).map(|(_, ones)| *ones);
                let ones = ones.or((field == "reset").then_some(0.004));
                let value = match ones {
                    Some(ones) => (0..net.width).fold(0, |word, bit| word | (random.chance(ones) as u64) << bit),
                    None => random.word(net.width),
                };
                net.variants.as_ref().map_or(value, |variants| value % variants.variants.len() as u64)
            };
            let row = nets.iter().map(draw).collect();
            let mut cycle = Cycle { number, random: &mut random, ports: &trace, row };
            (self.shape)(&mut cycle);
            let row = cycle.row;
            trace.push(row);
        }
        trace
    }
}
