//! Every block of the catalog against its gates, by SAT; and that a wrong gate is found.
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use warploom_hdl::catalog::{CATALOG, CatalogEntry};
use warploom_hdl::config::CoreConfig;
use warploom_hdl::parts::Fifo;
use warploom_hdl::prelude::Block;
use warploom_requirements::{Shown, met};
use warploom_sim::elaborate;
use warploom_sim::netlist::Netlist;
use warploom_synth::cells::{Cells, OSU018};
use warploom_synth::flow::{FlowOptions, map};
use warploom_synth::prove::{Verdict, prove};
use warploom_synth::tools::tool;
use warploom_synth::verilog::export;

/// Blocks that are not proved here, and why; of those without an answer, what holds one of them has none, either.
const LEFT_OUT: &[(&str, &str)] = &[
    ("multiplier", PROVEN),
    ("multiply", PROVEN),
    ("convergence_links", PROVEN),
    ("memory_queue", PROVEN),
    ("thread_scoreboard", PROVEN),
    ("performance_counters", PROVEN),
    ("lane", NO_ANSWER),
    ("spe_stack", NO_ANSWER),
    ("l1_data_cache", NO_ANSWER),
    ("float_multiply_add", NO_ANSWER),
    ("cta_stack", NO_ANSWER),
    ("dual_path_stack", NO_ANSWER),
    ("warp_split_table", NO_ANSWER),
    ("dram_scheduler", PROVEN),
    ("write_buffer", NO_ANSWER),
    ("dram_controller", NO_ANSWER),
    ("l2_slice", NO_ANSWER),
    ("interconnect", NO_ANSWER),
    ("core_port", PROVEN),
    ("delay_line", PROVEN),
    ("l2_port", PROVEN),
    ("cta_dispatcher", TWINS),
];

/// `warploom synth NAME --preset tiny --prove` has proved it.
const PROVEN: &str = "proven, but it takes ten seconds and more: not in every test run";
const NO_ANSWER: &str = "no answer in four minutes, mapping included, on a busy machine";

const TWINS: &str = "not decided on tiny: with no more lanes than are filled in a cycle a counter repeats another, and the gates have only one of them";

/// Longer than any of them takes; it is there for the machine that is busy.
const LIMIT: Duration = Duration::from_secs(600);

/// The cells, if they and yosys are here.
fn cells() -> Option<Cells> {
    let yosys = tool("yosys").expect("a known tool").is_here();
    if !met(&[("yosys", yosys), ("the OSU018 cells", Path::new(OSU018).exists())]) {
        return None;
    }
    Some(Cells::load(None).unwrap_or_else(|error| panic!("{error}")))
}

/// Without parts told apart, the proof being about the whole.
fn options() -> FlowOptions {
    FlowOptions { depth: 0, ..FlowOptions::default() }
}

fn netlist(mut block: Box<dyn Block>) -> Netlist {
    block.connect_all();
    elaborate(block.as_ref()).unwrap_or_else(|error| panic!("{error}"))
}

/// The name of its type.
fn source(entry: &CatalogEntry) -> String {
    netlist((entry.build)(&CoreConfig::tiny())).top().source.clone()
}

/// What it holds of the blocks that there is no answer for.
fn held(entry: &CatalogEntry, without_answer: &[String]) -> Option<String> {
    let netlist = netlist((entry.build)(&CoreConfig::tiny()));
    netlist.modules.iter().map(|module| module.source.clone()).find(|source| without_answer.contains(source))
}

fn verdict(name: &str, netlist: &Netlist, cells: &Cells) -> Verdict {
    let mapped = map(netlist, cells, &options()).unwrap_or_else(|error| panic!("{name}: {error}"));
    prove(netlist, &mapped, LIMIT).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Proves all blocks whose names are chosen, but for those of which it has been shown.
fn are_equal_to_their_gates(cells: &Cells, is_chosen: impl Fn(&str) -> bool) {
    let blocks: Vec<_> = CATALOG.iter().filter(|entry| is_chosen(entry.name)).collect();
    assert!(!blocks.is_empty(), "no block has such a name");
    let (next, shown) = (AtomicUsize::new(0), Shown::by("gates"));
    let work = || {
        while let Some(entry) = blocks.get(next.fetch_add(1, Ordering::Relaxed)) {
            let netlist = netlist((entry.build)(&CoreConfig::tiny()));
            let design = export(&netlist);
            if !shown.is_due(entry.name, &design) {
                continue;
            }
            let verdict = verdict(entry.name, &netlist, cells);
            println!("{}: {verdict}", entry.name);
            assert!(matches!(verdict, Verdict::Proven { compared, .. } if compared > 0), "{}: {verdict}", entry.name);
            shown.record(entry.name, &design);
        }
    };
    let processors = std::thread::available_parallelism().map_or(1, |number| number.get().min(8));
    std::thread::scope(|scope| (0..processors).for_each(|_| drop(scope.spawn(work))));
}

#[test]
fn small_blocks_are_equal_to_their_gates() {
    let Some(cells) = cells() else { return };
    let small = ["priority_encoder", "round_robin_arbiter", "branch_sides", "capt_entry"];
    are_equal_to_their_gates(&cells, |name| small.contains(&name));
}

#[test]
#[ignore = "long: some sixty proofs by yosys; runs in .ci/run"]
fn every_block_is_equal_to_its_gates() {
    let Some(cells) = cells() else { return };
    let mut left_out = vec![];
    for (name, reason) in LEFT_OUT {
        assert!(CATALOG.iter().any(|entry| entry.name == *name), "there is no block {name} to leave out");
        left_out.push((*name, reason.to_string()));
    }
    let has_no_answer = |entry: &&CatalogEntry| LEFT_OUT.contains(&(entry.name, NO_ANSWER));
    let without_answer: Vec<String> = CATALOG.iter().filter(has_no_answer).map(source).collect();
    for entry in CATALOG.iter().filter(|entry| LEFT_OUT.iter().all(|(name, _)| *name != entry.name)) {
        left_out.extend(held(entry, &without_answer).map(|held| (entry.name, format!("holds {held}"))));
    }
    left_out.iter().for_each(|(name, reason)| println!("{name}: left out: {reason}"));
    let is_left_out = |name: &str| left_out.iter().any(|(other, _)| *other == name);
    // One or a few by name, for whoever works on them.
    let only = std::env::var("WARPLOOM_BLOCKS").ok();
    are_equal_to_their_gates(&cells, |name| match &only {
        Some(only) => only.split(',').any(|other| other == name),
        None => !is_left_out(name),
    });
}

#[test]
fn a_wrong_gate_is_found() {
    let Some(cells) = cells() else { return };
    let netlist = netlist(Box::new(Fifo::new(4, 3)));
    let mapped = map(&netlist, &cells, &options()).unwrap_or_else(|error| panic!("{error}"));
    assert!(matches!(prove(&netlist, &mapped, LIMIT), Ok(Verdict::Proven { .. })));
    let path = mapped.directory().join("mapped.v");
    let gates = std::fs::read_to_string(&path).expect("the gates");
    for (right, wrong) in [("NAND2X1", "NOR2X1"), ("AOI21X1", "OAI21X1")] {
        assert!(gates.contains(right), "no {right} in\n{gates}");
        std::fs::write(&path, gates.replacen(right, wrong, 1)).expect("a writable file");
        match prove(&netlist, &mapped, LIMIT) {
            Ok(Verdict::Refuted { places }) => assert!(!places.is_empty()),
            other => panic!("{wrong} in place of {right}: {other:?}"),
        }
    }
}

#[test]
fn a_register_that_is_missing_is_no_proof() {
    let Some(cells) = cells() else { return };
    let small = netlist(Box::new(Fifo::new(4, 3)));
    let large = netlist(Box::new(Fifo::new(4, 4)));
    let mapped = map(&small, &cells, &options()).unwrap_or_else(|error| panic!("{error}"));
    let other = map(&large, &cells, &options()).unwrap_or_else(|error| panic!("{error}"));
    std::fs::copy(other.directory().join("mapped.v"), mapped.directory().join("mapped.v")).expect("a copy");
    assert!(matches!(prove(&small, &mapped, LIMIT), Ok(Verdict::Undecided { .. })));
}

/// The same with gated clocks.
fn gated() -> FlowOptions {
    FlowOptions { gate_clocks: true, ..options() }
}

fn of_catalog(name: &str) -> Netlist {
    let entry = CATALOG.iter().find(|entry| entry.name == name).expect("a block of the catalog");
    netlist((entry.build)(&CoreConfig::tiny()))
}

#[test]
fn blocks_with_gated_clocks_are_equal_to_their_gates() {
    let Some(cells) = cells() else { return };
    for name in ["capt_entry", "warp_compaction_unit"] {
        let netlist = of_catalog(name);
        let mapped = map(&netlist, &cells, &gated()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let clocks = mapped.clock_gates.expect("they were asked for");
        assert!(clocks.gates > 0 && clocks.flip_flops >= 4 * clocks.gates, "{name}: {clocks:?}");
        let verdict = prove(&netlist, &mapped, LIMIT).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(matches!(verdict, Verdict::Proven { .. }), "{name}: {verdict}");
    }
}

#[test]
fn a_gate_that_opens_at_the_wrong_time_is_found() {
    let Some(cells) = cells() else { return };
    let netlist = of_catalog("capt_entry");
    let mapped = map(&netlist, &cells, &gated()).unwrap_or_else(|error| panic!("{error}"));
    let path = mapped.directory().join("mapped.v");
    let gates = std::fs::read_to_string(&path).expect("the gates");
    let (before, rest) = gates.split_once("  ClockGate ").expect("a gate");
    let (pins, rest) = rest.split_once(".enable(").expect("its enable");
    let (_, rest) = rest.split_once(')').expect("the end of the pin");
    // Always and never.
    for wrong in ["1'h1", "1'h0"] {
        std::fs::write(&path, format!("{before}  ClockGate {pins}.enable({wrong}){rest}")).expect("a writable file");
        match prove(&netlist, &mapped, LIMIT) {
            Ok(Verdict::Refuted { places }) => assert!(!places.is_empty()),
            other => panic!("{wrong}: {other:?}"),
        }
    }
}
