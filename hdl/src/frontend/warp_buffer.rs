//! Decoded instructions of every warp, waiting to issue: one of each, or as many as are fetched ahead.
//!
//! ```text
//!                +------------+
//!  decoded_* --->|            |---> slot_* of every warp      to scoreboard and scheduler
//!                | WarpBuffer |
//! issue_take --->|            |---> selected_* of issue_select
//! issue_select ->|            |
//!     form_* --->|            |
//!      flush --->|            |
//!                +------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `write_valid`, `write_warp` | 1, w | DECODE: an instruction enters this warp's slot |
//! | `write_word`, `write_pc`, `write_mask` | 32, 32, L | it, its PC, its active mask |
//! | `write_rpc`, `write_rpc_valid`, `write_lpc`, `write_uniform`, `write_subdividable`, `write_spin`, `write_data_dependent` | 32, 1, 32, 1, 1, 1, 1 | its branch annotation |
//! | `predecoded_rs1`, `predecoded_rs2`, `predecoded_rd`, `predecoded_flags` | 5, 5, 5, 7 | its predecoded fields; flags as in [`WarpSlot`](super::WarpSlot) |
//! | `issue_take`, `issue_select` | 1, w | the instruction of this warp issues |
//! | `flush` | W | the instructions of these warps are dropped; never where there are several of a warp |
//! | `has_room` | W | another instruction of this warp can enter |
//! | `unissued` | W | where several of a warp can (Vec of one): some are here |
//! | `check_*` | | where loads are issued again (Vec of one): the load/store unit has looked at one, see [`Look`] |
//! | `needs` | W | where loads may wait for an MSHR before they issue (Vec of one): the instructions of these warps are taken to need one |
//! | `loads` | W | the same: these warps have loads that are not done |
//! | `selected_slot`, `selected_again`, `private_mask` | s, 1, L | the same: which of its warp the instruction of `issue_select` is, whether it has issued before, and for which threads it issues |
//! | `slot_valid`, `slot_reads_rs1`, `slot_reads_rs2`, `slot_writes_rd`, `slot_multiply`, `slot_divide`, `slot_memory`, `slot_control` | W | one bit a warp |
//! | `slot_rs1[W]`, `slot_rs2[W]`, `slot_rd[W]` | 5 | registers of each warp's instruction |
//! | `form_valid`, `form_warp`, `form_home_warps[R]` | 1, w, w | from the next cycle on this warp, whose slot is empty, is made of these home warps |
//! | `form_sides[L]`, `form_warps[L]` | P, w | where threads are regrouped, instead of `form_warp`: a lane with a bit set gets its home warp in a warp of its own |
//! | `form_here` | 1 | where warps are formed by side (Vec of one): it is one of this side |
//! | `selected_word`, `selected_pc`, `selected_mask`, `selected_rpc` ... `selected_data_dependent`, `selected_home_warps[R]` | as above | the instruction of `issue_select`, combinational, and the home warps of its warp |
//!
//! Latency 1. State: per warp a [`WarpSlot`](super::WarpSlot) watched all the time, or a [`WarpWindow`](super::WarpWindow), or [`ReplaySlots`], and a row of memory for each of its instructions, read only when the warp is
//! selected. Of the annotation it keeps what [`AnnotationMemory`] does, and the home warps only in a core that compacts: else they are the warp's number. Splitting them keeps a 32-way multiplexer of 130 bits out of the issue path.
//! Fung & Aamodt 2011, Fig 4 ("warp buffer").
use super::{WarpSlot, WarpWindow};
use crate::interface::{Fetched, Formed, Instruction, Look, LookHazard, Predecoded, Slots};
use crate::parts::AnnotationMemory;
use crate::prelude::*;
use crate::replay::{PrivateMasks, ReplaySlots};

records! {
    /// Instructions by warp.
    pub struct InstructionTable of Instruction(config: &CoreConfig) {
        word: [32],
        pc: [32],
        mask: [config.lanes],
        annotation: (Annotation() in AnnotationMemory(config, ReadKind::Asynchronous)),
    }
}

module! {
    /// See the [module documentation](self).
    pub struct WarpBuffer: clock, reset {
        // From DECODE
        pub write: Fetched<In> = Fetched::new(config, config.warp_width()),
        pub predecoded: Predecoded<In> = Predecoded::new(config),
        // From the reconvergence unit
        pub form: Formed<In> = Formed::new(config),
        pub form_here: Vec<Signal<In, Bit>> = bit_vec(config.of_own_slots()),
        pub flush: Net<In> = warps,
        // From ISSUE
        pub issue_take: Signal<In, Bit>,
        pub issue_select: Net<In> = w,
        /// By warp: another instruction can enter.
        pub has_room: Net<Out> = warps,
        pub unissued: Vec<Net<Out>> = Net::vec(config.of_ahead(), warps),
        // From the load/store unit
        pub check: Vec<Look<In>> = (0..replay).map(|_| Look::new(config)).collect(),
        // To scoreboard and scheduler
        pub slot: Slots<Out> = Slots::new(config),
        // To ISSUE
        pub selected: Instruction<Out> = Instruction::new(config),
        pub selected_home_warps: Vec<Net<Out>> = Net::vec(config.buffered_home_warps(), w),
        pub selected_slot: Vec<Net<Out>> = Net::vec(replay, config.buffer_slot_width()),
        pub selected_again: Vec<Net<Out>> = Net::vec(replay, 1),
        pub loads: Vec<Net<Out>> = Net::vec(replay, warps),
        /// Where loads may wait for an MSHR before they issue (one, else none): by warp, what is watched is taken to need one.
        pub needs: Vec<Net<Out>> = Net::vec(config.of_prediction(), warps),
        failed: Vec<Net<Local>> = Net::vec(config.of_prediction() * replay, 1),
        /// Of the same instruction, in place of its mask: threads that are not done.
        pub private_mask: Vec<Net<Out>> = Net::vec(replay, config.lanes),

        /// By warp, of a buffer with a slot for each.
        slots: Vec<WarpSlot> = (0..config.only_slot(warps)).map(|_| WarpSlot::new(config)).collect() => |i| {
            written: predecoded, waiting: waiting[i],
        },
        /// The same of a buffer with several.
        windows: Vec<WarpWindow> = (0..(warps - config.only_slot(warps)) * (1 - replay)).map(|_| WarpWindow::new(config)).collect() => |i| {
            written: predecoded, waiting: waiting[i],
        },
        /// The same where loads are issued again.
        replaying: Vec<ReplaySlots> = (0..warps * replay).map(|_| ReplaySlots::new(config)).collect() => |i| {
            written: predecoded, waiting: waiting[i], check_failed: failed,
        },
        masks: Vec<PrivateMasks> = (0..replay).map(|_| PrivateMasks::new(config.lanes, warps, config.warp_buffer)).collect() => |r| {
            write_enable: write.valid, write_row: write_row, write_mask: write.instruction.mask, read_row: read_row,
            mask: private_mask[r], check_valid: check[r].valid, check_warp: check[r].warp, check_slot: check[r].buffer_slot, check_mask: check[r].mask, check_done: check[r].done,
        },
        waiting: Vec<Predecoded<Local>> = (0..warps).map(|_| Predecoded::new(config)).collect(),
        instructions: InstructionTable = InstructionTable::new(warps * config.warp_buffer, 1, config) => {
            write_enable: write.valid, write_row: write_row, write: write.instruction, read_row[0]: read_row,
            read[0]: selected,
        },
        /// Slot of the warp, and row of the table.
        write_slot: Net<Local> = index_width(config.warp_buffer),
        read_slot: Net<Local> = index_width(config.warp_buffer),
        write_row: Net<Local> = row,
        read_row: Net<Local> = row,
        slot_bits: Constant = Constant::new((row - w) as u64, index_width(row)),
        /// Row of the thread in each lane, by warp.
        lane_home_warps: Vec<Memory> = (0..formed_whole).map(|_| by_warp(w)).collect() => |i| {
            write_address[0]: form.warp, write_data[0]: form.home_warps[i],
            read_address[0]: issue_select,
        },
        /// The same where each lane gets a thread of its own.
        regrouped_home_warps: Vec<Memory> = (0..formed_by_lane).map(|_| by_warp(w)).collect() => |i| {
            write_address[0]: form.warps[i], write_data[0]: form.home_warps[i], read_address[0]: issue_select,
        },
        one: Net<Local> = warps,
        written: Net<Local> = warps,
        taken: Net<Local> = warps,
    }
    sizes { _row = row }
    /// The buffer of a core.
    pub fn new(config: &CoreConfig) {
        let (w, warps) = (config.warp_width(), config.warps);
        let row = w + config.warp_buffer.ilog2() as usize;
        let replay = config.of_replay();
        let (formed_whole, formed_by_lane) = match config {
            config if config.regroups() => (0, config.lanes),
            config if config.of_large_warps() == 1 => (0, 0),
            config => (config.kept_home_warps(), 0),
        };
        let by_warp = |width| Memory::new(width, warps, 1, 1, ReadKind::Asynchronous);
    }
}

impl Logic for WarpBuffer {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module WarpBuffer");

        self.one.next = 1.into();
        self.written.next = 0.into();
        if self.write.valid.val() {
            self.written.next = self.one.val() << self.write.warp.val();
        }
        self.taken.next = self.flush.val();
        if self.issue_take.val() {
            self.taken.next = self.flush.val() | (self.one.val() << self.issue_select.val());
        }

        self.slot.valid.next = 0.into();
        self.slot.reads_rs1.next = 0.into();
        self.slot.reads_rs2.next = 0.into();
        self.slot.writes_rd.next = 0.into();
        self.slot.multiply.next = 0.into();
        self.slot.divide.next = 0.into();
        self.slot.memory.next = 0.into();
        self.slot.control.next = 0.into();
        self.has_room.next = 0.into();
        self.write_slot.next = 0.into();
        self.read_slot.next = 0.into();
        for i in 0..self.slots.len() {
            self.slots[i].write.next = self.written.val().get_bit(i);
            self.slots[i].take.next = self.taken.val().get_bit(i);
            self.slot.valid.next = self.slot.valid.val().replace_bit(i, self.slots[i].valid.val());
            self.has_room.next = self.has_room.val().replace_bit(i, !self.slots[i].valid.val());
        }
        for i in 0..self.windows.len() {
            self.windows[i].write.next = self.written.val().get_bit(i);
            self.windows[i].take.next = self.taken.val().get_bit(i);
            self.slot.valid.next = self.slot.valid.val().replace_bit(i, self.windows[i].valid.val());
            self.has_room.next = self.has_room.val().replace_bit(i, self.windows[i].has_room.val());
            if self.write.warp.val() == i {
                self.write_slot.next = self.windows[i].write_slot.val();
            }
            if self.issue_select.val() == i {
                self.read_slot.next = self.windows[i].slot.val();
            }
        }
        for i in 0..self.replaying.len() {
            self.replaying[i].write.next = self.written.val().get_bit(i);
            self.replaying[i].take.next = self.taken.val().get_bit(i);
            self.slot.valid.next = self.slot.valid.val().replace_bit(i, self.replaying[i].valid.val());
            self.has_room.next = self.has_room.val().replace_bit(i, self.replaying[i].has_room.val());
            if self.write.warp.val() == i {
                self.write_slot.next = self.replaying[i].write_slot.val();
            }
            if self.issue_select.val() == i {
                self.read_slot.next = self.replaying[i].slot.val();
            }
            for r in 0..self.check.len() {
                self.replaying[i].check_valid.next = self.check[r].valid.val() & (self.check[r].warp.val() == i);
                self.replaying[i].check_slot.next = self.check[r].buffer_slot.val();
                self.replaying[i].check_done.next = self.masks[r].is_done.val();
            }
        }
        for p in 0..self.failed.len() {
            self.failed[p].next = 0.into();
            if (self.check[p].hazard.val() == LookHazard::Mshr)
                | (self.check[p].hazard.val() == LookHazard::Queue)
                | (self.check[p].hazard.val() == LookHazard::Reserved)
            {
                self.failed[p].next = 1.into();
            }
        }
        for p in 0..self.needs.len() {
            self.needs[p].next = 0.into();
            for i in 0..self.waiting.len() {
                self.needs[p].next = self.needs[p].val().replace_bit(i, self.waiting[i].expected[p].val().any());
            }
            for i in 0..self.replaying.len() {
                self.needs[p].next = self.needs[p].val().replace_bit(i, self.replaying[i].needs[p].val());
            }
        }
        for a in 0..self.unissued.len() {
            self.unissued[a].next = self.slot.valid.val();
            for i in 0..self.replaying.len() {
                self.unissued[a].next = self.unissued[a].val().replace_bit(i, self.replaying[i].under_way.val());
            }
        }
        self.write_row.next = (bit_cast_to(self.write.warp.val(), self._row) << self.slot_bits.val())
            | bit_cast_to(self.write_slot.val(), self._row);
        self.read_row.next = (bit_cast_to(self.issue_select.val(), self._row) << self.slot_bits.val())
            | bit_cast_to(self.read_slot.val(), self._row);
        for r in 0..self.selected_slot.len() {
            self.selected_slot[r].next = self.read_slot.val();
            self.selected_again[r].next = 0.into();
            self.loads[r].next = 0.into();
            for i in 0..self.replaying.len() {
                self.loads[r].next = self.loads[r].val().replace_bit(i, self.replaying[i].loads.val());
                if (self.issue_select.val() == i) & self.replaying[i].again.val() {
                    self.selected_again[r].next = 1.into();
                }
            }
        }
        for i in 0..self.waiting.len() {
            self.slot.rs1[i].next = self.waiting[i].rs1.val();
            self.slot.rs2[i].next = self.waiting[i].rs2.val();
            self.slot.rd[i].next = self.waiting[i].rd.val();
            self.slot.reads_rs1.next = self.slot.reads_rs1.val().replace_bit(i, self.waiting[i].flags.val().get_bit(0));
            self.slot.reads_rs2.next = self.slot.reads_rs2.val().replace_bit(i, self.waiting[i].flags.val().get_bit(1));
            self.slot.writes_rd.next = self.slot.writes_rd.val().replace_bit(i, self.waiting[i].flags.val().get_bit(2));
            self.slot.multiply.next = self.slot.multiply.val().replace_bit(i, self.waiting[i].flags.val().get_bit(3));
            self.slot.divide.next = self.slot.divide.val().replace_bit(i, self.waiting[i].flags.val().get_bit(4));
            self.slot.memory.next = self.slot.memory.val().replace_bit(i, self.waiting[i].flags.val().get_bit(5));
            self.slot.control.next = self.slot.control.val().replace_bit(i, self.waiting[i].flags.val().get_bit(6));
        }

        for p in 0..self.slot.reads_rs3.len() {
            self.slot.reads_rs3[p].next = 0.into();
            self.slot.float[p].next = 0.into();
            self.slot.waits_for_all[p].next = 0.into();
            for i in 0..self.waiting.len() {
                self.slot.rs3[i].next = self.waiting[i].rs3[p].val();
                self.slot.reads_rs3[p].next =
                    self.slot.reads_rs3[p].val().replace_bit(i, self.waiting[i].flags.val().get_bit(7));
                self.slot.float[p].next =
                    self.slot.float[p].val().replace_bit(i, self.waiting[i].flags.val().get_bit(8));
                self.slot.waits_for_all[p].next =
                    self.slot.waits_for_all[p].val().replace_bit(i, self.waiting[i].flags.val().get_bit(9));
            }
        }

        for p in 0..self.slot.accumulates.len() {
            self.slot.accumulates[p].next = 0.into();
            for i in 0..self.waiting.len() {
                self.slot.accumulates[p].next =
                    self.slot.accumulates[p].val().replace_bit(i, self.waiting[i].accumulates[p].val().any());
            }
        }

        self.selected_home_warps[0].next = self.issue_select.val();
        for i in 0..self.lane_home_warps.len() {
            self.lane_home_warps[i].write_enable[0].next = self.form.valid.val();
            for p in 0..self.form_here.len() {
                self.lane_home_warps[i].write_enable[0].next = self.form.valid.val() & self.form_here[p].val();
            }
            self.selected_home_warps[i].next = self.lane_home_warps[i].read_data[0].val();
        }
        for i in 0..self.regrouped_home_warps.len() {
            self.regrouped_home_warps[i].write_enable[0].next = self.form.valid.val() & self.form.sides[i].val().any();
            self.selected_home_warps[i].next = self.regrouped_home_warps[i].read_data[0].val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Mechanism;

    fn edge(buffer: &mut WarpBuffer) {
        simulate(buffer, 1000);
        for _ in 0..2 {
            buffer.clock.next = !buffer.clock.val();
            simulate(buffer, 1000);
        }
    }

    #[test]
    fn holds_one_instruction_per_warp() {
        let mut buffer = WarpBuffer::new(&CoreConfig::tiny());
        buffer.connect_all();
        simulate(&mut buffer, 1000);
        for warp in [2, 1] {
            buffer.write.valid.next = true;
            buffer.write.warp.next = warp.into();
            buffer.write.instruction.word.next = (0x100 + warp).into();
            buffer.predecoded.rd.next = (10 + warp).into();
            buffer.predecoded.flags.next = if warp == 2 { 0b0001100 } else { 0b1000001 }.into();
            edge(&mut buffer);
        }
        buffer.write.valid.next = false;
        buffer.issue_select.next = 2.into();
        simulate(&mut buffer, 1000);
        assert_eq!(buffer.slot.valid.val().value(), 0b0110);
        assert_eq!(buffer.slot.multiply.val().value(), 0b0100);
        assert_eq!(buffer.slot.control.val().value(), 0b0010);
        assert_eq!(buffer.slot.rd[1].val().value(), 11);
        assert_eq!(buffer.selected.word.val().value(), 0x102);
        buffer.issue_take.next = true;
        edge(&mut buffer);
        assert_eq!(buffer.slot.valid.val().value(), 0b0010);
        assert_eq!(
            buffer.selected_home_warps.iter().map(|home_warp| home_warp.val().index()).collect::<Vec<_>>(),
            [2],
            "its own"
        );
    }

    #[test]
    fn remembers_the_home_warps_and_the_annotation_of_each_warp() {
        let config = CoreConfig { mechanism: Mechanism::Tbc, likely_convergence: true, ..CoreConfig::tiny() };
        let mut buffer = WarpBuffer::new(&config);
        buffer.connect_all();
        simulate(&mut buffer, 1000);
        let formed = [[0, 1, 2, 3], [3, 3, 0, 1]];
        for (warp, home_warps) in formed.into_iter().enumerate() {
            buffer.form.valid.next = true;
            buffer.form.warp.next = warp.into();
            for (port, home_warp) in buffer.form.home_warps.iter_mut().zip(home_warps) {
                port.next = Word::from(home_warp);
            }
            buffer.write.valid.next = true;
            buffer.write.warp.next = warp.into();
            buffer.write.instruction.annotation.lpc.next = (0x40 + warp).into();
            buffer.write.instruction.annotation.uniform.next = warp == 0;
            buffer.write.instruction.annotation.data_dependent.next = warp == 1;
            edge(&mut buffer);
        }
        buffer.form.valid.next = false;
        buffer.form.home_warps[0].next = 2.into();
        buffer.write.valid.next = false;
        edge(&mut buffer);
        for (warp, home_warps) in formed.into_iter().enumerate() {
            buffer.issue_select.next = warp.into();
            simulate(&mut buffer, 1000);
            assert_eq!(
                buffer.selected_home_warps.iter().map(|home_warp| home_warp.val().index()).collect::<Vec<_>>(),
                home_warps
            );
            assert_eq!(buffer.selected.annotation.lpc.val(), 0x40 + warp);
            assert_eq!(
                (buffer.selected.annotation.uniform.val(), buffer.selected.annotation.data_dependent.val()),
                (warp == 0, warp == 1)
            );
        }
    }
}
