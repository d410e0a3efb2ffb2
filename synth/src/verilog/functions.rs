//! Operators that Verilog has no symbol for, as functions of the module that uses them.
use std::collections::BTreeMap;

use warploom_sim::netlist::{Module, Op};

use super::names::Names;
use super::state::range;

/// An operator with its sizes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Function {
    /// Set bits of `width` bits.
    Popcount { width: usize, result: usize },
    /// Position of the lowest set bit of `width` bits.
    LowestBit { width: usize, result: usize },
    /// The lowest set bit of `width` bits, alone.
    LowestOneHot { width: usize },
    /// One of `inputs` words.
    Select { index: usize, inputs: usize, width: usize },
}

/// What the functions of a module call their arguments and variables; no net has these names.
struct Locals {
    value: String,
    sums: String,
    found: String,
    positions: Vec<String>,
    index: String,
    words: Vec<String>,
}

impl Function {
    /// The function that an expression calls, if any.
    pub fn of(module: &Module, op: &Op, result: usize) -> Option<Self> {
        let operand = |id| module.expr(id).width;
        match op {
            Op::Popcount(a) if operand(*a) > 1 => Some(Function::Popcount { width: operand(*a), result }),
            Op::LowestBit(a) if operand(*a) > 1 => Some(Function::LowestBit { width: operand(*a), result }),
            Op::LowestOneHot(_) if result > 1 => Some(Function::LowestOneHot { width: result }),
            Op::Select { index, inputs } => {
                Some(Function::Select { index: operand(*index), inputs: inputs.len(), width: result })
            }
            _ => None,
        }
    }

    fn name(self) -> String {
        match self {
            Function::Popcount { width, .. } => format!("popcount_{width}"),
            Function::LowestBit { width, .. } => format!("lowest_bit_{width}"),
            Function::LowestOneHot { width } => format!("lowest_one_hot_{width}"),
            Function::Select { index, inputs, width } => format!("select_{inputs}x{width}_by_{index}"),
        }
    }

    fn define(self, name: &str, locals: &Locals) -> String {
        let Locals { value, sums, found, positions, index: chosen, words } = locals;
        match self {
            Function::Popcount { width, result } => {
                let input = range(width);
                let mut text = "  // Set bits: sums of 2 bits side by side, then of 4, 8...\n".to_string();
                text += &format!("  function {}{name}(input {input}{value});\n", range(result));
                text += &format!("    reg {input}{sums};\n    begin\n      {sums} = {value};\n");
                for step in (0..6).map(|k| 1 << k).take_while(|&step| step < width) {
                    let mask = hex(repeated(step, width, 0), width);
                    text += &format!("      {sums} = ({sums} & {mask}) + (({sums} >> {step}) & {mask});\n");
                }
                text + &format!("      {name} = {sums}{};\n    end\n  endfunction\n", slice(result, width))
            }
            Function::LowestBit { width, result } => {
                let mut text = "  // Position of the lowest set bit. A tree: of 2, 4, 8... bits from each position on, whether one is set, and\n  \
                                // where the lowest is; in the upper half if the lower one has none.\n"
                    .to_string();
                let list: Vec<_> = positions[..result].to_vec();
                text += &format!("  function {}{name}(input {}{value});\n", range(result), range(width));
                text += &format!(
                    "    reg {}{found}, {};\n    begin\n      {found} = {value};\n",
                    range(width),
                    list.join(", ")
                );
                for (k, at) in list.iter().enumerate() {
                    let half = 1 << k;
                    for lower in &list[..k] {
                        text += &format!("      {lower} = ({found} & {lower}) | (~{found} & ({lower} >> {half}));\n");
                    }
                    text += &format!("      {at} = ~{found};\n      {found} = {found} | ({found} >> {half});\n");
                }
                let bits: Vec<_> = list.iter().rev().map(|at| format!("{at}[0]")).collect();
                text + &format!(
                    "      {name} = {{{result}{{{found}[0]}}}} & {{{}}};\n    end\n  endfunction\n",
                    bits.join(", ")
                )
            }
            Function::LowestOneHot { width } => {
                let word = range(width);
                let mut text =
                    "  // The lowest set bit alone. A tree: each bit is joined by those 1, 2, 4... below it.\n"
                        .to_string();
                text += &format!(
                    "  function {word}{name}(input {word}{value});\n    reg {word}{found};\n    begin\n      {found} = {value};\n"
                );
                for step in (0..6).map(|k| 1 << k).take_while(|&step| step < width) {
                    text += &format!("      {found} = {found} | ({found} << {step});\n");
                }
                text + &format!("      {name} = {value} & ~({found} << 1);\n    end\n  endfunction\n")
            }
            Function::Select { index, inputs, width } => {
                let words = &words[..inputs];
                let list: Vec<_> = words.iter().map(|word| format!("input {}{word}", range(width))).collect();
                let mut text = format!("  function {}{name}(\n    input {}{chosen},\n    ", range(width), range(index));
                text += &format!("{}\n  );\n    case ({chosen})\n", list.join(",\n    "));
                for (i, word) in words.iter().enumerate().filter(|(i, _)| index >= 64 || *i < 1 << index) {
                    text += &format!("      {index}'d{i}: {name} = {word};\n");
                }
                if index >= 64 || inputs < 1 << index {
                    text += &format!("      default: {name} = {width}'d0;\n");
                }
                text + "    endcase\n  endfunction\n"
            }
        }
    }
}

/// The functions that a module calls, with their names, and their definitions.
pub(super) fn functions(module: &Module, names: &mut Names) -> (BTreeMap<Function, String>, String) {
    let called = module.exprs.iter().filter_map(|expr| Function::of(module, &expr.op, expr.width));
    let mut functions: BTreeMap<Function, String> = called.map(|function| (function, String::new())).collect();
    let mut text = String::new();
    let most = functions.keys().map(|function| match function {
        Function::Select { inputs, .. } => *inputs,
        _ => 0,
    });
    let locals = Locals {
        words: (0..most.max().unwrap_or(0)).map(|i| names.unique(&format!("value_{i}"))).collect(),
        value: names.unique("value"),
        sums: names.unique("sums"),
        found: names.unique("found"),
        positions: (0..6).map(|k| names.unique(&format!("position_{k}"))).collect(),
        index: names.unique("index"),
    };
    for (function, name) in &mut functions {
        *name = names.unique(&function.name());
        text += "\n";
        text += &function.define(name, &locals);
    }
    (functions, text)
}

/// `run` ones and `run` zeros in turn over `width` bits, starting at bit `from`.
fn repeated(run: usize, width: usize, from: usize) -> u64 {
    (from..width).filter(|bit| ((bit - from) / run).is_multiple_of(2)).fold(0, |mask, bit| mask | 1 << bit)
}

fn hex(value: u64, width: usize) -> String {
    format!("{width}'h{value:x}")
}

fn slice(of: usize, width: usize) -> String {
    if of == width { String::new() } else { range(of).trim_end().to_string() }
}
