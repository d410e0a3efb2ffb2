//! What drives a design port by port.
use super::{Port, Simulator};

/// A design that runs: cycle by cycle, driven and read through its top-level ports.
pub trait Engine {
    /// A top-level port by name: `memory_response_data[3]`. The clock is none.
    fn port(&self, name: &str) -> Option<Port>;

    /// Drives an input port from the next [`step`](Self::step) on.
    ///
    /// # Panics
    /// If the port is an output or the value does not fit.
    fn set(&mut self, port: Port, value: u64);

    /// The value of a port in the cycle just stepped, before its clock edge.
    fn get(&self, port: Port) -> u64;

    /// One clock cycle: evaluates all logic with the inputs set and the current state, then commits the state.
    fn step(&mut self);

    /// Whether [`skip`](Self::skip) may find something to skip. An engine that steps every cycle never does.
    fn rests(&self) -> bool {
        false
    }

    /// As [`Simulator::skip`].
    fn skip(&mut self, _most: u64) -> u64 {
        0
    }

    /// As [`Simulator::disturb`].
    fn disturb(&mut self) {}
}

impl Engine for Simulator {
    fn port(&self, name: &str) -> Option<Port> {
        Simulator::port(self, name)
    }

    fn set(&mut self, port: Port, value: u64) {
        Simulator::set(self, port, value);
    }

    fn get(&self, port: Port) -> u64 {
        Simulator::get(self, port)
    }

    fn step(&mut self) {
        Simulator::step(self);
    }

    fn rests(&self) -> bool {
        Simulator::rests(self)
    }

    fn skip(&mut self, most: u64) -> u64 {
        Simulator::skip(self, most)
    }

    fn disturb(&mut self) {
        Simulator::disturb(self);
    }
}
