//! A block in every family, with yosys itself.
use std::collections::BTreeMap;

use warploom_hdl::config::CoreConfig;
use warploom_hdl::execute::RegisterFile;
use warploom_hdl::parts::Fifo;
use warploom_hdl::prelude::Block;
use warploom_requirements::met;
use warploom_sim::elaborate;
use warploom_synth::fpga::{FpgaReport, Place, TARGETS, Target, map};
use warploom_synth::tools::tool;

/// `None` without yosys.
fn mapped(mut block: impl Block, target: Target) -> Option<FpgaReport> {
    if !met(&[("yosys", tool("yosys").expect("a known tool").is_here())]) {
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
