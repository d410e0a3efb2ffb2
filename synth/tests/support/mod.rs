//! What the tests that prove something by yosys share.
use warploom_hdl::prelude::Block;
use warploom_sim::elaborate;
use warploom_synth::tools::tool;
use warploom_synth::verilog::export;

/// Whether yosys is here; without it a test is skipped, or fails when `WARPLOOM_REQUIRE_TOOLS=1`.
pub fn yosys_is_here() -> bool {
    let here = tool("yosys").expect("a known tool").is_here();
    let required = std::env::var_os("WARPLOOM_REQUIRE_TOOLS").is_some_and(|value| value == "1");
    assert!(here || !required, "`yosys` is not here, and WARPLOOM_REQUIRE_TOOLS=1 asks for it");
    if !here {
        println!("skipped: `yosys` is not installed");
    }
    here
}

/// A block's Verilog.
pub fn verilog(mut block: impl Block) -> String {
    block.connect_all();
    export(&elaborate(&block).unwrap_or_else(|e| panic!("{e}")))
}
