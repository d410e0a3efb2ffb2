//! One decoded instruction per warp, waiting to issue.
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
//! | `write_rpc`, `write_rpc_valid`, `write_lpc`, `write_uniform`, `write_short`, `write_data_dependent` | 32, 1, 32, 1, 1, 1 | its branch annotation |
//! | `write_rs1`, `write_rs2`, `write_rd`, `write_flags` | 5, 5, 5, 7 | its predecoded fields; flags as in [`WarpSlot`](super::WarpSlot) |
//! | `issue_take`, `issue_select` | 1, w | the instruction of this warp issues |
//! | `flush` | W | the instructions of these warps are dropped |
//! | `slot_valid`, `slot_reads_rs1`, `slot_reads_rs2`, `slot_writes_rd`, `slot_multiply`, `slot_divide`, `slot_memory`, `slot_control` | W | one bit a warp |
//! | `slot_rs1[W]`, `slot_rs2[W]`, `slot_rd[W]` | 5 | registers of each warp's instruction |
//! | `form_valid`, `form_warp`, `form_rows[R]` | 1, w, w | from the next cycle on this warp, whose slot is empty, is made of these rows |
//! | `selected_word`, `selected_pc`, `selected_mask`, `selected_rpc` ... `selected_data_dependent`, `selected_rows[R]` | as above | the instruction of `issue_select`, combinational, and the rows of its warp |
//!
//! Latency 1. State: per warp a [`WarpSlot`](super::WarpSlot) watched all the time, and a row of memory read only when the warp is
//! selected. The likely-convergence PC, the kind of branch and the rows are kept only by a core that uses them: else they are 1, 0 and
//! the warp's number. Splitting them keeps a 32-way multiplexer of 130 bits out of the issue path.
//! Fung & Aamodt 2011, Fig 4 ("warp buffer").
use super::WarpSlot;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct WarpBuffer: clock, reset {
        // From DECODE
        pub write_valid: Signal<In, Bit>,
        pub write_warp: Net<In> = w,
        pub write_word: Net<In> = 32,
        pub write_pc: Net<In> = 32,
        pub write_mask: Net<In> = lanes,
        pub write_rpc: Net<In> = 32,
        pub write_rpc_valid: Signal<In, Bit>,
        pub write_lpc: Net<In> = 32,
        pub write_uniform: Signal<In, Bit>,
        pub write_short: Signal<In, Bit>,
        pub write_data_dependent: Signal<In, Bit>,
        pub write_rs1: Net<In> = 5,
        pub write_rs2: Net<In> = 5,
        pub write_rd: Net<In> = 5,
        pub write_flags: Net<In> = 7,
        // From the reconvergence unit
        pub form_valid: Signal<In, Bit>,
        pub form_warp: Net<In> = w,
        pub form_rows: Vec<Net<In>> = Net::vec(config.row_ports(), w),
        pub flush: Net<In> = warps,
        // From ISSUE
        pub issue_take: Signal<In, Bit>,
        pub issue_select: Net<In> = w,
        // To scoreboard and scheduler
        pub slot_valid: Net<Out> = warps,
        pub slot_rs1: Vec<Net<Out>> = Net::vec(warps, 5),
        pub slot_rs2: Vec<Net<Out>> = Net::vec(warps, 5),
        pub slot_rd: Vec<Net<Out>> = Net::vec(warps, 5),
        pub slot_reads_rs1: Net<Out> = warps,
        pub slot_reads_rs2: Net<Out> = warps,
        pub slot_writes_rd: Net<Out> = warps,
        pub slot_multiply: Net<Out> = warps,
        pub slot_divide: Net<Out> = warps,
        pub slot_memory: Net<Out> = warps,
        pub slot_control: Net<Out> = warps,
        // To ISSUE
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

        slots: Vec<WarpSlot> = (0..warps).map(|_| WarpSlot::default()).collect(),
        words: Memory = by_warp(32),
        pcs: Memory = by_warp(32),
        masks: Memory = by_warp(lanes),
        rpcs: Memory = by_warp(33),
        likely_points: Vec<Memory> = (0..config.likely_convergence as usize).map(|_| by_warp(32)).collect(),
        /// {data-dependent, uniform}
        kinds: Vec<Memory> = (0..config.compacts() as usize).map(|_| by_warp(2)).collect(),
        shorts: Vec<Memory> = (0..config.subdivides() as usize).map(|_| by_warp(1)).collect(),
        /// Row of the thread in each lane, by warp.
        lane_rows: Vec<Memory> = (0..config.row_memories()).map(|_| by_warp(w)).collect(),
        one: Net<Local> = warps,
        written: Net<Local> = warps,
        taken: Net<Local> = warps,
    }
    /// The buffer of a core.
    pub fn new(config: &CoreConfig) {
        let (w, warps, lanes) = (config.warp_width(), config.warps, config.lanes);
        let by_warp = |width| Memory::new(width, warps, 1, 1, ReadKind::Asynchronous);
    }
}

impl Logic for WarpBuffer {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module WarpBuffer");

        self.one.next = 1.into();
        self.written.next = 0.into();
        if self.write_valid.val() {
            self.written.next = self.one.val() << self.write_warp.val();
        }
        self.taken.next = self.flush.val();
        if self.issue_take.val() {
            self.taken.next = self.flush.val() | (self.one.val() << self.issue_select.val());
        }

        self.slot_valid.next = 0.into();
        self.slot_reads_rs1.next = 0.into();
        self.slot_reads_rs2.next = 0.into();
        self.slot_writes_rd.next = 0.into();
        self.slot_multiply.next = 0.into();
        self.slot_divide.next = 0.into();
        self.slot_memory.next = 0.into();
        self.slot_control.next = 0.into();
        for i in 0..self.slots.len() {
            self.slots[i].write.next = self.written.val().get_bit(i);
            self.slots[i].written_rs1.next = self.write_rs1.val();
            self.slots[i].written_rs2.next = self.write_rs2.val();
            self.slots[i].written_rd.next = self.write_rd.val();
            self.slots[i].written_flags.next = self.write_flags.val();
            self.slots[i].take.next = self.taken.val().get_bit(i);
            self.slot_valid.next = self.slot_valid.val().replace_bit(i, self.slots[i].valid.val());
            self.slot_rs1[i].next = self.slots[i].rs1.val();
            self.slot_rs2[i].next = self.slots[i].rs2.val();
            self.slot_rd[i].next = self.slots[i].rd.val();
            self.slot_reads_rs1.next = self.slot_reads_rs1.val().replace_bit(i, self.slots[i].flags.val().get_bit(0));
            self.slot_reads_rs2.next = self.slot_reads_rs2.val().replace_bit(i, self.slots[i].flags.val().get_bit(1));
            self.slot_writes_rd.next = self.slot_writes_rd.val().replace_bit(i, self.slots[i].flags.val().get_bit(2));
            self.slot_multiply.next = self.slot_multiply.val().replace_bit(i, self.slots[i].flags.val().get_bit(3));
            self.slot_divide.next = self.slot_divide.val().replace_bit(i, self.slots[i].flags.val().get_bit(4));
            self.slot_memory.next = self.slot_memory.val().replace_bit(i, self.slots[i].flags.val().get_bit(5));
            self.slot_control.next = self.slot_control.val().replace_bit(i, self.slots[i].flags.val().get_bit(6));
        }

        self.words.write_enable[0].next = self.write_valid.val();
        self.words.write_address[0].next = self.write_warp.val();
        self.words.write_data[0].next = self.write_word.val();
        self.words.read_address[0].next = self.issue_select.val();
        self.pcs.write_enable[0].next = self.write_valid.val();
        self.pcs.write_address[0].next = self.write_warp.val();
        self.pcs.write_data[0].next = self.write_pc.val();
        self.pcs.read_address[0].next = self.issue_select.val();
        self.masks.write_enable[0].next = self.write_valid.val();
        self.masks.write_address[0].next = self.write_warp.val();
        self.masks.write_data[0].next = self.write_mask.val();
        self.masks.read_address[0].next = self.issue_select.val();
        self.rpcs.write_enable[0].next = self.write_valid.val();
        self.rpcs.write_address[0].next = self.write_warp.val();
        self.rpcs.write_data[0].next =
            bit_cast_to(self.write_rpc.val(), 33) | (bit_cast_to(self.write_rpc_valid.val(), 33) << 32);
        self.rpcs.read_address[0].next = self.issue_select.val();

        self.selected_word.next = self.words.read_data[0].val();
        self.selected_pc.next = self.pcs.read_data[0].val();
        self.selected_mask.next = self.masks.read_data[0].val();
        self.selected_rpc.next = bit_cast_to(self.rpcs.read_data[0].val(), 32);
        self.selected_rpc_valid.next = self.rpcs.read_data[0].val().get_bit(32);

        self.selected_lpc.next = 1.into();
        for i in 0..self.likely_points.len() {
            self.likely_points[i].write_enable[0].next = self.write_valid.val();
            self.likely_points[i].write_address[0].next = self.write_warp.val();
            self.likely_points[i].write_data[0].next = self.write_lpc.val();
            self.likely_points[i].read_address[0].next = self.issue_select.val();
            self.selected_lpc.next = self.likely_points[i].read_data[0].val();
        }
        self.selected_uniform.next = false;
        self.selected_short.next = false;
        self.selected_data_dependent.next = false;
        for i in 0..self.shorts.len() {
            self.shorts[i].write_enable[0].next = self.write_valid.val();
            self.shorts[i].write_address[0].next = self.write_warp.val();
            self.shorts[i].write_data[0].next = bit_cast_to(self.write_short.val(), 1);
            self.shorts[i].read_address[0].next = self.issue_select.val();
            self.selected_short.next = self.shorts[i].read_data[0].val().any();
        }
        for i in 0..self.kinds.len() {
            self.kinds[i].write_enable[0].next = self.write_valid.val();
            self.kinds[i].write_address[0].next = self.write_warp.val();
            self.kinds[i].write_data[0].next =
                bit_cast_to(self.write_uniform.val(), 2) | (bit_cast_to(self.write_data_dependent.val(), 2) << 1);
            self.kinds[i].read_address[0].next = self.issue_select.val();
            self.selected_uniform.next = self.kinds[i].read_data[0].val().get_bit(0);
            self.selected_data_dependent.next = self.kinds[i].read_data[0].val().get_bit(1);
        }
        self.selected_rows[0].next = self.issue_select.val();
        for i in 0..self.lane_rows.len() {
            self.lane_rows[i].write_enable[0].next = self.form_valid.val();
            self.lane_rows[i].write_address[0].next = self.form_warp.val();
            self.lane_rows[i].write_data[0].next = self.form_rows[i].val();
            self.lane_rows[i].read_address[0].next = self.issue_select.val();
            self.selected_rows[i].next = self.lane_rows[i].read_data[0].val();
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
            buffer.write_valid.next = true;
            buffer.write_warp.next = warp.into();
            buffer.write_word.next = (0x100 + warp).into();
            buffer.write_rd.next = (10 + warp).into();
            buffer.write_flags.next = if warp == 2 { 0b0001100 } else { 0b1000001 }.into();
            edge(&mut buffer);
        }
        buffer.write_valid.next = false;
        buffer.issue_select.next = 2.into();
        simulate(&mut buffer, 1000);
        assert_eq!(buffer.slot_valid.val().value(), 0b0110);
        assert_eq!(buffer.slot_multiply.val().value(), 0b0100);
        assert_eq!(buffer.slot_control.val().value(), 0b0010);
        assert_eq!(buffer.slot_rd[1].val().value(), 11);
        assert_eq!(buffer.selected_word.val().value(), 0x102);
        buffer.issue_take.next = true;
        edge(&mut buffer);
        assert_eq!(buffer.slot_valid.val().value(), 0b0010);
        assert_eq!(buffer.selected_rows.iter().map(|row| row.val().index()).collect::<Vec<_>>(), [2], "its own");
    }

    #[test]
    fn remembers_the_rows_and_the_annotation_of_each_warp() {
        let config = CoreConfig { mechanism: Mechanism::Tbc, likely_convergence: true, ..CoreConfig::tiny() };
        let mut buffer = WarpBuffer::new(&config);
        buffer.connect_all();
        simulate(&mut buffer, 1000);
        let formed = [[0, 1, 2, 3], [3, 3, 0, 1]];
        for (warp, rows) in formed.into_iter().enumerate() {
            buffer.form_valid.next = true;
            buffer.form_warp.next = warp.into();
            for (port, row) in buffer.form_rows.iter_mut().zip(rows) {
                port.next = Word::from(row);
            }
            buffer.write_valid.next = true;
            buffer.write_warp.next = warp.into();
            buffer.write_lpc.next = (0x40 + warp).into();
            buffer.write_uniform.next = warp == 0;
            buffer.write_data_dependent.next = warp == 1;
            edge(&mut buffer);
        }
        buffer.form_valid.next = false;
        buffer.form_rows[0].next = 2.into();
        buffer.write_valid.next = false;
        edge(&mut buffer);
        for (warp, rows) in formed.into_iter().enumerate() {
            buffer.issue_select.next = warp.into();
            simulate(&mut buffer, 1000);
            assert_eq!(buffer.selected_rows.iter().map(|row| row.val().index()).collect::<Vec<_>>(), rows);
            assert_eq!(buffer.selected_lpc.val(), 0x40 + warp);
            assert_eq!((buffer.selected_uniform.val(), buffer.selected_data_dependent.val()), (warp == 0, warp == 1));
        }
    }
}
