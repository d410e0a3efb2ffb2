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
//! | `decoded_valid`, `decoded_warp` | 1, w | DECODE: this warp's instruction enters the buffer |
//! | `decoded_control` | 1 | it is a branch, jump, exit or bar.sync: its warp stays unfetchable until it is resolved |
//!
//! Latency: from fetch to issue 2. No state of its own.
use super::{Fetch, Predecode, WarpBuffer};
use crate::prelude::*;

/// See the [module documentation](self).
#[derive(LogicBlock)]
pub struct Frontend {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub halt: Signal<In, Bit>,
    // Host
    pub load_enable: Signal<In, Bit>,
    pub load_address: Net<In>,
    pub load_word: Net<In>,
    pub load_rpc: Net<In>,
    pub load_rpc_valid: Signal<In, Bit>,
    pub load_lpc: Net<In>,
    pub load_uniform: Signal<In, Bit>,
    pub load_data_dependent: Signal<In, Bit>,
    // Reconvergence unit
    pub fetchable: Net<In>,
    pub fetch_warp: Net<Out>,
    pub fetch_valid: Signal<Out, Bit>,
    pub fetch_pc: Net<In>,
    pub fetch_mask: Net<In>,
    pub decoded_valid: Signal<Out, Bit>,
    pub decoded_warp: Net<Out>,
    pub decoded_control: Signal<Out, Bit>,
    pub form_valid: Signal<In, Bit>,
    pub form_warp: Net<In>,
    pub form_rows: Vec<Net<In>>,
    // Issue
    pub issue_take: Signal<In, Bit>,
    pub issue_select: Net<In>,
    pub slot_valid: Net<Out>,
    pub slot_rs1: Vec<Net<Out>>,
    pub slot_rs2: Vec<Net<Out>>,
    pub slot_rd: Vec<Net<Out>>,
    pub slot_reads_rs1: Net<Out>,
    pub slot_reads_rs2: Net<Out>,
    pub slot_writes_rd: Net<Out>,
    pub slot_multiply: Net<Out>,
    pub slot_divide: Net<Out>,
    pub slot_memory: Net<Out>,
    pub slot_control: Net<Out>,
    pub selected_word: Net<Out>,
    pub selected_pc: Net<Out>,
    pub selected_mask: Net<Out>,
    pub selected_rpc: Net<Out>,
    pub selected_rpc_valid: Signal<Out, Bit>,
    pub selected_lpc: Net<Out>,
    pub selected_uniform: Signal<Out, Bit>,
    pub selected_data_dependent: Signal<Out, Bit>,
    pub selected_rows: Vec<Net<Out>>,
    // Trap unit
    pub trap_valid: Signal<Out, Bit>,
    pub trap_warp: Net<Out>,
    pub trap_pc: Net<Out>,

    fetch: Fetch,
    predecode: Predecode,
    buffer: WarpBuffer,
}

impl Frontend {
    /// The frontend of a core.
    pub fn new(config: &CoreConfig) -> Self {
        let (w, warps, lanes) = (config.warp_width(), config.warps, config.lanes);
        Self {
            clock: Default::default(),
            reset: Default::default(),
            halt: Default::default(),
            load_enable: Default::default(),
            load_address: Net::new(config.instruction_width()),
            load_word: Net::new(32),
            load_rpc: Net::new(32),
            load_rpc_valid: Default::default(),
            load_lpc: Net::new(32),
            load_uniform: Default::default(),
            load_data_dependent: Default::default(),
            fetchable: Net::new(warps),
            fetch_warp: Net::new(w),
            fetch_valid: Default::default(),
            fetch_pc: Net::new(32),
            fetch_mask: Net::new(lanes),
            decoded_valid: Default::default(),
            decoded_warp: Net::new(w),
            decoded_control: Default::default(),
            form_valid: Default::default(),
            form_warp: Net::new(w),
            form_rows: Net::vec(config.row_ports(), w),
            issue_take: Default::default(),
            issue_select: Net::new(w),
            slot_valid: Net::new(warps),
            slot_rs1: Net::vec(warps, 5),
            slot_rs2: Net::vec(warps, 5),
            slot_rd: Net::vec(warps, 5),
            slot_reads_rs1: Net::new(warps),
            slot_reads_rs2: Net::new(warps),
            slot_writes_rd: Net::new(warps),
            slot_multiply: Net::new(warps),
            slot_divide: Net::new(warps),
            slot_memory: Net::new(warps),
            slot_control: Net::new(warps),
            selected_word: Net::new(32),
            selected_pc: Net::new(32),
            selected_mask: Net::new(lanes),
            selected_rpc: Net::new(32),
            selected_rpc_valid: Default::default(),
            selected_lpc: Net::new(32),
            selected_uniform: Default::default(),
            selected_data_dependent: Default::default(),
            selected_rows: Net::vec(config.row_ports(), w),
            trap_valid: Default::default(),
            trap_warp: Net::new(w),
            trap_pc: Net::new(32),
            fetch: Fetch::new(config),
            predecode: Predecode::default(),
            buffer: WarpBuffer::new(config),
        }
    }
}

impl Logic for Frontend {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Frontend");
        clock!(self, clock, fetch, buffer);
        self.fetch.reset.next = self.reset.val();
        self.buffer.reset.next = self.reset.val();

        self.fetch.halt.next = self.halt.val();
        self.fetch.load_enable.next = self.load_enable.val();
        self.fetch.load_address.next = self.load_address.val();
        self.fetch.load_word.next = self.load_word.val();
        self.fetch.load_rpc.next = self.load_rpc.val();
        self.fetch.load_rpc_valid.next = self.load_rpc_valid.val();
        self.fetch.load_lpc.next = self.load_lpc.val();
        self.fetch.load_uniform.next = self.load_uniform.val();
        self.fetch.load_data_dependent.next = self.load_data_dependent.val();
        self.fetch.fetchable.next = self.fetchable.val();
        self.fetch.slot_valid.next = self.buffer.slot_valid.val();
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

        self.buffer.write_valid.next = self.fetch.decoded_valid.val();
        self.buffer.write_warp.next = self.fetch.decoded_warp.val();
        self.buffer.write_word.next = self.fetch.decoded_word.val();
        self.buffer.write_pc.next = self.fetch.decoded_pc.val();
        self.buffer.write_mask.next = self.fetch.decoded_mask.val();
        self.buffer.write_rpc.next = self.fetch.decoded_rpc.val();
        self.buffer.write_rpc_valid.next = self.fetch.decoded_rpc_valid.val();
        self.buffer.write_lpc.next = self.fetch.decoded_lpc.val();
        self.buffer.write_uniform.next = self.fetch.decoded_uniform.val();
        self.buffer.write_data_dependent.next = self.fetch.decoded_data_dependent.val();
        self.buffer.write_rs1.next = self.predecode.rs1.val();
        self.buffer.write_rs2.next = self.predecode.rs2.val();
        self.buffer.write_rd.next = self.predecode.rd.val();
        self.buffer.write_flags.next = bit_cast_to(self.predecode.reads_rs1.val(), 7)
            | (bit_cast_to(self.predecode.reads_rs2.val(), 7) << 1)
            | (bit_cast_to(self.predecode.writes_rd.val(), 7) << 2)
            | (bit_cast_to(self.predecode.multiply.val(), 7) << 3)
            | (bit_cast_to(self.predecode.divide.val(), 7) << 4)
            | (bit_cast_to(self.predecode.memory.val(), 7) << 5)
            | (bit_cast_to(self.predecode.control.val(), 7) << 6);
        self.buffer.issue_take.next = self.issue_take.val();
        self.buffer.issue_select.next = self.issue_select.val();

        self.slot_valid.next = self.buffer.slot_valid.val();
        for i in 0..self.slot_rs1.len() {
            self.slot_rs1[i].next = self.buffer.slot_rs1[i].val();
            self.slot_rs2[i].next = self.buffer.slot_rs2[i].val();
            self.slot_rd[i].next = self.buffer.slot_rd[i].val();
        }
        self.slot_reads_rs1.next = self.buffer.slot_reads_rs1.val();
        self.slot_reads_rs2.next = self.buffer.slot_reads_rs2.val();
        self.slot_writes_rd.next = self.buffer.slot_writes_rd.val();
        self.slot_multiply.next = self.buffer.slot_multiply.val();
        self.slot_divide.next = self.buffer.slot_divide.val();
        self.slot_memory.next = self.buffer.slot_memory.val();
        self.slot_control.next = self.buffer.slot_control.val();
        self.selected_word.next = self.buffer.selected_word.val();
        self.selected_pc.next = self.buffer.selected_pc.val();
        self.selected_mask.next = self.buffer.selected_mask.val();
        self.selected_rpc.next = self.buffer.selected_rpc.val();
        self.selected_rpc_valid.next = self.buffer.selected_rpc_valid.val();
        self.selected_lpc.next = self.buffer.selected_lpc.val();
        self.selected_uniform.next = self.buffer.selected_uniform.val();
        self.selected_data_dependent.next = self.buffer.selected_data_dependent.val();
        self.buffer.form_valid.next = self.form_valid.val();
        self.buffer.form_warp.next = self.form_warp.val();
        for i in 0..self.form_rows.len() {
            self.buffer.form_rows[i].next = self.form_rows[i].val();
            self.selected_rows[i].next = self.buffer.selected_rows[i].val();
        }
    }
}
