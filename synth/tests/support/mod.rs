//! What the tests that prove something by yosys share.
use warploom_hdl::prelude::Block;
use warploom_requirements::met;
use warploom_sim::elaborate;
use warploom_synth::tools::tool;
use warploom_synth::verilog::export;

/// Whether a test that proves something can.
pub fn yosys_is_here() -> bool {
    met(&[("yosys", tool("yosys").expect("a known tool").is_here())])
}

/// A block's Verilog.
pub fn verilog(mut block: impl Block) -> String {
    block.connect_all();
    export(&elaborate(&block).unwrap_or_else(|e| panic!("{e}")))
}
