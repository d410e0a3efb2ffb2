//! Designs for the vectors of every target: what needs most of their operations.
use std::collections::BTreeMap;

use warploom_sim::netlist::*;

use super::{Builder, segment};

/// A module that shows what it was given a cycle before, in so many bits.
fn keeper(name: &str, width: usize) -> Module {
    let mut builder = Builder::new(name);
    let next = builder.input("next", &[], width);
    let (r, q) = builder.register("held", &[], width, 1);
    builder.module.registers[r].d = next;
    builder.output("value", &[], q);
    builder.module
}

/// Crossbars of so many lanes and slots: every lane sets its bit in the word of the slot that it addresses.
pub fn crossbars(sizes: &[(usize, usize)]) -> Netlist {
    let lane = keeper("Lane", 6);
    let mut top = Builder::new("Top");
    let inputs: Vec<_> = (0..64).map(|l| top.input("slot", &[l], 6)).collect();
    for (i, &(lanes, slots)) in sizes.iter().enumerate() {
        let addressed: Vec<_> = (0..lanes)
            .map(|l| top.instance(segment("lanes", &[i, l]), ModuleId(0), &lane, |_, _| inputs[l])[0].1)
            .collect();
        for s in 0..slots {
            let number = top.constant(6, s as u64);
            let hits = addressed.iter().rev().map(|&slot| top.expr(1, Op::Eq(slot, number))).collect();
            let hits = top.expr(lanes, Op::Concat(hits));
            let (r, q) = top.register(&format!("words_{i}"), &[s], lanes, 0);
            top.module.registers[r].d = hits;
            top.output("word", &[i, s], q);
        }
    }
    Netlist { modules: vec![lane, top.module], top: ModuleId(1) }
}

/// A table of so many rows of ten bits: every field that is asked for has a word with a bit for each row.
pub fn table(rows: usize, fields: &[usize]) -> Netlist {
    let row = keeper("Row", 10);
    let mut top = Builder::new("Top");
    let inputs: Vec<_> = (0..rows).map(|i| top.input("row", &[i], 10)).collect();
    let held: Vec<_> =
        (0..rows).map(|i| top.instance(segment("rows", &[i]), ModuleId(0), &row, |_, _| inputs[i])[0].1).collect();
    for (i, &field) in fields.iter().enumerate() {
        let bits = held.iter().rev().map(|&row| top.expr(1, Op::Slice { value: row, low: field })).collect();
        let bits = top.expr(rows, Op::Concat(bits));
        let (r, q) = top.register("words", &[i], rows, 0);
        top.module.registers[r].d = bits;
        top.output("word", &[i], q);
    }
    Netlist { modules: vec![row, top.module], top: ModuleId(1) }
}

/// A group for each number of lanes and width: every operator of two words in each lane, and what looks across the lanes;
/// for who observes the registers.
pub fn operators(groups: &[(usize, usize)]) -> Netlist {
    let mut modules: Vec<Module> = groups.iter().map(|&(_, width)| lane(width)).collect();
    let mut top = Builder::new("Top");
    for (g, &(lanes, width)) in groups.iter().enumerate() {
        let module = &modules[g];
        let inputs = module.ports.iter().map(|&port| module.net(port)).filter(|net| net.kind == NetKind::Input);
        // Port by port, so that those of all lanes stand side by side and are a vector.
        let inputs = inputs.map(|net| {
            let name = net.name.to_string();
            let all: Vec<_> = (0..lanes).map(|l| top.input(&format!("{name}_{g}"), &[l], net.width)).collect();
            (name, all)
        });
        let inputs: BTreeMap<_, _> = inputs.collect();
        let instance = |l| {
            let name = segment(&format!("lanes_{g}"), &[l]);
            top.instance(name, ModuleId(g as u32), module, |_, port| inputs[&port.name.to_string()][l])
        };
        let ports: Vec<_> = (0..lanes).map(instance).collect();
        across(&mut top, g, width, &ports);
    }
    modules.push(top.module);
    Netlist { top: ModuleId(modules.len() as u32 - 1), modules }
}

/// Two words `a` and `b`, an amount `by` and a bit `c`, each a register, and what every operator makes of them.
fn lane(width: usize) -> Module {
    let mut lane = Builder::new(&format!("Lane{width}"));
    let [a, b, by, c] = [("a", width), ("b", width), ("by", 7), ("c", 1)].map(|(name, width)| {
        let next = lane.input(&format!("next_{name}"), &[], width);
        let (r, q) = lane.register(name, &[], width, 0);
        lane.module.registers[r].d = next;
        lane.output(&format!("{name}_out"), &[], q);
        q
    });
    let alike = [Op::And(a, b), Op::Or(a, b), Op::Xor(a, b), Op::Add(a, b), Op::Sub(a, b), Op::Mul(a, b), Op::Not(a)];
    let shifts = [by, b].map(|by| [Op::Shl(a, by), Op::Shr(a, by), Op::Sra(a, by)]).concat();
    let others = [Op::Mux(c, a, b), Op::LowestOneHot(a), Op::BitReplace { value: a, index: by, bit: c }];
    let bits = [Op::Eq(a, b), Op::Ne(a, b), Op::Lt(a, b), Op::Le(a, b), Op::SignedLt(a, b), Op::ReduceAnd(a)];
    let more = [Op::ReduceOr(a), Op::ReduceXor(a), Op::BitSelect { value: a, index: by }];
    let numbers = [Op::Popcount(a), Op::LowestBit(a)];
    let longer = [Op::ZeroExtend(a), Op::SignExtend(a)];
    let slice = [Op::Slice { value: a, low: width / 2 }];
    let half = width - width / 2;
    let results = [(width, [&alike[..], &shifts, &others].concat()), (1, [&bits[..], &more].concat())];
    let results = results.into_iter().chain([(7, numbers.to_vec()), (64, longer.to_vec()), (half, slice.to_vec())]);
    for (i, (width, op)) in results.flat_map(|(width, ops)| ops.into_iter().map(move |op| (width, op))).enumerate() {
        // By a name for each, as they are not to be vectors along the operators.
        let value = lane.expr(width, op);
        let (r, q) = lane.register(&format!("result_{i}"), &[], width, 0);
        lane.module.registers[r].d = value;
        lane.output(&format!("result_{i}_out"), &[], q);
    }
    let low = lane.expr(4, Op::Slice { value: by, low: 0 });
    let mut memories = vec![("rows", None)];
    if width.is_multiple_of(8) {
        memories.push(("rows_by_bytes", Some(lane.expr(width / 8, Op::Slice { value: b, low: 0 }))));
    }
    for (name, mask) in memories {
        let m = lane.memory(name, &[], width, 13);
        let row = lane.read(m, low, None);
        lane.output(&format!("{name}_out"), &[], row);
        lane.module.memories[m].writes.push(WritePort { enable: c, address: low, data: a, mask });
    }
    lane.module
}

/// Lookups, by each lane's own number, and reductions.
fn across(top: &mut Builder, g: usize, width: usize, lanes: &[Vec<(String, ExprId)>]) {
    let all = |name: &str| -> Vec<ExprId> {
        let named = lanes.iter().map(|lane| lane.iter().find(|(port, _)| port == name));
        named.map(|port| port.expect("a port of the lane").1).collect()
    };
    let (words, amounts, bits) = (all("a_out"), all("by_out"), all("c_out"));
    for (l, &by) in amounts.iter().enumerate() {
        for (name, inputs) in [("word", &words), ("bit", &bits)] {
            let width = top.width(inputs[0]);
            let chosen = top.expr(width, Op::Select { index: by, inputs: inputs.clone() });
            let (r, _) = top.register(&format!("chosen_{name}_{g}"), &[l], width, 0);
            top.module.registers[r].d = chosen;
        }
    }
    for (i, op) in [Op::And as fn(ExprId, ExprId) -> Op, Op::Or, Op::Xor, Op::Add].into_iter().enumerate() {
        let folded = words[1..].iter().fold(words[0], |all, &word| top.expr(width, op(all, word)));
        top.output("folded", &[g, i], folded);
    }
}

/// A register that goes on when told to, and much to do for it, with sums or differences.
fn side(name: &str, op: fn(ExprId, ExprId) -> Op) -> Module {
    let mut b = Builder::new(name);
    let [start, data] = [("start", 1), ("data", 32)].map(|(name, width)| b.input(name, &[], width));
    let (work, work_q) = b.register("work", &[], 32, 1);
    let factor = b.constant(32, 69_069);
    let product = (0..100).fold(work_q, |value, _| {
        let product = b.expr(32, Op::Mul(value, factor));
        b.expr(32, op(product, data))
    });
    b.module.registers[work].d = b.expr(32, Op::Mux(start, product, work_q));
    b.output("q", &[], work_q);
    b.module
}

/// `left` and `right`, which are not alike: two partitions, if they do not always work together.
pub fn pair() -> Netlist {
    let sides = [("left", side("Left", Op::Add)), ("right", side("Right", Op::Sub))];
    let mut top = Builder::new("Pair");
    for (i, (name, side)) in sides.iter().enumerate() {
        let [start, data] =
            [("start", 1), ("data", 32)].map(|(port, width)| top.input(&format!("{name}_{port}"), &[], width));
        let input = |_: &mut Builder, net: &Net| if net.width == 1 { start } else { data };
        let outputs = top.instance(segment(name, &[]), ModuleId(i as u32), side, input);
        top.output(&format!("{name}_q"), &[], outputs[0].1);
    }
    let [left, right] = sides.map(|(_, side)| side);
    Netlist { modules: vec![left, right, top.module], top: ModuleId(2) }
}
