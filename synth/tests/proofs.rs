//! Proofs about exported Verilog, by yosys and its SAT solver: properties that hold for every input, not only for those of a test.
//!
//! The properties stand in `proofs/*.sv`, each in a module `miter` around the block. Every proof is made twice, the second
//! time of a block with a fault, which it must find.
mod support;

use std::process::{Command, Stdio};

use warploom_hdl::config::{CoreConfig, DualPathVariant, Mechanism, Permutation, Turns};
use warploom_hdl::divergence::{
    AdequacyEvaluator, CompactionLane, LanePermutation, SubWarpUnit, TurnScheduler, WarpCompactionUnit,
};
use warploom_hdl::issue::{DualPathScoreboard, ThreadScoreboard};
use warploom_hdl::memory_system::dram::{ChannelConfig, DramScheduler, DramTiming};
use warploom_hdl::prelude::{PriorityEncoder, index_width};
use warploom_hdl::replay::{CreditTracker, PrivateMasks, ReplayWindow};

use support::{verilog, yosys_is_here};

/// What is to be proved.
struct Proof<'a> {
    /// File of the properties, in `proofs/`.
    properties: &'a str,
    /// Parameters of `miter`.
    parameters: &'a [(&'a str, usize)],
    /// Registers that the properties speak of: a wire of `miter`, and what it is connected to once the design is flat.
    registers: &'a [(&'a str, &'a str)],
    /// How yosys' `sat` goes about it.
    method: String,
}

impl Proof<'_> {
    /// Whether it holds for a design; panics with what yosys said if it has not got that far.
    fn holds(&self, design: &str) -> bool {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let file = directory.path().join("design.v");
        std::fs::write(&file, design).expect("a writable file");
        let properties = format!("{}/tests/proofs/{}.sv", env!("CARGO_MANIFEST_DIR"), self.properties);
        let set: String = self.parameters.iter().map(|(name, value)| format!("-set {name} {value} ")).collect();
        let registers: String =
            self.registers.iter().map(|(wire, register)| format!("connect -set {wire} {register}; ")).collect();
        let script = format!(
            "read_verilog -sv -formal {} {properties}; chparam {set} miter; prep -flatten -top miter; memory_map; {registers}\
             sat -set-assumes -prove-asserts -verify {}",
            file.display(),
            self.method
        );
        let yosys =
            Command::new("yosys").args(["-q", "-p", &script]).stdin(Stdio::null()).output().expect("yosys runs");
        let said = String::from_utf8_lossy(&[yosys.stdout, yosys.stderr].concat()).into_owned();
        let refuted = said.contains("proof did fail");
        assert!(yosys.status.success() || refuted, "{said}");
        !refuted
    }

    /// Proves it for a design, and refutes it for the design with `fault` in place of its first element.
    fn check(&self, design: &str, fault: (&str, &str)) {
        assert!(self.holds(design), "{} {:?} does not hold", self.properties, self.parameters);
        self.refute(design, fault);
    }

    /// Refutes it for the design with `fault` in place of its first element.
    fn refute(&self, design: &str, fault: (&str, &str)) {
        assert!(design.contains(fault.0), "no `{}` in\n{design}", fault.0);
        let faulty = design.replace(fault.0, fault.1);
        assert!(!self.holds(&faulty), "{} {:?} misses {fault:?}", self.properties, self.parameters);
    }
}

#[test]
fn the_priority_encoder_finds_the_lowest_bit() {
    if !yosys_is_here() {
        return;
    }
    for width in [4, 5, 16, 32, 48] {
        let proof = Proof {
            properties: "priority_encoder",
            parameters: &[("WIDTH", width), ("INDEX", index_width(width))],
            registers: &[],
            method: String::new(),
        };
        proof.check(&verilog(PriorityEncoder::new(width)), ("(~found", "(found"));
    }
}

#[test]
fn balanced_permutation_spreads_every_lane() {
    if !yosys_is_here() {
        return;
    }
    for lanes in [4, 8, 16, 32] {
        let design = |kind| verilog(LanePermutation::new(kind, lanes, lanes));
        let proof = Proof {
            properties: "lane_permutation",
            parameters: &[("WIDTH", index_width(lanes))],
            registers: &[],
            method: String::new(),
        };
        proof.check(&design(Permutation::Balanced), ("enable ?", "!enable ?"));
        assert!(!proof.holds(&design(Permutation::WarpNumber)), "{lanes} lanes");
    }
}

#[test]
fn a_compaction_lane_selects_each_thread_once() {
    if !yosys_is_here() {
        return;
    }
    for rows in [4, 8, 32, 48] {
        let proof = Proof {
            properties: "compaction_lane",
            parameters: &[("ROWS", rows), ("INDEX", index_width(rows))],
            registers: &[("pending", "lane.pending")],
            method: "-tempinduct".into(),
        };
        proof.check(&verilog(CompactionLane::new(rows)), ("else if (step)", "else if (!step)"));
    }
}

#[test]
#[ignore = "long: a whole compaction unrolled; runs in .ci/run"]
fn a_warp_compaction_step_loses_no_thread() {
    if !yosys_is_here() {
        return;
    }
    for rows in [4, 5] {
        let proof = Proof {
            properties: "warp_compaction_unit",
            parameters: &[("ROWS", rows), ("INDEX", index_width(rows)), ("COUNT", index_width(rows + 1))],
            registers: &[],
            method: format!("-seq {} -set-at 1 load 1 -prove-skip 1", rows + 2),
        };
        let design = verilog(WarpCompactionUnit::new(4, rows)) + &verilog(AdequacyEvaluator::new(4, rows));
        proof.check(&design, ("own_choice ?", "!own_choice ?"));
    }
}

/// Of a turn scheduler, with as many instructions in a block as in a turn: a thread waits for less than twice as many as all lanes' turns have.
fn turns(lanes: usize, warps: usize, entries: usize, turns: Turns) -> (Vec<(&'static str, usize)>, String) {
    let parameters = [
        ("LANES", lanes),
        ("LANE", index_width(lanes)),
        ("WARPS", warps),
        ("WARP", index_width(warps)),
        ("QUANTUM", turns.quantum),
        ("BLOCK", turns.quantum),
        ("ENTRIES", entries),
    ];
    (parameters.into(), verilog(TurnScheduler::new(lanes, warps, entries, turns)))
}

fn turn_proof<'a>(parameters: &'a [(&'a str, usize)]) -> Proof<'a> {
    Proof {
        properties: "turn_scheduler",
        parameters,
        registers: &[
            ("turn_of", "unit.lane[0]"),
            ("barred", "unit.barred[0]"),
            ("instructions", "unit.counters.instructions[0]"),
        ],
        method: "-tempinduct".into(),
    }
}

#[test]
fn who_can_run_is_given_a_turn() {
    if !yosys_is_here() {
        return;
    }
    let (parameters, design) = turns(4, 4, 4, Turns { spin: 2, quantum: 4 });
    let proof = turn_proof(&parameters);
    // Threads that a walk has released are not next.
    proof.check(&design, ("schedulable <= schedulable | left", "schedulable <= schedulable"));
    // The lowest lane is next, not the one behind the last.
    proof.refute(&design, ("lane_bit | (lane_bit - 4'd1)", "lane_bit"));
    // Every branch begins a new turn.
    proof.refute(&design, ("restart | ~others;", "1'd1;"));
    // An instruction decoded while the engine serves a branch does not count.
    proof.refute(&design, ("if (decoded_valid) instructions", "if (decoded_valid & ~serves) instructions"));
}

#[test]
fn no_thread_of_a_large_warp_is_in_flight_twice() {
    if !yosys_is_here() {
        return;
    }
    let design = verilog(SubWarpUnit::new(4, 4));
    let method = "-tempinduct -maxsteps 8".into();
    let proof = Proof { properties: "sub_warp_unit", parameters: &[], registers: &[], method };
    // A thread in flight is packed.
    proof.check(&design, ("waiting & ~busy", "waiting"));
    // A row with a thread in flight issues.
    proof.refute(&design, ("owed & ~blocked", "owed"));
    // A jump does not wait for those in flight.
    proof.refute(&design, ("& ~has_blocked", ""));
    // A result of another lane counts.
    proof.refute(&design, ("release_mask[0]", "release_mask[1]"));
}

/// The slots of a warp, the masks of their loads, and the promises of MSHRs.
#[test]
fn a_load_is_issued_again_until_each_of_its_threads_is_done_once() {
    if !yosys_is_here() {
        return;
    }
    for slots in [2, 4, 8] {
        let proof = Proof {
            properties: "replay_window",
            parameters: &[("SLOTS", slots), ("SLOT", index_width(slots))],
            registers: &[
                ("filled", "window.filled"),
                ("issued", "window.issued"),
                ("tail", "window.tail"),
                ("again", "window.again"),
            ],
            method: "-tempinduct".into(),
        };
        proof.check(&verilog(ReplayWindow::new(slots)), ("- {1'd0, behind}", "- {1'd0, behind} + 1'd1"));
    }
    let (lanes, warps, slots) = (4, 4, 4);
    let proof = Proof {
        properties: "private_masks",
        parameters: &[("LANES", lanes)],
        registers: &[],
        method: "-tempinduct".into(),
    };
    proof.check(&verilog(PrivateMasks::new(lanes, warps, slots)), ("& ~check_done", "| check_done"));
    for (mshrs, looks) in [(2, 3), (32, 12)] {
        let width = index_width(mshrs.max(looks) + 1) + 1;
        let proof = Proof {
            properties: "credit_tracker",
            parameters: &[("MSHRS", mshrs), ("WIDTH", width)],
            registers: &[],
            method: "-tempinduct".into(),
        };
        proof.check(&verilog(CreditTracker::new(mshrs, looks)), (", returns}", ", 1'd0}"));
    }
}

#[test]
#[ignore = "long: an inductive proof of the papers' size; runs in .ci/run"]
fn who_can_run_is_given_a_turn_on_the_papers_core() {
    if !yosys_is_here() {
        return;
    }
    let (parameters, design) = turns(32, 32, 32, Turns::DEFAULT);
    assert!(turn_proof(&parameters).holds(&design));
}

/// Also settles what the paper leaves open. Its prose copies the pending bits of the side that diverges or reconverges to that side's
/// shadow; in its Figure 3.6 the other side's are copied too. Copying the side that threads leave is enough, so the prose is right as
/// long as a reconvergence counts for each side that threads come back from. Copying both is as safe and asks for no side.
/// Copying the side that they go to, or always the same one, is not.
#[test]
#[ignore = "long: nine inductive proofs; runs in .ci/run"]
fn scoreboards_hold_what_is_owed_and_no_longer() {
    if !yosys_is_here() {
        return;
    }
    let config = CoreConfig { mechanism: Mechanism::DualPath(DualPathVariant::Optimistic), ..CoreConfig::tiny() };
    let design = verilog(DualPathScoreboard::new(&config)) + &verilog(ThreadScoreboard::new(&config));
    let proof = |parameters| Proof {
        properties: "dual_path_scoreboard",
        parameters,
        registers: &[],
        method: "-tempinduct".into(),
    };
    let by_path = proof(&[]);
    // A released register stays in the shadow.
    by_path.check(&design, ("clear ? (shadow_0 & ~clear_mask) : shadow_0", "shadow_0"));
    // What issues in the cycle of the copy does not get into the shadow.
    by_path.refute(&design, ("still_shadowed | still_pending", "still_shadowed | kept"));
    // A path does not look at the other one's shadows.
    by_path.refute(&design, ("pending | foreign", "pending"));
    // The results of another lane count.
    proof(&[("BY_THREAD", 1)]).check(&design, ("clear_lanes[0]", "clear_lanes[1]"));

    // Copies of warp 2 are of warp 0's right side instead.
    let (left, right) = design.split_once("ScoreboardRow rows_4 (").expect("warp 0's right side");
    let one_side = format!("{left}ScoreboardRow rows_4 ({}", right.replacen("copied_rows[0]", "copied_rows[2]", 1));
    assert!(proof(&[("ONE_SIDE", 1)]).holds(&one_side), "it is enough to copy the side that threads leave");
    assert!(!proof(&[("ONE_SIDE", 2)]).holds(&one_side), "it is not to copy the side that they go to");
    let only_left = format!("{left}ScoreboardRow rows_4 ({}", right.replacen("copied_rows[0]", "1'b0", 1));
    assert!(!by_path.holds(&only_left), "nor always the same one");
}

/// Times that differ, and are short: how far back induction has to look.
const SHORT: DramTiming = DramTiming {
    banks: 4,
    groups: 2,
    read_latency: 4,
    write_latency: 2,
    burst: 1,
    turn: 2,
    rcd: 3,
    rcd_write: 2,
    rp: 3,
    rc: 12,
    ras: 5,
    rrd: 2,
    ccd: 2,
    ccd_group: 3,
    cdlr: 3,
    wr: 4,
    rtp: 4,
    rtp_group: 3,
    faw: 14,
    refi: 16,
    rfc: 8,
};

/// The same with one that is too short, by its name.
fn shorter(rule: &str) -> DramTiming {
    let mut timing = SHORT;
    *match rule {
        "RCD" => &mut timing.rcd,
        "RCDWR" => &mut timing.rcd_write,
        "RP" => &mut timing.rp,
        "RC" => &mut timing.rc,
        "RAS" => &mut timing.ras,
        "RRD" => &mut timing.rrd,
        "CCD" => &mut timing.ccd,
        "CCDL" => &mut timing.ccd_group,
        "RTP" => &mut timing.rtp,
        "RTPL" => &mut timing.rtp_group,
        "RTW" => &mut timing.turn,
        "WTR" => &mut timing.cdlr,
        "WTP" => &mut timing.wr,
        "FAW" => &mut timing.faw,
        "RFC" => &mut timing.rfc,
        _ => unreachable!("{rule}"),
    } -= 1;
    timing
}

#[test]
#[ignore = "long: an inductive proof, and a fault for each of 15 rules; runs in .ci/run"]
fn commands_to_dram_keep_every_rule_of_its_timing() {
    if !yosys_is_here() {
        return;
    }
    let t = SHORT;
    let parameters = [
        ("RCD", t.rcd),
        ("RCDWR", t.rcd_write),
        ("RP", t.rp),
        ("RC", t.rc),
        ("RAS", t.ras),
        ("RRD", t.rrd),
        ("CCD", t.ccd),
        ("CCDL", t.ccd_group),
        ("RTP", t.rtp),
        ("RTPL", t.rtp_group),
        ("RTW", t.read_to_write()),
        ("WTR", t.write_to_read()),
        ("WTP", t.write_to_precharge()),
        ("FAW", t.faw),
        ("RFC", t.rfc),
    ];
    let design = |timing: DramTiming| {
        let (row_width, column_width, id_width, bursts) = (1, 1, 1, 2);
        let config = ChannelConfig::new(&timing, 64, id_width);
        verilog(DramScheduler::new(&ChannelConfig { queue: 2, starve: 0, row_width, column_width, bursts, ..config }))
    };
    let proof = |method: &str| Proof {
        properties: "dram_scheduler",
        parameters: &parameters,
        registers: &[],
        method: method.into(),
    };
    assert!(proof("-tempinduct -maxsteps 24").holds(&design(SHORT)));
    for (rule, _) in parameters {
        // Within a run from reset that is long enough to break it.
        assert!(!proof("-tempinduct -tempinduct-baseonly -maxsteps 50").holds(&design(shorter(rule))), "{rule}");
    }
}
