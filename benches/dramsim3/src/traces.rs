//! What is asked of both.
use warploom_hdl::memory_system::dram::{ChannelConfig, DramTiming};
use warploom_runtime::kernels::Random;

/// Bits of the number of a burst in a row. There are more than in the papers' DRAM: then no burst is asked for again while it waits, which DRAMsim3 would answer without the DRAM.
pub const COLUMN_WIDTH: usize = 11;
/// Bits of the number of a row.
pub const ROW_WIDTH: usize = 12;
/// Bursts of a line.
pub const BURSTS: usize = 2;

/// Clocks after which nothing is under way, and every time of the DRAM is over.
pub const IDLE: usize = 200;

/// Bytes of a burst, as our channel has them.
pub fn burst_bytes(timing: &DramTiming) -> usize {
    4 * ChannelConfig::new(timing, 0, 1).burst_words
}

const LINES: usize = (1 << COLUMN_WIDTH) / BURSTS;
/// Lines of a row of the papers' DRAM.
const LINES_IN_ORDER: usize = 32;
const ROWS: usize = 1000;

/// A line that is read or written.
#[derive(Clone, Copy)]
pub struct Access {
    /// Where it is.
    pub bank: usize,
    /// The row there.
    pub row: usize,
    /// Which line of the row.
    pub line: usize,
    /// It is written.
    pub write: bool,
}

/// A sequence of them, without an end; the next is there whenever there is room.
#[derive(Clone, Copy)]
pub enum Trace {
    /// All of a row, then of the next bank's.
    InOrder,
    /// A new row for each line, banks in turn.
    Turns,
    /// A new row of one bank for each line.
    OneBank,
    /// Reads and writes of one row in turn.
    Alternating,
    /// Reads anywhere.
    Random,
    /// Reads of four rows of each bank.
    FewRows,
    /// A third of what is anywhere is written.
    RandomWrites,
}

impl Trace {
    /// In the order of the table.
    pub const ALL: [Self; 7] =
        [Self::InOrder, Self::Turns, Self::OneBank, Self::Alternating, Self::Random, Self::FewRows, Self::RandomWrites];

    /// As the table calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::InOrder => "rows in order",
            Self::Turns => "a new row for each line, banks in turn",
            Self::OneBank => "a new row for each line of one bank",
            Self::Alternating => "reads and writes of a row in turn",
            Self::Random => "random reads",
            Self::FewRows => "random reads of four rows of each bank",
            Self::RandomWrites => "random, a third of them writes",
        }
    }

    /// Its accesses.
    pub fn accesses(self, timing: &DramTiming) -> impl Iterator<Item = Access> + use<> {
        let banks = timing.banks;
        let mut random = Random::new(1);
        (0..).map(move |number: usize| {
            let mut below = |bound: usize| random.below(bound as u32) as usize;
            let (bank, row, write) = match self {
                Self::InOrder => (number / LINES_IN_ORDER % banks, number / LINES_IN_ORDER / banks % ROWS, false),
                Self::Turns => (number % banks, number / banks % ROWS, false),
                Self::OneBank => (0, number % ROWS, false),
                Self::Alternating => (0, 0, number % 2 == 1),
                Self::Random => (below(banks), below(ROWS), false),
                Self::FewRows => (below(banks), below(4), false),
                Self::RandomWrites => (below(banks), below(ROWS), below(3) == 0),
            };
            let lines = if matches!(self, Self::InOrder) { LINES_IN_ORDER } else { LINES };
            Access { bank, row, line: number % lines, write }
        })
    }
}
