//! What goes over a link between a core and what all cores share.
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
    /// Which slice it is for; of a reply 0.
    pub destination: u8,
    /// Its words.
    pub payload: [u32; 8],
}

/// The answer to who has asked for a CTA: whether there is none, and which it is in x, y, z.
pub(super) type Grant = Option<[u32; 4]>;

/// What goes one way in a cycle of the core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Lane<T> {
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
