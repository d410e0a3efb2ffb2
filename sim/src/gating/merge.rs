//! Blocks merged into partitions: until there are few enough, then as long as that is cheaper.
//!
//! The estimate: a partition costs what its logic and its crossing values cost, and a call, as [often](super::activity) as
//! something it reads changes, and a little for being asked. Merging saves a call, a question and the crossings between the two,
//! and makes each run when the other has to. Where it was [seen](super::profile) when each runs, that takes the place of the estimate.
use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

use warploom_hdl::activity::ActivityClasses;

use super::activity::{Activity, Classes};
use super::blocks::Blocks;
use super::profile::{Profile, Shares};
use super::{MAX_PARTITIONS, NOWHERE, cost, for_each_source, is_leaf};
use crate::ir::{Design, NodeId};

/// Elements of a small universe.
#[derive(Clone, Default)]
struct Bits(Vec<u64>);

impl Bits {
    fn insert(&mut self, i: usize) {
        if self.0.len() <= i / 64 {
            self.0.resize(i / 64 + 1, 0);
        }
        self.0[i / 64] |= 1 << (i % 64);
    }

    fn remove(&mut self, i: usize) {
        if let Some(word) = self.0.get_mut(i / 64) {
            *word &= !(1 << (i % 64));
        }
    }

    fn contains(&self, i: usize) -> bool {
        self.0.get(i / 64).is_some_and(|word| word >> (i % 64) & 1 == 1)
    }

    fn union(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }

    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(w, &word)| {
            let bits = (0..64).filter(move |bit| word >> bit & 1 == 1);
            bits.map(move |bit| 64 * w + bit)
        })
    }
}

/// One or more blocks.
#[derive(Clone, Default)]
struct Group {
    /// Of its logic.
    cost: f64,
    /// What it reads.
    own: Classes,
    /// What the values are made from that it uses.
    through: Classes,
    /// Groups whose values it uses, and that use its values.
    before: Bits,
    after: Bits,
    /// Groups of which it uses more than bits.
    hears: Bits,
    /// All groups that use its values, or values made from these.
    reaches: Bits,
    /// What the values cost that cross to each of `after`.
    crossings: HashMap<usize, f64>,
    /// Of the pieces, those that it is made of.
    pieces: u64,
    /// Chance that it runs.
    activity: f64,
    /// Changes with every merge, so that what was computed before is known to be old.
    version: u32,
}

/// Blocks on their way to being partitions.
pub struct Merging {
    /// None for one that was merged into another.
    groups: Vec<Option<Group>>,
    /// By block, then by group: which it was merged into.
    home: Vec<usize>,
    estimate: Activity,
    /// How often pieces were seen to be woken.
    seen: Option<Shares>,
}

/// A merge, and what the estimate falls by.
struct Candidate {
    gain: f64,
    pair: [usize; 2],
    versions: [u32; 2],
}

impl Merging {
    /// As many as can be told apart, each a piece. These registers are free-running.
    pub fn new(design: &Design, blocks: &Blocks, known: ActivityClasses, free: &[bool]) -> Self {
        let graph = &design.graph;
        let estimate = Activity::new(design, known, free);
        let mut groups = vec![Group::default(); blocks.count];
        let uses = |groups: &mut Vec<Group>, operand: NodeId, user: usize, share: f64| {
            let node = graph.node(operand);
            if is_leaf(&node.op) {
                for_each_source(&node.op, node.ty, &mut |source| groups[user].own |= estimate.classes(source));
            } else {
                let maker = blocks.nodes[operand.0 as usize] as usize;
                if maker != user {
                    groups[user].before.insert(maker);
                    if node.ty.width != 1 {
                        groups[user].hears.insert(maker);
                    }
                    groups[maker].after.insert(user);
                    *groups[maker].crossings.entry(user).or_default() += share * cost::of_crossing(node.ty);
                }
            }
        };
        let mut users = vec![0u32; graph.len()];
        for node in graph.nodes() {
            node.op.for_each_operand(|operand| users[operand.0 as usize] += 1);
        }
        for (i, node) in graph.nodes().iter().enumerate() {
            if blocks.nodes[i] == NOWHERE {
                continue;
            }
            let user = blocks.nodes[i] as usize;
            groups[user].cost += cost::of_node(graph, NodeId(i as u32));
            for_each_source(&node.op, node.ty, &mut |source| groups[user].own |= estimate.classes(source));
            node.op.for_each_operand(|operand| {
                uses(&mut groups, operand, user, 1.0 / f64::from(users[operand.0 as usize].max(1)));
            });
        }
        for (register, &block) in design.registers.iter().zip(&blocks.registers) {
            groups[block as usize].cost += cost::of_crossing(register.ty);
            uses(&mut groups, register.next, block as usize, 1.0);
        }
        // Later blocks are numbered higher, so what they reach is known first.
        for i in (0..groups.len()).rev() {
            let mut reaches = groups[i].after.clone();
            for after in groups[i].after.iter().collect::<Vec<_>>() {
                reaches.union(&groups[after].reaches);
            }
            groups[i].reaches = reaches;
        }
        for i in 0..groups.len() {
            let before: Vec<usize> = groups[i].before.iter().collect();
            let of = |b: usize| groups[b].own | groups[b].through;
            let through = before
                .iter()
                .fold(0, |all, &b| all | if groups[i].hears.contains(b) { of(b) } else { estimate.of_answer(of(b)) });
            groups[i].through = through;
            groups[i].activity = estimate.chance(groups[i].own, groups[i].through);
        }
        let home = (0..groups.len()).collect();
        let mut merging = Self { groups: groups.into_iter().map(Some).collect(), home, estimate, seen: None };
        merging.run(|_, count| count > MAX_PARTITIONS);
        for (i, number) in merging.number().into_iter().enumerate() {
            if let Some(group) = &mut merging.groups[i] {
                group.pieces = 1 << number;
            }
        }
        merging
    }

    /// Merges as long as it pays, by what was seen if something was.
    pub fn go_on(&mut self, profile: Option<Profile>) {
        self.seen = profile.map(Profile::shares);
        if let Some(seen) = &self.seen {
            let groups = self.groups.iter_mut().flatten();
            groups.for_each(|group| group.activity = seen.of(group.pieces));
        }
        self.run(|gain, _| gain > 0.0);
    }

    fn group(&self, i: usize) -> &Group {
        self.groups[i].as_ref().expect("a group that was not merged away")
    }

    fn group_mut(&mut self, i: usize) -> &mut Group {
        self.groups[i].as_mut().expect("a group that was not merged away")
    }

    /// Chance that two run that are one.
    fn together(&self, a: usize, b: usize) -> f64 {
        let (a, b) = (self.group(a), self.group(b));
        match &self.seen {
            Some(seen) => seen.of(a.pieces | b.pieces),
            None => self.estimate.chance(a.own | b.own, a.through | b.through),
        }
    }

    /// Merges the two that gain most while that much, and so many of them, are to be merged.
    fn run(&mut self, mut goes_on: impl FnMut(f64, usize) -> bool) {
        let mut heap = BinaryHeap::new();
        let alive: Vec<usize> = (0..self.groups.len()).filter(|&i| self.groups[i].is_some()).collect();
        for (i, &a) in alive.iter().enumerate() {
            heap.extend(alive[i + 1..].iter().map(|&b| self.candidate(a, b)));
        }
        let mut count = alive.len();
        while let Some(candidate) = heap.pop() {
            let [a, b] = candidate.pair;
            let current = |i: usize, version| self.groups[i].as_ref().is_some_and(|group| group.version == version);
            if !current(a, candidate.versions[0]) || !current(b, candidate.versions[1]) {
                continue;
            }
            if !goes_on(candidate.gain, count) {
                break;
            }
            if !self.may_merge(a, b) {
                continue;
            }
            self.merge(a, b);
            count -= 1;
            let others = (0..self.groups.len()).filter(|&i| i != a && self.groups[i].is_some());
            for other in others.collect::<Vec<_>>() {
                heap.push(self.candidate(a, other));
            }
        }
    }

    fn candidate(&self, a: usize, b: usize) -> Candidate {
        let (one, other) = (self.group(a), self.group(b));
        let between = one.crossings.get(&b).copied().unwrap_or(0.0) * one.activity
            + other.crossings.get(&a).copied().unwrap_or(0.0) * other.activity;
        let together = self.together(a, b);
        let cost = |activity: f64, cost: f64| activity * (cost + cost::OF_A_CALL) + cost::OF_A_QUESTION;
        let apart = cost(one.activity, one.cost) + cost(other.activity, other.cost);
        let gain = between + apart - cost(together, one.cost + other.cost);
        Candidate { gain, pair: [a, b], versions: [one.version, other.version] }
    }

    /// Whether no value goes from one through a third to the other.
    fn may_merge(&self, a: usize, b: usize) -> bool {
        let through = |from: usize, to: usize| {
            let mut after = self.group(from).after.iter().filter(|&i| i != to);
            after.any(|i| self.group(i).reaches.contains(to))
        };
        !through(a, b) && !through(b, a)
    }

    /// Merges `b` into `a`.
    fn merge(&mut self, a: usize, b: usize) {
        let activity = self.together(a, b);
        let other = self.groups[b].take().expect("a group that was not merged away");
        self.home[b] = a;
        let group = self.group_mut(a);
        group.cost += other.cost;
        group.activity = activity;
        group.version += 1;
        group.pieces |= other.pieces;
        group.own |= other.own;
        group.through |= other.through;
        group.before.union(&other.before);
        group.after.union(&other.after);
        group.reaches.union(&other.reaches);
        for (to, crossing) in other.crossings {
            *group.crossings.entry(to).or_default() += crossing;
        }
        group.crossings.remove(&a);
        group.crossings.remove(&b);
        for own in [a, b] {
            group.before.remove(own);
            group.after.remove(own);
            group.reaches.remove(own);
        }
        let reaches = group.reaches.clone();
        for (i, group) in self.groups.iter_mut().enumerate() {
            let Some(group) = group.as_mut().filter(|_| i != a) else { continue };
            if group.reaches.contains(a) || group.reaches.contains(b) {
                group.reaches.union(&reaches);
                group.reaches.insert(a);
                group.reaches.remove(b);
            }
            for neighbours in [&mut group.before, &mut group.after] {
                if neighbours.contains(b) {
                    neighbours.remove(b);
                    neighbours.insert(a);
                }
            }
            if let Some(crossing) = group.crossings.remove(&b) {
                *group.crossings.entry(a).or_default() += crossing;
            }
        }
    }

    /// By block: the number of its partition, from 0, so that each comes after those whose values it uses.
    pub fn number(&self) -> Vec<u32> {
        let alive: Vec<usize> = (0..self.groups.len()).filter(|&i| self.groups[i].is_some()).collect();
        let mut numbers = vec![NOWHERE; self.groups.len()];
        for next in 0..alive.len() {
            let ready = |&&i: &&usize| {
                numbers[i] == NOWHERE && self.group(i).before.iter().all(|before| numbers[before] != NOWHERE)
            };
            let &group = alive.iter().find(ready).expect("groups form no loop");
            numbers[group] = next as u32;
        }
        let home = |mut i: usize| {
            while self.home[i] != i {
                i = self.home[i];
            }
            i
        };
        (0..self.home.len()).map(|i| numbers[home(i)]).collect()
    }
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.gain.total_cmp(&other.gain).then_with(|| other.pair.cmp(&self.pair))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate {}
