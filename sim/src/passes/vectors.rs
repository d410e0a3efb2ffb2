//! Arrays evaluated as vectors.
//!
//! 1. Registers that are elements of one array become one vector register, memories one bank.
//! 2. Their next values and write ports are [zipped](super::zip); a group that gains nothing by it stays scalar.
//! 3. From the scalar results downward, what looks across lanes (concatenated bits, chains, selections) and nets that
//!    stand in arrays are zipped where that is cheaper.
//! 4. A scalar that is a lane of a vector is taken from the vector. Alternatives that would close a loop through a
//!    vector are given up, then the graph is rebuilt.
use std::collections::{HashMap, HashSet};

use super::groups::{FEWEST_LANES, arrays};
use super::zip::{ANY, Lanes, Tuple, Zipper};
use super::{Passes, resolve};
use crate::ir::{Binary, Design, Graph, MAX_LANES, Memory, NodeId, Op, Output, Register, Type, Unary, Write};

/// Runs the pass; `passes` may leave operators of some kinds scalar.
pub fn run(design: &mut Design, passes: &Passes) {
    let registers: Vec<_> = design.registers.iter().map(|register| (register.paths[0].clone(), register.ty)).collect();
    let memories: Vec<_> = design
        .memories
        .iter()
        .map(|memory| {
            let ports = memory.writes.iter().map(|write| {
                (
                    design.graph.ty(write.enable),
                    design.graph.ty(write.address),
                    write.mask.map(|mask| design.graph.ty(mask)),
                )
            });
            (memory.paths[0].clone(), (memory.ty, memory.depth, ports.collect::<Vec<_>>()))
        })
        .collect();
    let mut groups = Groups { registers: arrays(&registers), banks: arrays(&memories) };
    let nets: Vec<_> = design.arrayed.iter().map(|(path, id)| (path.clone(), design.graph.ty(*id))).collect();
    let nets: Vec<Tuple> =
        arrays(&nets).into_iter().map(|array| array.into_iter().map(|i| design.arrayed[i].1).collect()).collect();
    // Groups that gain nothing are dissolved; what relied on them is looked at again.
    loop {
        let mut attempt = design.clone();
        let losers = vectorise(&mut attempt, &groups, &nets, passes);
        if losers.is_empty() {
            *design = attempt;
            return;
        }
        groups.dissolve(&losers);
    }
}

/// Positions of the elements of every vector register and bank.
struct Groups {
    registers: Vec<Vec<usize>>,
    banks: Vec<Vec<usize>>,
}

/// Groups that gain nothing as vectors.
#[derive(Default)]
struct Losers {
    registers: HashSet<usize>,
    banks: HashSet<usize>,
}

impl Losers {
    fn is_empty(&self) -> bool {
        self.registers.is_empty() && self.banks.is_empty()
    }
}

impl Groups {
    fn dissolve(&mut self, losers: &Losers) {
        let mut position = 0..;
        self.registers.retain(|_| !losers.registers.contains(&position.next().expect("endless")));
        let mut position = 0..;
        self.banks.retain(|_| !losers.banks.contains(&position.next().expect("endless")));
    }

    fn lanes(&self, design: &Design) -> Lanes {
        let by_element = |groups: &[Vec<usize>], count: usize| {
            let mut lanes = vec![None; count];
            for (g, group) in groups.iter().enumerate() {
                for (l, &element) in group.iter().enumerate() {
                    lanes[element] = Some(((count + g) as u32, l as u8));
                }
            }
            lanes
        };
        Lanes {
            registers: by_element(&self.registers, design.registers.len()),
            memories: by_element(&self.banks, design.memories.len()),
        }
    }
}

fn vectorise(design: &mut Design, groups: &Groups, nets: &[Tuple], passes: &Passes) -> Losers {
    let lanes = groups.lanes(design);
    let mut losers = Losers::default();
    let mut search = Search {
        zipper: Zipper::new(&mut design.graph, &lanes, nets, passes),
        accepted: HashSet::new(),
        instead: HashMap::new(),
        tried: HashSet::new(),
    };
    let mut registers = vec![];
    for (g, group) in groups.registers.iter().enumerate() {
        let elements: Vec<&Register> = group.iter().map(|&i| &design.registers[i]).collect();
        let next = search.zipper.zip(&elements.iter().map(|register| register.next).collect());
        if search.gain(next) + of_state(group.len()) < 0 {
            losers.registers.insert(g);
        }
        search.accept(next);
        registers.push(Register {
            paths: elements.iter().map(|register| register.paths[0].clone()).collect(),
            ty: Type::vector(elements[0].ty.width(), group.len()),
            initial: elements.iter().map(|register| register.initial[0]).collect(),
            next,
        });
    }
    let mut banks = vec![];
    for (g, group) in groups.banks.iter().enumerate() {
        let elements: Vec<&Memory> = group.iter().map(|&i| &design.memories[i]).collect();
        let writes: Vec<Write> = (0..elements[0].writes.len())
            .map(|port| {
                let zip = |search: &mut Search, field: &dyn Fn(&Write) -> NodeId| {
                    search.zipper.zip(&elements.iter().map(|memory| field(&memory.writes[port])).collect())
                };
                let (enable, address, data) = (
                    zip(&mut search, &|write| write.enable),
                    zip(&mut search, &|write| write.address),
                    zip(&mut search, &|write| write.data),
                );
                let address = search.zipper.uniform(address);
                let mask = elements[0].writes[port]
                    .mask
                    .map(|_| zip(&mut search, &|write| write.mask.expect("ports are alike")));
                Write { enable, address, data, mask }
            })
            .collect();
        let mut gain = 0;
        for root in writes.iter().flat_map(Write::operands) {
            gain += search.gain(root);
            search.accept(root);
        }
        if gain + of_state(group.len()) < 0 {
            losers.banks.insert(g);
        }
        banks.push(Memory {
            paths: elements.iter().map(|memory| memory.paths[0].clone()).collect(),
            ty: Type::vector(elements[0].ty.width(), group.len()),
            depth: elements[0].depth,
            writes,
        });
    }
    if !losers.is_empty() {
        return losers;
    }
    search.zip_outputs(&mut design.outputs, nets);
    let mut roots: Vec<NodeId> = design.outputs.iter().map(|output| output.value).collect();
    roots.extend(design.registers.iter().zip(&lanes.registers).filter(|(_, lane)| lane.is_none()).map(|(r, _)| r.next));
    let scalar_memories = design.memories.iter().zip(&lanes.memories).filter(|(_, lane)| lane.is_none());
    roots.extend(scalar_memories.flat_map(|(memory, _)| &memory.writes).flat_map(Write::operands));
    roots.extend(registers.iter().map(|register| register.next));
    roots.extend(banks.iter().flat_map(|bank| &bank.writes).flat_map(Write::operands));
    search.look_downward(roots);
    let instead = search.instead;
    design.registers.extend(registers);
    design.memories.extend(banks);
    resolve::run(design, &lanes, instead);
    losers
}

/// Looks for what is worth zipping.
struct Search<'a> {
    zipper: Zipper<'a>,
    /// Vectors that will be evaluated.
    accepted: HashSet<NodeId>,
    /// What to evaluate in the place of a scalar.
    instead: HashMap<NodeId, NodeId>,
    /// Arrays of nets that have been tried.
    tried: HashSet<Tuple>,
}

impl Search<'_> {
    /// What evaluating `root` as a vector saves, in scalar operations; vectors that are evaluated anyway are free.
    fn gain(&self, root: NodeId) -> i64 {
        let (mut total, mut pending, mut seen) = (0, vec![root], HashSet::new());
        while let Some(id) = pending.pop() {
            if self.accepted.contains(&id) || !self.graph().ty(id).is_vector() || !seen.insert(id) {
                continue;
            }
            total += gain(self.graph(), id);
            self.graph().op(id).for_each_operand(|operand| pending.push(operand));
        }
        total
    }

    fn graph(&self) -> &Graph {
        self.zipper.graph
    }

    /// Evaluates `root` as a vector: from now on its lanes can be taken from it.
    fn accept(&mut self, root: NodeId) {
        let mut pending = vec![root];
        while let Some(id) = pending.pop() {
            if !self.graph().ty(id).is_vector() || !self.accepted.insert(id) {
                continue;
            }
            self.graph().op(id).for_each_operand(|operand| pending.push(operand));
            if !offers_lanes(self.graph().op(id)) {
                continue;
            }
            for tuple in self.zipper.tuples(id).to_vec() {
                for (l, &scalar) in tuple.iter().enumerate() {
                    if scalar != ANY && !is_free(self.graph().op(scalar)) && !self.instead.contains_key(&scalar) {
                        let ty = self.graph().ty(scalar);
                        let lane = self.zipper.graph.add(Op::Extract(id, l as u8), ty);
                        self.instead.insert(scalar, lane);
                    }
                }
            }
        }
    }

    /// Zips the tuples if that is cheaper than the scalars.
    fn zip_all(&mut self, tuples: &[Tuple], bonus: i64) -> Option<Vec<NodeId>> {
        let vectors: Vec<NodeId> = tuples.iter().map(|tuple| self.zipper.zip(tuple)).collect();
        let gain: i64 = vectors.iter().map(|&vector| self.gain(vector)).sum();
        (gain + bonus > 0).then(|| {
            vectors.iter().for_each(|&vector| self.accept(vector));
            vectors
        })
    }

    /// Arrays of which every element is an output are stored as vectors.
    fn zip_outputs(&mut self, outputs: &mut [Output], arrays: &[Tuple]) {
        let mut places: HashMap<NodeId, usize> = HashMap::new();
        for (i, output) in outputs.iter().enumerate() {
            places.insert(output.value, i);
        }
        for array in arrays {
            let Some(found) = array.iter().map(|id| places.get(id).copied()).collect::<Option<Vec<usize>>>() else {
                continue;
            };
            let vector = self.zipper.zip(array);
            if self.gain(vector) < 0 || matches!(self.graph().op(vector), Op::Broadcast(_)) {
                continue;
            }
            self.accept(vector);
            for (l, (id, place)) in array.iter().zip(found).enumerate() {
                let ty = self.graph().ty(*id);
                outputs[place].value = self.zipper.graph.add(Op::Extract(vector, l as u8), ty);
                places.remove(id);
            }
        }
    }

    fn look_downward(&mut self, roots: Vec<NodeId>) {
        let (mut pending, mut seen) = (roots, HashSet::new());
        pending.reverse();
        while let Some(id) = pending.pop() {
            if !seen.insert(id) {
                continue;
            }
            if !self.graph().ty(id).is_vector() && !self.instead.contains_key(&id) {
                self.look_at(id);
            }
            match self.instead.get(&id) {
                Some(&instead) => pending.push(instead),
                None => self.graph().op(id).for_each_operand(|operand| pending.push(operand)),
            }
        }
    }

    /// Finds something to evaluate in the place of a scalar.
    fn look_at(&mut self, id: NodeId) {
        let op = self.graph().op(id).clone();
        let found = match &op {
            Op::Concat(parts) => self.concat(parts),
            Op::Chain(op, parts) => self.chain(*op, parts, id),
            Op::Select { index, inputs } => self.select(*index, inputs, id),
            Op::LastWins { conditions, values, default } => self.last_wins(conditions, values, *default, id),
            _ => None,
        };
        if let Some(instead) = found {
            self.instead.insert(id, instead);
        } else if let Some(array) = self.zipper.home(id).cloned()
            && !is_free(&op)
            && self.tried.insert(array.clone())
        {
            self.zip_all(&[array], 0);
        }
    }

    /// Runs of single bits are packed.
    fn concat(&mut self, parts: &[NodeId]) -> Option<NodeId> {
        let (mut result, mut found, mut i) = (vec![], false, 0);
        while i < parts.len() {
            let bit = |id: &&NodeId| self.graph().width(**id) == 1;
            let run = parts[i..].iter().take_while(bit).count().min(MAX_LANES);
            if run < FEWEST_LANES {
                result.extend(&parts[i..(i + run.max(1))]);
                i += run.max(1);
                continue;
            }
            let lanes: Tuple = parts[i..i + run].iter().rev().copied().collect();
            match self.zip_all(&[lanes], run as i64) {
                Some(vectors) => {
                    result.push(self.zipper.graph.add(Op::Pack(vectors[0]), Type::scalar(run)));
                    found = true;
                }
                None => result.extend(&parts[i..i + run]),
            }
            i += run;
        }
        let width = result.iter().map(|&part| self.graph().width(part)).sum();
        found.then(|| self.zipper.graph.add(Op::Concat(result.into()), Type::scalar(width)))
    }

    fn chain(&mut self, op: Binary, parts: &[NodeId], id: NodeId) -> Option<NodeId> {
        let ty = self.graph().ty(id);
        if parts.len() > MAX_LANES {
            return None;
        }
        let vector = self.zip_all(&[parts.into()], parts.len() as i64 / 2)?[0];
        Some(self.zipper.graph.add(Op::Reduce(op, vector), ty))
    }

    fn select(&mut self, index: NodeId, inputs: &[NodeId], id: NodeId) -> Option<NodeId> {
        let ty = self.graph().ty(id);
        if !(FEWEST_LANES..=MAX_LANES).contains(&inputs.len()) {
            return None;
        }
        let table = self.zip_all(&[inputs.into()], inputs.len() as i64)?[0];
        Some(self.zipper.graph.add(Op::Lookup { table, index }, ty))
    }

    /// The highest condition that holds selects the value; or the lowest, when the conditions stand the other way round.
    fn last_wins(&mut self, conditions: &[NodeId], values: &[NodeId], default: NodeId, id: NodeId) -> Option<NodeId> {
        let (n, ty) = (conditions.len(), self.graph().ty(id));
        if n > MAX_LANES {
            return None;
        }
        let reversed = |ids: &[NodeId]| ids.iter().rev().copied().collect::<Tuple>();
        let up: [Tuple; 2] = [conditions.into(), values.into()];
        let down: [Tuple; 2] = [reversed(conditions), reversed(values)];
        let gains = [&up, &down].map(|tuples| {
            let vectors = tuples.iter().map(|tuple| self.zipper.zip(tuple)).collect::<Vec<_>>();
            vectors.into_iter().map(|vector| self.gain(vector)).sum::<i64>()
        });
        let (tuples, which) = if gains[0] > gains[1] { (up, Unary::HighestBit) } else { (down, Unary::LowestBit) };
        let vectors = self.zip_all(&tuples, n as i64)?;
        let graph = &mut *self.zipper.graph;
        let held = graph.add(Op::Pack(vectors[0]), Type::scalar(n));
        let index_width = (usize::BITS - (n - 1).leading_zeros()) as usize;
        let index = graph.add(Op::Unary(which, held), Type::scalar(index_width));
        let value = match graph.op(vectors[1]) {
            Op::Constants(values) if values.iter().enumerate().all(|(i, &value)| value == i as u64) => {
                if ty.width() < index_width {
                    graph.add_slice(index, 0, ty.width())
                } else {
                    graph.add(Op::Unary(Unary::ZeroExtend, index), ty)
                }
            }
            _ => graph.add(Op::Lookup { table: vectors[1], index }, ty),
        };
        let any = graph.add(Op::Unary(Unary::ReduceOr, held), Type::scalar(1));
        Some(graph.add(Op::Mux(any, value, default), ty))
    }
}

/// Scalar operations that are saved by loading and storing state as one vector.
fn of_state(lanes: usize) -> i64 {
    2 * lanes as i64
}

/// Scalars that cost nothing by themselves.
fn is_free(op: &Op) -> bool {
    matches!(op, Op::Const(_) | Op::Input(_) | Op::Register(_) | Op::Slice { .. })
}

/// Vectors whose lanes are worth taking instead of computing the scalars.
fn offers_lanes(op: &Op) -> bool {
    !matches!(
        op,
        Op::Constants(_)
            | Op::Broadcast(_)
            // Its parts do, unless they are scalars.
            | Op::Blend(..)
            | Op::Lanes(_)
            | Op::Unpack { .. }
            | Op::Input(_)
            | Op::Register(_)
    )
}

/// Scalar operations that one vector saves, less its own cost.
fn gain(graph: &Graph, id: NodeId) -> i64 {
    let node = graph.node(id);
    let lanes = node.ty.lanes as i64;
    match &node.op {
        Op::Constants(_) | Op::Register(_) => 0,
        Op::Broadcast(_) | Op::Blend(..) => -1,
        Op::Lanes(_) => -(lanes + lanes / 4),
        Op::Permute(..) => -4,
        Op::Unpack { .. } | Op::Input(_) => lanes - 2,
        Op::Read { .. } => lanes - lanes / 2,
        Op::Lookup { .. } => lanes,
        Op::Select { inputs, .. } => (lanes - 4) * inputs.len() as i64,
        _ => lanes - 2,
    }
}
