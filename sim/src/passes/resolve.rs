//! Rebuilds the graph with what is to be evaluated in the place of scalars.
//!
//! A vector mixes the cones of all its lanes, so taking a scalar from it can close a loop that the hardware does not
//! have. Where that happens the scalar is computed by itself.
use std::collections::HashMap;

use super::zip::{Lane, Lanes};
use crate::ir::{Design, Graph, NodeId, Op, Type};

/// Runs the step. The vector registers and banks stand behind the scalar ones, which disappear.
pub fn run(design: &mut Design, lanes: &Lanes, mut instead: HashMap<NodeId, NodeId>) {
    let order = Order::new(design, lanes, &mut instead).order;
    let old = design.graph.take();
    let numbers = Numbers {
        lanes,
        registers: renumber(&lanes.registers, design.registers.len()),
        memories: renumber(&lanes.memories, design.memories.len()),
        types: design.registers.iter().map(|register| register.ty).collect(),
    };
    let mut new: Vec<Option<NodeId>> = vec![None; old.len()];
    let made = |new: &[Option<NodeId>], id: NodeId| new[id.0 as usize].expect("operands come first");
    for id in order {
        new[id.0 as usize] = Some(match instead.get(&id) {
            Some(&other) => made(&new, other),
            None => {
                let node = old.node(id);
                let op = node.op.clone().map_operands(|operand| made(&new, operand));
                numbers.add(&mut design.graph, op, node.ty)
            }
        });
    }
    drop_lanes(&mut design.registers, &lanes.registers);
    drop_lanes(&mut design.memories, &lanes.memories);
    design.map_sinks(|_, id| made(&new, id));
    design.arrayed.clear();
}

fn lane(lanes: &[Option<Lane>], i: usize) -> Option<Lane> {
    lanes.get(i).copied().flatten()
}

fn drop_lanes<T>(items: &mut Vec<T>, lanes: &[Option<Lane>]) {
    let mut i = 0..;
    items.retain(|_| lane(lanes, i.next().expect("endless")).is_none());
}

/// New numbers of the registers or memories; those that have become lanes keep 0, which nobody asks for.
fn renumber(lanes: &[Option<Lane>], count: usize) -> Vec<u32> {
    let mut next = 0..;
    (0..count).map(|i| lane(lanes, i).map_or_else(|| next.next().expect("endless"), |_| 0)).collect()
}

struct Numbers<'a> {
    lanes: &'a Lanes,
    registers: Vec<u32>,
    memories: Vec<u32>,
    /// Types of the registers by their old numbers.
    types: Vec<Type>,
}

impl Numbers<'_> {
    fn add(&self, graph: &mut Graph, op: Op, ty: Type) -> NodeId {
        let op = match op {
            Op::Register(i) => match lane(&self.lanes.registers, i as usize) {
                None => Op::Register(self.registers[i as usize]),
                Some((group, lane)) => {
                    let whole = Op::Register(self.registers[group as usize]);
                    Op::Extract(graph.add(whole, self.types[group as usize]), lane)
                }
            },
            Op::Read { memory, address } => match lane(&self.lanes.memories, memory as usize) {
                None => Op::Read { memory: self.memories[memory as usize], address },
                Some((bank, lane)) => Op::ReadLane { memory: self.memories[bank as usize], lane, address },
            },
            op => op,
        };
        graph.add(op, ty)
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    New,
    Open,
    Done,
}

/// Depth-first order of what is needed, operands first.
struct Order<'a> {
    graph: &'a Graph,
    instead: &'a mut HashMap<NodeId, NodeId>,
    marks: Vec<Mark>,
    order: Vec<NodeId>,
    /// The nodes being visited, each with the operands still to visit.
    path: Vec<(NodeId, Vec<NodeId>)>,
}

impl<'a> Order<'a> {
    /// The order; entries of `instead` that would close a loop are taken out.
    fn new(design: &'a Design, lanes: &Lanes, instead: &'a mut HashMap<NodeId, NodeId>) -> Self {
        let graph = &design.graph;
        let mut this = Self { graph, instead, marks: vec![Mark::New; graph.len()], order: vec![], path: vec![] };
        for (i, register) in design.registers.iter().enumerate() {
            if lane(&lanes.registers, i).is_none() {
                this.visit(register.next);
            }
        }
        design.outputs.iter().for_each(|output| this.visit(output.value));
        for (i, memory) in design.memories.iter().enumerate() {
            if lane(&lanes.memories, i).is_none() {
                memory.writes.iter().flat_map(|write| write.operands()).for_each(|id| this.visit(id));
            }
        }
        this
    }

    fn visit(&mut self, root: NodeId) {
        self.enter(root);
        while let Some((id, operands)) = self.path.last_mut() {
            let id = *id;
            match operands.pop() {
                None => {
                    self.marks[id.0 as usize] = Mark::Done;
                    self.order.push(id);
                    self.path.pop();
                }
                Some(operand) if self.marks[operand.0 as usize] == Mark::Open => self.give_up(operand),
                Some(operand) => self.enter(operand),
            }
        }
    }

    fn enter(&mut self, id: NodeId) {
        let mark = &mut self.marks[id.0 as usize];
        if *mark == Mark::New {
            *mark = Mark::Open;
            let mut operands = vec![];
            match self.instead.get(&id) {
                Some(&other) => operands.push(other),
                None => self.graph.op(id).for_each_operand(|operand| operands.push(operand)),
            }
            self.path.push((id, operands));
        }
    }

    /// Takes out an alternative on the loop from `start` to the end of the path, and visits that scalar anew.
    fn give_up(&mut self, start: NodeId) {
        let start = self.path.iter().position(|(id, _)| *id == start).expect("an open node is on the path");
        let chosen = |at: &usize| self.instead.contains_key(&self.path[*at].0);
        let is_lane = |at: &usize| {
            self.instead.get(&self.path[*at].0).is_some_and(|other| matches!(self.graph.op(*other), Op::Extract(..)))
        };
        let mut loop_back = (start..self.path.len()).rev();
        let at = loop_back.clone().find(is_lane).or_else(|| loop_back.find(chosen));
        let at = at.expect("without alternatives there is no loop");
        let id = self.path[at].0;
        self.instead.remove(&id);
        for (open, _) in self.path.drain(at..) {
            self.marks[open.0 as usize] = Mark::New;
        }
        self.enter(id);
    }
}
