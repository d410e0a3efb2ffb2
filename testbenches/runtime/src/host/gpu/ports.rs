//! Ports of which there are the same on both sides of a link.
use warploom_sim::{Engine, Port};

use super::link::{Flit, Grant};

/// The ports of a flit.
pub(super) struct FlitPorts {
    valid: Port,
    head: Port,
    tail: Port,
    destination: Port,
    payload: Vec<Port>,
}

impl FlitPorts {
    /// Of this name, and of this index (`[2]`) if there are several.
    pub fn new(engine: &impl Engine, name: &str, index: &str) -> Self {
        let port = |field: &str| port(engine, &format!("{name}_{field}"));
        let payload = (0..8).map(|word| port(&format!("payload{index}[{word}]"))).collect();
        let port = |field: &str| port(&format!("{field}{index}"));
        Self { valid: port("valid"), head: port("head"), tail: port("tail"), destination: port("destination"), payload }
    }

    /// A flit as it goes out.
    pub fn get(&self, engine: &impl Engine) -> Flit {
        if engine.get(self.valid) == 0 {
            return Flit::default();
        }
        Flit {
            valid: true,
            head: engine.get(self.head) == 1,
            tail: engine.get(self.tail) == 1,
            destination: engine.get(self.destination) as u8,
            payload: std::array::from_fn(|word| engine.get(self.payload[word]) as u32),
        }
    }

    /// A flit comes in.
    pub fn set(&self, engine: &mut impl Engine, flit: &Flit) {
        engine.set(self.valid, flit.valid.into());
        if !flit.valid {
            return;
        }
        engine.set(self.head, flit.head.into());
        engine.set(self.tail, flit.tail.into());
        engine.set(self.destination, flit.destination.into());
        for (port, word) in self.payload.iter().zip(flit.payload) {
            engine.set(*port, word.into());
        }
    }
}

/// A port.
///
/// # Panics
/// If there is none of this name: the design is another one.
pub(super) fn port(engine: &impl Engine, name: &str) -> Port {
    engine.port(name).unwrap_or_else(|| panic!("the design has no port {name}"))
}

/// The ports of a grant.
pub(super) struct GrantPorts {
    valid: Port,
    fields: [Port; 4],
}

impl GrantPorts {
    /// Of this number.
    pub fn new(engine: &impl Engine, number: usize) -> Self {
        let port = |field: &str| port(engine, &format!("cta_grant_{field}[{number}]"));
        Self { valid: port("valid"), fields: ["none", "x", "y", "z"].map(port) }
    }

    /// As it goes out.
    pub fn get(&self, engine: &impl Engine) -> Grant {
        (engine.get(self.valid) == 1).then(|| self.fields.map(|field| engine.get(field) as u32))
    }

    /// It comes in.
    pub fn set(&self, engine: &mut impl Engine, grant: &Grant) {
        engine.set(self.valid, grant.is_some().into());
        for (port, value) in self.fields.iter().zip(grant.iter().flatten()) {
            engine.set(*port, (*value).into());
        }
    }
}
