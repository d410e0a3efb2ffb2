//! The registers of a link, which the host shifts: what enters it leaves so many cycles of a core later.
use std::collections::VecDeque;

/// A flit as it stands on the ports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flit {
    /// There is one.
    pub valid: bool,
    /// The first of its packet.
    pub head: bool,
    /// The last of its packet.
    pub tail: bool,
    /// Which slice it is for; of a reply 0.
    pub destination: u8,
    /// Its words.
    pub payload: [u32; 8],
}

/// What goes one way between a core and what all cores share, in a cycle of the core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lane<T> {
    /// On the link in this direction.
    pub flit: Flit,
    /// For a flit that came in the other.
    pub credit: bool,
    /// A CTA is asked for, or what is answered.
    pub cta: T,
}

/// A link in one direction, of `k` registers, each of them empty at first.
#[derive(Clone, Debug)]
pub struct Link<T> {
    registers: VecDeque<T>,
}

impl<T: Copy + Default> Link<T> {
    /// Of so many registers, at least one.
    pub fn new(length: usize) -> Self {
        Self { registers: vec![T::default(); length].into() }
    }

    /// What leaves it in this cycle.
    pub fn end(&self) -> T {
        self.registers.front().copied().unwrap_or_default()
    }

    /// The cycle is over, in which this entered it.
    pub fn shift(&mut self, enters: T) {
        self.registers.pop_front();
        self.registers.push_back(enters);
    }
}
