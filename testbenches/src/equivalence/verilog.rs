//! Third and fourth execution: the exported Verilog in Icarus and in Verilator.
//!
//! Both get the same wrapper, whose inputs and outputs are one vector each, and read one line of
//! hexadecimal digits per cycle.
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use warploom_sim::netlist::{Module, NetKind, Netlist};
use warploom_synth::verilog;

use super::trace::{Port, Trace};

const STIMULUS: &str = "stimulus.hex";
const RESPONSE: &str = "response.hex";

/// Verilator's runtime library is most of a small module's build; it is compiled once.
static RUNTIME: OnceLock<Vec<(&'static str, Vec<u8>)>> = OnceLock::new();
const RUNTIME_OBJECTS: [&str; 2] = ["verilated.o", "verilated_threads.o"];

/// A directory with the design, its wrapper and the stimulus.
pub(super) struct Workspace {
    directory: tempfile::TempDir,
    outputs: Vec<Port>,
}

impl Workspace {
    pub fn new(netlist: &Netlist, stimulus: &Trace, outputs: &[Port]) -> std::io::Result<Self> {
        let directory = tempfile::tempdir()?;
        let words = (Trace::packed_words(stimulus.ports()), Trace::packed_words(outputs));
        fs::write(directory.path().join("design.v"), verilog::export(netlist))?;
        fs::write(directory.path().join("harness.v"), wrapper(netlist.top(), words))?;
        fs::write(directory.path().join("testbench.v"), icarus_testbench(words))?;
        fs::write(directory.path().join("main.cpp"), verilator_main(words))?;
        fs::write(directory.path().join(STIMULUS), stimulus.to_hex())?;
        Ok(Self { directory, outputs: outputs.to_vec() })
    }

    pub fn icarus(&self) -> Result<Trace, String> {
        let sources = ["design.v", "harness.v", "testbench.v"];
        self.run(Command::new("iverilog").args(["-g2012", "-o", "testbench.vvp"]).args(sources))?;
        self.run(Command::new("vvp").args(["-n", "testbench.vvp"]))?;
        self.response()
    }

    pub fn verilator(&self) -> Result<Trace, String> {
        let mut generate = Command::new("verilator");
        generate.args(["--cc", "--exe", "-O3", "-Wno-lint", "--x-assign", "0", "--x-initial", "0"]);
        self.run(generate.args(["--top-module", "harness", "design.v", "harness.v", "main.cpp"]))?;
        let objects = self.path().join("obj_dir");
        let io = |error: std::io::Error| format!("{}: {error}", objects.display());
        for (name, object) in RUNTIME.get().into_iter().flatten() {
            fs::write(objects.join(name), object).map_err(io)?;
        }
        let optimize = ["OPT_FAST=-O1", "OPT_SLOW=-O0", "OPT_GLOBAL=-O0"];
        self.run(Command::new("make").args(["-s", "-j", "1", "-C", "obj_dir", "-f", "Vharness.mk"]).args(optimize))?;
        let runtime = RUNTIME_OBJECTS.iter().map(|&name| Some((name, fs::read(objects.join(name)).ok()?)));
        RUNTIME.get_or_init(|| runtime.flatten().collect());
        self.run(&mut Command::new(objects.join("Vharness")))?;
        self.response()
    }

    fn run(&self, command: &mut Command) -> Result<(), String> {
        let output = command.current_dir(self.path()).output().map_err(|error| format!("{command:?}: {error}"))?;
        if output.status.success() {
            return Ok(());
        }
        let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        Err(format!("{command:?} failed:\n{}", said.concat()))
    }

    fn response(&self) -> Result<Trace, String> {
        let file = self.path().join(RESPONSE);
        let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        fs::remove_file(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        Trace::from_hex(self.outputs.clone(), &text)
    }

    fn path(&self) -> &Path {
        self.directory.path()
    }
}

/// `harness`: the design with its ports side by side.
fn wrapper(top: &Module, (inputs, outputs): (usize, usize)) -> String {
    let mut text = format!(
        "module harness(input wire clock, input wire [{}:0] inputs, output wire [{}:0] outputs);\n",
        32 * inputs - 1,
        32 * outputs - 1
    );
    let mut connections = vec![];
    let (mut input, mut output) = (0, 0);
    for (&port, name) in top.ports.iter().zip(verilog::port_names(top)) {
        let net = top.net(port);
        connections.push(match net.kind {
            NetKind::Clock => format!("    .{name}(clock)"),
            NetKind::Output => {
                output += net.width;
                format!("    .{name}(outputs[{}:{}])", output - 1, output - net.width)
            }
            _ => {
                input += net.width;
                format!("    .{name}(inputs[{}:{}])", input - 1, input - net.width)
            }
        });
    }
    if output < 32 * outputs {
        text += &format!("  assign outputs[{}:{output}] = {}'d0;\n", 32 * outputs - 1, 32 * outputs - output);
    }
    text + &format!("  {} dut (\n{}\n  );\nendmodule\n", top.name, connections.join(",\n"))
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

fn verilator_main((inputs, outputs): (usize, usize)) -> String {
    format!(
        r#"#include "Vharness.h"
#include <cstdio>

int main() {{
    Vharness design;
    FILE* stimulus = fopen("{STIMULUS}", "r");
    FILE* response = fopen("{RESPONSE}", "w");
    for (;;) {{
        for (int i = {inputs}; i-- > 0;) {{
            unsigned word;
            if (fscanf(stimulus, "%8x", &word) != 1) return fclose(response);
            design.inputs[i] = word;
        }}
        design.eval();
        for (int i = {outputs}; i-- > 0;) fprintf(response, "%08x", design.outputs[i]);
        fputc('\n', response);
        design.clock = 1;
        design.eval();
        design.clock = 0;
        design.eval();
    }}
}}
"#
    )
}
