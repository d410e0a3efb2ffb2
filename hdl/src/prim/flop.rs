//! A pipeline flip-flop: takes `d` at every rising edge.
//!
//! ```text
//!          +------+
//!   d ---->| Flop |----> q
//!   clock >|      |
//!          +------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `d` | w | value taken at the rising edge of `clock` |
//! | `q` | w | value held; 0 (or the initial value) before the first edge |
//!
//! Latency 1. No reset: for data that a valid bit elsewhere qualifies. Control state uses
//! [`Register`](super::Register).
use super::Tag;
use crate::prelude::*;

/// See the [module documentation](self).
#[derive(LogicBlock)]
pub struct Flop {
    pub clock: Signal<In, Clock>,
    pub d: Net<In>,
    pub q: Net<Out>,
    _initial: u64,
}

impl Flop {
    /// A flip-flop of `width` bits that starts at 0.
    pub fn new(width: usize) -> Self {
        Self::with_initial(width, 0)
    }

    /// A flip-flop of `width` bits that starts at `initial`.
    pub fn with_initial(width: usize, initial: u64) -> Self {
        Self {
            clock: Default::default(),
            d: Net::with_value(width, initial),
            q: Net::with_value(width, initial),
            _initial: initial,
        }
    }

    /// `count` flip-flops of `width` bits.
    pub fn vec(count: usize, width: usize) -> Vec<Self> {
        (0..count).map(|_| Self::new(width)).collect()
    }
}

impl Logic for Flop {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.q.next = self.d.val();
        }
    }
    fn connect(&mut self) {
        self.q.connect();
    }
    fn hdl(&self) -> Verilog {
        Tag::Flop { width: self.d.width(), initial: self._initial }.to_verilog()
    }
}
