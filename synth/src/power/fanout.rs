//! Which cells read a net.
use crate::gates::{Gates, Step};

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

/// The readers of every net.
pub(super) struct Fanout {
    readers: Vec<Reader>,
    /// By net, and the end.
    first: Vec<u32>,
    /// By cell: the step in which a flip-flop sees what it will store.
    watch: Vec<u32>,
}

impl Fanout {
    pub fn new(gates: &Gates) -> Self {
        const NONE: u32 = u32::MAX;
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
        let mut first = vec![0];
        let mut readers = vec![];
        for of_net in by_net {
            readers.extend(of_net);
            first.push(readers.len() as u32);
        }
        Self { readers, first, watch }
    }

    pub fn of(&self, net: u32) -> &[Reader] {
        &self.readers[self.first[net as usize] as usize..self.first[net as usize + 1] as usize]
    }

    pub fn watch_step(&self, cell: usize) -> usize {
        self.watch[cell] as usize
    }
}
