//! Packets, and what they take on the way.
use warploom_hdl::memory_system::network::PacketKind;

/// A packet.
#[derive(Clone, Debug)]
pub struct Packet {
    /// What it is.
    pub kind: PacketKind,
    /// Of whom.
    pub core: usize,
    /// Its name.
    pub id: usize,
    /// Address of the line, in sectors.
    pub line: usize,
    /// Touched sectors, a bit each.
    pub sectors: usize,
    /// Number of what an atomic does.
    pub operation: usize,
    /// Which word of its sector.
    pub word: usize,
    /// That word.
    pub operand: u32,
    /// The line.
    pub data: Vec<u32>,
    /// Of each sector: its bytes that are written.
    pub mask: Vec<u32>,
}

impl Packet {
    /// Whether data of a sector travel.
    pub fn carries(&self, sector: usize) -> bool {
        matches!(self.kind, PacketKind::Write | PacketKind::Data) && self.sectors >> sector & 1 == 1
    }

    /// Flits of 32 bytes: header, sectors, and of a write the mask unless it writes them whole.
    pub fn flits(&self) -> usize {
        let carried = (0..self.mask.len()).filter(|sector| self.carries(*sector));
        let masked = self.kind == PacketKind::Write && carried.clone().any(|sector| self.mask[sector] != u32::MAX);
        let mask = if masked { 4 * self.mask.len() } else { 0 };
        (8 + 32 * carried.count() + mask).div_ceil(32)
    }
}
