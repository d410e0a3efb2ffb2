//! A resettable register, and the same with an enable.
//!
//! ```text
//!           +----------+
//!    d ---->| Register |----> q
//!  [enable]>|          |
//!   reset ->|          |
//!   clock  >|          |
//!           +----------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `reset` | 1 | synchronous: the next edge loads the initial value, whatever `enable` says |
//! | `enable` | 1 | `EnabledRegister` only: take `d` at the next edge, else hold |
//! | `d` | w | next value |
//! | `q` | w | value held; the initial value before the first edge |
//!
//! Latency 1.
use super::Tag;
use crate::prelude::*;

/// A register with synchronous reset. See the [module documentation](self).
#[derive(LogicBlock)]
pub struct Register {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub d: Net<In>,
    pub q: Net<Out>,
    _initial: u64,
}

impl Register {
    /// A register of `width` bits that starts at, and resets to, 0.
    pub fn new(width: usize) -> Self {
        Self::with_initial(width, 0)
    }

    /// A register of `width` bits that starts at, and resets to, `initial`.
    pub fn with_initial(width: usize, initial: u64) -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            d: Net::with_value(width, initial),
            q: Net::with_value(width, initial),
            _initial: initial,
        }
    }

    /// `count` registers of `width` bits.
    pub fn vec(count: usize, width: usize) -> Vec<Self> {
        (0..count).map(|_| Self::new(width)).collect()
    }
}

impl Logic for Register {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.q.next = if self.reset.val() { Word::new(self._initial, self.d.width()) } else { self.d.val() };
        }
    }
    fn connect(&mut self) {
        self.q.connect();
    }
    fn hdl(&self) -> Verilog {
        Tag::Register { width: self.d.width(), initial: self._initial }.to_verilog()
    }
}

/// A register with synchronous reset and an enable. See the [module documentation](self).
#[derive(LogicBlock)]
pub struct EnabledRegister {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub enable: Signal<In, Bit>,
    pub d: Net<In>,
    pub q: Net<Out>,
    _initial: u64,
}

impl EnabledRegister {
    /// A register of `width` bits that starts at, and resets to, 0.
    pub fn new(width: usize) -> Self {
        Self::with_initial(width, 0)
    }

    /// A register of `width` bits that starts at, and resets to, `initial`.
    pub fn with_initial(width: usize, initial: u64) -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            enable: Default::default(),
            d: Net::with_value(width, initial),
            q: Net::with_value(width, initial),
            _initial: initial,
        }
    }

    /// `count` registers of `width` bits.
    pub fn vec(count: usize, width: usize) -> Vec<Self> {
        (0..count).map(|_| Self::new(width)).collect()
    }
}

impl Logic for EnabledRegister {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            if self.reset.val() {
                self.q.next = Word::new(self._initial, self.d.width());
            } else if self.enable.val() {
                self.q.next = self.d.val();
            }
        }
    }
    fn connect(&mut self) {
        self.q.connect();
    }
    fn hdl(&self) -> Verilog {
        Tag::EnabledRegister { width: self.d.width(), initial: self._initial }.to_verilog()
    }
}
