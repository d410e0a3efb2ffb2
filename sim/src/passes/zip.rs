//! Scalars side by side as one vector: walks the cones of all lanes in lockstep.
//!
//! A tuple names one scalar per lane. What its elements have in common decides how the vector is made:
//!
//! | elements | vector |
//! |---|---|
//! | all the same | broadcast |
//! | constants | constants |
//! | registers of one group | the group's register, permuted if need be |
//! | consecutive inputs | those inputs |
//! | slices of one value | unpack, or shifts by constants |
//! | nets of one array, in another order | permutation of the array's vector |
//! | a few scalars, each in many lanes | broadcasts, blended |
//! | reads of one bank, each of its own column | read of the bank |
//! | reads of one memory | gather |
//! | selections from one table | lookup |
//! | the same operator | the operator, on the tuples of its operands |
//! | two or three kinds of these | each kind for itself, then blended |
//! | words of far more bits than there are lanes | put together one by one: vectors along the words instead |
//! | anything else | put together one by one |
use std::collections::HashMap;
use std::rc::Rc;

use super::Passes;
use super::groups::FEWEST_LANES;
use crate::ir::{Binary, Graph, MAX_LANES, NodeId, Op, Type};

/// One scalar per lane, or [`ANY`].
pub type Tuple = Rc<[NodeId]>;

/// A lane whose value does not matter.
pub const ANY: NodeId = NodeId(u32::MAX);

/// Scalars that stand in as many lanes each are not worth a vector of their own.
const LANES_EACH: usize = 16;

/// A word of bits is rather a vector of them than a lane of one, if it has so many times as many bits as that has lanes.
const BITS_BY_LANES: usize = 8;

/// Lane of a group: which group, which lane.
pub type Lane = (u32, u8);

/// Where the state's lanes are.
pub struct Lanes {
    /// By scalar register: the vector register and lane that hold it.
    pub registers: Vec<Option<Lane>>,
    /// By scalar memory: the bank and column that hold it.
    pub memories: Vec<Option<Lane>>,
}

/// Vectors made so far.
pub struct Zipper<'a> {
    /// The graph that vectors are added to.
    pub graph: &'a mut Graph,
    lanes: &'a Lanes,
    passes: &'a Passes,
    /// Number of lanes of each vector register, by its index.
    group_lanes: HashMap<u32, u8>,
    /// What kind of operator each scalar is, as a number: operator and widths, without operands.
    shapes: Vec<u32>,
    /// By scalar: the array of nets it stands in, and where.
    homes: HashMap<NodeId, (Tuple, u8)>,
    made: HashMap<Tuple, NodeId>,
    /// By vector: the tuples it stands for.
    tuples: HashMap<NodeId, Vec<Tuple>>,
}

/// How a vector is made from other vectors.
enum Recipe {
    /// The operator of this scalar.
    Like(NodeId),
    /// Rows of a memory.
    Read(u32),
    /// Lanes of a table.
    Lookup,
    /// Lanes in another order.
    Permute(Rc<[u8]>),
    /// Lanes of the first where the bit is set.
    Blend(u64),
}

enum Plan {
    Leaf(Op),
    /// A vector that needs no name of its own.
    Shifted {
        value: NodeId,
        lows: Vec<u64>,
    },
    From(Vec<Tuple>, Recipe),
}

impl<'a> Zipper<'a> {
    /// Nothing made yet. `arrays` are tuples of nets that belong together.
    pub fn new(graph: &'a mut Graph, lanes: &'a Lanes, arrays: &[Tuple], passes: &'a Passes) -> Self {
        let mut group_lanes = HashMap::new();
        for &(group, lane) in lanes.registers.iter().flatten() {
            let count = group_lanes.entry(group).or_insert(0);
            *count = (lane + 1).max(*count);
        }
        let levels = levels(graph);
        let level = |id: &NodeId| levels[id.0 as usize];
        let mut homes = HashMap::new();
        // In an array whose elements depend on each other, a permutation of it can be part of its own cone.
        for array in arrays.iter().filter(|array| array.iter().all(|id| level(id) == level(&array[0]))) {
            for (l, &id) in array.iter().enumerate() {
                homes.entry(id).or_insert_with(|| (array.clone(), l as u8));
            }
        }
        let shapes = shapes(graph, lanes);
        let (made, tuples) = (HashMap::new(), HashMap::new());
        Self { graph, lanes, passes, group_lanes, shapes, homes, made, tuples }
    }

    /// The array of nets that a scalar stands in.
    pub fn home(&self, id: NodeId) -> Option<&Tuple> {
        self.homes.get(&id).map(|(array, _)| array)
    }

    /// The tuples that a vector stands for.
    pub fn tuples(&self, vector: NodeId) -> &[Tuple] {
        self.tuples.get(&vector).map_or(&[], |tuples| tuples)
    }

    /// The vector of a tuple of scalars of one width.
    pub fn zip(&mut self, tuple: &Tuple) -> NodeId {
        let mut stack = vec![tuple.clone()];
        let mut plans: HashMap<Tuple, (Vec<Tuple>, Recipe)> = HashMap::new();
        while let Some(tuple) = stack.last().cloned() {
            if self.made.contains_key(&tuple) {
                stack.pop();
                continue;
            }
            let ty = self.vector_type(&tuple);
            if let Some((operands, recipe)) = plans.remove(&tuple) {
                let operands: Vec<NodeId> = operands.iter().map(|operand| self.made[operand]).collect();
                let vector = self.combine(&recipe, &operands, ty);
                self.note(tuple, vector);
                continue;
            }
            match self.plan(&tuple) {
                Plan::Leaf(op) => {
                    let vector = self.graph.add(op, ty);
                    self.note(tuple, vector);
                }
                Plan::Shifted { value, lows } => {
                    let vector = self.shifted(value, lows, ty);
                    self.note(tuple, vector);
                }
                Plan::From(operands, recipe) => {
                    stack.extend(operands.iter().filter(|operand| !self.made.contains_key(*operand)).cloned());
                    plans.insert(tuple, (operands, recipe));
                }
            }
        }
        self.made[tuple]
    }

    fn note(&mut self, tuple: Tuple, vector: NodeId) {
        self.tuples.entry(vector).or_default().push(tuple.clone());
        self.made.insert(tuple, vector);
    }

    fn vector_type(&self, tuple: &[NodeId]) -> Type {
        let first = tuple.iter().find(|&&id| id != ANY).expect("some lane matters");
        Type::vector(self.graph.width(*first), tuple.len())
    }

    fn combine(&mut self, recipe: &Recipe, operands: &[NodeId], ty: Type) -> NodeId {
        let op = match recipe {
            Recipe::Like(model) => {
                let mut operands = operands.iter();
                let op = self.graph.op(*model).clone();
                match op.map_operands(|_| *operands.next().expect("one operand for each")) {
                    Op::Select { index, inputs } => Op::Select { index: self.uniform(index), inputs },
                    op => op,
                }
            }
            Recipe::Read(memory) => Op::Read { memory: *memory, address: self.uniform(operands[0]) },
            Recipe::Lookup => Op::Lookup { table: operands[0], index: operands[1] },
            Recipe::Permute(lanes) => Op::Permute(operands[0], lanes.clone()),
            Recipe::Blend(mask) => Op::Blend(operands[0], operands[1], *mask),
        };
        self.graph.add(op, ty)
    }

    /// The one scalar that stands in every lane, else the vector: for operators that have a form for either.
    pub fn uniform(&self, vector: NodeId) -> NodeId {
        match *self.graph.op(vector) {
            Op::Broadcast(scalar) => scalar,
            _ => vector,
        }
    }

    fn shifted(&mut self, value: NodeId, lows: Vec<u64>, ty: Type) -> NodeId {
        let wide = ty.with_width(self.graph.width(value));
        let value = self.graph.add(Op::Broadcast(value), wide);
        let amounts = self.graph.add(Op::Constants(lows.into()), ty.with_width(6));
        if ty.width == 1 {
            return self.graph.add(Op::Binary(Binary::BitSelect, value, amounts), ty);
        }
        let down = self.graph.add(Op::Binary(Binary::Shr, value, amounts), wide);
        self.graph.add(Op::Slice { value: down, low: 0 }, ty)
    }

    fn plan(&self, tuple: &Tuple) -> Plan {
        let live: Vec<(usize, NodeId)> = tuple.iter().copied().enumerate().filter(|(_, id)| *id != ANY).collect();
        let first = live[0].1;
        if live.iter().all(|(_, id)| *id == first) {
            return Plan::Leaf(Op::Broadcast(first));
        }
        if live.iter().all(|(_, id)| self.graph.constant(*id).is_some()) {
            let values = tuple.iter().map(|&id| if id == ANY { 0 } else { self.graph.constant(id).unwrap_or(0) });
            return Plan::Leaf(Op::Constants(values.collect()));
        }
        if let Some(plan) = self.slices(tuple, &live) {
            return plan;
        }
        if let Some(plan) = self.registers(tuple, &live).or_else(|| self.permutation(tuple, &live)) {
            return plan;
        }
        if let Some(plan) = self.few(tuple, &live) {
            return plan;
        }
        if live.iter().all(|(_, id)| self.shape(*id) == self.shape(first))
            && let Some(plan) = self.alike(tuple, &live)
        {
            return plan;
        }
        self.kinds(tuple, &live)
    }

    fn shape(&self, id: NodeId) -> u32 {
        self.shapes[id.0 as usize]
    }

    fn slice_of(&self, id: NodeId) -> Option<(NodeId, u64)> {
        match *self.graph.op(id) {
            Op::Slice { value, low } => Some((value, low as u64)),
            _ => None,
        }
    }

    /// Slices of one value.
    fn slices(&self, tuple: &Tuple, live: &[(usize, NodeId)]) -> Option<Plan> {
        let (value, _) = self.slice_of(live[0].1)?;
        let mut lows = vec![0; tuple.len()];
        for &(l, id) in live {
            let (of, low) = self.slice_of(id)?;
            if of != value {
                return None;
            }
            lows[l] = low;
        }
        let (&(l0, _), &(l1, _)) = (live.first()?, live.get(1)?);
        let stride = lows[l1].saturating_sub(lows[l0]) / (l1 - l0) as u64;
        let low = lows[l0].checked_sub(l0 as u64 * stride);
        if let Some(low) = low
            && stride > 0
            && live.iter().all(|&(l, _)| lows[l] == low + l as u64 * stride)
        {
            return Some(Plan::Leaf(Op::Unpack { value, low: low as u8, stride: stride as u8 }));
        }
        Some(Plan::Shifted { value, lows })
    }

    /// Nets of one array in another order.
    fn permutation(&self, tuple: &Tuple, live: &[(usize, NodeId)]) -> Option<Plan> {
        let (array, _) = self.homes.get(&live[0].1)?;
        let mut lanes = vec![0; tuple.len()];
        for &(l, id) in live {
            let (home, lane) = self.homes.get(&id)?;
            if !Rc::ptr_eq(home, array) {
                return None;
            }
            lanes[l] = *lane;
        }
        if array.len() == tuple.len() && live.iter().all(|&(l, id)| array[l] == id) {
            return None;
        }
        Some(Plan::From(vec![array.clone()], Recipe::Permute(lanes.into())))
    }

    /// A few scalars, each in many lanes: computed once instead of in every lane.
    fn few(&self, tuple: &Tuple, live: &[(usize, NodeId)]) -> Option<Plan> {
        let most = tuple.len() / LANES_EACH;
        let mut found: Vec<NodeId> = vec![];
        for &(_, id) in live {
            if !found.contains(&id) {
                found.push(id);
            }
            if found.len() > most {
                return None;
            }
        }
        let mut mask = 0;
        let (mut first, mut rest) = (vec![ANY; tuple.len()], vec![ANY; tuple.len()]);
        for &(l, id) in live {
            if id == found[0] {
                first[l] = id;
                mask |= 1 << l;
            } else {
                rest[l] = id;
            }
        }
        Some(Plan::From(vec![first.into(), rest.into()], Recipe::Blend(mask)))
    }

    /// Operators of this kind may be lanes of a vector.
    fn is_wanted(&self, model: NodeId) -> bool {
        let mut widest = self.graph.width(model);
        self.graph.op(model).for_each_operand(|operand| widest = widest.max(self.graph.width(operand)));
        let Passes { wide, products, shifts, .. } = *self.passes;
        (wide || widest <= 32)
            && match *self.graph.op(model) {
                Op::Binary(Binary::Mul, ..) => products,
                Op::Binary(Binary::Shl | Binary::Shr | Binary::Sra, _, amount) => {
                    shifts || self.graph.constant(amount).is_some()
                }
                _ => true,
            }
    }

    /// How many of these are single bits of one kind.
    fn like_bits(&self, parts: &[NodeId]) -> usize {
        let like = |&&part: &&NodeId| self.graph.width(part) == 1 && self.shape(part) == self.shape(parts[0]);
        parts.iter().filter(like).count()
    }

    /// The same kind of operator in all lanes.
    fn alike(&self, tuple: &Tuple, live: &[(usize, NodeId)]) -> Option<Plan> {
        let model = live[0].1;
        match *self.graph.op(model) {
            Op::Input(_) => {
                let input = |id| if let Op::Input(i) = *self.graph.op(id) { i } else { 0 };
                let start = input(model).checked_sub(live[0].0 as u32)?;
                let consecutive =
                    live.len() == tuple.len() && live.iter().all(|&(l, id)| input(id) == start + l as u32);
                consecutive.then_some(Plan::Leaf(Op::Input(start)))
            }
            Op::Read { memory, .. } => {
                let addresses = self.operand(tuple, 0);
                let Some((bank, _)) = self.lanes.memories[memory as usize] else {
                    return Some(Plan::From(vec![addresses], Recipe::Read(memory)));
                };
                let own_column = live.iter().all(|&(l, id)| match *self.graph.op(id) {
                    Op::Read { memory, .. } => self.lanes.memories[memory as usize] == Some((bank, l as u8)),
                    _ => false,
                });
                own_column.then(|| Plan::From(vec![addresses], Recipe::Read(bank)))
            }
            Op::Select { ref inputs, .. } if (FEWEST_LANES..=MAX_LANES).contains(&inputs.len()) => {
                let same = live
                    .iter()
                    .all(|(_, id)| matches!(self.graph.op(*id), Op::Select { inputs: other, .. } if other == inputs));
                // The index is the last operand.
                let index = self.operand(tuple, inputs.len());
                let all =
                    || Plan::From((0..=inputs.len()).map(|k| self.operand(tuple, k)).collect(), Recipe::Like(model));
                Some(if same { Plan::From(vec![inputs.clone(), index], Recipe::Lookup) } else { all() })
            }
            _ if !self.is_wanted(model) => None,
            Op::Concat(ref parts) if self.like_bits(parts) >= BITS_BY_LANES * tuple.len() => None,
            ref op => {
                let mut count = 0;
                op.for_each_operand(|_| count += 1);
                (count > 0)
                    .then(|| Plan::From((0..count).map(|k| self.operand(tuple, k)).collect(), Recipe::Like(model)))
            }
        }
    }

    /// The tuple of the lanes' `k`-th operands.
    fn operand(&self, tuple: &Tuple, k: usize) -> Tuple {
        let operand = |id: NodeId| {
            let (mut i, mut found) = (0, ANY);
            self.graph.op(id).for_each_operand(|operand| {
                if i == k {
                    found = operand;
                }
                i += 1;
            });
            found
        };
        tuple.iter().map(|&id| if id == ANY { ANY } else { operand(id) }).collect()
    }

    /// Registers of one group.
    fn registers(&self, tuple: &Tuple, live: &[(usize, NodeId)]) -> Option<Plan> {
        let lane = |id| match *self.graph.op(id) {
            Op::Register(i) => self.lanes.registers[i as usize],
            _ => None,
        };
        let (group, _) = lane(live[0].1)?;
        let mut lanes = vec![0; tuple.len()];
        for &(l, id) in live {
            let (other, lane) = lane(id)?;
            if other != group {
                return None;
            }
            lanes[l] = lane;
        }
        let in_order =
            self.group_lanes[&group] as usize == tuple.len() && live.iter().all(|&(l, _)| lanes[l] as usize == l);
        if in_order {
            return Some(Plan::Leaf(Op::Register(group)));
        }
        let mut whole = vec![ANY; self.group_lanes[&group] as usize];
        // The group in its own order: any element found leads there.
        for &(_, id) in live {
            if let Some((_, l)) = lane(id) {
                whole[l as usize] = id;
            }
        }
        Some(Plan::From(vec![whole.into()], Recipe::Permute(lanes.into())))
    }

    /// A few kinds, each vectorised for itself and blended.
    fn kinds(&self, tuple: &Tuple, live: &[(usize, NodeId)]) -> Plan {
        let one_by_one = || {
            let zero = live[0].1;
            Plan::Leaf(Op::Lanes(tuple.iter().map(|&id| if id == ANY { zero } else { id }).collect()))
        };
        let mut slices: HashMap<NodeId, usize> = HashMap::new();
        for (value, _) in live.iter().filter_map(|(_, id)| self.slice_of(*id)) {
            *slices.entry(value).or_default() += 1;
        }
        let kind = |id: NodeId| match self.slice_of(id) {
            Some((value, _)) if slices[&value] > 1 => (true, value.0),
            _ => (false, self.shape(id)),
        };
        let leader = kind(live[0].1);
        let mut members = 0;
        let mut kinds = vec![leader];
        let (mut chosen, mut rest) = (vec![ANY; tuple.len()], vec![ANY; tuple.len()]);
        let mut mask = 0u64;
        for &(l, id) in live {
            let kind = kind(id);
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
            if kind == leader {
                members += 1;
                chosen[l] = id;
                mask |= 1 << l;
            } else {
                rest[l] = id;
            }
        }
        if kinds.len() < 2 || kinds.len() > 3 || live.len() < FEWEST_LANES || members == live.len() {
            return one_by_one();
        }
        Plan::From(vec![chosen.into(), rest.into()], Recipe::Blend(mask))
    }
}

/// A number for every kind of scalar: what has another number cannot be evaluated in the same vector operation.
fn shapes(graph: &Graph, lanes: &Lanes) -> Vec<u32> {
    let mut numbers: HashMap<(Op, Type, Vec<u8>), u32> = HashMap::new();
    let shape = |node: &crate::ir::Node| {
        let mut widths = vec![];
        node.op.for_each_operand(|operand| widths.push(graph.width(operand) as u8));
        let op = match node.op.clone().map_operands(|_| NodeId(0)) {
            Op::Const(_) => Op::Const(0),
            Op::Input(_) => Op::Input(0),
            // A group's number stands for its registers and memories; those without lanes follow after them.
            Op::Register(i) => lanes.registers[i as usize].map_or(Op::Register(i), |(group, _)| Op::Register(group)),
            Op::Read { memory, address } => {
                let memory = lanes.memories[memory as usize].map_or(memory, |(bank, _)| bank);
                Op::Read { memory, address }
            }
            op => op,
        };
        let next = numbers.len() as u32;
        *numbers.entry((op, node.ty, widths)).or_insert(next)
    };
    graph.nodes().iter().map(shape).collect()
}

/// The longest way down from each scalar.
fn levels(graph: &Graph) -> Vec<u32> {
    let mut levels: Vec<u32> = Vec::with_capacity(graph.len());
    for node in graph.nodes() {
        let mut level = 0;
        node.op.for_each_operand(|operand| level = level.max(levels[operand.0 as usize] + 1));
        levels.push(level);
    }
    levels
}
