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
use crate::interface::{Decoded, Formed, Instruction, InstructionLoad, Slots, WarpFault};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct Frontend: clock, reset {
        pub halt: Signal<In, Bit>,
        // Host
        pub load: InstructionLoad<In> = InstructionLoad::new(config),
        // Reconvergence unit
        pub fetchable: Vec<Net<In>> = Net::vec(sides, warps),
        pub fetch_warp: Net<Out> = path,
        pub fetch_valid: Signal<Out, Bit>,
        pub fetch_pc: Net<In> = 32,
        pub fetch_mask: Net<In> = lanes,
        pub decoded: Decoded<Out> = Decoded::of(config),
        pub form: Formed<In> = Formed::new(config),
        pub flush: Vec<Net<In>> = Net::vec(sides, warps),
        // Issue
        pub issue_take: Signal<In, Bit>,
        pub issue_select: Net<In> = path,
        pub slot: Vec<Slots<Out>> = (0..sides).map(|_| Slots::new(warps)).collect(),
        pub selected: Instruction<Out> = Instruction::new(config),
        pub selected_rows: Vec<Net<Out>> = Net::vec(config.row_ports(), w),
        // Trap unit
        pub trap: WarpFault<Out> = WarpFault::of(config),

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
        wire::join(&mut self.load, &mut self.fetch.load);
        wire::join(&mut self.fetchable, &mut self.fetch.fetchable);
        for p in 0..self.fetchable.len() {
            self.fetch.slot_valid[p].next = self.buffers[p].slot.valid.val();
        }
        self.fetch.fetch_pc.next = self.fetch_pc.val();
        self.fetch.fetch_mask.next = self.fetch_mask.val();
        self.fetch_warp.next = self.fetch.fetch_warp.val();
        self.fetch_valid.next = self.fetch.fetch_valid.val();
        wire::join(&mut self.trap, &mut self.fetch.trap);

        self.predecode.word.next = self.fetch.decoded.instruction.word.val();
        self.decoded.valid.next = self.fetch.decoded.valid.val();
        self.decoded.warp.next = self.fetch.decoded.warp.val();
        self.decoded.control.next = self.predecode.control.val();
        self.decoded.mask.next = self.fetch.decoded.instruction.mask.val();

        // A buffer for each side.
        self.decoded_side.next = self.fetch.decoded.warp.val() & self.side_bits.val();
        self.issue_side.next = self.issue_select.val() & self.side_bits.val();
        self.selected.annotation.rpc_valid.next = false;
        self.selected.annotation.uniform.next = false;
        self.selected.annotation.subdividable.next = false;
        self.selected.annotation.data_dependent.next = false;
        self.selected.word.next = 0.into();
        self.selected.pc.next = 0.into();
        self.selected.mask.next = 0.into();
        self.selected.annotation.rpc.next = 0.into();
        self.selected.annotation.lpc.next = 1.into();
        for p in 0..self.buffers.len() {
            self.written.next = self.fetch.decoded.valid.val() & (self.decoded_side.val() == self.sides[p].val());
            self.buffers[p].write.valid.next = self.written.val();
            self.buffers[p].write.warp.next = bit_cast_to(self.fetch.decoded.warp.val(), self._warp_width);
            wire::join(&mut self.fetch.decoded.instruction, &mut self.buffers[p].write.instruction);
            wire::join(&mut self.predecode.fields, &mut self.buffers[p].predecoded);
            wire::join(&mut self.flush[p], &mut self.buffers[p].flush);
            self.buffers[p].issue_take.next = self.issue_take.val() & (self.issue_side.val() == self.sides[p].val());
            self.buffers[p].issue_select.next = bit_cast_to(self.issue_select.val(), self._warp_width);
            wire::join(&mut self.form, &mut self.buffers[p].form);
            // A warp's rows are the same on all sides.
            wire::join(&mut self.selected_rows, &mut self.buffers[p].selected_rows);

            wire::join(&mut self.slot[p], &mut self.buffers[p].slot);
            if self.issue_side.val() == self.sides[p].val() {
                wire::join(&mut self.selected, &mut self.buffers[p].selected);
            }
        }
    }
}
