//! What keeps the bytes of a channel of DRAM.
use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use warploom_hdl::memory_system::dram::ChannelConfig;

/// Where a burst is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Place {
    /// Its bank.
    pub bank: usize,
    /// Its row there.
    pub row: usize,
    /// Which burst of the row.
    pub column: usize,
}

/// What keeps the bytes of a channel.
pub trait Cells {
    /// The words of a burst.
    fn read(&mut self, place: Place, words: &mut [u32]);

    /// A word of a burst, of which these bytes are written.
    fn write(&mut self, place: Place, word: usize, data: u32, mask: u8);
}

/// Cells of zeros at first, on their own.
#[derive(Clone, Debug, Default)]
pub struct SparseCells {
    bursts: HashMap<Place, Vec<u32>>,
    burst_words: usize,
}

impl SparseCells {
    /// Of this channel.
    pub fn new(config: &ChannelConfig) -> Self {
        Self { bursts: HashMap::new(), burst_words: config.burst_words }
    }

    /// A burst as it is now.
    pub fn burst(&self, bank: usize, row: usize, column: usize) -> Vec<u32> {
        let burst = self.bursts.get(&Place { bank, row, column });
        burst.cloned().unwrap_or_else(|| vec![0; self.burst_words])
    }

    /// Changes it from outside.
    pub fn set_burst(&mut self, bank: usize, row: usize, column: usize, words: Vec<u32>) {
        self.bursts.insert(Place { bank, row, column }, words);
    }
}

impl Cells for SparseCells {
    fn read(&mut self, place: Place, words: &mut [u32]) {
        let Place { bank, row, column } = place;
        words.copy_from_slice(&self.burst(bank, row, column));
    }

    fn write(&mut self, place: Place, word: usize, data: u32, mask: u8) {
        let words = self.burst_words;
        let burst = self.bursts.entry(place).or_insert_with(|| vec![0; words]);
        let bits = (0..4).filter(|byte| mask >> byte & 1 == 1).fold(0, |bits, byte| bits | 0xff << (8 * byte));
        burst[word] = burst[word] & !bits | data & bits;
    }
}
