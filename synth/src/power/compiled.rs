//! Gates laid out for speed: what an event needs of a cell or a net lies together.
use crate::gates::{Gates, Step};

/// A cell at work.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// State with the inputs as they are.
    pub state: u16,
    /// State that outputs and counts are of.
    pub seen: u16,
    /// Bits of a state.
    bits: u8,
    /// Whether it stores a bit.
    pub stores: bool,
    /// Where the transitions of its kind are.
    table: u32,
    /// First of its nets in [`Compiled::outputs`].
    pub outputs: u32,
}

/// A net at work.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wire {
    /// How often it has changed.
    pub toggles: u64,
    /// Its readers, the first and the end.
    readers: [u32; 2],
    /// What it is.
    pub value: bool,
}

/// A pin at a net.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader {
    /// Whose.
    pub cell: u32,
    /// The step that is due when the net changes.
    pub step: u32,
    /// Bit of the state; none where a second step of the same cell is due.
    pub mask: u16,
}

/// How a cell goes from one state to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transition {
    /// What counts: the first and how many in [`Compiled::shares`].
    shares: u32,
    number: u16,
    /// Outputs that change, a bit each.
    pub outputs: u16,
    /// Whether what it takes at rest changes.
    pub rest: bool,
}

/// All of it.
pub(super) struct Compiled {
    pub nodes: Vec<Node>,
    pub wires: Vec<Wire>,
    /// Nets at the outputs of cells.
    pub outputs: Vec<u32>,
    readers: Vec<Reader>,
    table: Vec<Transition>,
    shares: Vec<(u16, f32)>,
    /// By cell: the step in which a flip-flop sees what it will store.
    watch: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Compiled {
    pub fn new(gates: &Gates) -> Self {
        let (mut table, mut shares) = (vec![], vec![]);
        let bases = gates.kinds.iter().map(|kind| {
            let (base, states) = (table.len() as u32, kind.logic.states() as u16);
            for (old, new) in (0..states).flat_map(|old| (0..states).map(move |new| (old, new))) {
                let counts = kind.energy.transition(old, new);
                let of = |table: &[u16]| table[usize::from(old)] ^ table[usize::from(new)];
                let rest = kind.energy.rest[usize::from(old)] != kind.energy.rest[usize::from(new)];
                let (first, number) = (shares.len() as u32, counts.len() as u16);
                table.push(Transition { shares: first, number, outputs: of(&kind.logic.outputs), rest });
                shares.extend_from_slice(counts);
            }
            base
        });
        let bases: Vec<u32> = bases.collect();
        let mut outputs = vec![];
        let nodes = gates.cells.iter().map(|cell| {
            let logic = &gates.kind(cell).logic;
            let first = outputs.len() as u32;
            outputs.extend(&cell.outputs);
            let (bits, table) = (logic.states().trailing_zeros() as u8, bases[cell.kind as usize]);
            Node { state: 0, seen: 0, bits, stores: logic.stores, table, outputs: first }
        });
        let nodes = nodes.collect();
        let (by_net, watch) = readers(gates);
        let (mut readers, mut wires) = (vec![], vec![]);
        for of_net in by_net {
            let first = readers.len() as u32;
            readers.extend(of_net);
            wires.push(Wire { toggles: 0, readers: [first, readers.len() as u32], value: false });
        }
        Self { nodes, wires, outputs, readers, table, shares, watch }
    }

    /// What happens when a cell goes from the state that was seen to another.
    pub fn transition(&self, node: &Node, new: u16) -> Transition {
        self.table[node.table as usize + (usize::from(node.seen) << node.bits | usize::from(new))]
    }

    /// What counts then: numbers of charges and their shares.
    pub fn shares(&self, transition: Transition) -> &[(u16, f32)] {
        &self.shares[transition.shares as usize..transition.shares as usize + usize::from(transition.number)]
    }

    /// Those who read a net.
    pub fn readers(&self, net: u32) -> &[Reader] {
        let [first, end] = self.wires[net as usize].readers;
        &self.readers[first as usize..end as usize]
    }

    /// The readers of a net hear that it has changed; `due` has a bit for every step.
    pub fn tell(&mut self, net: u32, due: &mut [u64]) {
        let [first, end] = self.wires[net as usize].readers;
        for reader in &self.readers[first as usize..end as usize] {
            self.nodes[reader.cell as usize].state ^= reader.mask;
            due[reader.step as usize / 64] |= 1 << (reader.step % 64);
        }
    }

    /// The step in which a flip-flop sees what it will store.
    pub fn watch_step(&self, cell: usize) -> usize {
        self.watch[cell] as usize
    }
}

/// By net its readers; and by cell the step in which a flip-flop watches.
fn readers(gates: &Gates) -> (Vec<Vec<Reader>>, Vec<u32>) {
    let (mut follow, mut watch) = (vec![NONE; gates.cells.len()], vec![NONE; gates.cells.len()]);
    for (i, step) in gates.steps.iter().enumerate() {
        match *step {
            Step::Follow(cell) => follow[cell as usize] = i as u32,
            Step::Watch(cell) => watch[cell as usize] = i as u32,
        }
    }
    let mut by_net: Vec<Vec<Reader>> = vec![vec![]; gates.nets];
    for (i, cell) in gates.cells.iter().enumerate() {
        let kind = gates.kind(cell);
        for (input, &net) in cell.inputs.iter().enumerate() {
            let mask = kind.mask(input);
            if mask == 0 {
                continue;
            }
            let reader = |step, mask| Reader { cell: i as u32, step, mask };
            let readers = &mut by_net[net as usize];
            // A flip-flop follows clear and preset at once, and watches all else.
            match (follow[i], watch[i]) {
                (follow, NONE) => readers.push(reader(follow, mask)),
                (follow, watch) if kind.logic.through & mask != 0 => {
                    readers.extend([reader(follow, mask), reader(watch, 0)]);
                }
                (_, watch) => readers.push(reader(watch, mask)),
            }
        }
    }
    (by_net, watch)
}
