//! Atomics whose results depend on the schedule: they are taken from another device, and kept to be compared with what its memory did.
use warploom_runtime::isa::{AtomicOp, Register};

/// An atomic of a thread, with the result that was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// The word.
    pub address: u32,
    /// What is done.
    pub op: AtomicOp,
    /// With what.
    pub operand: u32,
    /// The result.
    pub old: u32,
}

/// Results that are given, and the atomics that have taken them.
pub struct Replay {
    /// The register that such atomics write.
    pub register: Register,
    returns: Vec<std::vec::IntoIter<u32>>,
    done: Vec<Replayed>,
    missing: bool,
}

impl Replay {
    pub fn new(register: Register, returns: Vec<Vec<u32>>) -> Self {
        Self { register, returns: returns.into_iter().map(Vec::into_iter).collect(), done: vec![], missing: false }
    }

    /// The next result for a thread of the grid; 0 if there is none.
    pub fn next(&mut self, thread: usize, address: u32, op: AtomicOp, operand: u32) -> u32 {
        let next = self.returns.get_mut(thread).and_then(Iterator::next);
        self.missing |= next.is_none();
        let old = next.unwrap_or(0);
        self.done.push(Replayed { address, op, operand, old });
        old
    }

    /// All of them, if there were as many as results.
    pub fn done(&self) -> Option<&[Replayed]> {
        let complete = !self.missing && self.returns.iter().all(|returns| returns.len() == 0);
        complete.then_some(&self.done)
    }
}
