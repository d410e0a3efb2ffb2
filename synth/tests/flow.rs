//! Blocks all the way to cells and their longest path, with the tools themselves.
use std::path::Path;

use warploom_hdl::config::{AdequacyHistory, AdequacyPredictor};
use warploom_hdl::divergence::Capt;
use warploom_hdl::parts::{Fifo, RoundRobinArbiter};
use warploom_hdl::prelude::{Block, PriorityEncoder};
use warploom_requirements::met;
use warploom_sim::elaborate;
use warploom_sim::netlist::Netlist;
use warploom_synth::cells::{Cells, OSU018};
use warploom_synth::check::check;
use warploom_synth::clock_gates;
use warploom_synth::flow::{FlowOptions, GatedClocks, map};
use warploom_synth::memories::Large;
use warploom_synth::timing::critical_path;
use warploom_synth::tools::tool;

/// The cells, if they and the tools are here.
fn cells() -> Option<Cells> {
    let is_here = |name| tool(name).expect("a known tool").is_here();
    let cells = Path::new(OSU018).exists();
    if !met(&[("yosys", is_here("yosys")), ("sta", is_here("sta")), ("the OSU018 cells", cells)]) {
        return None;
    }
    Some(Cells::load(None).unwrap_or_else(|error| panic!("{error}")))
}

fn netlist(mut block: impl Block) -> Netlist {
    block.connect_all();
    elaborate(&block).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn an_encoder_is_as_large_and_as_fast_as_encoders_are() {
    let Some(cells) = cells() else { return };
    let netlist = netlist(PriorityEncoder::new(32));
    let mapped = map(&netlist, &cells, &FlowOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    let ge = mapped.total.area / cells.library.gate_area;
    assert!((100.0..800.0).contains(&ge), "{ge} GE");
    assert_eq!((mapped.total.flip_flops, mapped.memories.len()), (0, 0));
    let path = critical_path(&netlist, &mapped, &cells).unwrap_or_else(|error| panic!("{error}")).expect("a path");
    assert!((0.5..5.0).contains(&path.delay_ns) && path.cells > 2, "{path:?}");
}

#[test]
fn registers_are_flip_flops_and_paths_end_at_them() {
    let Some(cells) = cells() else { return };
    let netlist = netlist(RoundRobinArbiter::new(8));
    let mapped = map(&netlist, &cells, &FlowOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    let bits: usize = netlist.modules.iter().flat_map(|module| &module.registers).map(|register| register.width).sum();
    assert_eq!(mapped.total.flip_flops, bits);
    let path = critical_path(&netlist, &mapped, &cells).unwrap_or_else(|error| panic!("{error}")).expect("a path");
    // yosys' own names start so.
    assert!(!path.start.starts_with('_') && !path.end.starts_with('_'), "{path:?}");
}

#[test]
fn a_large_memory_is_apart_and_the_rest_is_told_apart() {
    let Some(cells) = cells() else { return };
    let netlist = netlist(Fifo::new(8, 33));
    let with = |bits| {
        let options = FlowOptions { large: Large::from(bits), flatten: false, ..FlowOptions::default() };
        map(&netlist, &cells, &options).unwrap_or_else(|error| panic!("{error}"))
    };
    let (inside, apart) = (with(usize::MAX), with(1));
    assert_eq!((inside.memories.len(), apart.memories.len()), (0, 1));
    let bits = apart.memories[0].bits() * apart.memories[0].count;
    assert_eq!(inside.total.flip_flops, apart.total.flip_flops + bits);
    let sum: f64 = inside.parts.iter().map(|part| part.size.area).sum();
    assert!((sum - inside.total.area).abs() < 1e-6 && inside.parts.len() > 1, "{:?}", inside.parts);
}

#[test]
fn what_is_too_large_to_flatten_is_mapped_module_by_module() {
    let Some(cells) = cells() else { return };
    let netlist = netlist(Fifo::new(8, 33));
    let with = |flatten_up_to| {
        let options = FlowOptions { flatten_up_to, ..FlowOptions::default() };
        map(&netlist, &cells, &options).unwrap_or_else(|error| panic!("{error}"))
    };
    let (whole, apart) = (with(usize::MAX), with(10));
    assert!(whole.flattened && !apart.flattened);
    assert_eq!(whole.total.flip_flops, apart.total.flip_flops);
    let sum: f64 = apart.parts.iter().map(|part| part.size.area).sum();
    assert!((sum - apart.total.area).abs() < 1e-6, "{:?}", apart.parts);
}

fn capt() -> Netlist {
    netlist(Capt::new(AdequacyPredictor { entries: 4, history: AdequacyHistory::Latest }))
}

const GATED: FlowOptions = FlowOptions {
    clock_ns: 10.0,
    depth: 1,
    flatten: true,
    flatten_up_to: 100_000,
    large: Large { bits: 4096, joined: false },
    gate_clocks: true,
};

#[test]
fn gates_of_clocks_take_the_place_of_multiplexers() {
    let Some(cells) = cells() else { return };
    let netlist = capt();
    let with = |gate_clocks| {
        let options = FlowOptions { gate_clocks, ..GATED };
        let mapped = map(&netlist, &cells, &options).unwrap_or_else(|error| panic!("{error}"));
        let path = critical_path(&netlist, &mapped, &cells).unwrap_or_else(|error| panic!("{error}")).expect("a path");
        (mapped, path)
    };
    let ((plain, before), (gated, after)) = (with(false), with(true));
    // One an entry, for its tag.
    assert_eq!((plain.clock_gates, gated.clock_gates), (None, Some(GatedClocks { gates: 4, flip_flops: 4 * 32 })));
    assert_eq!(plain.total.flip_flops, gated.total.flip_flops);
    assert!(gated.total.area < 0.9 * plain.total.area, "{:?} {:?}", gated.total, plain.total);
    // Not half of the clock period, in which the latches of the gates open.
    assert!((0.5..2.0).contains(&(after.delay_ns / before.delay_ns)), "{after:?} {before:?}");
}

#[test]
fn a_library_that_cannot_gate_a_clock_says_so() {
    let text = "library (bare) { cell (NAND2X1) { area : 4; } }";
    let cells = Cells::new("bare.lib", text, None).unwrap_or_else(|error| panic!("{error}"));
    let error = map(&capt(), &cells, &GATED).map(|_| ()).expect_err("nothing to gate with").to_string();
    assert!(error.starts_with("bare has nothing to gate a clock with"), "{error}");
}

#[test]
fn exported_gates_of_clocks_are_latches_that_are_meant() {
    let is_here = ["verilator", "yosys", "iverilog"].map(|name| (name, tool(name).expect("a known tool").is_here()));
    if !met(&is_here) {
        return;
    }
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("capt.v");
    std::fs::write(&file, clock_gates::export(&capt())).expect("a writable file");
    for report in check(&file, "Capt").expect("no interruption") {
        assert!(report.is_clean(), "{report:?}");
    }
}
