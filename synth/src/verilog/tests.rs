//! What an engineer gets to read.
use warploom_hdl::execute::Alu;
use warploom_hdl::memory::MshrEntry;
use warploom_hdl::parts::{Fifo, RoundRobinArbiter};
use warploom_hdl::prelude::*;
use warploom_sim::elaborate;

use super::{export, port_names};

#[track_caller]
fn exported(mut module: impl Block) -> String {
    module.connect_all();
    export(&elaborate(&module).unwrap_or_else(|error| panic!("{error}")))
}

#[test]
fn registers_and_operators() {
    insta::assert_snapshot!(exported(RoundRobinArbiter::new(4)));
}

#[test]
fn a_memory_with_guards_and_byte_enables() {
    insta::assert_snapshot!(exported(Memory::with_byte_enables(16, 6, 1, 2, ReadKind::Synchronous)));
}

#[test]
fn instances_and_a_memory() {
    insta::assert_snapshot!(exported(Fifo::new(8, 3)));
}

#[test]
fn enumerations_and_conditions() {
    insta::assert_snapshot!(exported(MshrEntry::new(28, 16, 2)));
}

#[test]
fn functions() {
    insta::assert_snapshot!(exported(Popcount::new(5)));
    insta::assert_snapshot!(exported(PriorityEncoder::new(5)));
    insta::assert_snapshot!(exported(IndexedMux::new(8, 3)));
}

#[test]
fn signs_shifted_in_have_a_wire() {
    insta::assert_snapshot!(exported(Alu::default()));
}

#[test]
fn the_same_bytes_on_every_run() {
    assert_eq!(exported(Alu::default()), exported(Alu::default()));
}

#[test]
fn ports_by_name() {
    let mut mux = IndexedMux::new(8, 2);
    mux.connect_all();
    let netlist = elaborate(&mux).unwrap();
    assert_eq!(port_names(netlist.top()), ["inputs_0", "inputs_1", "index", "selected"]);
}
