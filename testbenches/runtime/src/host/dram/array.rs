//! The pins of a channel of DRAM, and what passes over them.
use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use warploom_hdl::memory_system::dram::{ChannelConfig, DramCommand};

use super::cells::{Cells, Place};
use super::protocol::{Command, Protocol, Violation};

/// What the controller says in a clock of the command bus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DramPins {
    /// What is to be done.
    pub command: DramCommand,
    /// In which bank.
    pub bank: usize,
    /// Of an activate: its row.
    pub row: usize,
    /// Of a read or write: which burst of the open row.
    pub column: usize,
    /// Words on the data bus, if a write has come so many clocks ago.
    pub data: Vec<u32>,
    /// By word, which of its bytes are written.
    pub mask: Vec<u8>,
}

/// A burst whose data pass over the bus, from this clock on.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Passing<T> {
    from: usize,
    what: T,
}

/// The DRAM of a channel. It never refuses and never waits: what it is told it does, or it is an error.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DramArray {
    config: ChannelConfig,
    protocol: Protocol,
    clock: usize,
    reading: VecDeque<Passing<Vec<u32>>>,
    writing: VecDeque<Passing<Place>>,
}

impl DramArray {
    /// In the first clock of the command bus.
    pub fn new(config: &ChannelConfig) -> Self {
        Self {
            protocol: Protocol::new(&config.timing),
            config: config.clone(),
            clock: 0,
            reading: VecDeque::new(),
            writing: VecDeque::new(),
        }
    }

    /// Whether it is the DRAM of such a channel.
    pub(in crate::host) fn is_of(&self, config: &ChannelConfig) -> bool {
        self.config == *config && self.protocol.is_of(&config.timing)
    }

    /// The words that it drives in this clock, if it drives the bus.
    pub fn drives(&self) -> Option<&[u32]> {
        let burst = self.reading.front()?;
        let beat = self.clock.checked_sub(burst.from)?;
        burst.what.chunks(self.config.beat_words()).nth(beat)
    }

    /// Whether it takes what is on the data bus in this clock.
    pub fn takes_data(&self) -> bool {
        self.writing.front().is_some_and(|write| self.clock >= write.from)
    }

    /// A clock of the command bus is over.
    ///
    /// # Errors
    /// The rule that the command breaks.
    pub fn clock(&mut self, pins: &DramPins, cells: &mut impl Cells) -> Result<(), Violation> {
        let DramPins { command: kind, bank, row, column, .. } = *pins;
        let open = self.protocol.open(bank);
        self.protocol.take(Command { clock: self.clock, kind, bank, row })?;
        let timing = &self.config.timing;
        match (kind, open) {
            (DramCommand::Read, Some(row)) => {
                let (from, mut what) = (self.clock + timing.read_latency, vec![0; self.config.burst_words]);
                cells.read(Place { bank, row, column }, &mut what);
                self.reading.push_back(Passing { from, what });
            }
            (DramCommand::Write, Some(row)) => {
                let (from, what) = (self.clock + timing.write_latency, Place { bank, row, column });
                self.writing.push_back(Passing { from, what });
            }
            _ => {}
        }
        let burst = self.config.timing.burst;
        if let Some(&Passing { from, what }) = self.writing.front().filter(|write| self.clock >= write.from) {
            let first = (self.clock - from) * self.config.beat_words();
            for (word, (data, mask)) in pins.data.iter().zip(&pins.mask).enumerate() {
                cells.write(what, first + word, *data, *mask);
            }
            if self.clock + 1 == from + burst {
                self.writing.pop_front();
            }
        }
        self.clock += 1;
        if self.reading.front().is_some_and(|read| self.clock >= read.from + burst) {
            self.reading.pop_front();
        }
        Ok(())
    }
}
