//! The design against its gates: whether the cells compute what the exported Verilog says, for every input and state.
//!
//! ```text
//!  design.v --yosys: gates of its own--> JSON --+-- registers by name --> two networks without state --abc cec--> Verdict
//!  mapped.v --yosys: models of the cells--> JSON --+   (`cones`)                  (`blif`)
//! ```
//! Every register of the gates has the name of one of the design. Both are cut there: what they hold is an input of
//! either network, what they are to hold next an output. If all outputs agree, the designs behave alike from every state
//! on. Large memories are cut out in the same way. A register whose clock is gated has its next value where the gate is open,
//! and otherwise the one that it has; that the gate itself, which has a latch, does so is taken on trust.
//!
//! Taken on trust: yosys' reading of Verilog, its models of arithmetic operators (both sides expand `+` and `*` by the
//! same library; all that follows is proved), that it finds registers which are constant or always equal to another, and
//! the functions in the Liberty file.
use std::fmt;
use std::time::Duration;

use serde::Serialize;
use serde_json::Error as JsonError;
use warploom_sim::netlist::Netlist;

use crate::clock_gates::CLOCK_GATE;
use crate::flow::process::{directory, run, run_within, written};
use crate::flow::{CELLS, DESIGN, FlowError, MAPPED, Mapped, SCRIPT};
use crate::yosys_json::Module;

mod blif;
mod cones;

use cones::{Matched, Unmatched};

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "verdict", rename_all = "lowercase")]
pub enum Verdict {
    /// They are equal.
    Proven {
        /// Registers that both have, in bits.
        registers: usize,
        /// Outputs, next values of registers and pins of memories that were compared, in bits.
        compared: usize,
    },
    /// They differ.
    Refuted {
        /// An output, or a register whose next value is another, for one.
        places: Vec<String>,
    },
    /// Neither was shown.
    Undecided {
        /// Why.
        reason: String,
    },
}

/// Conflicts of the SAT solver at which a proof is given up, if not for time.
const CONFLICTS: u32 = 10_000_000;

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Proven { registers, compared } => {
                write!(
                    f,
                    "proven equal to the Verilog: {compared} bits compared, {registers} bits of registers matched"
                )
            }
            Self::Refuted { places } => write!(f, "NOT equal to the Verilog, at {}", places.join(", ")),
            Self::Undecided { reason } => write!(f, "not decided whether equal to the Verilog: {reason}"),
        }
    }
}

const DESIGN_JSON: &str = "design.json";
const GATES_JSON: &str = "gates.json";

/// Compares a design with what it was mapped to. The comparison itself is given up after `limit`.
pub fn prove(netlist: &Netlist, mapped: &Mapped, limit: Duration) -> Result<Verdict, FlowError> {
    let top = &netlist.top().name;
    let boxes: Vec<&str> = mapped.boxes.iter().map(String::as_str).collect();
    let read = |name: &str| {
        let path = mapped.directory().join(name);
        std::fs::read_to_string(&path).map_err(|error| FlowError::io(&path, &error))
    };
    let design = mapped.ungated.clone().map_or_else(|| read(DESIGN), Ok)?;
    let (gates, cells) = (read(MAPPED)?, read(CELLS)?);
    let script = script(top, &boxes, mapped.ungated.is_some());
    let files = [(DESIGN, &design), (MAPPED, &gates), (CELLS, &cells), (SCRIPT, &script)];
    let (directory, _) =
        run("yosys", &["-q", "-s", SCRIPT], directory(&files.map(|(name, text)| (name, text.as_str())))?)?;
    let flat = |name: &str| {
        let text = written(&directory, name)?;
        let bad = |error: JsonError| FlowError::Io { path: directory.path().join(name), reason: error.to_string() };
        Module::read(&text, top).map_err(bad)
    };
    let matched = match Matched::new(&flat(DESIGN_JSON)?, &flat(GATES_JSON)?, &boxes) {
        Ok(matched) => matched,
        Err(Unmatched(reason)) => return Ok(Verdict::Undecided { reason }),
    };
    compare(&matched, limit)
}

/// Both as AND gates and inverters, their flip-flops as they are.
fn script(top: &str, boxes: &[&str], gated: bool) -> String {
    let gates = if gated { format!("blackbox {CLOCK_GATE}\n") } else { String::new() };
    let boxes: String = boxes.iter().map(|module| format!("blackbox {module}\n")).collect();
    format!(
        "read_verilog {DESIGN}\nhierarchy -check -top {top}\n{boxes}proc\nflatten\n\
         memory_collect\nmemory_map\nalumacc\ntechmap\nopt\ndffunmap\nsimplemap\n\
         aigmap\nopt_clean\nwrite_json {DESIGN_JSON}\n\
         design -reset\n\
         read_liberty -ignore_miss_func {CELLS}\nread_verilog {MAPPED}\n{gates}hierarchy -top {top}\n\
         proc\nflatten\naigmap\nopt_clean\nwrite_json {GATES_JSON}\n"
    )
}

/// By abc, which finds equal nets inside, and so comes to the end of what SAT alone would not.
fn compare(matched: &Matched, limit: Duration) -> Result<Verdict, FlowError> {
    let files = [("design.blif", &*matched.design), ("gates.blif", &*matched.gates)];
    // Its own limit of time is one of several phases.
    let command = format!("cec -T {} -C {CONFLICTS} {} {}", limit.as_secs(), files[0].0, files[1].0);
    let directory = directory(&files)?;
    let Some(said) = run_within(limit, "yosys-abc", &["-c", &command], &directory)? else {
        return Ok(Verdict::Undecided { reason: format!("there was no answer in {} s", limit.as_secs()) });
    };
    match verdict(&said, matched) {
        Some(verdict) => Ok(verdict),
        None => Err(FlowError::Failed { tool: "yosys-abc", directory: directory.keep("yosys-abc"), messages: said }),
    }
}

/// What it says.
fn verdict(said: &str, matched: &Matched) -> Option<Verdict> {
    if said.contains("Networks are equivalent") {
        return Some(Verdict::Proven { registers: matched.registers, compared: matched.outputs.len() });
    }
    if said.contains("UNDECIDED") {
        return Some(Verdict::Undecided { reason: "the solver has come to its limit".into() });
    }
    let (_, outputs) = said.split_once("Verification failed for at least")?.1.split_once("outputs:")?;
    let number = |word: &str| word.strip_prefix('o')?.parse::<usize>().ok();
    let places = outputs.lines().next()?.split_whitespace().filter_map(number);
    Some(Verdict::Refuted { places: places.filter_map(|i| matched.outputs.get(i).cloned()).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matched() -> Matched {
        let outputs = ["pop_data[0]", "next value of held[1]"].map(str::to_string).into();
        Matched { design: String::new(), gates: String::new(), outputs, registers: 1 }
    }

    #[test]
    fn what_abc_says() {
        let said = |text: &str| verdict(text, &matched());
        assert_eq!(
            said("Networks are equivalent after structural hashing.  Time =     0.00 sec"),
            Some(Verdict::Proven { registers: 1, compared: 2 })
        );
        assert_eq!(
            said(
                "Networks are NOT EQUIVALENT after structural hashing.  Verification failed for at least 1 outputs:  o1\n\
                  Output o1: Value in Network1 = 0. Value in Network2 = 1."
            ),
            Some(Verdict::Refuted { places: vec!["next value of held[1]".into()] })
        );
        assert!(matches!(said("Networks are UNDECIDED.  Time = 1.00 sec"), Some(Verdict::Undecided { .. })));
        assert_eq!(said("** cmd error: aborting"), None);
    }

    #[test]
    fn the_script() {
        insta::assert_snapshot!(script("Fetch", &["Memory_64x32"], false));
    }
}
