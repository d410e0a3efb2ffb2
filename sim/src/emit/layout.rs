//! Where the host finds the values of a design.
use super::{Class, Schedule, class};
use crate::ir::{Design, Observed, mask};

/// Where the outputs of a design are.
pub fn layout(schedule: Schedule) -> Layout {
    Layout { slots: schedule.slots, words: schedule.words }
}

/// Where the value of an observed net is among the words that the host reads.
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
        word >> self.low & mask(self.width as usize)
    }

    /// The value, given all words.
    pub fn of(self, words: &[u64]) -> u64 {
        self.in_word(words[self.slot as usize])
    }
}

/// Where outputs are among the words that the host reads; the inputs stand before them.
pub struct Layout {
    /// By output, its first word.
    slots: Vec<usize>,
    /// How many there are.
    pub words: usize,
}

impl Layout {
    /// The word of a scalar.
    pub fn slot(&self, output: usize) -> usize {
        self.slots[output]
    }

    /// The bits of an observed net.
    pub fn bits(&self, design: &Design, net: &Observed) -> Bits {
        let first = self.slots[net.output];
        let (slot, low) = match class(design.graph.ty(design.outputs[net.output].value)) {
            Class::Word => (first, net.low),
            Class::Mask => (first, net.lane),
            Class::V(_) => (first + net.lane / 2, net.low + net.lane % 2 * 32),
            Class::W(_) => (first + net.lane, net.low),
        };
        Bits { slot: slot as u32, low: low as u8, width: net.stored as u8 }
    }
}
