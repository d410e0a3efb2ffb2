//! What is in the DRAM of a GPU: global memory, and the private memory of every thread.
use std::sync::Mutex;

use serde::{Deserialize, Serialize};
use warploom_hdl::config::CoreConfig;
use warploom_hdl::memory_system::SystemConfig;
use warploom_hdl::memory_system::dram::AddressBits;

use super::mail::locked;
use crate::host::dram::{Cells, Place};
use crate::host::sparse::Sparse;
use crate::host::{GlobalMemory, PRIVATE_PHYSICAL_BASE};
use crate::loader::GLOBAL_BASE;

/// Bits of an address in the private memory of a core, as [`CorePort`](warploom_hdl::memory_system::CorePort) has it.
const PRIVATE_BITS: u32 = 26;

/// All of it.
pub struct GpuMemory {
    /// Global memory.
    pub global: GlobalMemory,
    /// By core.
    private: Vec<Vec<u8>>,
    channels: u32,
    bits: AddressBits,
}

/// What is in it, for a checkpoint.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct MemoryState {
    global: Sparse,
    private: Vec<Sparse>,
}

impl GpuMemory {
    /// Zeros, so many bytes of them in global memory.
    pub fn new(bytes: usize, config: &CoreConfig, system: &SystemConfig) -> Self {
        let private = config.private_bytes * config.lanes * config.warps;
        Self {
            global: GlobalMemory::new(bytes),
            private: vec![vec![0; private]; system.cores],
            channels: system.channels as u32,
            bits: system.bits.clone(),
        }
    }

    /// What is not zero.
    pub(super) fn save(&self) -> MemoryState {
        let private = self.private.iter().map(|bytes| Sparse::new(bytes)).collect();
        MemoryState { global: self.global.sparse(), private }
    }

    /// Whether it holds so much.
    pub(super) fn fits(&self, state: &MemoryState) -> bool {
        let sizes = self.private.iter().map(|bytes| bytes.len() as u64);
        state.private.iter().map(Sparse::size).eq(sizes)
    }

    /// Holds what was saved. Global memory becomes as large as it was.
    pub(super) fn restore(&mut self, state: &MemoryState) {
        self.global = GlobalMemory::from_sparse(&state.global);
        self.private = state.private.iter().map(Sparse::bytes).collect();
    }

    /// That of a channel.
    pub fn of_channel(&mut self, channel: usize) -> ChannelCells<'_> {
        ChannelCells { memory: self, channel: channel as u32 }
    }

    /// The channel of an address, and its address there.
    pub fn place(&self, address: u32) -> (u32, u32) {
        let chunk = address >> 8;
        (chunk % self.channels, (chunk / self.channels) << 8 | address & 0xff)
    }

    /// The address of a place in a channel.
    fn address(&self, channel: u32, place: Place) -> u32 {
        let Place { bank, row, column } = place;
        let fields = [(&self.bits.bank, bank), (&self.bits.row, row), (&self.bits.column, column)];
        let spread = |(bits, field): (&Vec<usize>, usize)| {
            bits.iter().enumerate().map(|(place, bit)| ((field >> place & 1) as u32) << bit).sum::<u32>()
        };
        let local: u32 = fields.into_iter().map(spread).sum();
        ((local >> 8) * self.channels + channel) << 8 | local & 0xff
    }

    /// Bytes at an address of DRAM, if there is something.
    fn bytes(&mut self, address: u32, size: usize) -> Option<&mut [u8]> {
        if address >= GLOBAL_BASE {
            return self.global.slice_mut(address, size);
        }
        let offset = address.checked_sub(PRIVATE_PHYSICAL_BASE)?;
        let start = (offset & ((1 << PRIVATE_BITS) - 1)) as usize;
        self.private.get_mut((offset >> PRIVATE_BITS) as usize)?.get_mut(start..start + size)
    }
}

/// The cells of a channel. A line may reach past the end of memory; nothing is kept there.
pub struct ChannelCells<'a> {
    memory: &'a mut GpuMemory,
    channel: u32,
}

impl Cells for ChannelCells<'_> {
    fn read(&mut self, place: Place, words: &mut [u32]) {
        let address = self.memory.address(self.channel, place);
        for (number, word) in words.iter_mut().enumerate() {
            let bytes = self.memory.bytes(address + 4 * number as u32, 4);
            *word = bytes.map_or(0, |bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
        }
    }

    fn write(&mut self, place: Place, word: usize, data: u32, mask: u8) {
        let address = self.memory.address(self.channel, place) + 4 * word as u32;
        let Some(bytes) = self.memory.bytes(address, 4) else { return };
        for (number, byte) in bytes.iter_mut().enumerate().filter(|(number, _)| mask >> number & 1 == 1) {
            *byte = data.to_le_bytes()[number];
        }
    }
}

/// Those of a channel of a memory whose channels may be on different threads.
pub(super) struct SharedCells<'a> {
    pub memory: &'a Mutex<GpuMemory>,
    pub channel: usize,
}

impl Cells for SharedCells<'_> {
    fn read(&mut self, place: Place, words: &mut [u32]) {
        locked(self.memory).of_channel(self.channel).read(place, words);
    }

    fn write(&mut self, place: Place, word: usize, data: u32, mask: u8) {
        locked(self.memory).of_channel(self.channel).write(place, word, data, mask);
    }
}
