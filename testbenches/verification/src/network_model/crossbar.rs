//! Wormhole switching with iSLIP of one iteration.
use std::collections::VecDeque;

use warploom_hdl::memory_system::network::NetworkConfig;

/// A flit, with a number for its payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flit {
    /// The first of its packet.
    pub head: bool,
    /// The last.
    pub tail: bool,
    /// The output that it is for.
    pub destination: usize,
    /// What it carries.
    pub payload: u64,
}

struct Input {
    waiting: VecDeque<Flit>,
    /// The output whose turn it is.
    turn: usize,
}

struct Output {
    owner: Option<usize>,
    /// The input whose turn it is.
    turn: usize,
    /// Registers on the way, that of the output first.
    hops: Vec<Option<Flit>>,
}

/// The crossbar.
pub struct Crossbar {
    buffer: usize,
    inputs: Vec<Input>,
    outputs: Vec<Output>,
}

impl Crossbar {
    /// An empty one.
    pub fn new(config: &NetworkConfig) -> Self {
        let output = |_| Output { owner: None, turn: 0, hops: vec![None; config.hop_cycles] };
        Self {
            buffer: config.buffer,
            inputs: (0..config.inputs).map(|_| Input { waiting: VecDeque::new(), turn: 0 }).collect(),
            outputs: (0..config.outputs).map(output).collect(),
        }
    }

    /// Whether an input takes a flit in this tick.
    pub fn has_room(&self, input: usize) -> bool {
        self.inputs[input].waiting.len() < self.buffer
    }

    /// What is at an output.
    pub fn arrived(&self, output: usize) -> Option<Flit> {
        self.outputs[output].hops[0]
    }

    /// Whether nothing is on its way.
    pub fn is_empty(&self) -> bool {
        let nothing_waits = self.inputs.iter().all(|input| input.waiting.is_empty());
        nothing_waits && self.outputs.iter().all(|output| output.hops.iter().all(Option::is_none))
    }

    /// A tick: what comes at each input, which must have room for it, and whether what is at each output leaves.
    pub fn tick(&mut self, coming: &[Option<Flit>], ready: &[bool]) {
        self.allocate();
        for (output, ready) in self.outputs.iter_mut().zip(ready) {
            if *ready {
                output.hops[0] = None;
            }
            for hop in 1..output.hops.len() {
                if output.hops[hop - 1].is_none() {
                    output.hops[hop - 1] = output.hops[hop].take();
                }
            }
            let entry = output.hops.last_mut().expect("there is a hop");
            if let (None, Some(owner)) = (&entry, output.owner) {
                *entry = self.inputs[owner].waiting.pop_front();
                output.owner = output.owner.filter(|_| !entry.is_some_and(|flit| flit.tail));
            }
        }
        for (input, coming) in self.inputs.iter_mut().zip(coming) {
            input.waiting.extend(*coming);
            assert!(input.waiting.len() <= self.buffer, "there was no room");
        }
    }

    /// Free outputs grant, inputs accept; those that do not belong to each other yet.
    fn allocate(&mut self) {
        let (inputs, outputs) = (self.inputs.len(), self.outputs.len());
        let from = |turn: usize, count: usize| (0..count).map(move |step| (turn + step) % count);
        let asks = |input: usize, output: usize| {
            self.inputs[input].waiting.front().is_some_and(|flit| flit.head && flit.destination == output)
        };
        let grant = |(number, output): (usize, &Output)| {
            let mut order = from(output.turn, inputs).filter(|_| output.owner.is_none());
            order.find(|input| asks(*input, number))
        };
        let grants: Vec<Option<usize>> = self.outputs.iter().enumerate().map(grant).collect();
        for (number, input) in self.inputs.iter_mut().enumerate() {
            let accepted = from(input.turn, outputs).find(|output| grants[*output] == Some(number));
            if let Some(output) = accepted {
                input.turn = (output + 1) % outputs;
                self.outputs[output].owner = Some(number);
                self.outputs[output].turn = (number + 1) % inputs;
            }
        }
    }
}
