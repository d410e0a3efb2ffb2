//! Fourth execution: the exported Verilog in Icarus; and what it shares with the fifth.
//!
//! Both get the same wrapper, whose inputs and outputs are one vector each. Icarus reads and writes a line of hexadecimal digits per cycle.
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use warploom_sim::netlist::{Module, NetKind, Netlist};
use warploom_synth::verilog;

use super::tool::run;
use super::trace::{Port, Trace};
use super::verilator::{self, Effort};

const STIMULUS: &str = "stimulus.hex";
const RESPONSE: &str = "response.hex";

/// A directory with the design, its wrapper and the stimulus; what is compiled in it is compiled once.
pub(super) struct Workspace {
    directory: tempfile::TempDir,
    sources: OnceCell<Result<(), String>>,
    icarus: OnceCell<Result<(), String>>,
    verilator: OnceCell<Result<(), String>>,
    effort: Effort,
}

impl Workspace {
    pub fn new(effort: Effort) -> std::io::Result<Self> {
        let cell = OnceCell::new;
        Ok(Self { directory: tempfile::tempdir()?, sources: cell(), icarus: cell(), verilator: cell(), effort })
    }

    pub fn icarus(&self, netlist: &Netlist, inputs: &Trace, outputs: &[Port]) -> Result<Trace, String> {
        self.sources(netlist, inputs, outputs)?;
        let compile = || {
            let sources = ["design.v", "harness.v", "testbench.v"];
            run(Command::new("iverilog").args(["-g2012", "-o", "testbench.vvp"]).args(sources), self.path()).map(drop)
        };
        self.icarus.get_or_init(compile).clone()?;
        self.write(STIMULUS, inputs.to_hex())?;
        run(Command::new("vvp").args(["-n", "testbench.vvp"]), self.path())?;
        let response = self.response(RESPONSE)?;
        Trace::from_hex(outputs.to_vec(), &String::from_utf8_lossy(&response))
    }

    /// Runs a text in Icarus, with its assertions in force: the lines of those that failed, in order.
    pub fn failed_assertions(
        &self,
        design: &str,
        top: &Module,
        inputs: &Trace,
        outputs: &[Port],
    ) -> Result<Vec<usize>, String> {
        self.write_sources(design, top, inputs, outputs)?;
        self.write(STIMULUS, inputs.to_hex())?;
        let sources = ["design.v", "harness.v", "testbench.v"];
        let mut compile = Command::new("iverilog");
        run(compile.args(["-g2012", "-DFORMAL", "-o", "testbench.vvp"]).args(sources), self.path())?;
        let said = run(Command::new("vvp").args(["-n", "testbench.vvp"]), self.path())?;
        let line = |said: &str| said.strip_prefix("ERROR: design.v:")?.split(':').next()?.parse().ok();
        Ok(said.lines().filter_map(line).collect::<BTreeSet<usize>>().into_iter().collect())
    }

    pub fn verilator(&self, netlist: &Netlist, inputs: &Trace, outputs: &[Port]) -> Result<Trace, String> {
        self.sources(netlist, inputs, outputs)?;
        self.verilator.get_or_init(|| verilator::compile(self.path(), words(inputs, outputs), self.effort)).clone()?;
        self.write(verilator::STIMULUS, inputs.to_bytes())?;
        run(&mut Command::new(self.path().join(verilator::EXECUTABLE)), self.path())?;
        Ok(Trace::from_bytes(outputs.to_vec(), &self.response(verilator::RESPONSE)?))
    }

    fn sources(&self, netlist: &Netlist, inputs: &Trace, outputs: &[Port]) -> Result<(), String> {
        let write = || self.write_sources(&verilog::export(netlist), netlist.top(), inputs, outputs);
        self.sources.get_or_init(write).clone()
    }

    fn write_sources(&self, design: &str, top: &Module, inputs: &Trace, outputs: &[Port]) -> Result<(), String> {
        self.write("design.v", design)?;
        self.write("harness.v", wrapper(top, inputs.ports(), outputs)?)?;
        self.write("testbench.v", icarus_testbench(words(inputs, outputs)))
    }

    /// Takes the file that a program has written.
    fn response(&self, name: &str) -> Result<Vec<u8>, String> {
        let file = self.path().join(name);
        let io = |error: std::io::Error| format!("{}: {error}", file.display());
        let bytes = fs::read(&file).map_err(io)?;
        fs::remove_file(&file).map_err(io)?;
        Ok(bytes)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> Result<(), String> {
        let file = self.path().join(name);
        fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))
    }

    fn path(&self) -> &Path {
        self.directory.path()
    }
}

/// 32-bit words of the wrapper's vectors.
fn words(inputs: &Trace, outputs: &[Port]) -> (usize, usize) {
    (Trace::packed_words(inputs.ports()), Trace::packed_words(outputs))
}

/// Where a port lies in a vector of them, the first in the lowest bits.
fn place(ports: &[Port], name: &str) -> Result<usize, String> {
    let before = ports.iter().position(|port| port.name == name).ok_or(format!("nothing is known of port {name}"))?;
    Ok(ports[..before].iter().map(|port| port.width).sum())
}

/// `harness`: the design with its ports side by side, in the order of the traces.
fn wrapper(top: &Module, inputs: &[Port], outputs: &[Port]) -> Result<String, String> {
    let (input_words, output_words) = (Trace::packed_words(inputs), Trace::packed_words(outputs));
    let mut text = format!(
        "module harness(input wire clock, input wire [{}:0] inputs, output wire [{}:0] outputs);\n",
        32 * input_words - 1,
        32 * output_words - 1
    );
    let mut connections = vec![];
    for (&port, name) in top.ports.iter().zip(verilog::port_names(top)) {
        let net = top.net(port);
        let (vector, ports) = match net.kind {
            NetKind::Clock => {
                connections.push(format!("    .{name}(clock)"));
                continue;
            }
            NetKind::Output => ("outputs", outputs),
            _ => ("inputs", inputs),
        };
        let lowest = place(ports, net.name.to_string().as_str())?;
        connections.push(format!("    .{name}({vector}[{}:{lowest}])", lowest + net.width - 1));
    }
    let used: usize = outputs.iter().map(|port| port.width).sum();
    if used < 32 * output_words {
        text += &format!("  assign outputs[{}:{used}] = {}'d0;\n", 32 * output_words - 1, 32 * output_words - used);
    }
    Ok(text + &format!("  {} dut (\n{}\n  );\nendmodule\n", top.name, connections.join(",\n")))
}

fn icarus_testbench((inputs, outputs): (usize, usize)) -> String {
    let (inputs, outputs) = (32 * inputs - 1, 32 * outputs - 1);
    format!(
        r#"module testbench;
  reg clock = 0;
  reg [{inputs}:0] inputs = 0;
  wire [{outputs}:0] outputs;
  integer stimulus, response;
  harness dut (clock, inputs, outputs);
  initial begin
    stimulus = $fopen("{STIMULUS}", "r");
    response = $fopen("{RESPONSE}", "w");
    while ($fscanf(stimulus, "%h\n", inputs) == 1) begin
      #1 $fdisplay(response, "%h", outputs);
      clock = 1;
      #1 clock = 0;
    end
    $fclose(response);
    $finish;
  end
endmodule
"#
    )
}
