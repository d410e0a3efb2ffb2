//! One hardware, five executions that must agree on every output in every cycle.
//!
//! ```text
//!             +--> rust-hdl's update()                  direct.rs
//!             +--> the generated simulator              simulator.rs
//!  stimulus --+--> the same without any pass            simulator.rs     --> equal outputs,
//!  (random or +--> Verilog in Icarus                    verilog.rs           every bit seen as 0 and as 1
//!   recorded) +--> Verilog in Verilator                 verilog.rs, verilator.rs
//! ```
//!
//! Outputs are those of a cycle before its rising edge.
use std::fmt;

use warploom_hdl::prelude::Block;
use warploom_requirements::met;
use warploom_sim::elaborate;
use warploom_sim::glob::Globs;
use warploom_sim::netlist::{Module, NetKind, Netlist};
use warploom_synth::tools::{self, Tool};

mod direct;
pub mod port;
mod simulator;
mod stimulus;
mod tool;
mod trace;
mod verilator;
mod verilog;

pub use direct::Direct;
pub use stimulus::{Cycle, Random, Stimulus};
pub use trace::{Port, Trace};

use simulator::Simulators;
use verilator::Effort;
use verilog::Workspace;

/// One of the five executions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Execution {
    /// rust-hdl's `update()`.
    Update,
    /// The generated simulator.
    Simulator,
    /// The simulator generated without any pass.
    Plain,
    /// The exported Verilog in Icarus.
    Icarus,
    /// The exported Verilog in Verilator.
    Verilator,
}

impl Execution {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Update, Self::Simulator, Self::Plain, Self::Icarus, Self::Verilator];

    /// Whether it can run here. An external tool that is missing is said so once per call, or refused when
    /// `WARPLOOM_REQUIRE_TOOLS=1`.
    fn available(self) -> bool {
        let name = match self {
            Self::Update | Self::Simulator | Self::Plain => return true,
            Self::Icarus => "iverilog",
            Self::Verilator => "verilator",
        };
        met(&[(name, tools::tool(name).is_some_and(Tool::is_here))])
    }
}

impl fmt::Display for Execution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Update => "update()",
            Self::Simulator => "the generated simulator",
            Self::Plain => "the simulator without passes",
            Self::Icarus => "Icarus",
            Self::Verilator => "Verilator",
        })
    }
}

/// What a comparison gave.
#[derive(Debug)]
pub struct Agreement {
    /// Cycles compared.
    pub cycles: usize,
    /// Which executions took part.
    pub executions: Vec<Execution>,
    /// Bits of outputs and registers that never changed: `grant`, and the mask of its silent bits.
    pub silent: Vec<(String, u64)>,
}

impl Agreement {
    /// The silent bits that nobody has given a reason for.
    pub fn unexplained(&self, known: &[Silent]) -> Vec<String> {
        let known: Vec<_> = known.iter().map(|known| (Globs::new(&[known.name]), known.bits)).collect();
        let explained =
            |name: &str| known.iter().filter(|(names, _)| names.matches(name)).fold(0, |all, (_, bits)| all | bits);
        let left = self.silent.iter().map(|(name, bits)| (name, bits & !explained(name)));
        left.filter(|(_, bits)| *bits != 0).map(|(name, bits)| format!("{name} (bits {bits:#x})")).collect()
    }
}

/// Bits that cannot toggle, and why.
#[derive(Clone, Copy, Debug)]
pub struct Silent {
    /// A port, or a register by its hierarchical name; a glob.
    pub name: &'static str,
    /// Which of its bits.
    pub bits: u64,
    /// Why.
    pub reason: &'static str,
}

/// A design, ready for the executions asked for; each is built once, when it is first used.
pub struct Bench<'a> {
    build: &'a dyn Fn() -> Box<dyn Block>,
    netlist: Netlist,
    outputs: Vec<Port>,
    asked: Vec<Execution>,
    simulators: Simulators,
    workspace: Workspace,
}

impl<'a> Bench<'a> {
    /// Of what `build` makes, before its `connect_all`; the first execution is what the others are compared with.
    ///
    /// # Errors
    /// The design does not elaborate, or there is no place for files.
    pub fn new(build: &'a dyn Fn() -> Box<dyn Block>, asked: &[Execution]) -> Result<Self, String> {
        let mut block = build();
        block.connect_all();
        let netlist = elaborate(block.as_ref()).map_err(|error| error.to_string())?;
        let outputs = outputs(&netlist);
        Ok(Self {
            build,
            asked: asked.iter().copied().filter(|execution| execution.available()).collect(),
            simulators: Simulators::default(),
            workspace: Workspace::new(Effort::Compile).map_err(|error| error.to_string())?,
            netlist,
            outputs,
        })
    }

    /// The design, for a stimulus.
    pub fn module(&self) -> &Module {
        self.netlist.top()
    }

    /// Runs these inputs through all executions, each from its initial state.
    ///
    /// # Errors
    /// The first disagreement, with port, cycle and both values; or why some execution could not run.
    pub fn run(&self, inputs: &Trace) -> Result<Agreement, String> {
        self.run_in(inputs, &self.asked)
    }

    /// The same in some of them only.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_in(&self, inputs: &Trace, executions: &[Execution]) -> Result<Agreement, String> {
        let mut silent = vec![];
        let mut responses: Vec<(Execution, Trace)> = vec![];
        for &execution in executions.iter().filter(|execution| self.asked.contains(execution)) {
            let response = match execution {
                Execution::Update => Direct::new((self.build)()).run(inputs),
                Execution::Simulator => {
                    let (response, registers) = self.simulators.run(&self.netlist, inputs, &self.outputs)?;
                    silent = silent_bits(&registers);
                    response
                }
                Execution::Plain => self.simulators.run_plain(&self.netlist, inputs, &self.outputs)?,
                Execution::Icarus => self.workspace.icarus(&self.netlist, inputs, &self.outputs)?,
                Execution::Verilator => self.workspace.verilator(&self.netlist, inputs, &self.outputs)?,
            };
            if let Some((first, expected)) = responses.first() {
                agree((*first, expected), (execution, &response))?;
            }
            responses.push((execution, response));
        }
        silent.extend(responses.first().map(|(_, response)| silent_bits(response)).unwrap_or_default());
        let executions = responses.into_iter().map(|(execution, _)| execution).collect();
        Ok(Agreement { cycles: inputs.rows().len(), executions, silent })
    }
}

/// A design in Verilator alone, compiled to run long.
pub struct LongRun {
    netlist: Netlist,
    workspace: Workspace,
}

impl LongRun {
    /// Of a design; `None` if Verilator is not here.
    ///
    /// # Errors
    /// There is no place for files.
    pub fn new(netlist: Netlist) -> Result<Option<Self>, String> {
        if !Execution::Verilator.available() {
            return Ok(None);
        }
        let workspace = Workspace::new(Effort::Run).map_err(|error| error.to_string())?;
        Ok(Some(Self { netlist, workspace }))
    }

    /// Its output ports: what a recording is to have.
    pub fn outputs(&self) -> Vec<Port> {
        outputs(&self.netlist)
    }

    /// Runs recorded inputs, from the initial state, and compares the outputs with those that the generated simulator had.
    ///
    /// # Errors
    /// The first disagreement, with port, cycle and both values; or why it could not run.
    pub fn agrees(&self, inputs: &Trace, outputs: &Trace) -> Result<(), String> {
        let found = self.workspace.verilator(&self.netlist, inputs, outputs.ports())?;
        agree((Execution::Simulator, outputs), (Execution::Verilator, &found))
    }
}

/// Runs recorded inputs through Verilog in Icarus, with its assertions in force. `design` is the text, perhaps with a fault put into it, of
/// `netlist` with its [assertions](warploom_synth::assertions).
///
/// `None` if Icarus is not here, else the sentences above the assertions that failed.
///
/// # Errors
/// Why it could not run.
pub fn failed_assertions(design: &str, netlist: &Netlist, recording: &Trace) -> Result<Option<Vec<String>>, String> {
    if !Execution::Icarus.available() {
        return Ok(None);
    }
    let workspace = Workspace::new(Effort::Compile).map_err(|error| error.to_string())?;
    let failed = workspace.failed_assertions(design, netlist.top(), recording, &outputs(netlist))?;
    let lines: Vec<_> = design.lines().map(str::trim).collect();
    let comment = |&line: &usize| {
        let above = lines[..line].iter().rev().skip_while(|line| !line.starts_with("// "));
        let sentence: Vec<_> = above.take_while(|line| line.starts_with("// ")).map(|line| &line[3..]).collect();
        sentence.into_iter().rev().collect::<Vec<_>>().join(" ")
    };
    Ok(Some(failed.iter().map(comment).collect()))
}

/// The output ports of a design.
fn outputs(netlist: &Netlist) -> Vec<Port> {
    let ports = netlist.top().ports.iter().map(|&port| netlist.top().net(port));
    let outputs = ports.filter(|net| net.kind == NetKind::Output);
    outputs.map(|net| Port { name: net.name.to_string(), width: net.width }).collect()
}

fn agree((first, expected): (Execution, &Trace), (second, found): (Execution, &Trace)) -> Result<(), String> {
    if expected.rows().len() != found.rows().len() {
        return Err(format!("{second} stopped after {} of {} cycles", found.rows().len(), expected.rows().len()));
    }
    for (cycle, (expected_row, row)) in expected.rows().zip(found.rows()).enumerate() {
        for ((port, expected), found) in expected.ports().iter().zip(expected_row).zip(row) {
            if expected != found {
                let name = &port.name;
                return Err(format!("`{name}` in cycle {cycle}: {first} gives {expected:#x}, {second} {found:#x}"));
            }
        }
    }
    Ok(())
}

fn silent_bits(trace: &Trace) -> Vec<(String, u64)> {
    let ports = trace.ports().iter().enumerate();
    let bits = ports.map(|(i, port)| (port.name.clone(), warploom_hdl::word::mask(port.width) & !trace.toggled(i)));
    bits.filter(|(_, silent)| *silent != 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(values: [u64; 3]) -> Trace {
        let mut trace = Trace::new(vec![Port { name: "sum".into(), width: 4 }]);
        values.into_iter().for_each(|value| trace.push([value]));
        trace
    }

    #[test]
    fn a_disagreement_is_named() {
        let expected = trace([1, 2, 3]);
        let expected = (Execution::Update, &expected);
        assert_eq!(agree(expected, (Execution::Icarus, &trace([1, 2, 3]))), Ok(()));
        let error = agree(expected, (Execution::Icarus, &trace([1, 0xa, 3]))).unwrap_err();
        assert_eq!(error, "`sum` in cycle 1: update() gives 0x2, Icarus 0xa");
    }

    #[test]
    fn silent_bits_need_a_reason() {
        let silent = silent_bits(&trace([1, 2, 3]));
        let agreement = Agreement { cycles: 3, executions: vec![], silent };
        assert_eq!(agreement.unexplained(&[]), ["sum (bits 0xc)"]);
        let known = Silent { name: "s*", bits: 0b0100, reason: "small sums" };
        assert_eq!(agreement.unexplained(&[known]), ["sum (bits 0x8)"]);
    }
}
