//! A block in every family, with yosys itself.
use std::collections::BTreeMap;

use warploom_hdl::config::CoreConfig;
use warploom_hdl::execute::RegisterFile;
use warploom_hdl::parts::Fifo;
use warploom_hdl::prelude::Block;
use warploom_sim::elaborate;
use warploom_synth::fpga::{FpgaReport, Place, TARGETS, Target, map};
use warploom_synth::tools::tool;

/// `None` without yosys; then a test is skipped, or fails when `WARPLOOM_REQUIRE_TOOLS=1`.
fn mapped(mut block: impl Block, target: Target) -> Option<FpgaReport> {
    let here = tool("yosys").expect("a known tool").is_here();
    let required = std::env::var_os("WARPLOOM_REQUIRE_TOOLS").is_some_and(|value| value == "1");
    assert!(here || !required, "`yosys` is not here, and WARPLOOM_REQUIRE_TOOLS=1 asks for it");
    if !here {
        println!("skipped: `yosys` is not installed");
        return None;
    }
    block.connect_all();
    let netlist = elaborate(&block).unwrap_or_else(|error| panic!("{error}"));
    Some(map("block", BTreeMap::new(), &netlist, target).unwrap_or_else(|error| panic!("{error}")))
}

#[test]
fn the_register_file_is_block_ram_in_every_family() {
    for target in TARGETS {
        let Some(report) = mapped(RegisterFile::new(&CoreConfig::tiny()), target) else { return };
        let [memory] = &report.memories[..] else { panic!("{report}") };
        assert_eq!((memory.place, memory.count, memory.asynchronous), (Place::BlockRam, 4, false), "{report}");
        // A copy for either read port.
        assert!(report.bram >= 8 && report.lut > 0, "{report}");
        assert!(report.other.is_empty(), "{report}");
    }
}

#[test]
fn a_queue_that_is_read_at_once_is_no_block_ram() {
    for (target, place) in
        [(Target::Ice40, Place::FlipFlops), (Target::Ecp5, Place::LutRam), (Target::Xilinx, Place::LutRam)]
    {
        let Some(report) = mapped(Fifo::new(4, 32), target) else { return };
        assert_eq!(
            (report.bram, report.memories[0].asynchronous, report.memories[0].place),
            (0, true, place),
            "{report}"
        );
    }
}
