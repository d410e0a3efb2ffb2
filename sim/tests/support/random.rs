//! Random hierarchical netlists: arrays of lanes with irregular surroundings.
use warploom_sim::netlist::*;

use super::{Builder, mask, segment};

/// xorshift64*.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() >> 16) as usize % n
    }
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
    /// Widths at and around the limits of the generated code's types as often as others.
    pub fn width(&mut self) -> usize {
        match self.below(4) {
            0 => 1,
            1 => [2, 8, 31, 32, 33, 63, 64][self.below(7)],
            _ => 1 + self.below(64),
        }
    }
    /// Small, extreme or any.
    pub fn value(&mut self, width: usize) -> u64 {
        let value = match self.below(4) {
            0 => self.below(4) as u64,
            1 => u64::MAX - self.below(3) as u64,
            2 => 1 << (self.below(width)),
            _ => self.next(),
        };
        value & mask(width)
    }
}

/// Expressions of one module to build upon.
pub struct Pool<'r> {
    pub random: &'r mut Random,
    pub exprs: Vec<ExprId>,
}

impl Pool<'_> {
    pub fn any(&mut self) -> ExprId {
        // Recent ones more often, for depth.
        let n = self.exprs.len();
        let back = self.random.below(n).min(self.random.below(n));
        self.exprs[n - 1 - back]
    }

    pub fn sized(&mut self, b: &mut Builder, width: usize) -> ExprId {
        for _ in 0..4 {
            let id = self.any();
            if b.width(id) == width {
                return id;
            }
        }
        if self.random.chance(10) {
            let value = self.random.value(width);
            return b.constant(width, value);
        }
        let id = self.any();
        let from = b.width(id);
        if from > width {
            let low = self.random.below(from - width + 1);
            b.expr(width, Op::Slice { value: id, low })
        } else if from == width {
            id
        } else if self.random.chance(50) {
            b.expr(width, Op::ZeroExtend(id))
        } else {
            b.expr(width, Op::SignExtend(id))
        }
    }

    /// One more expression, of any operator.
    pub fn grow(&mut self, b: &mut Builder) {
        let w = self.random.width();
        let two = |pool: &mut Self, b: &mut Builder, w| (pool.sized(b, w), pool.sized(b, w));
        let kind = self.random.below(31);
        let id = match kind {
            0..=9 => {
                let (x, y) = two(self, b, w);
                let ops = [Op::And(x, y), Op::Or(x, y), Op::Xor(x, y), Op::Add(x, y), Op::Sub(x, y), Op::Mul(x, y)];
                b.expr(w, ops[kind % ops.len()].clone())
            }
            10..=14 => {
                let (x, y) = two(self, b, w);
                let ops = [Op::Eq(x, y), Op::Ne(x, y), Op::Lt(x, y), Op::Le(x, y), Op::SignedLt(x, y)];
                b.expr(1, ops[kind - 10].clone())
            }
            15..=17 => {
                let x = self.sized(b, w);
                let amount_width = if self.random.chance(70) { 1 + self.random.below(7) } else { self.random.width() };
                let by = self.sized(b, amount_width);
                let ops = [Op::Shl(x, by), Op::Shr(x, by), Op::Sra(x, by)];
                b.expr(w, ops[kind - 15].clone())
            }
            18..=19 => {
                let c = self.sized(b, 1);
                let (x, y) = two(self, b, w);
                b.expr(w, Op::Mux(c, x, y))
            }
            20 => {
                let mut parts = vec![];
                let mut width = 0;
                for _ in 0..1 + self.random.below(5) {
                    let id = self.any();
                    if width + b.width(id) <= 64 {
                        width += b.width(id);
                        parts.push(id);
                    }
                }
                if parts.is_empty() {
                    return;
                }
                b.expr(width, Op::Concat(parts))
            }
            21 => {
                let x = self.sized(b, w);
                b.expr(w, Op::Not(x))
            }
            22..=24 => {
                let x = self.any();
                b.expr(1, [Op::ReduceAnd(x), Op::ReduceOr(x), Op::ReduceXor(x)][kind - 22].clone())
            }
            25 => {
                let x = self.any();
                let width = (usize::BITS - b.width(x).leading_zeros()) as usize;
                b.expr(width, Op::Popcount(x))
            }
            26 => {
                let x = self.any();
                let width = ((usize::BITS - (b.width(x) - 1).leading_zeros()) as usize).max(1);
                b.expr(width, Op::LowestBit(x))
            }
            27 => {
                let x = self.sized(b, w);
                b.expr(w, Op::LowestOneHot(x))
            }
            28 => {
                let iw = 1 + self.random.below(7);
                let (value, index) = (self.any(), self.sized(b, iw));
                b.expr(1, Op::BitSelect { value, index })
            }
            29 => {
                let iw = 1 + self.random.below(7);
                let (value, index, bit) = (self.sized(b, w), self.sized(b, iw), self.sized(b, 1));
                b.expr(w, Op::BitReplace { value, index, bit })
            }
            _ => {
                let iw = 1 + self.random.below(4);
                let index = self.sized(b, iw);
                let inputs = (0..1 + self.random.below(10)).map(|_| self.sized(b, w)).collect();
                b.expr(w, Op::Select { index, inputs })
            }
        };
        self.exprs.push(id);
    }
}

/// A register whose next value the pool gives later.
fn registers(b: &mut Builder, pool: &mut Pool, prefix: &str, count: usize) -> Vec<(usize, ExprId)> {
    let registers: Vec<(usize, ExprId)> = (0..count)
        .map(|i| {
            let width = pool.random.width();
            let initial = pool.random.value(width);
            b.register(&format!("{prefix}{i}"), &[], width, initial)
        })
        .collect();
    pool.exprs.extend(registers.iter().map(|(_, q)| *q));
    registers
}

fn connect(b: &mut Builder, pool: &mut Pool, registers: &[(usize, ExprId)]) {
    for &(i, _) in registers {
        let width = b.module.registers[i].width;
        b.module.registers[i].d = pool.sized(b, width);
        if pool.random.chance(50) {
            b.module.registers[i].enable = Some(pool.sized(b, 1));
        }
        if pool.random.chance(30) {
            b.module.registers[i].reset = Some(pool.sized(b, 1));
        }
    }
}

fn memory(b: &mut Builder, pool: &mut Pool, name: &str) {
    let bytes = pool.random.chance(40);
    let width = if bytes { 8 * (1 + pool.random.below(8)) } else { pool.random.width() };
    let depth = [1, 2, 5, 16, 33][pool.random.below(5)];
    let synchronous = pool.random.chance(50);
    let address_width = 1 + pool.random.below(6);
    let m = b.memory(name, &[], width, depth);
    for _ in 0..1 + pool.random.below(2) {
        let address = pool.sized(b, address_width);
        let enable = synchronous.then(|| pool.sized(b, 1));
        let data = b.read(m, address, enable);
        pool.exprs.push(data);
    }
    for _ in 0..1 + pool.random.below(2) {
        let write = WritePort {
            enable: pool.sized(b, 1),
            address: pool.sized(b, address_width),
            data: pool.sized(b, width),
            mask: bytes.then(|| pool.sized(b, width / 8)),
        };
        b.module.memories[m].writes.push(write);
    }
}

/// A lane: outputs `q*` come from registers, `c*` are combinational.
fn lane(random: &mut Random) -> Module {
    let mut b = Builder::new("Lane");
    let mut pool = Pool { random, exprs: vec![] };
    for i in 0..4 {
        let width = if i == 0 { 1 } else { pool.random.width() };
        let input = b.input(&format!("x{i}"), &[], width);
        pool.exprs.push(input);
    }
    let registers = registers(&mut b, &mut pool, "r", 4);
    for i in 0..20 {
        pool.grow(&mut b);
        if i == 10 {
            memory(&mut b, &mut pool, "rows");
        }
    }
    let local = pool.any();
    let local = b.local("middle", &[], local);
    pool.exprs.push(local);
    for _ in 0..12 {
        pool.grow(&mut b);
    }
    connect(&mut b, &mut pool, &registers);
    for (i, (_, q)) in registers.iter().enumerate() {
        b.output(&format!("q{i}"), &[], *q);
    }
    for (i, width) in [1, 1, 32].into_iter().enumerate() {
        let value = pool.sized(&mut b, width);
        b.output(&format!("c{i}"), &[], value);
    }
    b.module
}

/// The input of a lane: shared, one bit of a mask, one element of an array, the lane's number, or a neighbour's register.
fn lane_input(
    b: &mut Builder,
    kind: usize,
    shared: &[ExprId],
    queues: &[Vec<ExprId>],
    l: usize,
    width: usize,
) -> ExprId {
    let fit = |b: &mut Builder, id: ExprId| match b.width(id) {
        from if from > width => b.expr(width, Op::Slice { value: id, low: 0 }),
        from if from < width => b.expr(width, Op::ZeroExtend(id)),
        _ => id,
    };
    let n = queues.len();
    match kind % 6 {
        0 => fit(b, shared[kind % shared.len()]),
        1 => b.constant(width, l as u64),
        2 => fit(b, queues[(l + 1) % n][kind % queues[0].len()]),
        3 => fit(b, queues[l ^ 1][kind % queues[0].len()]),
        4 => fit(b, queues[n - 1 - l][0]),
        _ => {
            let value = shared[kind % shared.len()];
            let low = l % b.width(value);
            let bit = b.expr(1, Op::Slice { value, low });
            fit(b, bit)
        }
    }
}

/// A top module with `n` lanes (even) and logic around them, that uses every operator and width.
pub fn netlist(seed: u64, n: usize) -> Netlist {
    let mut random = Random::new(seed);
    let lane = lane(&mut random);
    let mut b = Builder::new("Top");
    let mut pool = Pool { random: &mut random, exprs: vec![] };
    for i in 0..4 {
        let input = b.input("data", &[i], [64, 32, 7, 1][i]);
        pool.exprs.push(input);
    }
    let lanes_mask = b.input("lanes_mask", &[], n.min(64));
    let selected = b.input("selected", &[], 5);
    pool.exprs.extend([lanes_mask, selected]);
    let top_registers = registers(&mut b, &mut pool, "state", 4);
    let mut shared = vec![lanes_mask];
    for _ in 0..20 {
        pool.grow(&mut b);
    }
    for _ in 0..4 {
        shared.push(pool.any());
    }
    // Children's registered outputs exist before the children: their nets are made first.
    let kinds: Vec<usize> = (0..4).map(|_| pool.random.below(600)).collect();
    let mut queues = vec![vec![]; n];
    let base = b.module.nets.len();
    let ports: Vec<&Net> = lane.ports.iter().map(|&port| lane.net(port)).collect();
    for (l, queue) in queues.iter_mut().enumerate() {
        let mut nets = vec![];
        for port in &ports {
            let path = vec![segment("lanes", &[l]), port.name.0[0].clone()];
            match port.kind {
                NetKind::Clock => nets.push(NetId(0)),
                NetKind::Input => nets.push(b.net(path, port.width, NetKind::ChildInput(l), Driver::Child)),
                _ => {
                    let net = b.net(path, port.width, NetKind::ChildOutput(l), Driver::Child);
                    nets.push(net);
                    let value = b.expr(port.width, Op::Net(net));
                    if port.name.to_string().starts_with('q') {
                        queue.push(value);
                    }
                }
            }
        }
        b.module.instances.push(Instance { name: segment("lanes", &[l]), module: ModuleId(0), ports: nets });
    }
    for l in 0..n {
        let mut k = 0;
        for (p, port) in ports.iter().enumerate() {
            if port.kind == NetKind::Input {
                let value = if k == 0 {
                    let low = l % b.width(lanes_mask);
                    b.expr(1, Op::Slice { value: lanes_mask, low })
                } else {
                    lane_input(&mut b, kinds[k], &shared, &queues, l, port.width)
                };
                k += 1;
                let net = b.module.instances[l].ports[p];
                b.module.nets[net.0 as usize].driver = Driver::Expr(value);
            }
        }
    }
    assert!(b.module.nets.len() > base);
    across_lanes(&mut b, &mut pool, &ports, n, selected);
    from_tables(&mut b, &mut pool, &queues);
    for _ in 0..20 {
        pool.grow(&mut b);
    }
    memory(&mut b, &mut pool, "table");
    connect(&mut b, &mut pool, &top_registers);
    for i in 0..12 {
        let value = pool.any();
        b.output("result", &[i], value);
    }
    Netlist { modules: vec![lane, b.module], top: ModuleId(1) }
}

/// Masks, reductions, selections and chains over the lanes' outputs.
fn across_lanes(b: &mut Builder, pool: &mut Pool, ports: &[&Net], n: usize, selected: ExprId) {
    for (p, port) in ports.iter().enumerate().filter(|(_, port)| port.kind == NetKind::Output) {
        let nets: Vec<NetId> = b.module.instances.iter().map(|lane| lane.ports[p]).collect();
        let values: Vec<ExprId> = nets.iter().map(|&net| b.expr(port.width, Op::Net(net))).collect();
        if port.width == 1 {
            let parts = values.iter().rev().copied().collect();
            let packed = b.expr(n, Op::Concat(parts));
            let mut chained = b.constant(n, 0);
            for (l, &bit) in values.iter().enumerate() {
                let index = b.constant(6, l as u64);
                chained = b.expr(n, Op::BitReplace { value: chained, index, bit });
            }
            let mut conditional = b.constant(n, 0);
            let one = b.constant(1, 1);
            for (l, &c) in values.iter().enumerate() {
                let index = b.constant(6, l as u64);
                let set = b.expr(n, Op::BitReplace { value: conditional, index, bit: one });
                conditional = b.expr(n, Op::Mux(c, set, conditional));
            }
            let mut first = b.constant(6, 63);
            for (l, &c) in values.iter().enumerate().rev() {
                let position = b.constant(6, l as u64);
                first = b.expr(6, Op::Mux(c, position, first));
            }
            pool.exprs.extend([packed, chained, conditional, first]);
        }
        let w = port.width;
        let fold = |b: &mut Builder, op: fn(ExprId, ExprId) -> Op| {
            values[1..].iter().fold(values[0], |all, &value| b.expr(w, op(all, value)))
        };
        let folds = [fold(b, Op::Or), fold(b, Op::And), fold(b, Op::Xor), fold(b, Op::Add)];
        pool.exprs.extend(folds);
        let chosen = b.expr(w, Op::Select { index: selected, inputs: values.clone() });
        pool.exprs.push(chosen);
        // The value of the last lane whose bit in the mask is set.
        let mut last = b.constant(w, 5);
        for (l, &value) in values.iter().enumerate() {
            let number = b.constant(5, l as u64);
            let hit = b.expr(1, Op::Eq(selected, number));
            last = b.expr(w, Op::Mux(hit, value, last));
        }
        pool.exprs.push(last);
    }
}

/// Registers that take, each by its own lane's index, a row of one memory and an element of one table; and some that
/// differ from the rest of their array.
fn from_tables(b: &mut Builder, pool: &mut Pool, queues: &[Vec<ExprId>]) {
    let n = queues.len();
    let (width, depth) = (pool.random.width(), [3, 16, 40][pool.random.below(3)]);
    let common = b.memory("common", &[], width, depth);
    let columns = queues[0].len();
    let (by, of) = (pool.random.below(columns), pool.random.below(columns));
    let table: Vec<ExprId> = queues.iter().map(|queue| queue[of]).collect();
    for (l, queue) in queues.iter().enumerate() {
        let index = match b.width(queue[by]) {
            from if from > 5 => b.expr(5, Op::Slice { value: queue[by], low: 0 }),
            _ => queue[by],
        };
        let row = b.read(common, index, None);
        let chosen = b.expr(b.width(table[0]), Op::Select { index, inputs: table.clone() });
        // The first lane has no neighbour below.
        let below = if l == 0 { b.constant(b.width(table[0]), 3) } else { table[l - 1] };
        for (name, next) in [("fetched", row), ("chosen", chosen), ("shifted", below)] {
            let (r, q) = b.register(name, &[l], b.width(next), l as u64);
            b.module.registers[r].d = next;
            if l % (n / 2) == 1 {
                pool.exprs.push(q);
            }
        }
    }
    let write =
        WritePort { enable: pool.sized(b, 1), address: pool.sized(b, 4), data: pool.sized(b, width), mask: None };
    b.module.memories[common].writes.push(write);
}
