//! The logic between inputs and outputs, as abc reads it.
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use crate::yosys_json::{Bit, Instance, Module};

/// Part of a design that has no state.
pub(super) struct Network<'a> {
    /// What drives a net: an AND gate or an inverter.
    drivers: HashMap<u32, &'a Instance>,
    /// Nets that flip-flops drive.
    held: HashSet<u32>,
    inputs: Vec<Vec<u32>>,
    outputs: Vec<Output>,
}

/// What comes out.
struct Output {
    bit: Bit,
    /// Whether it is that, or else another bit.
    unless: Option<[Bit; 2]>,
}

/// The bit at a pin.
fn pin<'a>(cell: &'a Instance, name: &str) -> Option<&'a Bit> {
    cell.connections.get(name)?.first()
}

impl<'a> Network<'a> {
    /// Of a module, without inputs and outputs so far.
    pub fn new(module: &'a Module) -> Self {
        let mut network = Self { drivers: HashMap::new(), held: HashSet::new(), inputs: vec![], outputs: vec![] };
        for cell in module.cells.values() {
            match (pin(cell, "Y"), pin(cell, "Q")) {
                (Some(Bit::Net(net)), _) => drop(network.drivers.insert(*net, cell)),
                (_, Some(Bit::Net(net))) => drop(network.held.insert(*net)),
                _ => {}
            }
        }
        network
    }

    /// Makes nets, all of them equal, the next input.
    pub fn input(&mut self, nets: Vec<u32>) {
        self.inputs.push(nets);
    }

    /// Makes a bit the next output.
    pub fn output(&mut self, bit: &Bit) {
        self.outputs.push(Output { bit: bit.clone(), unless: None });
    }

    /// Makes a bit the next output where `enable` is set, and otherwise the bit `held`.
    pub fn output_held(&mut self, bit: &Bit, enable: &Bit, held: u32) {
        self.outputs.push(Output { bit: bit.clone(), unless: Some([enable.clone(), Bit::Net(held)]) });
    }

    /// Inputs are `i0`, `i1`..., outputs `o0`, `o1`.... The error is a net that a flip-flop drives which is no input.
    /// What nothing drives is 0: rows of a memory that it does not have, which no output depends on.
    pub fn blif(&self) -> Result<String, u32> {
        let numbered = |letter: char, count: usize| (0..count).map(|i| format!(" {letter}{i}")).collect::<String>();
        let (inputs, outputs) = (numbered('i', self.inputs.len()), numbered('o', self.outputs.len()));
        let mut text = format!(".model top\n.inputs{inputs}\n.outputs{outputs}\n");
        let mut names: HashSet<u32> = self.inputs.iter().flatten().copied().collect();
        for (i, nets) in self.inputs.iter().enumerate() {
            nets.iter().for_each(|net| line(&mut text, &[format!("i{i}")], &format!("n{net}"), "1 1"));
        }
        let mut to_do = vec![];
        for (i, Output { bit, unless }) in self.outputs.iter().enumerate() {
            let output = format!("o{i}");
            to_do.push(bit);
            match unless {
                None => line(&mut text, &[reference(bit)], &output, "1 1"),
                Some([enable, held]) => {
                    line(&mut text, &[enable, bit, held].map(reference), &output, "11- 1\n0-1 1");
                    to_do.extend([enable, held]);
                }
            }
        }
        // x is 0, as it is for what maps to gates.
        text.push_str(".names zero\n.names one\n1\n");
        while let Some(bit) = to_do.pop() {
            let Bit::Net(net) = bit else { continue };
            if !names.insert(*net) {
                continue;
            }
            let Some(cell) = self.drivers.get(net) else {
                if self.held.contains(net) {
                    return Err(*net);
                }
                writeln!(text, ".names n{net}").expect("a string takes everything");
                continue;
            };
            let inputs: Vec<&Bit> = ["A", "B"].iter().filter_map(|name| pin(cell, name)).collect();
            let names: Vec<String> = inputs.iter().map(|bit| reference(bit)).collect();
            let cover = if inputs.len() == 2 { "11 1" } else { "0 1" };
            line(&mut text, &names, &reference(bit), cover);
            to_do.extend(inputs);
        }
        text.push_str(".end\n");
        Ok(text)
    }
}

fn reference(bit: &Bit) -> String {
    match bit {
        Bit::Net(net) => format!("n{net}"),
        Bit::Constant(value) => if value == "1" { "one" } else { "zero" }.to_string(),
    }
}

fn line(text: &mut String, inputs: &[String], output: &str, cover: &str) {
    writeln!(text, ".names {} {output}\n{cover}", inputs.join(" ")).expect("a string takes everything");
}
