//! What goes over a link, and its ends.
use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// A flit as it stands on the ports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Flit {
    /// There is one.
    pub valid: bool,
    /// The first of its packet.
    pub head: bool,
    /// The last of its packet.
    pub tail: bool,
    /// Which slice, or of a reply which core it is for, on its way to the networks; behind them 0.
    pub destination: u8,
    /// Its words.
    pub payload: [u32; 8],
}

/// The answer to who has asked for a CTA: whether there is none, and which it is in x, y, z.
pub(super) type Grant = Option<[u32; 4]>;

/// What goes one way in a tick of the link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Lane<T = ()> {
    /// On the link in this direction.
    pub flit: Flit,
    /// For a flit that came in the other.
    pub credit: bool,
    /// A CTA is asked for, or what is answered.
    pub cta: T,
}

/// From a core.
pub(super) type Up = Lane<bool>;
/// To a core.
pub(super) type Down = Lane<Grant>;

/// An end of a link, which takes one lane in every tick and puts another into the link.
#[derive(Clone, Debug)]
pub(super) struct End<Came, Goes> {
    /// On its way to here: what comes next first.
    pub came: VecDeque<Came>,
    /// What has been put into the link in this round.
    pub goes: Vec<Goes>,
}

impl<Came: Default + Clone, Goes: Default> End<Came, Goes> {
    /// Of a link of so many registers, with nothing on it.
    pub fn new(length: usize) -> Self {
        Self { came: vec![Came::default(); length].into(), goes: vec![] }
    }

    /// Nothing is on its way any more.
    pub fn clear(&mut self) {
        self.came.iter_mut().for_each(|came| *came = Came::default());
        self.goes.clear();
    }

    /// What stands at the end now; nothing only behind the last tick of a round.
    pub fn now(&self) -> Option<&Came> {
        self.came.front()
    }

    /// A tick, with which this enters.
    ///
    /// # Panics
    /// If the link is shorter than a round.
    pub fn tick(&mut self, goes: Goes) -> Came {
        self.goes.push(goes);
        self.came.pop_front().expect("a link is as long as a round")
    }

    /// A tick while the part is in reset.
    pub fn tick_in_reset(&mut self) {
        self.tick(Goes::default());
    }
}
