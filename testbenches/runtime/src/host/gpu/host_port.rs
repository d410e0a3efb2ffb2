//! The host as one who asks for memory: it writes what the cores may have in L2.
use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use warploom_hdl::interface::MemoryOp;
use warploom_hdl::memory_system::SystemConfig;
use warploom_hdl::memory_system::network::{PacketKind, SECTOR_BYTES};

use super::link::{Flit, Lane};
use super::memory::GpuMemory;

/// Writes that are on their way, or wait.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct HostPort {
    flits: VecDeque<Flit>,
    /// Flits on the link that have no credit yet.
    owed: usize,
    room: usize,
    /// Writes without an acknowledgement.
    unacknowledged: usize,
    number: u32,
    line_bytes: u32,
}

impl HostPort {
    /// Behind the cores of this memory system.
    pub fn new(system: &SystemConfig) -> Self {
        let (room, number) = (system.link_room, system.cores as u32);
        let line_bytes = system.l2.line_bytes as u32;
        Self { flits: VecDeque::new(), owed: 0, room, unacknowledged: 0, number, line_bytes }
    }

    /// Whether it is behind such cores.
    pub fn is_of(&self, system: &SystemConfig) -> bool {
        let sizes = |port: &Self| (port.room, port.number, port.line_bytes);
        sizes(self) == sizes(&Self::new(system))
    }

    /// Whether all that was written is done.
    pub fn is_idle(&self) -> bool {
        self.unacknowledged == 0
    }

    /// Words are to be written, line by line.
    pub fn write(&mut self, address: u32, words: &[u32], memory: &GpuMemory) {
        let end = address + 4 * words.len() as u32;
        let mut line = address & !(self.line_bytes - 1);
        while line < end {
            let word = |number: u32| {
                let at = line + 4 * number;
                (address..end).contains(&at).then(|| words[((at - address) / 4) as usize])
            };
            self.write_line(line, word, memory);
            line += self.line_bytes;
        }
    }

    fn write_line(&mut self, line: u32, word: impl Fn(u32) -> Option<u32>, memory: &GpuMemory) {
        let (channel, local) = memory.place(line);
        let words = SECTOR_BYTES as u32 / 4;
        let sectors = self.line_bytes / SECTOR_BYTES as u32;
        let is_touched = |sector: &u32| (0..words).any(|w| word(sector * words + w).is_some());
        let touched: Vec<u32> = (0..sectors).filter(is_touched).collect();
        let mut head = [0; 8];
        head[0] = local >> SECTOR_BYTES.ilog2() | touched.iter().map(|sector| 1 << sector).sum::<u32>() << 27;
        head[1] = PacketKind::Write as u32 | self.number << 4 | (MemoryOp::Store as u32) << 17;
        for sector in &touched {
            let written = (0..words).filter(|w| word(sector * words + w).is_some());
            head[3 + *sector as usize] = written.map(|w| 0xf << (4 * w)).sum();
        }
        let flit = |head, tail, payload| Flit { valid: true, head, tail, destination: channel as u8, payload };
        self.flits.push_back(flit(true, false, head));
        for sector in &touched {
            let data = std::array::from_fn(|w| word(sector * words + w as u32).unwrap_or(0));
            self.flits.push_back(flit(false, Some(sector) == touched.last(), data));
        }
        self.unacknowledged += 1;
    }

    /// A cycle of the cores: what has come, and what goes.
    pub fn cycle<T: Default>(&mut self, came: &Flit, credit: bool) -> Lane<T> {
        self.owed -= usize::from(credit);
        // Nothing else than acknowledgements, a flit each.
        self.unacknowledged -= usize::from(came.valid);
        let flit = if self.owed < self.room { self.flits.pop_front() } else { None };
        self.owed += usize::from(flit.is_some());
        Lane { flit: flit.unwrap_or_default(), credit: came.valid, cta: T::default() }
    }
}
