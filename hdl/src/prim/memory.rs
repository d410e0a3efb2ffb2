//! A memory with any number of read and write ports.
//!
//! ```text
//!                       +--------+
//!  read_address[r] ---->|        |----> read_data[r]
//!  [read_enable[r]] --->| Memory |
//!  write_enable[w] ---->|        |
//!  write_address[w] --->|        |
//!  write_data[w] ------>|        |
//!  [write_mask[w]] ---->|        |
//!                       +--------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `read_address[r]` | index of depth | row to read |
//! | `read_enable[r]` | 1 | synchronous read only: take a new row at the edge, else hold the last |
//! | `read_data[r]` | w | asynchronous: the row now; synchronous: the row sampled at the last enabled edge |
//! | `write_enable[w]` | 1 | write at the edge |
//! | `write_address[w]`, `write_data[w]` | | where and what |
//! | `write_mask[w]` | w / 8 | with byte enables only: which bytes |
//!
//! Latency: read 0 (asynchronous) or 1 (synchronous); write 1. A synchronous read that meets a write
//! to the same row sees the old contents. When two ports write one row in one cycle, the
//! higher-numbered port wins (byte by byte). A read past the depth gives 0, a write past it is lost.
//! Starts at 0; there is no reset: store complemented what must start at one.
use super::Tag;
use crate::prelude::*;

/// When a read port answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadKind {
    /// In the same cycle: flip-flops, latches or LUT memory.
    Asynchronous,
    /// At the next edge: an SRAM macro or block RAM.
    Synchronous,
}

/// See the [module documentation](self).
#[derive(LogicBlock)]
pub struct Memory {
    pub clock: Signal<In, Clock>,
    pub read_address: Vec<Net<In>>,
    pub read_enable: Vec<Signal<In, Bit>>,
    pub read_data: Vec<Net<Out>>,
    pub write_enable: Vec<Signal<In, Bit>>,
    pub write_address: Vec<Net<In>>,
    pub write_data: Vec<Net<In>>,
    pub write_mask: Vec<Net<In>>,
    _rows: Vec<u64>,
    _width: usize,
    _kind: ReadKind,
}

impl Memory {
    /// `depth` rows of `width` bits.
    pub fn new(width: usize, depth: usize, reads: usize, writes: usize, kind: ReadKind) -> Self {
        let address = index_width(depth);
        let enables = if kind == ReadKind::Synchronous { reads } else { 0 };
        Self {
            clock: Default::default(),
            read_address: Net::vec(reads, address),
            read_enable: bit_vec(enables),
            read_data: Net::vec(reads, width),
            write_enable: bit_vec(writes),
            write_address: Net::vec(writes, address),
            write_data: Net::vec(writes, width),
            write_mask: vec![],
            _rows: vec![0; depth],
            _width: width,
            _kind: kind,
        }
    }

    /// The same with byte enables on every write port.
    ///
    /// # Panics
    /// If `width` is not a multiple of 8.
    pub fn with_byte_enables(width: usize, depth: usize, reads: usize, writes: usize, kind: ReadKind) -> Self {
        assert!(width.is_multiple_of(8), "byte enables need whole bytes, not {width} bits");
        Self { write_mask: Net::vec(writes, width / 8), ..Self::new(width, depth, reads, writes, kind) }
    }

    fn row(&self, port: usize) -> Word {
        let row = self._rows.get(self.read_address[port].val().index()).copied();
        Word::new(row.unwrap_or(0), self._width)
    }

    fn written_bits(&self, port: usize) -> u64 {
        if self.write_mask.is_empty() {
            return mask(self._width);
        }
        let bytes = self.write_mask[port].val();
        (0..self._width / 8).filter(|&b| bytes.get_bit(b)).fold(0, |bits, b| bits | (0xff << (8 * b)))
    }
}

impl Logic for Memory {
    fn update(&mut self) {
        let edge = self.clock.pos_edge();
        if self._kind == ReadKind::Synchronous && edge {
            for port in 0..self.read_data.len() {
                if self.read_enable[port].val() {
                    self.read_data[port].next = self.row(port);
                }
            }
        }
        if edge {
            for port in 0..self.write_enable.len() {
                if self.write_enable[port].val() {
                    let (bits, data) = (self.written_bits(port), self.write_data[port].val().value());
                    if let Some(row) = self._rows.get_mut(self.write_address[port].val().index()) {
                        *row = (*row & !bits) | (data & bits);
                    }
                }
            }
        }
        if self._kind == ReadKind::Asynchronous {
            for port in 0..self.read_data.len() {
                self.read_data[port].next = self.row(port);
            }
        }
    }
    fn connect(&mut self) {
        self.read_data.iter_mut().for_each(|port| port.connect());
    }
    fn hdl(&self) -> Verilog {
        Tag::Memory {
            width: self._width,
            depth: self._rows.len(),
            reads: self.read_data.len(),
            writes: self.write_enable.len(),
            synchronous: self._kind == ReadKind::Synchronous,
            byte_enables: !self.write_mask.is_empty(),
        }
        .to_verilog()
    }
}
