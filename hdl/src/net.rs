//! [`Net`]: rust-hdl's `Signal` for a [`Word`], with its width given to the constructor.
use std::marker::PhantomData;

use crate::word::{Word, mask};
use rust_hdl::core::ast::{VerilogLink, VerilogLinkDetails};
use rust_hdl::core::direction::Direction;
use rust_hdl::core::signal::get_signal_id;
use rust_hdl::prelude::*;

/// A bundle of wires: `Net<In>`, `Net<Out>` or `Net<Local>`, used like a `Signal`:
/// drive `.next`, read `.val()`.
///
/// Single bits stay stock `Signal<_, Bit>` (their `val()` is a `bool`), enumerations
/// `Signal<_, E>`.
#[derive(Clone, Debug)]
pub struct Net<D: Direction> {
    /// The value driven in this pass; a literal takes the net's width.
    pub next: Word,
    val: Word,
    changed: bool,
    claimed: bool,
    id: usize,
    dir: PhantomData<D>,
}

impl<D: Direction> Net<D> {
    /// A net of `width` bits that starts at 0.
    pub fn new(width: usize) -> Self {
        Self::with_value(width, 0)
    }

    /// A net of `width` bits that starts at `value`: what a register drives before the first edge.
    pub fn with_value(width: usize, value: u64) -> Self {
        let word = Word::new(value, width);
        Self { next: word, val: word, changed: false, claimed: false, id: get_signal_id(), dir: PhantomData }
    }

    /// `count` nets of `width` bits.
    pub fn vec(count: usize, width: usize) -> Vec<Self> {
        (0..count).map(|_| Self::new(width)).collect()
    }

    /// Width in bits.
    pub fn width(&self) -> usize {
        self.val.bits()
    }

    #[inline]
    fn driven(&self) -> Word {
        self.next.resized_literal(self.val.bits())
    }
}

impl Net<In> {
    /// The value on the net.
    #[inline]
    pub fn val(&self) -> Word {
        self.val
    }

    /// Connects this input to another module's output (`Net::join` in `update()`).
    pub fn join(&mut self, other: &mut Net<Out>) {
        self.next = other.val();
    }

    #[doc(hidden)]
    pub fn join_hdl(my_name: &str, owner_name: &str, other_name: &str) -> Vec<VerilogLink> {
        vec![VerilogLink::Backward(link_details(my_name, owner_name, other_name))]
    }
}

impl Net<Out> {
    /// The value driven so far in this pass.
    #[inline]
    pub fn val(&self) -> Word {
        self.driven()
    }

    /// Connects this output to another module's input.
    pub fn join(&mut self, other: &mut Net<In>) {
        other.next = self.val();
    }

    #[doc(hidden)]
    pub fn join_hdl(my_name: &str, owner_name: &str, other_name: &str) -> Vec<VerilogLink> {
        vec![VerilogLink::Forward(link_details(my_name, owner_name, other_name))]
    }
}

impl Net<Local> {
    /// The value driven so far in this pass.
    #[inline]
    pub fn val(&self) -> Word {
        self.driven()
    }
}

fn link_details(my_name: &str, owner_name: &str, other_name: &str) -> VerilogLinkDetails {
    VerilogLinkDetails { my_name: my_name.into(), owner_name: owner_name.into(), other_name: other_name.into() }
}

impl<D: Direction> LogicJoin for Net<D> {
    fn join_connect(&mut self) {
        self.connect();
    }
}

impl LogicLink for Net<In> {
    fn link(&mut self, other: &mut Self) {
        other.next = self.val();
    }
    fn link_hdl(my_name: &str, owner_name: &str, other_name: &str) -> Vec<VerilogLink> {
        vec![VerilogLink::Forward(link_details(my_name, owner_name, other_name))]
    }
    fn link_connect_source(&mut self) {}
    fn link_connect_dest(&mut self) {
        self.connect();
    }
}

impl LogicLink for Net<Out> {
    fn link(&mut self, other: &mut Self) {
        self.next = other.val();
    }
    fn link_hdl(my_name: &str, owner_name: &str, other_name: &str) -> Vec<VerilogLink> {
        vec![VerilogLink::Backward(link_details(my_name, owner_name, other_name))]
    }
    fn link_connect_source(&mut self) {
        self.connect();
    }
    fn link_connect_dest(&mut self) {}
}

impl<D: Direction> Atom for Net<D> {
    fn bits(&self) -> usize {
        self.width()
    }
    fn connected(&self) -> bool {
        self.claimed
    }
    fn changed(&self) -> bool {
        self.changed
    }
    fn kind(&self) -> AtomKind {
        D::KIND
    }
    fn descriptor(&self) -> TypeDescriptor {
        TypeDescriptor { name: format!("Word<{}>", self.width()), kind: TypeKind::Bits(self.width()) }
    }
    fn vcd(&self) -> VCDValue {
        let bit = |i| if self.val.get_bit(i) { vcd_bit(true) } else { vcd_bit(false) };
        VCDValue::Composite((0..self.width()).rev().map(|i| Box::new(bit(i))).collect())
    }
    fn id(&self) -> usize {
        self.id
    }
    fn verilog(&self) -> VerilogLiteral {
        (self.val.value() & mask(self.width())).into()
    }
    fn constraints(&self) -> Vec<PinConstraint> {
        vec![]
    }
}

fn vcd_bit(bit: bool) -> VCDValue {
    bit.into()
}

impl<D: Direction> Logic for Net<D> {
    fn update(&mut self) {}
    fn connect(&mut self) {
        self.claimed = true;
    }
}

impl<D: Direction> Block for Net<D> {
    fn connect_all(&mut self) {}
    fn update_all(&mut self) {
        let driven = self.driven();
        self.next = driven;
        self.changed = self.val.value() != driven.value();
        self.val = driven;
    }
    fn has_changed(&self) -> bool {
        self.changed
    }
    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_atom(name, self);
    }
}

/// A number fixed at construction, readable in `update()` as `self.limit.val()`.
#[derive(Clone, Debug)]
pub struct Constant {
    word: Word,
    id: usize,
}

impl Constant {
    /// The number `value` in `width` bits.
    pub fn new(value: u64, width: usize) -> Self {
        Self { word: Word::new(value, width), id: get_signal_id() }
    }

    /// The number.
    #[inline]
    pub fn val(&self) -> Word {
        self.word
    }
}

impl Atom for Constant {
    fn bits(&self) -> usize {
        self.word.bits()
    }
    fn connected(&self) -> bool {
        true
    }
    fn changed(&self) -> bool {
        false
    }
    fn kind(&self) -> AtomKind {
        AtomKind::Constant
    }
    fn descriptor(&self) -> TypeDescriptor {
        TypeDescriptor { name: format!("Word<{}>", self.bits()), kind: TypeKind::Bits(self.bits()) }
    }
    fn vcd(&self) -> VCDValue {
        VCDValue::Composite(vec![])
    }
    fn id(&self) -> usize {
        self.id
    }
    fn verilog(&self) -> VerilogLiteral {
        self.word.value().into()
    }
    fn constraints(&self) -> Vec<PinConstraint> {
        vec![]
    }
}

impl Logic for Constant {
    fn update(&mut self) {}
}

impl Block for Constant {
    fn connect_all(&mut self) {}
    fn update_all(&mut self) {}
    fn has_changed(&self) -> bool {
        false
    }
    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_atom(name, self);
    }
}
