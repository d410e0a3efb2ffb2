//! What has no one meaning, and is refused.
use warploom_hdl::prelude::*;
use warploom_sim::elaborate;

use crate::{Consumer, Producer, Source, bit};

/// Everything that is wrong with a module, as text.
fn findings(mut module: impl Block) -> String {
    module.connect_all();
    match elaborate(&module) {
        Ok(_) => "nothing".into(),
        Err(error) => error.to_string(),
    }
}

#[track_caller]
fn refused(module: impl Block, expected: &str) {
    let found = findings(module);
    assert!(found.contains(expected), "expected `{expected}`, found {found}");
}

ports! {
    Latch { a: Signal<In, Bit> = bit(), x: Net<Out> = Net::new(4), y: Net<Out> = Net::new(4) }
}

impl Logic for Latch {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Latch");
        if self.a.val() {
            self.x.next = 1.into();
        }
        match self.a.val() {
            true => self.y.next = 1.into(),
            false => {}
        }
    }
}

#[test]
fn latches() {
    refused(Latch::new(), "x in module Latch (latch.rs): a latch");
    refused(Latch::new(), "y in module Latch (latch.rs): a latch");
    refused(Latch::new(), "assign a default");
}

ports! {
    Partial { k: Net<In> = Net::new(2), x: Net<Out> = Net::new(4) }
}

impl Logic for Partial {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Partial");
        match self.k.val().index() {
            0 => self.x.next = 1.into(),
            1 => self.x.next = 2.into(),
            3 => self.x.next = 3.into(),
            _ => {}
        }
    }
}

#[test]
fn match_that_leaves_encodings_out() {
    refused(Partial::new(), "x in module Partial (partial.rs): a latch");
}

ports! {
    Early { a: Net<In> = Net::new(4), x: Net<Out> = Net::new(4), t: Net<Local> = Net::new(4), u: Net<Local> = Net::new(4) }
}

impl Logic for Early {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Early");
        self.x.next = self.t.val();
        self.t.next = self.a.val();
        if self.a.val().any() {
            self.u.next = self.a.val();
        }
        self.x.next = self.u.val();
        self.u.next = 0.into();
    }
}

#[test]
fn reads_before_assignment() {
    refused(Early::new(), "t in module Early (early.rs): read before it is assigned, in assignment to x");
    refused(Early::new(), "u in module Early (early.rs): read before it is assigned");
}

ports! {
    Undriven {
        clock: Signal<In, Clock> = Default::default(), x: Net<Out> = Net::new(4), t: Net<Local> = Net::new(4),
        r: Register = Register::new(4), lane: Through = Through::new(),
    }
}

impl Logic for Undriven {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Undriven");
        self.r.clock.next = self.clock.val();
    }
}

ports! {
    Through { a: Net<In> = Net::new(4), y: Net<Out> = Net::new(4) }
}

impl Logic for Through {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Through");
        self.y.next = self.a.val() + 1;
    }
}

#[test]
fn undriven_nets() {
    for net in ["x", "t", "r.d", "r.reset", "lane.a"] {
        refused(Undriven::new(), &format!("{net} in module Undriven (undriven.rs): nothing drives it"));
    }
}

ports! {
    Twice {
        enable: Signal<In, Bit> = bit(), p: Producer = Producer::new(), c: Consumer = Consumer::new(),
        lane: Through = Through::new(),
    }
}

impl Logic for Twice {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Twice");
        self.p.enable.next = self.enable.val();
        self.c.full.next = self.enable.val();
        Source::join(&mut self.p.tx, &mut self.c.rx);
        Source::join(&mut self.p.tx, &mut self.c.rx);
        self.c.rx.data.next = 3.into();
        self.lane.a.next = 1.into();
        self.lane.y.next = 2.into();
    }
}

#[test]
fn multiply_driven_nets() {
    refused(Twice::new(), "c.rx_valid in module Twice (twice.rs): driven more than once: a link on top");
    refused(Twice::new(), "c.rx_data in module Twice (twice.rs): driven more than once: a link drives it");
    refused(Twice::new(), "lane.y in module Twice (twice.rs): driven more than once: an output belongs");
}

ports! {
    Loop {
        x: Net<Out> = Net::new(4), a: Through = Through::new(), b: Through = Through::new(),
        between: Net<Local> = Net::new(4),
    }
}

impl Logic for Loop {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Loop");
        self.between.next = self.a.y.val() ^ 5;
        self.b.a.next = self.between.val();
        self.a.a.next = self.b.y.val();
        self.x.next = self.b.y.val();
    }
}

#[test]
fn combinational_loops_across_modules() {
    let found = findings(Loop::new());
    assert!(found.contains("a combinational loop: ") && found.contains("a.a -> a.y"), "{found}");
    assert!(found.contains("b.a -> b.y"), "{found}");
}

ports! {
    Wrong {
        a: Net<In> = Net::new(4), b: Net<In> = Net::new(5), x: Net<Out> = Net::new(5), y: Net<Out> = Net::new(4),
        z: Net<Out> = Net::new(4), one: Signal<Out, Bit> = bit(),
    }
}

impl Logic for Wrong {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Wrong");
        self.x.next = self.a.val() + self.b.val();
        self.y.next = self.b.val();
        self.z.next = self.a.val() + 16;
        self.one.next = self.a.val().get_bit(4);
        if self.a.val() == 99 {
            self.z.next = 77.into();
        }
    }
}

#[test]
fn width_errors() {
    let place = "module Wrong (wrong.rs)";
    refused(Wrong::new(), &format!("x in {place}: operands of 4 and 5 bits, assignment to x"));
    refused(Wrong::new(), &format!("y in {place}: operands of 4 and 5 bits, assignment to y"));
    refused(Wrong::new(), &format!("z in {place}: 0x10 does not fit into 4 bits, assignment to z"));
    refused(Wrong::new(), &format!("one in {place}: index 4 is outside the 4 bits"));
    refused(Wrong::new(), &format!("{place}: 0x63 does not fit into 4 bits, condition of an if"));
    refused(Wrong::new(), &format!("z in {place}: 0x4d does not fit into 4 bits, assignment to z"));
}

const STRIDE: usize = 2;

#[derive(LogicBlock)]
pub struct Names {
    pub a: Vec<Net<In>>,
    pub k: Net<In>,
    pub begin: Net<Out>,
    pub i: Net<In>,
    pub x: Vec<Net<Out>>,
    pub last: Signal<Out, Bit>,
    pub shifted: Net<Out>,
    _n: usize,
}

impl Names {
    fn new() -> Self {
        Self {
            a: Net::vec(4, 4),
            k: Net::new(2),
            begin: Net::new(4),
            i: Net::new(4),
            x: Net::vec(4, 4),
            last: bit(),
            shifted: Net::new(4),
            _n: 2,
        }
    }
}

impl Logic for Names {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Names");
        self.begin.next = self.a[self.k.val().index()].val();
        for i in 0..4 {
            self.x[i].next = self.i.val();
        }
        for j in 0..2 {
            self.x[j * STRIDE].next = self.a[STRIDE - 1 - j].val();
        }
        if self._n == 2 {
            self.last.next = self.i.val().get_bit(STRIDE - 1);
        }
        self.shifted.next = self.i.val() >> self._n;
    }
}

#[test]
fn names_without_a_signal() {
    let place = "module Names (names.rs)";
    refused(Names::new(), &format!("begin in {place}: `begin` is a keyword"));
    refused(Names::new(), &format!("{place}: the loop variable `i` hides the field"));
    refused(Names::new(), &format!("{place}: `STRIDE` is not a signal of this module"));
    refused(Names::new(), &format!("{place}: `_n` is not a signal of this module, condition of an if"));
    refused(Names::new(), &format!("shifted in {place}: `_n` is not a signal of this module"));
    refused(Names::new(), "the index `k.val().index()` is not arithmetic");
}

ports! {
    Past { a: Vec<Net<In>> = Net::vec(3, 4), x: Vec<Net<Out>> = Net::vec(4, 4), y: Net<Out> = Net::new(4) }
}

impl Logic for Past {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Past");
        self.y.next = 0.into();
        for n in 0..self.x.len() {
            self.x[n].next = self.a[n].val();
        }
    }
}

#[test]
fn elements_past_the_end() {
    refused(Past::new(), "`a[3]` is not a signal of this module, assignment to x[3]");
}

ports! {
    Gated {
        clock: Signal<In, Clock> = Default::default(), enable: Signal<In, Bit> = bit(), q: Net<Out> = Net::new(1),
        r: Flop = Flop::new(1), s: Flop = Flop::new(1),
    }
}

impl Logic for Gated {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Gated");
        self.r.d.next = 1.into();
        self.s.d.next = self.r.q.val();
        self.s.clock.next = self.clock.val();
        if self.enable.val() {
            self.r.clock.next = self.clock.val();
        }
        self.q.next = self.s.q.val();
    }
}

#[test]
fn gated_clocks() {
    refused(Gated::new(), "r.clock in module Gated (gated.rs): a clock port takes the module's own clock");
    assert!(!findings(Gated::new()).contains("s.clock"));
}

ports! {
    Anonymous { a: Net<In> = Net::new(1), x: Net<Out> = Net::new(1) }
}

impl Logic for Anonymous {
    #[hdl_gen]
    fn update(&mut self) {
        self.x.next = self.a.val();
    }
}

ports! {
    Parent { lane: Anonymous = Anonymous::new() }
}

impl Logic for Parent {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Parent");
        self.lane.a.next = 1.into();
    }
}

#[test]
fn modules_without_a_name() {
    refused(
        Parent::new(),
        "instance top.lane: `update()` does not begin with the name of the module (the one with the fields a, x)",
    );
    refused(Parent::new(), "write comment!(\"module MyModule\"); as the first statement of its update()");
}

#[derive(LogicBlock)]
pub struct Foreign {
    pub x: Net<Out>,
    pub alien: Alien,
}

#[derive(LogicBlock)]
pub struct Alien {
    pub y: Net<Out>,
}

impl Logic for Alien {
    fn update(&mut self) {}
    fn hdl(&self) -> Verilog {
        Verilog::Custom("assign y = 1;".into())
    }
}

impl Logic for Foreign {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Foreign");
        self.x.next = self.alien.y.val();
    }
}

#[test]
fn foreign_verilog() {
    let found = findings(Foreign { x: Net::new(4), alien: Alien { y: Net::new(4) } });
    assert!(found.contains("top.alien") && found.contains("neither a module"), "{found}");
}

#[derive(LogicBlock)]
pub struct SignedNets {
    pub a: Signal<In, rust_hdl::prelude::Signed<8>>,
    pub x: Signal<Out, Bit>,
}

impl Logic for SignedNets {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module SignedNets");
        self.x.next = self.a.val() < self.a.val();
    }
}

#[test]
fn signed_nets() {
    refused(SignedNets { a: Default::default(), x: bit() }, "signals of kind Signed are not supported");
}
