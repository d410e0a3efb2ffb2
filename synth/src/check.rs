//! Three opinions on an exported file: Verilator's lint, yosys' structure checks, and whether Icarus compiles it.
use std::path::Path;
use std::process::Command;

use warploom_sim::tool::{self, Interrupted, ToolError};

use crate::clock_gates::CLOCK_GATE;
use crate::tools;

/// What one tool says about a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The command.
    pub tool: &'static str,
    /// What it looked for.
    pub what: &'static str,
    /// What it found.
    pub verdict: Verdict,
}

/// The outcome of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing to complain about.
    Clean,
    /// The tool's complaints.
    Findings(String),
    /// The tool is not here; how to get it.
    Missing(&'static str),
}

impl Report {
    /// Whether the file passed.
    pub fn is_clean(&self) -> bool {
        self.verdict == Verdict::Clean
    }
}

/// Runs all three on `file`, whose outermost module is `top`, [assertions](crate::assertions) included if it has some.
///
/// # Errors
/// If the user presses Ctrl-C.
pub fn check(file: &Path, top: &str) -> Result<Vec<Report>, Interrupted> {
    let path = file.display();
    // yosys takes ten times as long to read with assertions in mind.
    let has_assertions = std::fs::read_to_string(file).is_ok_and(|text| text.contains("`ifdef FORMAL"));
    let assertions = if has_assertions { "-sv -formal " } else { "" };
    // Without the select a latch passes, but for that of a gated clock, and without the flatten a loop across modules.
    let script = format!(
        "read_verilog {assertions}\"{path}\"; hierarchy -check -top {top}; proc; select -assert-none t:$dlatch {CLOCK_GATE}/* %d; flatten; check -assert"
    );
    let lint = ["--lint-only", "-Wall", "--assert", "-DFORMAL", "--top-module", top];
    Ok(vec![
        report("verilator", "lint", Command::new("verilator").args(lint).arg(file))?,
        report("yosys", "latches, loops, drivers", Command::new("yosys").args(["-q", "-p", &script]))?,
        report(
            "iverilog",
            "compiles",
            Command::new("iverilog").args(["-g2012", "-DFORMAL", "-t", "null", "-s", top]).arg(file),
        )?,
    ])
}

fn report(tool: &'static str, what: &'static str, command: &mut Command) -> Result<Report, Interrupted> {
    let verdict = match tool::output(command) {
        Ok(output) if output.status.success() => Verdict::Clean,
        Ok(output) => {
            let said = [output.stdout, output.stderr].concat();
            Verdict::Findings(String::from_utf8_lossy(&said).trim().to_string())
        }
        Err(ToolError::Interrupted(interrupted)) => return Err(interrupted),
        Err(ToolError::Io(_)) => Verdict::Missing(tools::tool(tool).map_or("", |tool| tool.install)),
    };
    Ok(Report { tool, what, verdict })
}

#[cfg(test)]
mod tests {
    use super::*;
    use warploom_requirements::met;

    fn verdicts(verilog: &str) -> Vec<Report> {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("top.v");
        std::fs::write(&file, verilog).unwrap();
        check(&file, "top").unwrap()
    }

    fn is_here(tool: &str) -> bool {
        met(&[(tool, tools::tool(tool).unwrap().is_here())])
    }

    #[test]
    fn a_clean_file() {
        for report in verdicts("module top(input wire a, output wire b);\n  assign b = ~a;\nendmodule\n") {
            assert!(!is_here(report.tool) || report.is_clean(), "{report:?}");
        }
    }

    #[test]
    fn a_latch_and_a_syntax_error_are_found() {
        let latch = "module top(input wire a, input wire e, output reg b);\n  always @* if (e) b = a;\nendmodule\n";
        let syntax = "module top(input wire a, output wire b);\n  assign b = a +;\nendmodule\n";
        for (verilog, tools) in [(latch, &["verilator", "yosys"][..]), (syntax, &["verilator", "yosys", "iverilog"])] {
            for report in verdicts(verilog).iter().filter(|report| tools.contains(&report.tool)) {
                let found = matches!(report.verdict, Verdict::Findings(_));
                assert!(!is_here(report.tool) || found, "{report:?}");
            }
        }
    }
}
