//! Sizes of a slice of L2.
use serde::{Deserialize, Serialize};

use crate::memory_system::network::SECTOR_BYTES;
use crate::prelude::*;

/// A slice of L2.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct L2Config {
    /// Bytes of a line.
    pub line_bytes: usize,
    /// Sets, a power of two.
    pub sets: usize,
    /// Ways of a set, 2 to 64.
    pub ways: usize,
    /// Lines that may be on their way from DRAM, a power of two.
    pub mshrs: usize,
    /// Reads that may wait for one of them, a power of two.
    pub merges: usize,
    /// Lines that may wait to be written.
    pub evictions: usize,
    /// Replies that may wait.
    pub replies: usize,
    /// Cores that ask.
    pub cores: usize,
    /// Bits of what names a request of a core.
    pub id_width: usize,
    /// Bits of the number of a line, counted in the channel.
    pub line_width: usize,
    /// Sectors that a burst of the DRAM brings.
    pub burst_sectors: usize,
}

impl L2Config {
    /// Words of 32 bits of a line.
    pub fn words(&self) -> usize {
        self.line_bytes / 4
    }

    /// Sectors of a line.
    pub fn sectors(&self) -> usize {
        self.line_bytes / SECTOR_BYTES
    }

    /// Bursts of a line.
    pub fn bursts(&self) -> usize {
        self.sectors() / self.burst_sectors
    }

    /// Bits of the number of a core.
    pub fn core_width(&self) -> usize {
        index_width(self.cores)
    }

    /// Bits of the number of a set.
    pub fn set_width(&self) -> usize {
        index_width(self.sets)
    }

    /// Bits of the number of a way.
    pub fn way_width(&self) -> usize {
        index_width(self.ways)
    }

    /// Bits of what is above the set in the number of a line.
    pub fn tag_width(&self) -> usize {
        self.line_width - self.set_width()
    }

    /// Bits of the place of a line in the data: way, then set.
    pub fn row_width(&self) -> usize {
        self.set_width() + self.way_width()
    }

    /// Bits of the number of a line on its way.
    pub fn mshr_width(&self) -> usize {
        index_width(self.mshrs)
    }
}
