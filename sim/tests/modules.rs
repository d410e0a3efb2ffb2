//! Every module of `hdl/src` elaborates without a finding.
use warploom_hdl::execute::*;
use warploom_hdl::parts::*;
use warploom_hdl::prelude::*;
use warploom_sim::elaborate;

#[track_caller]
fn elaborates(mut module: impl Block) {
    module.connect_all();
    elaborate(&module).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn parts() {
    for n in [1, 2, 5, 32] {
        elaborates(RoundRobinArbiter::new(n));
        elaborates(OldestFirstArbiter::new(n));
        elaborates(OneHotMux::new(8, n));
        elaborates(Fifo::new(8, n.max(2)));
    }
}

#[test]
fn execute() {
    elaborates(Decode::default());
    elaborates(Lane::default());
    for (warps, lanes) in [(4, 4), (8, 8), (32, 32), (48, 32)] {
        elaborates(BranchUnit::new(lanes));
        elaborates(CsrUnit::new(warps, lanes));
        elaborates(RegisterFile::new(warps, lanes));
        elaborates(MultiplyControl::new(warps, lanes));
        elaborates(DivideControl::new(warps, lanes));
    }
}
