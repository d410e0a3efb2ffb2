//! Fetch, predecode and the warp buffer.
//!
//! ```text
//!               +-----------------------------------------+
//!  fetchable -->|  Fetch --> Predecode --> WarpBuffer     |---> slot_*      every warp
//!  fetch_pc  -->|    |                        ^    ^      |---> selected_*  of issue_select
//!  fetch_mask ->|    v                        |    |      |---> decoded_*   to the reconvergence unit
//!     form_* -->|  fetch_warp            decoded  issue   |---> trap_*
//!               +-----------------------------------------+
//! ```
//!
//! Ports: those of [`Fetch`](super::Fetch) and [`WarpBuffer`](super::WarpBuffer) under the same names, and
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `decoded_valid`, `decoded_warp` | 1, p | DECODE: this warp's instruction enters the buffer |
//! | `decoded_control` | 1 | it is a branch, jump, exit or bar.sync: its warp stays unfetchable until it is resolved |
//!
//! A warp has P sides; each has a warp buffer, whose ports are vectors here. Latency: from fetch to issue 2. No state of its own.
use super::{Fetch, Predecode, WarpBuffer};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct Frontend: clock, reset {
        pub halt: Signal<In, Bit>,
        // Host
        pub load_enable: Signal<In, Bit>,
        pub load_address: Net<In> = config.instruction_width(),
        pub load_word: Net<In> = 32,
        pub load_rpc: Net<In> = 32,
        pub load_rpc_valid: Signal<In, Bit>,
        pub load_lpc: Net<In> = 32,
        pub load_uniform: Signal<In, Bit>,
        pub load_short: Signal<In, Bit>,
        pub load_data_dependent: Signal<In, Bit>,
        // Reconvergence unit
        pub fetchable: Vec<Net<In>> = Net::vec(sides, warps),
        pub fetch_warp: Net<Out> = path,
        pub fetch_valid: Signal<Out, Bit>,
        pub fetch_pc: Net<In> = 32,
        pub fetch_mask: Net<In> = lanes,
        pub decoded_valid: Signal<Out, Bit>,
        pub decoded_warp: Net<Out> = path,
        pub decoded_control: Signal<Out, Bit>,
        pub decoded_mask: Net<Out> = lanes,
        pub form_valid: Signal<In, Bit>,
        pub form_warp: Net<In> = w,
        pub form_rows: Vec<Net<In>> = Net::vec(config.row_ports(), w),
        pub flush: Vec<Net<In>> = Net::vec(sides, warps),
        // Issue
        pub issue_take: Signal<In, Bit>,
        pub issue_select: Net<In> = path,
        pub slot_valid: Vec<Net<Out>> = Net::vec(sides, warps),
        pub slot_rs1: Vec<Net<Out>> = Net::vec(sides * warps, 5),
        pub slot_rs2: Vec<Net<Out>> = Net::vec(sides * warps, 5),
        pub slot_rd: Vec<Net<Out>> = Net::vec(sides * warps, 5),
        pub slot_reads_rs1: Vec<Net<Out>> = Net::vec(sides, warps),
        pub slot_reads_rs2: Vec<Net<Out>> = Net::vec(sides, warps),
        pub slot_writes_rd: Vec<Net<Out>> = Net::vec(sides, warps),
        pub slot_multiply: Vec<Net<Out>> = Net::vec(sides, warps),
        pub slot_divide: Vec<Net<Out>> = Net::vec(sides, warps),
        pub slot_memory: Vec<Net<Out>> = Net::vec(sides, warps),
        pub slot_control: Vec<Net<Out>> = Net::vec(sides, warps),
        pub selected_word: Net<Out> = 32,
        pub selected_pc: Net<Out> = 32,
        pub selected_mask: Net<Out> = lanes,
        pub selected_rpc: Net<Out> = 32,
        pub selected_rpc_valid: Signal<Out, Bit>,
        pub selected_lpc: Net<Out> = 32,
        pub selected_uniform: Signal<Out, Bit>,
        pub selected_short: Signal<Out, Bit>,
        pub selected_data_dependent: Signal<Out, Bit>,
        pub selected_rows: Vec<Net<Out>> = Net::vec(config.row_ports(), w),
        // Trap unit
        pub trap_valid: Signal<Out, Bit>,
        pub trap_warp: Net<Out> = w,
        pub trap_pc: Net<Out> = 32,

        fetch: Fetch = Fetch::new(config),
        predecode: Predecode,
        /// By side.
        buffers: Vec<WarpBuffer> = (0..sides).map(|_| WarpBuffer::new(config)).collect(),
        /// Which side, as a path number of warp 0.
        sides: Vec<Constant> = (0..sides).map(|side| Constant::new((side << w) as u64, path)).collect(),
        side_bits: Constant = Constant::new(mask(path) ^ mask(w), path),
        decoded_side: Net<Local> = path,
        issue_side: Net<Local> = path,
        written: Signal<Local, Bit>,
    }
    sizes { _warp_width = w, _warps = warps }
    /// The frontend of a core.
    pub fn new(config: &CoreConfig) {
        let (w, path, sides) = (config.warp_width(), config.path_width(), config.sides());
        let (warps, lanes) = (config.warps, config.lanes);
    }
}

impl Logic for Frontend {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Frontend");

        self.fetch.halt.next = self.halt.val();
        self.fetch.load_enable.next = self.load_enable.val();
        self.fetch.load_address.next = self.load_address.val();
        self.fetch.load_word.next = self.load_word.val();
        self.fetch.load_rpc.next = self.load_rpc.val();
        self.fetch.load_rpc_valid.next = self.load_rpc_valid.val();
        self.fetch.load_lpc.next = self.load_lpc.val();
        self.fetch.load_uniform.next = self.load_uniform.val();
        self.fetch.load_short.next = self.load_short.val();
        self.fetch.load_data_dependent.next = self.load_data_dependent.val();
        for p in 0..self.fetchable.len() {
            self.fetch.fetchable[p].next = self.fetchable[p].val();
            self.fetch.slot_valid[p].next = self.buffers[p].slot_valid.val();
        }
        self.fetch.fetch_pc.next = self.fetch_pc.val();
        self.fetch.fetch_mask.next = self.fetch_mask.val();
        self.fetch_warp.next = self.fetch.fetch_warp.val();
        self.fetch_valid.next = self.fetch.fetch_valid.val();
        self.trap_valid.next = self.fetch.trap_valid.val();
        self.trap_warp.next = self.fetch.trap_warp.val();
        self.trap_pc.next = self.fetch.trap_pc.val();

        self.predecode.word.next = self.fetch.decoded_word.val();
        self.decoded_valid.next = self.fetch.decoded_valid.val();
        self.decoded_warp.next = self.fetch.decoded_warp.val();
        self.decoded_control.next = self.predecode.control.val();
        self.decoded_mask.next = self.fetch.decoded_mask.val();

        // A buffer for each side.
        self.decoded_side.next = self.fetch.decoded_warp.val() & self.side_bits.val();
        self.issue_side.next = self.issue_select.val() & self.side_bits.val();
        self.selected_rpc_valid.next = false;
        self.selected_uniform.next = false;
        self.selected_short.next = false;
        self.selected_data_dependent.next = false;
        self.selected_word.next = 0.into();
        self.selected_pc.next = 0.into();
        self.selected_mask.next = 0.into();
        self.selected_rpc.next = 0.into();
        self.selected_lpc.next = 1.into();
        for p in 0..self.buffers.len() {
            self.written.next = self.fetch.decoded_valid.val() & (self.decoded_side.val() == self.sides[p].val());
            self.buffers[p].write_valid.next = self.written.val();
            self.buffers[p].write_warp.next = bit_cast_to(self.fetch.decoded_warp.val(), self._warp_width);
            self.buffers[p].write_word.next = self.fetch.decoded_word.val();
            self.buffers[p].write_pc.next = self.fetch.decoded_pc.val();
            self.buffers[p].write_mask.next = self.fetch.decoded_mask.val();
            self.buffers[p].write_rpc.next = self.fetch.decoded_rpc.val();
            self.buffers[p].write_rpc_valid.next = self.fetch.decoded_rpc_valid.val();
            self.buffers[p].write_lpc.next = self.fetch.decoded_lpc.val();
            self.buffers[p].write_uniform.next = self.fetch.decoded_uniform.val();
            self.buffers[p].write_short.next = self.fetch.decoded_short.val();
            self.buffers[p].write_data_dependent.next = self.fetch.decoded_data_dependent.val();
            self.buffers[p].write_rs1.next = self.predecode.rs1.val();
            self.buffers[p].write_rs2.next = self.predecode.rs2.val();
            self.buffers[p].write_rd.next = self.predecode.rd.val();
            self.buffers[p].write_flags.next = bit_cast_to(self.predecode.reads_rs1.val(), 7)
                | (bit_cast_to(self.predecode.reads_rs2.val(), 7) << 1)
                | (bit_cast_to(self.predecode.writes_rd.val(), 7) << 2)
                | (bit_cast_to(self.predecode.multiply.val(), 7) << 3)
                | (bit_cast_to(self.predecode.divide.val(), 7) << 4)
                | (bit_cast_to(self.predecode.memory.val(), 7) << 5)
                | (bit_cast_to(self.predecode.control.val(), 7) << 6);
            self.buffers[p].flush.next = self.flush[p].val();
            self.buffers[p].issue_take.next = self.issue_take.val() & (self.issue_side.val() == self.sides[p].val());
            self.buffers[p].issue_select.next = bit_cast_to(self.issue_select.val(), self._warp_width);
            self.buffers[p].form_valid.next = self.form_valid.val();
            self.buffers[p].form_warp.next = self.form_warp.val();
            for i in 0..self.form_rows.len() {
                self.buffers[p].form_rows[i].next = self.form_rows[i].val();
                self.selected_rows[i].next = self.buffers[p].selected_rows[i].val();
            }

            self.slot_valid[p].next = self.buffers[p].slot_valid.val();
            // A loop of one trip: an index may hold numbers and loop variables only.
            for warps in self._warps..(self._warps + 1) {
                for i in 0..self._warps {
                    self.slot_rs1[p * warps + i].next = self.buffers[p].slot_rs1[i].val();
                    self.slot_rs2[p * warps + i].next = self.buffers[p].slot_rs2[i].val();
                    self.slot_rd[p * warps + i].next = self.buffers[p].slot_rd[i].val();
                }
            }
            self.slot_reads_rs1[p].next = self.buffers[p].slot_reads_rs1.val();
            self.slot_reads_rs2[p].next = self.buffers[p].slot_reads_rs2.val();
            self.slot_writes_rd[p].next = self.buffers[p].slot_writes_rd.val();
            self.slot_multiply[p].next = self.buffers[p].slot_multiply.val();
            self.slot_divide[p].next = self.buffers[p].slot_divide.val();
            self.slot_memory[p].next = self.buffers[p].slot_memory.val();
            self.slot_control[p].next = self.buffers[p].slot_control.val();
            if self.issue_side.val() == self.sides[p].val() {
                self.selected_word.next = self.buffers[p].selected_word.val();
                self.selected_pc.next = self.buffers[p].selected_pc.val();
                self.selected_mask.next = self.buffers[p].selected_mask.val();
                self.selected_rpc.next = self.buffers[p].selected_rpc.val();
                self.selected_rpc_valid.next = self.buffers[p].selected_rpc_valid.val();
                self.selected_lpc.next = self.buffers[p].selected_lpc.val();
                self.selected_uniform.next = self.buffers[p].selected_uniform.val();
                self.selected_short.next = self.buffers[p].selected_short.val();
                self.selected_data_dependent.next = self.buffers[p].selected_data_dependent.val();
            }
        }
    }
}
