//! A resettable register for a hardware enumeration (or a single bit), so that waveforms show its
//! states by name.
//!
//! Ports as [`Register`](super::Register), of type `E`. Starts at, and resets to, `E::default()`.
//! Latency 1.
use super::Tag;
use crate::prelude::*;

/// See the [module documentation](self).
#[derive(LogicBlock)]
pub struct StateRegister<E: Synth> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub d: Signal<In, E>,
    pub q: Signal<Out, E>,
}

impl<E: Synth> Default for StateRegister<E> {
    fn default() -> Self {
        Self { clock: Default::default(), reset: Default::default(), d: Default::default(), q: Default::default() }
    }
}

impl<E: Synth> StateRegister<E> {
    /// `count` registers.
    pub fn vec(count: usize) -> Vec<Self> {
        (0..count).map(|_| Self::default()).collect()
    }
}

impl<E: Synth> Logic for StateRegister<E> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.q.next = if self.reset.val() { E::default() } else { self.d.val() };
        }
    }
    fn connect(&mut self) {
        self.q.connect();
    }
    fn hdl(&self) -> Verilog {
        // rust-hdl's LogicState makes the first variant the default, encoded as 0.
        Tag::Register { width: E::BITS, initial: 0 }.to_verilog()
    }
}
