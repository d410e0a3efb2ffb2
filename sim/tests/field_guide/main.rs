//! The traps of rust-hdl 0.46, one by one: each has one meaning here, or is refused.
//!
//! The stock Verilog printer gets the first group wrong; the others pass its checks unnoticed.
#![allow(missing_docs)] // the ports of tiny modules
#![allow(clippy::precedence, clippy::single_match, clippy::collapsible_match)] // hardware as careless as it gets
use warploom_hdl::prelude::*;
use warploom_sim::elaborate;

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

mod refused;
#[path = "../support/mod.rs"]
mod support;

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
