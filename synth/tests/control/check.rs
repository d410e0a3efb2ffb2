//! A mechanism with its harness, as an and-inverter graph.
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::process::{Command, Stdio};

use tempfile::TempDir;
use warploom_hdl::divergence::ReconvergenceUnit;
use warploom_hdl::issue::BarrierUnit;

use crate::mechanisms::Mechanism;
use crate::support::verilog;

/// See the [module documentation](self).
pub struct Check {
    directory: TempDir,
    /// Names of the graph's outputs, in their order.
    outputs: Vec<String>,
}

/// What a fetch and an issue stage that choose as they please must not bring about.
const PROPERTIES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/proofs/control.sv");

impl Check {
    /// All that a verdict depends on.
    pub fn subject(mechanism: &Mechanism) -> String {
        design(mechanism) + &fs::read_to_string(PROPERTIES).expect("the properties")
    }

    /// The mechanism, with its faults to choose from.
    pub fn new(mechanism: &Mechanism) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        fs::write(directory.path().join("design.v"), design(mechanism)).expect("a writable file");
        let (set, define) = (mechanism.parameters(), mechanism.define());
        let script = format!(
            "read_verilog design.v; read_verilog -sv {define} {PROPERTIES}; chparam {set} miter; hierarchy -top miter; proc; flatten; opt_expr; \
             opt_clean; memory_map; opt -fast; techmap; opt -fast; dffunmap; setundef -undriven -init -zero; aigmap; opt_clean; \
             write_aiger -zinit -symbols graph.aig"
        );
        run(&directory, "yosys", &["-q", "-p", &script]);
        let graph = fs::read(directory.path().join("graph.aig")).expect("yosys wrote a graph");
        let outputs = symbols(&graph);
        Self { directory, outputs }
    }

    /// The first cycle of `bound` in which an output is 1.
    pub fn first(&self, output: &str, bound: usize) -> Option<usize> {
        let number = self.outputs.iter().position(|name| name == output);
        let number = number.unwrap_or_else(|| panic!("no output `{output}` in {:?}", self.outputs));
        // Registers that are always equal, or constant, become one: of rows, lanes and bits of PCs that no thread uses nothing is left.
        let script = format!("read_aiger graph.aig; cone -s -O {number}; strash; scorr; dc2; bmc3 -F {bound}");
        let said = run(&self.directory, "yosys-abc", &["-c", &script]);
        if let Some((_, frame)) = said.split_once("was asserted in frame ") {
            let digits: String = frame.chars().take_while(char::is_ascii_digit).collect();
            return Some(digits.parse().expect("a frame's number"));
        }
        assert!(said.contains(&format!("No output asserted in {bound} frames")), "{said}");
        None
    }
}

/// What a tool says; panics with it if the tool fails.
fn run(directory: &TempDir, tool: &str, arguments: &[&str]) -> String {
    let output = Command::new(tool).args(arguments).current_dir(directory).stdin(Stdio::null()).output();
    let output = output.unwrap_or_else(|error| panic!("{tool}: {error}"));
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success(), "{tool}: {said}");
    said
}

/// Outputs named in the symbol table at the end of a binary AIGER file.
fn symbols(graph: &[u8]) -> Vec<String> {
    let mut outputs = vec![];
    for line in graph.split(|byte| *byte == b'\n') {
        let line = std::str::from_utf8(line).ok().and_then(|line| line.strip_prefix(&format!("o{} ", outputs.len())));
        outputs.extend(line.map(String::from));
    }
    outputs
}

/// Both units with their vectors flattened, each module once, and the faults behind an input `fault`.
fn design(mechanism: &Mechanism) -> String {
    let config = mechanism.config();
    let mut unit = verilog(ReconvergenceUnit::new(&config));
    for (number, fault) in (1..).zip(mechanism.faults) {
        assert!(unit.contains(fault.of), "no `{}` in {}", fault.of, mechanism.name);
        unit = unit.replace(fault.of, &fault.with.replace("FAULT", &format!("(fault == 2'd{number})")));
    }
    let barriers = verilog(BarrierUnit::new(&config));
    let mut text = unit.clone() + &flat(&unit, "ReconvergenceUnit");
    for module in mechanism.faulty.iter().copied().chain(["ReconvergenceUnit", "FlatReconvergenceUnit"]) {
        text =
            text.replace(&format!("\nmodule {module} ("), &format!("\nmodule {module} (\n  input wire [1:0] fault,"));
        let lines: Vec<String> = text.lines().map(|line| connected(line, module)).collect();
        text = lines.join("\n") + "\n";
    }
    let known: BTreeSet<String> = text.lines().filter_map(name).map(String::from).collect();
    let mut repeated = false;
    for line in barriers.lines() {
        repeated = name(line).map_or(repeated, |name| known.contains(name));
        if !repeated {
            text += &format!("{line}\n");
        }
    }
    text + &flat(&barriers, "BarrierUnit")
}

/// The name of the module that a line begins.
fn name(line: &str) -> Option<&str> {
    line.strip_prefix("module ")?.split_whitespace().next()
}

/// A line, with `fault` connected if an instance of `module` begins there.
fn connected(line: &str, module: &str) -> String {
    match line.strip_prefix("  ").and_then(|line| line.split_once(' ')) {
        Some((of, rest)) if of == module && rest.ends_with('(') => format!("{line}\n    .fault(fault),"),
        _ => line.to_string(),
    }
}

/// A module `Flat...` around a block, in which ports `x_0`, `x_1`... are one port `x`.
fn flat(text: &str, block: &str) -> String {
    let (_, ports) = text.split_once(&format!("\nmodule {block} (\n")).expect("the block's module");
    let (ports, _) = ports.split_once(");").expect("the end of its ports");
    let (mut vectors, mut connections): (Vec<(&str, &str, usize)>, String) = (vec![], String::new());
    for port in ports.lines() {
        let words: Vec<&str> = port.trim_end_matches(',').split_whitespace().collect();
        let [direction, "wire", range @ .., name] = &words[..] else { panic!("not a port: {port}") };
        let width = range.first().map_or(1, |range| {
            let top = range.trim_matches(|c| c == '[' || c == ']').split(':').next();
            top.and_then(|top| top.parse::<usize>().ok()).expect("a range") + 1
        });
        let stem = match name.rsplit_once('_') {
            Some((stem, digits)) if digits.parse::<usize>().is_ok() => stem,
            _ => name,
        };
        if vectors.last().is_none_or(|(_, last, _)| *last != stem) {
            vectors.push((direction, stem, 0));
        }
        let whole = &mut vectors.last_mut().expect("just pushed").2;
        let separator = if connections.is_empty() { "" } else { ",\n" };
        write!(connections, "{separator}    .{name}({stem}[{}:{}])", *whole + width - 1, *whole).expect("a string");
        *whole += width;
    }
    let declared: Vec<String> =
        vectors.iter().map(|(direction, stem, width)| format!("  {direction} wire [{}:0] {stem}", width - 1)).collect();
    format!("\nmodule Flat{block} (\n{}\n);\n  {block} unit (\n{connections}\n  );\nendmodule\n", declared.join(",\n"))
}
