//! Gates beside the running core: they are given what their block is given, and are compared with it.
use std::collections::{BTreeMap, HashMap};

use anyhow::{Result, bail, ensure};

use warploom_sim::tool;

use super::pins::Signal;

/// What goes through the cycles of a block: its gates, or anything else that does the same.
pub trait Twin {
    /// Names and widths of what it is given in every cycle.
    fn inputs(&self) -> Vec<(String, usize)>;
    /// Names of what it gives.
    fn outputs(&self) -> Vec<String>;
    /// A cycle with these inputs, up to its end; a word each.
    fn cycle(&mut self, inputs: &[u64]);
    /// An output in the last cycle, before the clock edge.
    fn output(&mut self, index: usize) -> u64;
    /// What happened until now does not count.
    fn forget(&mut self);
}

/// A twin, and the numbers of the signals that it is given and compared with.
struct Follower<'a> {
    name: String,
    twin: &'a mut dyn Twin,
    inputs: Vec<usize>,
    /// Position among its outputs, name, signal.
    outputs: Vec<(usize, String, usize)>,
}

/// Twins of blocks of one core.
#[derive(Default)]
pub struct Recorder<'a> {
    signals: Vec<Signal>,
    numbers: HashMap<String, usize>,
    followers: Vec<Follower<'a>>,
    values: Vec<u64>,
    launched: bool,
    cycles: u64,
}

impl<'a> Recorder<'a> {
    /// Adds the twin of a block whose pins are these signals. Outputs without a signal are not compared.
    pub fn follow(&mut self, name: &str, signals: &BTreeMap<String, Signal>, twin: &'a mut dyn Twin) -> Result<()> {
        let mut inputs = vec![];
        for (pin, width) in twin.inputs() {
            let Some(signal) = signals.get(&pin) else {
                bail!("the gates of {name} have an input {pin}, which the core has not")
            };
            let is = signal.width;
            ensure!(is == width, "the input {pin} of the gates of {name} has {width} bits, and {is} in the core");
            inputs.push(self.number(signal));
        }
        let outputs = twin.outputs().into_iter().enumerate();
        let outputs = outputs.filter_map(|(i, pin)| Some((i, self.number(signals.get(&pin)?), pin)));
        let outputs = outputs.map(|(i, signal, pin)| (i, pin, signal)).collect();
        self.followers.push(Follower { name: name.to_string(), twin, inputs, outputs });
        Ok(())
    }

    fn number(&mut self, signal: &Signal) -> usize {
        *self.numbers.entry(signal.path.clone()).or_insert_with(|| {
            self.signals.push(signal.clone());
            self.signals.len() - 1
        })
    }

    /// What [`cycle`](Self::cycle) asks for, by number.
    pub fn signals(&self) -> &[Signal] {
        &self.signals
    }

    /// Cycles since the first launch.
    pub fn cycles(&self) -> u64 {
        self.cycles
    }

    /// A cycle: `value` has the signals by number, `launch` says that a launch starts. Before the first one, while the core
    /// is reset and loaded, registers without reset may differ; nothing is compared, and nothing counts.
    ///
    /// # Errors
    /// If an output is not what it is in the core, or the user wants an end.
    pub fn cycle(&mut self, cycle: u64, launch: bool, value: impl Fn(usize) -> u64) -> Result<()> {
        tool::go_on()?;
        if launch && !self.launched {
            self.launched = true;
            self.followers.iter_mut().for_each(|follower| follower.twin.forget());
        }
        self.cycles += u64::from(self.launched);
        for Follower { name, twin, inputs, outputs } in &mut self.followers {
            self.values.clear();
            self.values.extend(inputs.iter().map(|&signal| value(signal)));
            twin.cycle(&self.values);
            for (output, pin, signal) in outputs.iter().filter(|_| self.launched) {
                let (gates, core) = (twin.output(*output), value(*signal));
                let path = &self.signals[*signal].path;
                ensure!(
                    gates == core,
                    "the gates of {name} are not what the core is: {pin} is {gates:#x} in cycle {cycle}, and {path} is {core:#x}"
                );
            }
        }
        Ok(())
    }
}
