//! What is only needed under a condition, computed under it.
//!
//! The steps of a function are a straight line; here those that serve one arm of a multiplexer alone move into a branch, if there
//! are enough of them to be worth one.
//!
//! ```text
//! c -------------------------\              if c { a = ...; x = a }
//! a <- only for the mux -- [mux] -- x       else { x = b }
//! b -------------------------/
//! ```
use std::collections::{HashMap, HashSet};

use super::schedule::Step;
use crate::gating::cost;
use crate::ir::{Binary, Design, NodeId, Op};

/// A place in the operator that decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arm {
    /// What a multiplexer takes when its condition holds (in any lane); the first operand of an and.
    First,
    /// What a multiplexer takes otherwise; the second operand of an and.
    Second,
    /// What a selection by a scalar takes for this index.
    Case(usize),
    /// What write ports take that the node enables.
    Written,
}

/// The steps of a function, those of its branches apart.
#[derive(Default)]
pub struct Regions {
    /// Done in any case, in order.
    pub root: Vec<Step>,
    /// Done for one arm of a node only, in order.
    pub arms: HashMap<(NodeId, Arm), Vec<NodeId>>,
}

/// What a branch costs, in scalar operations.
const BRANCH: f64 = 4.0;

struct Region {
    parent: usize,
    depth: usize,
    place: Option<(NodeId, Arm)>,
    /// Of what is done there, branches in it counted half.
    cost: f64,
    /// Whether it is worth a branch.
    kept: bool,
}

/// Whether a node is a selection among vectors by a scalar: a `match`, since a table of vectors costs more than a branch.
pub fn is_switch(design: &Design, id: NodeId) -> bool {
    let graph = &design.graph;
    let words = graph.ty(id).is_vector() && graph.width(id) > 1;
    matches!(*graph.op(id), Op::Select { index, .. } if words && !graph.ty(index).is_vector())
}

/// The operands that an operator may not need, with their arms.
fn arms(design: &Design, id: NodeId) -> Vec<(NodeId, Arm)> {
    let graph = &design.graph;
    match *graph.op(id) {
        // Lanes differ, so what the others take is needed as well.
        Op::Mux(c, a, _) if graph.ty(c).is_vector() => vec![(a, Arm::First)],
        Op::Mux(_, a, b) => vec![(a, Arm::First), (b, Arm::Second)],
        Op::Binary(Binary::And, a, b) if !graph.ty(id).is_vector() || graph.width(id) == 1 => {
            vec![(a, Arm::First), (b, Arm::Second)]
        }
        Op::Select { ref inputs, .. } if is_switch(design, id) => {
            inputs.iter().enumerate().map(|(k, &input)| (input, Arm::Case(k))).collect()
        }
        _ => vec![],
    }
}

/// Finds the regions of `steps`. What is `crossing` is needed elsewhere in any case.
pub fn find(design: &Design, steps: &[Step], crossing: &[bool]) -> Regions {
    let mut regions = vec![Region { parent: 0, depth: 0, place: None, cost: 0.0, kept: true }];
    let mut at: HashMap<(NodeId, Arm), usize> = HashMap::new();
    let mut homes: HashMap<NodeId, usize> = HashMap::new();
    for &step in steps.iter().rev() {
        // By operand: the arm that alone takes it.
        let mut taken: Vec<(NodeId, Option<(NodeId, Arm)>)> = vec![];
        let home = match step {
            Step::Node(user) => {
                if crossing[user.0 as usize] {
                    homes.insert(user, 0);
                }
                design.graph.op(user).for_each_operand(|operand| taken.push((operand, None)));
                for (operand, arm) in arms(design, user) {
                    let mut uses = taken.iter_mut().filter(|(id, _)| *id == operand);
                    if let (Some((_, taken)), None) = (uses.next(), uses.next()) {
                        *taken = Some((user, arm));
                    }
                }
                let home = homes.get(&user).copied().unwrap_or(0);
                regions[home].cost += cost::of_node(&design.graph, user);
                home
            }
            Step::Prepare { enable, value } => {
                taken = vec![(enable, None), (value, Some((enable, Arm::Written)))];
                0
            }
            _ => {
                step.for_each_use(design, |id| taken.push((id, None)));
                0
            }
        };
        for (operand, place) in taken {
            let region = place.map_or(home, |place| {
                *at.entry(place).or_insert_with(|| {
                    let depth = regions[home].depth + 1;
                    regions.push(Region { parent: home, depth, place: Some(place), cost: 0.0, kept: false });
                    regions.len() - 1
                })
            });
            let shared = homes.get(&operand).map_or(region, |&other| common(&regions, region, other));
            homes.insert(operand, shared);
        }
    }
    choose(design, &mut regions);
    let mut found = Regions::default();
    for &step in steps {
        let home = match step {
            Step::Node(id) => {
                let mut home = homes.get(&id).copied().unwrap_or(0);
                while !regions[home].kept {
                    home = regions[home].parent;
                }
                home
            }
            _ => 0,
        };
        match (regions[home].place, step) {
            (Some(place), Step::Node(id)) => found.arms.entry(place).or_default().push(id),
            _ => found.root.push(step),
        }
    }
    // Only then is there all that their branches use.
    found.root.sort_by_key(|step| matches!(step, Step::Prepare { .. }));
    found
}

/// Keeps the regions worth a branch; an inner one lies later in the list than what it lies in.
fn choose(design: &Design, regions: &mut [Region]) {
    let mut decided = HashSet::new();
    for i in (1..regions.len()).rev() {
        let (node, arm) = regions[i].place.expect("only the root has none");
        // Either operand of an and can wait for the other, not both.
        let either = arm != Arm::Written && matches!(design.graph.op(node), Op::Binary(..));
        let worth = regions[i].cost >= BRANCH || matches!(arm, Arm::Case(_));
        regions[i].kept = worth && (!either || decided.insert(node));
        let cost = regions[i].cost * if regions[i].kept { 0.5 } else { 1.0 };
        let parent = regions[i].parent;
        regions[parent].cost += cost;
    }
}

/// The innermost region around both.
fn common(regions: &[Region], mut a: usize, mut b: usize) -> usize {
    while a != b {
        if regions[a].depth < regions[b].depth {
            b = regions[b].parent;
        } else {
            a = regions[a].parent;
        }
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Type;

    /// `input 0 ? products of input 1 : input 1`, the last product also in `also`.
    fn steps(design: &mut Design, products: usize, also: bool) -> Vec<Step> {
        let word = Type::scalar(32);
        let c = design.graph.add(Op::Input(0), Type::scalar(1));
        let a = design.graph.add(Op::Input(1), word);
        let mut steps = vec![];
        let mut value = a;
        for _ in 0..products {
            value = design.graph.add(Op::Binary(Binary::Mul, value, a), word);
            steps.push(Step::Node(value));
        }
        if also {
            let other = design.graph.add(Op::Binary(Binary::Add, value, a), word);
            steps.push(Step::Node(other));
        }
        let chosen = design.graph.add(Op::Mux(c, value, a), word);
        steps.push(Step::Node(chosen));
        steps
    }

    fn count(products: usize, also: bool) -> (usize, usize) {
        let mut design = Design::default();
        let steps = steps(&mut design, products, also);
        let found = find(&design, &steps, &vec![false; design.graph.len()]);
        (found.root.len(), found.arms.values().map(Vec::len).sum())
    }

    #[test]
    fn what_one_arm_alone_needs_moves_into_it() {
        assert_eq!(count(10, false), (1, 10));
    }

    #[test]
    fn what_is_needed_anyway_or_is_little_stays() {
        assert_eq!(count(10, true), (12, 0));
        assert_eq!(count(2, false), (3, 0));
    }

    #[test]
    fn what_others_need_stays() {
        let mut design = Design::default();
        let steps = steps(&mut design, 10, false);
        assert_eq!(find(&design, &steps, &vec![true; design.graph.len()]).root.len(), 11);
    }
}
