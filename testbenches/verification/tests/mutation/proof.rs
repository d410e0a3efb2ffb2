//! Whether a block with a mutant is the block, for all inputs and in all states: by yosys.
//!
//! Registers and outputs of both are matched by name, and shown to take the same next values from the same ones: induction over time.
//! What differs only in states that cannot be reached is not shown.
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use warploom_sim::netlist::Netlist;
use warploom_synth::verilog::export;
use warploom_verification::mutation::{Selection, numbered, weave};

/// Longer than that it is not decided.
const LIMIT: Duration = Duration::from_secs(60);

/// Proven to be equivalent; without yosys nothing is.
pub fn is_equivalent(block: &Netlist, mutant: &str) -> bool {
    let numbers = numbered(std::iter::once(mutant));
    let design = |number| export(&weave(block, &numbers, Selection::Fixed(number)));
    let (gold, gate) = (design(0), design(1));
    let top = &block.top().name;
    // Names of all but registers are hidden: what is inside may differ. An output that is a register, or an input, gets a buffer: in only one of
    // both, the two names would be one wire, which is then matched with two of the other one, and made to depend on itself: from that, all follows.
    let read = |side: &str| {
        format!(
            "read_verilog {side}.v; hierarchy -check -top {top}; proc; flatten; memory -nomap; memory_map; opt_clean;\n\
             select -set hidden w:* t:$dff* t:$sdff* %u %co1:+[Q] w:* %i %d; rename -hide @hidden\n\
             rename {top} {side}; insbuf; design -stash {side}\n"
        )
    };
    let script = format!(
        "{}{}design -copy-from gold -as gold gold; design -copy-from gate -as gate gate\n\
         equiv_make gold gate both; hierarchy -top both; opt -fast\n\
         equiv_simple; equiv_induct -seq 3; equiv_status -assert\n",
        read("gold"),
        read("gate")
    );
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in [("gold.v", &gold), ("gate.v", &gate), ("script.ys", &script)] {
        fs::write(folder.path().join(name), text).expect("a file that can be written");
    }
    let mut yosys = Command::new("yosys");
    yosys.args(["-q", "-s", "script.ys"]).current_dir(folder.path());
    let Ok(mut child) = yosys.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn() else {
        return false;
    };
    let start = Instant::now();
    loop {
        match child.try_wait().expect("a child") {
            Some(status) => return status.success(),
            None if start.elapsed() > LIMIT => {
                child.kill().expect("a child");
                child.wait().expect("a child");
                return false;
            }
            None => std::thread::sleep(Duration::from_millis(10)),
        }
    }
}
