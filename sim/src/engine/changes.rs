//! Which of the observed words changed.
use super::Simulator;

/// Where the value of an observed net is among [`Simulator::observed_words`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bits {
    /// Which word.
    pub slot: u32,
    /// Its lowest bit there.
    pub low: u8,
    /// How many bits.
    pub width: u8,
}

impl Bits {
    /// The value, given the word.
    pub fn in_word(self, word: u64) -> u64 {
        word >> self.low & crate::ir::mask(self.width as usize)
    }

    /// The value, given all words.
    pub fn of(self, words: &[u64]) -> u64 {
        self.in_word(words[self.slot as usize])
    }
}

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
