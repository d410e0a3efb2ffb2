//! Which of the observed words changed.
use super::Simulator;

/// The observed words of a simulator as they were.
pub struct Snapshot {
    words: Vec<u64>,
}

impl Snapshot {
    /// As they are.
    pub fn new(simulator: &Simulator) -> Self {
        Self { words: simulator.words_from_outputs().to_vec() }
    }

    /// Appends the numbers and values of the words that have changed since, and takes them over.
    ///
    /// # Panics
    /// If the snapshot is another simulator's.
    pub fn changes(&mut self, simulator: &Simulator, slots: &mut Vec<u32>, values: &mut Vec<u64>) {
        assert_eq!(self.words.len(), simulator.words_from_outputs().len(), "the snapshot of another simulator");
        simulator.instance.changes(&mut self.words, slots, values);
    }
}
