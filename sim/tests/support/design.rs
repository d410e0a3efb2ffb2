//! A flat design, evaluated node by node: what the passes made of it, without a compiler in between.
use warploom_sim::ir::{Design, NodeId, Op, Type, Write, eval, mask};

/// A design with its state.
pub struct Evaluator {
    design: Design,
    /// By register: its lanes.
    registers: Vec<Vec<u64>>,
    /// By memory and row: its lanes.
    memories: Vec<Vec<Vec<u64>>>,
    /// By node: its lanes in this cycle.
    values: Vec<Vec<u64>>,
}

fn lanes(ty: Type) -> usize {
    (ty.lanes as usize).max(1)
}

impl Evaluator {
    pub fn new(design: Design) -> Self {
        let registers = design.registers.iter().map(|register| register.initial.clone()).collect();
        let rows = design.memories.iter().map(|memory| vec![vec![0; lanes(memory.ty)]; memory.depth]);
        let memories = rows.collect();
        Self { design, registers, memories, values: vec![] }
    }

    /// One clock cycle; the outputs before its edge, then the observed nets.
    pub fn step(&mut self, inputs: &[u64]) -> Vec<u64> {
        self.values.clear();
        for node in self.design.graph.nodes() {
            let value = self.node(&node.op, node.ty, inputs);
            assert!(value.iter().all(|&word| word <= mask(node.ty.width())), "{node:?}: {value:x?}");
            self.values.push(value);
        }
        let ports = self.design.outputs.iter().filter(|output| output.port.is_some());
        let observed = self.design.observed.iter().map(|net| {
            let stored = self.lane(self.design.outputs[net.output].value, net.lane);
            stored >> net.low & mask(net.stored)
        });
        let outputs = ports.map(|output| self.lane(output.value, 0)).chain(observed).collect();
        for (m, memory) in self.design.memories.iter().enumerate() {
            for write in &memory.writes {
                let written = self.written(write, memory.ty, m);
                for (row, lane, word) in written {
                    self.memories[m][row][lane] = word;
                }
            }
        }
        self.registers =
            self.design.registers.iter().map(|register| self.values[register.next.0 as usize].clone()).collect();
        outputs
    }

    /// Rows, lanes and words that a port writes.
    fn written(&self, write: &Write, ty: Type, memory: usize) -> Vec<(usize, usize, u64)> {
        let rows = &self.memories[memory];
        let lanes = (0..lanes(ty)).filter(|&l| self.lane(write.enable, l) == 1);
        let lanes = lanes.filter(|&l| self.lane(write.address, l) < rows.len() as u64);
        lanes
            .map(|l| {
                let row = self.lane(write.address, l) as usize;
                let bytes = write.mask.map_or(u64::MAX, |bytes| self.lane(bytes, l));
                let bits = (0..8).filter(|byte| bytes >> byte & 1 == 1).fold(0, |bits, byte| bits | 0xff << (8 * byte));
                let bits = if write.mask.is_some() { bits } else { u64::MAX };
                (row, l, rows[row][l] & !bits | self.lane(write.data, l) & bits)
            })
            .collect()
    }

    /// One lane of a vector, or a scalar.
    fn lane(&self, id: NodeId, lane: usize) -> u64 {
        let value = &self.values[id.0 as usize];
        if self.design.graph.ty(id).is_vector() { value[lane] } else { value[0] }
    }

    fn row(&self, memory: u32, lane: usize, row: u64) -> u64 {
        let rows = &self.memories[memory as usize];
        usize::try_from(row).ok().and_then(|row| rows.get(row)).map_or(0, |row| row[lane])
    }

    fn node(&self, op: &Op, ty: Type, inputs: &[u64]) -> Vec<u64> {
        let graph = &self.design.graph;
        let each = |f: &dyn Fn(usize) -> u64| (0..lanes(ty)).map(f).collect::<Vec<u64>>();
        let whole = |id: &NodeId| &self.values[id.0 as usize];
        match op {
            Op::Input(i) => each(&|l| inputs[*i as usize + l]),
            Op::Register(i) => self.registers[*i as usize].clone(),
            Op::Read { memory, address } => {
                let bank = self.design.memories[*memory as usize].ty.is_vector();
                each(&|l| self.row(*memory, if bank { l } else { 0 }, self.lane(*address, l)))
            }
            Op::ReadLane { memory, lane, address } => vec![self.row(*memory, *lane as usize, self.lane(*address, 0))],
            Op::Constants(values) => values.to_vec(),
            Op::Broadcast(a) => each(&|_| whole(a)[0]),
            Op::Lanes(parts) => each(&|l| whole(&parts[l])[0]),
            Op::Unpack { value, low, stride } => each(&|l| {
                whole(value)[0].checked_shr(*low as u32 + l as u32 * *stride as u32).unwrap_or(0) & mask(ty.width())
            }),
            Op::Permute(a, numbers) => each(&|l| whole(a)[numbers[l] as usize]),
            Op::Blend(a, b, chosen) => each(&|l| whole(if chosen >> l & 1 == 1 { a } else { b })[l]),
            Op::Lookup { table, index } => each(&|l| {
                usize::try_from(self.lane(*index, l)).ok().and_then(|i| whole(table).get(i)).copied().unwrap_or(0)
            }),
            Op::Extract(a, lane) => vec![whole(a)[*lane as usize]],
            Op::Pack(a) => vec![whole(a).iter().enumerate().fold(0, |all, (l, bit)| all | bit << l)],
            Op::Reduce(op, a) => {
                let all = whole(a)[1..].iter().fold(whole(a)[0], |all, &word| eval::binary(*op, all, word, ty.width()));
                vec![all & mask(ty.width())]
            }
            Op::Transpose(a) => {
                each(&|l| whole(a).iter().enumerate().fold(0, |word, (i, row)| word | (row >> l & 1) << i))
            }
            lanewise => each(&|l| {
                let known = |id| Some((self.lane(id, l), graph.width(id)));
                eval::scalar(lanewise, ty.width(), known).expect("a function of its operands")
            }),
        }
    }
}
