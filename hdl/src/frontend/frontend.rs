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
        pub selected_home_warps: Vec<Net<Out>> = Net::vec(config.home_warps(), w),
        // Trap unit
        pub trap: WarpFault<Out> = WarpFault::of(config),

        fetch: Fetch = Fetch::new(config) => {
            halt, load, fetchable, fetch_pc, fetch_mask, fetch_warp, fetch_valid, trap, decoded.valid, decoded.warp,
            decoded.instruction.mask: decoded.mask,
        },
        predecode: Predecode => { word: fetch.decoded.instruction.word, control: decoded.control },
        /// By side.
        buffers: Vec<WarpBuffer> = (0..sides).map(|_| WarpBuffer::new(config)).collect() => |p| {
            write.valid: written[p], write.instruction: fetch.decoded.instruction, predecoded: predecode.fields,
            flush: flush[p], form, slot: slot[p],
        },
        /// Which side, as a path number of warp 0.
        sides: Vec<Constant> = (0..sides).map(|side| Constant::new((side << w) as u64, path)).collect(),
        side_bits: Constant = Constant::new(mask(path) ^ mask(w), path),
        decoded_side: Net<Local> = path,
        issue_side: Net<Local> = path,
        written: Vec<Signal<Local, Bit>> = bit_vec(sides),
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

        for p in 0..self.fetchable.len() {
            self.fetch.slot_valid[p].next = self.buffers[p].slot.valid.val();
        }

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
            self.written[p].next = self.fetch.decoded.valid.val() & (self.decoded_side.val() == self.sides[p].val());
            self.buffers[p].write.warp.next = bit_cast_to(self.fetch.decoded.warp.val(), self._warp_width);
            self.buffers[p].issue_take.next = self.issue_take.val() & (self.issue_side.val() == self.sides[p].val());
            self.buffers[p].issue_select.next = bit_cast_to(self.issue_select.val(), self._warp_width);

            // A warp's home warps are the same on all sides.
            wire::join(&mut self.selected_home_warps, &mut self.buffers[p].selected_home_warps);
            if self.issue_side.val() == self.sides[p].val() {
                wire::join(&mut self.selected, &mut self.buffers[p].selected);
            }
        }
    }
}
