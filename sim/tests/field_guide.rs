//! The traps of rust-hdl 0.46, one by one: each has one meaning here, or is refused.
//!
//! The stock Verilog printer gets the first group wrong; the others pass its checks unnoticed.
#![allow(missing_docs)] // the ports of tiny modules
#![allow(clippy::precedence, clippy::single_match, clippy::collapsible_match)] // hardware as careless as it gets
use warploom_hdl::prelude::*;
use warploom_sim::elaborate;

mod support;

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

/// A module's fields with their initial values.
macro_rules! ports {
    ($name:ident { $($field:ident: $type:ty = $value:expr),* $(,)? }) => {
        #[derive(LogicBlock)]
        pub struct $name { $(pub $field: $type),* }
        impl $name {
            fn new() -> Self {
                Self { $($field: $value),* }
            }
        }
    };
}

fn bit<D: rust_hdl::core::direction::Direction>() -> Signal<D, Bit> {
    Signal::default()
}

// ---------------------------------------------------------------- one meaning

ports! {
    Widths {
        a: Net<In> = Net::new(8), b: Net<In> = Net::new(8),
        masked: Signal<Out, Bit> = bit(), complement: Net<Out> = Net::new(16), sum: Net<Out> = Net::new(9),
        shifted: Net<Out> = Net::new(16), wraps: Signal<Out, Bit> = bit(), half: Net<Out> = Net::new(8),
        back: Net<Out> = Net::new(8), inverse: Signal<Out, Bit> = bit(), parity: Signal<Out, Bit> = bit(),
        nibble: Net<Out> = Net::new(4), order: Net<Out> = Net::new(8), above: Signal<Out, Bit> = bit(),
    }
}

impl Logic for Widths {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Widths");
        self.masked.next = self.a.val() & self.b.val() == self.b.val();
        self.complement.next = bit_cast_to(!self.a.val(), 16);
        self.sum.next = bit_cast_to(self.a.val() + self.b.val(), 9);
        self.shifted.next = bit_cast_to(self.a.val() << 4, 16);
        self.wraps.next = (self.a.val() + 1) == 0;
        self.half.next = (self.a.val() + 1) >> 1;
        self.back.next = ((self.a.val() << 1) ^ 0) >> 1;
        self.inverse.next = !self.a.val() == 0xFE;
        self.parity.next = (self.a.val() ^ self.b.val()).get_bit(2) ^ self.a.val().xor();
        self.nibble.next = bit_cast_to(self.a.val() >> 3, 4);
        self.order.next = self.a.val() - self.b.val() - 1 | self.a.val() & self.b.val() << 1;
        self.above.next = self.a.val() > self.b.val() && self.a.val() >= 3 || !self.b.val().all();
    }
}

#[test]
fn widths_and_precedences_are_rusts() {
    equivalent!(
        Widths::new(),
        5000 cycles,
        [a, b],
        [masked, complement, sum, shifted, wraps, half, back, inverse, parity, nibble, order, above]
    );
}

#[test]
fn the_guides_examples() {
    let mut module = Widths::new();
    module.connect_all();
    let netlist = elaborate(&module).unwrap();
    let mut run = warploom_sim::Interpreter::new(&netlist);
    run.set("a", 0xff);
    run.set("b", 0x01);
    let expected = [("complement", 0), ("sum", 0), ("shifted", 0xf0), ("wraps", 1), ("half", 0), ("back", 0x7f)];
    for (output, value) in expected {
        assert_eq!(run.get(output), value, "{output}");
    }
    run.set("a", 0x01);
    assert_eq!(run.get("inverse"), 1);
    run.set("a", 0x02);
    run.set("b", 0x03);
    assert_eq!(run.get("masked"), 0);
}

ports! {
    Indices {
        a: Vec<Net<In>> = Net::vec(8, 4), grid: Vec<Vec<Net<In>>> = vec![Net::vec(2, 4), Net::vec(2, 4)],
        exchanged: Vec<Net<Out>> = Net::vec(8, 4), transposed: Vec<Vec<Net<Out>>> = vec![Net::vec(2, 4), Net::vec(2, 4)],
        odd: Net<Out> = Net::new(4), memory: Memory = Memory::new(4, 4, 2, 1, ReadKind::Asynchronous),
        clock: Signal<In, Clock> = Default::default(), data: Vec<Net<Out>> = Net::vec(2, 4),
    }
}

impl Logic for Indices {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Indices");
        self.memory.clock.next = self.clock.val();
        self.memory.write_enable[0].next = true;
        self.memory.write_address[0].next = bit_cast_to(self.a[0].val(), 2);
        self.memory.write_data[0].next = self.a[1].val();
        for i in 0..8 {
            self.exchanged[i].next = self.a[i ^ 1].val();
        }
        for i in 0..2 {
            self.memory.read_address[i].next = i.into();
            self.data[i].next = self.memory.read_data[i].val();
            for j in 0..2 {
                self.transposed[i][j].next = self.grid[j][i].val();
            }
        }
        self.odd.next = 0.into();
        for i in 0..4 {
            if self.a[i * 2 + 1].val() == (3 - i) {
                self.odd.next = self.odd.val().replace_bit(3 - i, true);
            }
            if i > 1 {
                self.odd.next = self.odd.val() ^ self.a[i - 2].val();
            }
        }
    }
}

#[test]
fn index_arithmetic_is_rusts() {
    equivalent!(Indices::new(), 2000 clocked cycles, [a, grid], [exchanged, transposed, odd, data]);
}

ports! {
    Selects {
        a: Net<In> = Net::new(8), k: Net<In> = Net::new(3), flag: Signal<In, Bit> = bit(),
        picked: Signal<Out, Bit> = bit(), replaced: Net<Out> = Net::new(8), matched: Net<Out> = Net::new(8),
        shifted: Net<Out> = Net::new(8), wide: Net<Out> = Net::new(64), last: Net<Out> = Net::new(8),
    }
}

impl Logic for Selects {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Selects");
        self.picked.next = self.a.val().get_bit(self.k.val().index());
        self.replaced.next = self.a.val().replace_bit(self.k.val().index(), self.flag.val());
        self.matched.next = self.a.val();
        match self.k.val().index() {
            0 => self.matched.next = 0x11.into(),
            0b011 => {
                if self.flag.val() {
                    self.matched.next = 0x22.into();
                }
            }
            7 => self.matched.next = self.matched.val() + 1,
            _ => {}
        }
        self.shifted.next = (self.a.val() << self.k.val()) | (self.a.val() >> self.k.val());
        self.wide.next = bit_cast_to(signed_cast(self.a.val()), 64);
        self.last.next = 0.into();
        for i in 0..8 {
            if self.a.val().get_bit(7 - i) {
                self.last.next = (7 - i).into();
            }
        }
    }
}

#[test]
fn run_time_selection() {
    equivalent!(Selects::new(), 3000 cycles, [a, k, flag], [picked, replaced, matched, shifted, wide, last]);
}

#[derive(LogicInterface, Clone)]
#[join = "Sink"]
pub struct Source {
    pub valid: Signal<Out, Bit>,
    pub data: Net<Out>,
    pub ready: Signal<In, Bit>,
}

#[derive(LogicInterface, Clone)]
#[join = "Source"]
pub struct Sink {
    pub valid: Signal<In, Bit>,
    pub data: Net<In>,
    pub ready: Signal<Out, Bit>,
}

impl Source {
    fn new() -> Self {
        Self { valid: bit(), data: Net::new(8), ready: bit() }
    }
}

impl Sink {
    fn new() -> Self {
        Self { valid: bit(), data: Net::new(8), ready: bit() }
    }
}

ports! {
    Producer { enable: Signal<In, Bit> = bit(), tx: Source = Source::new() }
}

impl Logic for Producer {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Producer");
        self.tx.valid.next = self.enable.val();
        self.tx.data.next = 0x5a.into();
        if self.tx.ready.val() {
            self.tx.data.next = 0xa5.into();
        }
    }
}

ports! {
    Consumer { full: Signal<In, Bit> = bit(), rx: Sink = Sink::new(), taken: Net<Out> = Net::new(8) }
}

impl Logic for Consumer {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Consumer");
        self.rx.ready.next = !self.full.val();
        self.taken.next = 0.into();
        if self.rx.valid.val() {
            self.taken.next = self.rx.data.val();
        }
    }
}

ports! {
    Joined {
        enable: Signal<In, Bit> = bit(), full: Signal<In, Bit> = bit(), taken: Net<Out> = Net::new(8),
        second: Vec<Net<Out>> = Net::vec(2, 8), p: Producer = Producer::new(), c: Consumer = Consumer::new(),
        ps: Vec<Producer> = vec![Producer::new(), Producer::new()],
        cs: Vec<Consumer> = vec![Consumer::new(), Consumer::new()],
    }
}

impl Logic for Joined {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Joined");
        Source::join(&mut self.p.tx, &mut self.c.rx);
        self.p.enable.next = self.enable.val();
        self.c.full.next = self.full.val();
        self.taken.next = self.c.taken.val();
        for i in 0..2 {
            Source::join(&mut self.ps[i].tx, &mut self.cs[i].rx);
            self.ps[i].enable.next = self.enable.val();
            self.cs[i].full.next = self.full.val();
            self.second[i].next = self.cs[i].taken.val();
        }
    }
}

#[test]
fn joined_interfaces() {
    equivalent!(Joined::new(), 100 cycles, [enable, full], [taken, second]);
}

// ---------------------------------------------------------------- refused

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
    refused(Latch::new(), "x in module Latch (hdl/src/**/latch.rs): a latch");
    refused(Latch::new(), "y in module Latch (hdl/src/**/latch.rs): a latch");
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
    refused(Partial::new(), "x in module Partial (hdl/src/**/partial.rs): a latch");
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
    refused(Early::new(), "t in module Early (hdl/src/**/early.rs): read before it is assigned, in assignment to x");
    refused(Early::new(), "u in module Early (hdl/src/**/early.rs): read before it is assigned");
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
        refused(Undriven::new(), &format!("{net} in module Undriven (hdl/src/**/undriven.rs): nothing drives it"));
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
    refused(Twice::new(), "c.rx.valid in module Twice (hdl/src/**/twice.rs): driven more than once: a link on top");
    refused(Twice::new(), "c.rx.data in module Twice (hdl/src/**/twice.rs): driven more than once: a link drives it");
    refused(Twice::new(), "lane.y in module Twice (hdl/src/**/twice.rs): driven more than once: an output belongs");
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
    let place = "module Wrong (hdl/src/**/wrong.rs)";
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
    let place = "module Names (hdl/src/**/names.rs)";
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
    refused(Gated::new(), "r.clock in module Gated (hdl/src/**/gated.rs): a clock port takes the module's own clock");
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
    refused(Parent::new(), "instance top.lane: the module has no name");
    refused(Parent::new(), "comment!(\"module TypeName\")");
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

// ---------------------------------------------------------------- stock constructs

use rust_hdl::prelude::{Bits, Constant, LiteralType, LogicStruct, TypeField, bit_cast, bits};

#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Packet {
    pub kind: Bits<2>,
    pub flag: Bit,
    pub data: Bits<5>,
}

ports! {
    Stock {
        a: Signal<In, Bits<8>> = Default::default(), b: Signal<In, Bits<8>> = Default::default(),
        packet: Signal<In, Packet> = Default::default(), made: Signal<Out, Packet> = Default::default(),
        middle: Signal<Out, Bits<4>> = Default::default(), wide: Signal<Out, Bits<16>> = Default::default(),
        offset: Signal<Out, Bits<8>> = Default::default(), kind: Signal<Out, Bits<2>> = Default::default(),
        seed: Constant<Bits<8>> = Constant::new(0x5a_u64.into()), some: Signal<Out, Bit> = bit(),
        window: Signal<Out, Bits<4>> = Default::default(),
    }
}

impl Logic for Stock {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Stock");
        self.middle.next = self.a.val().get_bits::<4>(2);
        self.window.next = self.a.val().get_bits::<4>((self.b.val() & bits::<8>(3)).index());
        self.wide.next = bit_cast::<16, 8>(!self.a.val());
        self.offset.next = self.a.val() + self.seed.val();
        self.made.next = self.packet.val();
        self.made.next.data = self.packet.val().data + 1;
        self.made.next.flag = !self.packet.val().flag;
        self.kind.next = self.packet.val().kind;
        self.some.next = self.a.val().any() & !self.b.val().all();
        if self.a.val() == bits::<8>(7) {
            self.kind.next = 3.into();
        }
    }
}

#[test]
fn stock_types() {
    equivalent!(Stock::new(), 2000 cycles, [a, b], [middle, window, wide, offset, kind, some]);
    let mut module = Stock::new();
    module.connect_all();
    let netlist = elaborate(&module).unwrap();
    let mut run = warploom_sim::Interpreter::new(&netlist);
    // data, flag, kind from the top down
    run.set("packet", 0b1111_1010);
    assert_eq!((run.get("kind"), run.get("made")), (0b10, 0b0000_0110));
}
