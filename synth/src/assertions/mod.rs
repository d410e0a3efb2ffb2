//! SystemVerilog assertions about the modules, exported with them under `` `ifdef FORMAL ``.
//!
//! One file per module, `MODULE.sv`: statements of a clocked process that runs outside reset, each assertion below the sentence
//! that it states. They speak of what is in the exported module: ports, registers, memories, wires.
//!
//! What depends on sizes is written with `$bits`. Where a module has several signals of a kind, `$each(OP, TERM)` joins, by the
//! operator OP, one TERM for each number that `*` in it can stand for: `$each(|, slots_*_valid)` is `(slots_0_valid | slots_1_valid)`.
//!
//! The statements are those that yosys 0.23, Verilator 5.006 and Icarus 11 understand: immediate assertions without labels.
use std::fmt::Write;

/// The assertions of one module.
#[derive(Clone, Copy, Debug)]
pub struct Assertions {
    /// The module, as its Rust type is named.
    pub module: &'static str,
    /// Its statements, with [`$each`](self).
    statements: &'static str,
}

macro_rules! assertions {
    ($($module:literal: $file:literal,)*) => {
        /// Of all modules that have some.
        pub const ASSERTIONS: &[Assertions] =
            &[$(Assertions { module: $module, statements: include_str!($file) }),*];
    };
}

assertions! {
    "BarrierSlot": "barrier_slot.sv",
    "Capt": "capt.sv",
    "CompactionLane": "compaction_lane.sv",
    "CompactionSlot": "compaction_slot.sv",
    "Core": "core.sv",
    "CtaDispatcher": "cta_dispatcher.sv",
    "CtaPathStack": "cta_path_stack.sv",
    "CtaStack": "cta_stack.sv",
    "DualPathCompaction": "dual_path_compaction.sv",
    "DualPathStack": "dual_path_stack.sv",
    "DynamicWarpFormation": "dynamic_warp_formation.sv",
    "FifoControl": "fifo_control.sv",
    "IndependentThreads": "independent_threads.sv",
    "IssueStage": "issue_stage.sv",
    "LargeWarps": "large_warps.sv",
    "LoadGroup": "load_group.sv",
    "LoadTable": "load_table.sv",
    "MemoryQueue": "memory_queue.sv",
    "MshrGroup": "mshr_group.sv",
    "MshrTable": "mshr_table.sv",
    "OldestFirstArbiter": "arbiter.sv",
    "ParkedLane": "parked_lane.sv",
    "PathColumn": "path_column.sv",
    "PoolSlot": "pool_slot.sv",
    "ResolveQueue": "resolve_queue.sv",
    "RoundRobinArbiter": "arbiter.sv",
    "ScoreboardRow": "scoreboard_row.sv",
    "SpeStack": "spe_stack.sv",
    "SubWarpLane": "sub_warp_lane.sv",
    "SubWarpUnit": "sub_warp_unit.sv",
    "ThreadColumn": "thread_column.sv",
    "TurnScheduler": "turn_scheduler.sv",
    "TwoLevelArbiter": "arbiter.sv",
    "WarpBarriers": "warp_barriers.sv",
    "WarpLutWay": "warp_lut_way.sv",
    "WarpScheduler": "warp_scheduler.sv",
    "WarpSlot": "warp_slot.sv",
    "WarpSplitTable": "warp_split_table.sv",
    "Writeback": "writeback.sv",
}

/// Those of the module of this Rust type.
pub fn of(module: &str) -> Option<&'static Assertions> {
    ASSERTIONS.iter().find(|assertions| assertions.module == module)
}

impl Assertions {
    /// The sentences, in order: what each assertion states.
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences = vec![];
        let mut sentence = String::new();
        for line in self.statements.lines().map(str::trim) {
            match line.strip_prefix("// ") {
                Some(part) => {
                    let space = if sentence.is_empty() { "" } else { " " };
                    write!(sentence, "{space}{part}").expect("a string grows");
                }
                None if line.contains("assert (") => sentences.push(std::mem::take(&mut sentence)),
                None => {}
            }
        }
        sentences
    }

    /// The text for a module with these nets and memories, to stand before its `endmodule`.
    pub(crate) fn verilog(&self, names: &[&str]) -> String {
        let mut text = "\n`ifdef FORMAL\n  /* verilator lint_off WIDTH */\n".to_string();
        text += "  always @(posedge clock) if (!reset) begin : assertions\n";
        for line in expanded(self.statements, names).lines() {
            let indent = if line.is_empty() { "" } else { "    " };
            writeln!(text, "{indent}{line}").expect("a string grows");
        }
        text + "  end\n  /* verilator lint_on WIDTH */\n`endif\n"
    }
}

/// With every `$each` written out.
fn expanded(text: &str, names: &[&str]) -> String {
    let Some((before, rest)) = text.split_once("$each(") else { return text.to_string() };
    let (operator, rest) = rest.split_once(',').expect("`$each(OP, TERM)`");
    let mut open = 1;
    let end = rest.find(|c| {
        open += (c == '(') as i32 - (c == ')') as i32;
        open == 0
    });
    let (term, after) = rest.split_at(end.expect("`$each` is closed"));
    let terms: Vec<_> = numbers(term, names).map(|number| term.trim().replace('*', &number.to_string())).collect();
    let joined = if terms.is_empty() { "1'b0".to_string() } else { terms.join(&format!(" {operator} ")) };
    format!("{before}({joined}{}", expanded(after, names))
}

/// The numbers for which the first name with a `*` in `term` exists.
fn numbers<'a>(term: &'a str, names: &'a [&str]) -> impl Iterator<Item = usize> + 'a {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '*';
    let name = term.split(|c| !is_name(c)).find(|name| name.contains('*')).expect("a `*` in `$each`");
    (0..).take_while(move |number| names.contains(&name.replace('*', &number.to_string()).as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_written_out() {
        let names = ["used_0", "used_1", "used_3"];
        assert_eq!(
            expanded("assert ($each(|, (used_*[w] ? masks_*[w] : 0)) == $each(+, used_*));", &names),
            "assert (((used_0[w] ? masks_0[w] : 0) | (used_1[w] ? masks_1[w] : 0)) == (used_0 + used_1));"
        );
        assert_eq!(expanded("$each(|, links_*_arrived)", &names), "(1'b0)");
    }

    #[test]
    fn every_assertion_has_a_sentence() {
        for assertions in ASSERTIONS {
            let sentences = assertions.sentences();
            assert!(!sentences.is_empty(), "{}", assertions.module);
            for sentence in sentences {
                assert!(sentence.ends_with('.'), "{}: `{sentence}`", assertions.module);
            }
        }
    }
}
