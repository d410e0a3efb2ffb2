//! What an engineer gets to read.
use warploom_hdl::execute::Alu;
use warploom_hdl::memory::MshrEntry;
use warploom_hdl::parts::{Fifo, RoundRobinArbiter};
use warploom_hdl::prelude::*;
use warploom_sim::elaborate;

use super::{export, export_with_assertions, port_names};

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
fn assertions_are_added_and_nothing_else() {
    let mut arbiter = RoundRobinArbiter::new(4);
    arbiter.connect_all();
    let netlist = elaborate(&arbiter).unwrap();
    let text = export_with_assertions(&netlist);
    let (before, rest) = text.split_once("\n`ifdef FORMAL\n").expect("assertions");
    let (assertions, after) = rest.split_once("`endif\n").expect("their end");
    insta::assert_snapshot!(assertions, @r"
      /* verilator lint_off WIDTH */
      always @(posedge clock) if (!reset) begin : assertions
        // At most one requester is granted.
        assert ((grant & (grant - 1)) == 0);
        // Only one that asks is granted.
        assert ((grant & ~request) == 0);
        // If any asks, one is granted.
        assert ((|grant) == (|request) && any == (|request));
      end
      /* verilator lint_on WIDTH */
    ");
    let (head, body) = before.split_once("// Assertions are in force").expect("a header");
    let (_, body) = body.split_once("//\n").expect("its end");
    assert_eq!(format!("{head}{body}{after}"), export(&netlist));
}

#[test]
fn ports_by_name() {
    let mut mux = IndexedMux::new(8, 2);
    mux.connect_all();
    let netlist = elaborate(&mux).unwrap();
    assert_eq!(port_names(netlist.top()), ["inputs_0", "inputs_1", "index", "selected"]);
}
