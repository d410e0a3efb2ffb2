//! Gates, cycle by cycle.
//!
//! Only cells with a changed input are evaluated, each once, in an order in which all that it listens to comes before it.
//! A cell's state is a number that its inputs' nets change bit by bit; what follows from it stands in tables.
use super::activity::{Activity, Lasted};
use super::compiled::Compiled;
use crate::gates::kind::Kind;
use crate::gates::{Gates, Step};

/// Gates at work. Time advances by clock cycles; within one every net but the clock changes at most once after each edge
/// of the clock, so that glitches are not seen.
pub struct Replay<'a> {
    gates: &'a Gates,
    compiled: Compiled,
    /// Whether anything happens at the falling edge: flip-flops, or cells that read the clock.
    two_phases: bool,
    /// Steps to be done, a bit each.
    due: Vec<u64>,
    /// By cell: the time since which its state at rest lasts.
    rests: Vec<Lasted>,
    /// By cell: number of its kind.
    kinds: Vec<u32>,
    /// By cell: the gate of its clock.
    gate_of: Vec<Option<u32>>,
    /// By gate of a clock: cycles at whose end it was open.
    opened: Vec<u64>,
    /// Flip-flops that may change at the next edge, and by cell whether they are among them.
    watched: Vec<u32>,
    is_watched: Vec<bool>,
    /// Values of the inputs, word by word.
    inputs: Vec<u64>,
    activity: Activity,
    /// Whether there was a cycle, so that its edge is still to come.
    begun: bool,
    /// Whether the clock has fallen in the cycle at hand.
    fallen: bool,
}

impl<'a> Replay<'a> {
    /// Begins with registers at their initial values, 0 where they have none, and inputs at 0.
    pub fn new(gates: &'a Gates) -> Self {
        let compiled = Compiled::new(gates);
        let of_edge = |rising| move |kind: &Kind| kind.logic.clock.is_some_and(|clock| clock.rising == rising);
        let clock_is_read = gates.clocks.iter().any(|&net| !compiled.readers(net).is_empty());
        let words = gates.inputs().iter().map(|port| port.words()).sum();
        let cells = gates.cells.len();
        let mut replay = Self {
            gates,
            two_phases: clock_is_read || gates.kinds.iter().any(of_edge(false)),
            due: vec![0; gates.steps.len().div_ceil(64)],
            rests: vec![Lasted::default(); cells],
            kinds: gates.cells.iter().map(|cell| cell.kind).collect(),
            gate_of: gates.cells.iter().map(|cell| cell.gate).collect(),
            opened: vec![0; gates.clock_gates.len()],
            watched: vec![],
            is_watched: vec![false; cells],
            inputs: vec![0; words],
            activity: Activity::new(gates),
            begun: false,
            fallen: false,
            compiled,
        };
        replay.start();
        replay
    }

    /// Everything as it follows from registers and inputs in the beginning, which costs nothing.
    fn start(&mut self) {
        for (cell, node) in self.gates.cells.iter().zip(&mut self.compiled.nodes) {
            node.state = if cell.starts_high { self.gates.kind(cell).logic.stored() } else { 0 };
        }
        self.set(1, true);
        // Of flip-flops first: the steps come to them last, or only for clear and preset.
        let clocked = (0..self.kinds.len()).filter(|&cell| self.kind(cell).logic.clock.is_some());
        clocked.collect::<Vec<_>>().into_iter().for_each(|cell| self.show(cell));
        for step in 0..self.gates.steps.len() {
            match self.gates.steps[step] {
                Step::Follow(cell) => {
                    let cell = cell as usize;
                    self.force(cell);
                    self.show(cell);
                }
                Step::Watch(cell) => {
                    let node = &mut self.compiled.nodes[cell as usize];
                    node.seen = node.state;
                    self.watch(cell);
                }
            }
        }
        self.due.fill(0);
    }

    /// Sets the outputs of a cell to what they are in its state, while nothing is counted.
    fn show(&mut self, cell: usize) {
        let node = &mut self.compiled.nodes[cell];
        node.seen = node.state;
        let state = node.state;
        let outputs = self.kind(cell).logic.outputs[usize::from(state)];
        for (i, &net) in self.gates.cells[cell].outputs.iter().enumerate() {
            self.set(net, outputs >> i & 1 == 1);
        }
    }

    fn set(&mut self, net: u32, value: bool) {
        if std::mem::replace(&mut self.compiled.wires[net as usize].value, value) != value {
            self.compiled.tell(net, &mut self.due);
        }
    }

    fn kind(&self, cell: usize) -> &'a Kind {
        &self.gates.kinds[self.kinds[cell] as usize]
    }

    /// One clock cycle. `inputs` are the values of [`Gates::inputs`], each [`words`](crate::gates::Port::words) long, the
    /// low word first; there is a value for each, or this panics. The clock edge is at the end of the cycle.
    pub fn cycle(&mut self, inputs: &[u64]) {
        assert_eq!(inputs.len(), self.inputs.len(), "a value for every input");
        let gates = self.gates;
        if std::mem::replace(&mut self.begun, true) {
            self.edge(true);
        }
        let mut word = 0;
        for nets in &gates.input_nets {
            for nets in nets.chunks(64) {
                let mut changed = inputs[word] ^ self.inputs[word];
                self.inputs[word] = inputs[word];
                while changed != 0 {
                    let bit = changed.trailing_zeros() as usize;
                    changed &= changed - 1;
                    // Bits beyond the width are nobody's.
                    if let Some(&net) = nets.get(bit) {
                        self.toggle(net);
                    }
                }
                word += 1;
            }
        }
        if self.two_phases {
            self.clock(true);
            self.settle();
            self.fallen = true;
            self.edge(false);
            self.clock(false);
        }
        self.settle();
        for gate in 0..self.opened.len() {
            self.opened[gate] += u64::from(self.is_open(gate));
        }
        self.activity.cycles += 1;
        self.fallen = false;
    }

    /// Value of an output of [`Gates::outputs`] in the last cycle, settled, before the clock edge; low word first.
    pub fn output(&self, output: usize) -> Vec<u64> {
        let bit = |(i, net): (usize, &u32)| u64::from(self.compiled.wires[*net as usize].value) << i;
        let words = self.gates.output_nets[output].chunks(64);
        words.map(|nets| nets.iter().enumerate().map(bit).sum()).collect()
    }

    /// Goes on with the state as it is, but what happened until now does not count: it was reset and loading.
    pub fn forget(&mut self) {
        self.activity = Activity::new(self.gates);
        self.compiled.wires.iter_mut().for_each(|wire| wire.toggles = 0);
        self.rests.fill(Lasted::default());
        self.opened.fill(0);
    }

    /// What happened until now.
    pub fn activity(&self) -> Activity {
        let mut activity = self.activity.clone();
        activity.toggles = self.compiled.wires.iter().map(|wire| wire.toggles).collect();
        for cell in 0..self.kinds.len() {
            let rest = self.kind(cell).energy.rest[usize::from(self.compiled.nodes[cell].seen)];
            activity.rest(cell, self.kind(cell), rest, self.now(cell).since(self.rests[cell]));
        }
        activity
    }

    /// The time as a cell counts it.
    fn now(&self, cell: usize) -> Lasted {
        let cycles = self.activity.cycles;
        Lasted {
            halves: 2 * cycles + u64::from(self.fallen),
            edges: self.gate_of[cell].map_or(cycles, |gate| self.opened[gate as usize]),
        }
    }

    /// Whether the gate of a clock lets the edge at the end of the cycle through.
    fn is_open(&self, gate: usize) -> bool {
        self.compiled.wires[self.gates.clock_gates[gate].enable as usize].value
    }

    /// Sets the clocks, for cells that read them as they read any net; nothing is counted of their nets.
    fn clock(&mut self, value: bool) {
        let gates = self.gates;
        gates.clocks.iter().for_each(|&net| self.set(net, value));
    }

    /// Flip-flops of an edge take what they have seen, but for those behind a closed gate, which wait.
    fn edge(&mut self, rising: bool) {
        let watched = std::mem::take(&mut self.watched);
        let has_edge = |cell: &u32| {
            let cell = *cell as usize;
            let is_of_edge = self.kind(cell).logic.clock.is_some_and(|clock| clock.rising == rising);
            is_of_edge && self.gate_of[cell].is_none_or(|gate| self.is_open(gate as usize))
        };
        let (mut at_edge, later): (Vec<u32>, Vec<u32>) = watched.into_iter().partition(has_edge);
        self.watched = later;
        // All look before any changes.
        at_edge.iter().for_each(|&cell| self.is_watched[cell as usize] = false);
        at_edge.retain(|&cell| self.will_change(cell as usize));
        for cell in at_edge {
            let cell = cell as usize;
            let stored = self.kind(cell).logic.stored();
            let node = &mut self.compiled.nodes[cell];
            node.state ^= stored;
            // Its inputs may have changed already, with the outputs of others at this edge; that is for later.
            let new = node.seen ^ stored;
            self.change(cell, new);
            let step = self.compiled.watch_step(cell);
            self.due[step / 64] |= 1 << (step % 64);
        }
    }

    fn will_change(&self, cell: usize) -> bool {
        let (logic, state) = (&self.kind(cell).logic, self.compiled.nodes[cell].state);
        let is_held = logic.forced[usize::from(state)].is_some();
        !is_held && logic.next[usize::from(state)] != (state & logic.stored() != 0)
    }

    fn watch(&mut self, cell: u32) {
        if !self.is_watched[cell as usize] && self.will_change(cell as usize) {
            self.is_watched[cell as usize] = true;
            self.watched.push(cell);
        }
    }

    /// Everything that is due.
    fn settle(&mut self) {
        for word in 0..self.due.len() {
            // What becomes due meanwhile comes later in the order.
            while self.due[word] != 0 {
                let bit = self.due[word].trailing_zeros() as usize;
                self.due[word] &= self.due[word] - 1;
                match self.gates.steps[word * 64 + bit] {
                    Step::Follow(cell) => {
                        self.force(cell as usize);
                        self.evaluate(cell as usize);
                    }
                    Step::Watch(cell) => {
                        self.evaluate(cell as usize);
                        self.watch(cell);
                    }
                }
            }
        }
    }

    /// Clear, preset and open latches.
    fn force(&mut self, cell: usize) {
        if !self.compiled.nodes[cell].stores {
            return;
        }
        let logic = &self.kind(cell).logic;
        let state = &mut self.compiled.nodes[cell].state;
        match logic.forced[usize::from(*state)] {
            Some(true) => *state |= logic.stored(),
            Some(false) => *state &= !logic.stored(),
            None => {}
        }
    }

    /// Outputs follow the state as it is now.
    fn evaluate(&mut self, cell: usize) {
        let node = &self.compiled.nodes[cell];
        if node.state != node.seen {
            self.change(cell, node.state);
        }
    }

    /// Counts what changes in a cell that goes to another state, and tells those that read its outputs.
    fn change(&mut self, cell: usize, new: u16) {
        let node = &self.compiled.nodes[cell];
        let (first, old) = (node.outputs, node.seen);
        let transition = self.compiled.transition(node, new);
        self.compiled.nodes[cell].seen = new;
        self.activity.count(cell, self.compiled.shares(transition));
        if transition.rest {
            let (kind, now) = (self.kind(cell), self.now(cell));
            self.activity.rest(cell, kind, kind.energy.rest[usize::from(old)], now.since(self.rests[cell]));
            self.rests[cell] = now;
        }
        let mut changed = transition.outputs;
        while changed != 0 {
            let output = changed.trailing_zeros();
            changed &= changed - 1;
            self.toggle(self.compiled.outputs[(first + output) as usize]);
        }
    }

    fn toggle(&mut self, net: u32) {
        let wire = &mut self.compiled.wires[net as usize];
        wire.toggles += 1;
        wire.value = !wire.value;
        self.compiled.tell(net, &mut self.due);
    }
}
