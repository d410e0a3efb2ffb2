//! The shared memory: one bank of 32-bit words per lane; lanes in conflict wait.
//!
//! ```text
//!        A: choose                      B: access               C: return
//!  group_* --> BankArbiter x L --> rows --> banks (read) --> word per lane --> result_*
//!        <-- taken (no conflict)            banks (write) <--+
//!                                              ^    LaneCrossbar (stores)
//!                                              +--- AtomicAlu (atomics, from C)
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `group_lanes`, `group_ready` | L, 1 | lanes that want access; the lanes in `taken` are taken |
//! | `taken` | L | per bank the lanes that want the same row as the lowest one |
//! | `group_op`, `group_succeeds` | | operation; for a store-conditional, whether it stores |
//! | `group_leader`, `group_entry` | l, e | the lane of an atomic; load-table entry their results belong to |
//! | `group_address[L]` | 32 | byte addresses in this memory |
//! | `group_data[L]`, `group_mask[L]` | 32, 4 | store data and bytes, in place in their word |
//! | `result_valid`, `result_ready`, `result_entry`, `result_lanes` | | lanes that have their words |
//! | `result_word[L]`, `result_offset[L]` | 32, 2 | the word each lane addressed, and the byte in it |
//! | `draining` | 1 | a group has not been performed yet |
//! | `idle` | 1 | nothing in flight |
//! | `shared_conflict` | 1 | taken in this cycle, but lanes are left over by bank conflicts |
//!
//! Latency: `result_*` two cycles after acceptance, one group per cycle; an atomic holds the next group back for one cycle while it
//! writes. Lane groups of atomics and LR/SC have one lane. State: the banks, the registers of B and C.
//! Consecutive words lie in consecutive banks. Every word is touched in stage B only, so groups take effect in order.
use super::{AtomicAlu, BankArbiter};
use crate::interface::MemoryOp;
use crate::parts::LaneCrossbar;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct SharedMemory: clock, reset {
        pub group_lanes: Net<In> = lanes,
        pub group_ready: Signal<Out, Bit>,
        pub taken: Net<Out> = lanes,
        pub group_op: Signal<In, MemoryOp>,
        pub group_succeeds: Signal<In, Bit>,
        pub group_leader: Net<In> = config.lane_width(),
        pub group_entry: Net<In> = entry,
        pub group_address: Vec<Net<In>> = Net::vec(lanes, 32),
        pub group_data: Vec<Net<In>> = Net::vec(lanes, 32),
        pub group_mask: Vec<Net<In>> = Net::vec(lanes, 4),
        pub result_valid: Signal<Out, Bit>,
        pub result_ready: Signal<In, Bit>,
        pub result_entry: Net<Out> = entry,
        pub result_lanes: Net<Out> = lanes,
        pub result_word: Vec<Net<Out>> = Net::vec(lanes, 32),
        pub result_offset: Vec<Net<Out>> = Net::vec(lanes, 2),
        pub draining: Signal<Out, Bit>,
        pub idle: Signal<Out, Bit>,
        pub shared_conflict: Signal<Out, Bit>,

        // A
        arbiters: Vec<BankArbiter> = (0..lanes).map(|_| BankArbiter::new(lanes, rows)).collect(),
        /// Per lane: the row its bank serves.
        served: Vec<IndexedMux> = (0..lanes).map(|_| IndexedMux::new(row, lanes)).collect(),
        /// Lanes whose row is the one their bank serves.
        without_conflict: Net<Local> = lanes,
        /// Address of the lane in turn.
        address: Net<Local> = 32,
        lane_bank: Vec<Net<Local>> = Net::vec(lanes, bank),
        lane_row: Vec<Net<Local>> = Net::vec(lanes, row),

        // B
        b_valid: StateRegister<Bit>,
        b_op: StateRegister<MemoryOp>,
        b_succeeds: StateRegister<Bit>,
        b_entry: Flop = Flop::new(entry),
        b_leader: Flop = Flop::new(config.lane_width()),
        b_lanes: Flop = Flop::new(lanes),
        b_bank: Vec<Flop> = flops(bank),
        b_offset: Vec<Flop> = flops(2),
        b_data: Vec<Flop> = flops(32),
        b_mask: Vec<Flop> = flops(4),
        b_row: Vec<Flop> = flops(row),
        conditional: Signal<Local, Bit>,
        store: Signal<Local, Bit>,
        atomic: Signal<Local, Bit>,
        returns: Signal<Local, Bit>,
        /// The group leaves B in this cycle.
        advance: Signal<Local, Bit>,
        crossbar: LaneCrossbar = LaneCrossbar::new(lanes, lanes),
        operand: IndexedMux = IndexedMux::new(32, lanes),
        atomic_bank: IndexedMux = IndexedMux::new(bank, lanes),
        atomic_row: IndexedMux = IndexedMux::new(row, lanes),
        banks: Vec<Memory> = (0..lanes).map(|_| Memory::with_byte_enables(32, rows, 1, 1, ReadKind::Synchronous)).collect(),

        // C
        c_open: Signal<Local, Bit>,
        c_valid: StateRegister<Bit>,
        /// An atomic that writes its word in this cycle.
        c_writes: StateRegister<Bit>,
        c_op: StateRegister<MemoryOp>,
        /// The result of a store-conditional, instead of a word: its failure.
        c_conditional: StateRegister<Bit>,
        c_failed: StateRegister<Bit>,
        c_entry: Flop = Flop::new(entry),
        c_lanes: Flop = Flop::new(lanes),
        c_bank: Vec<Flop> = flops(bank),
        c_offset: Vec<Flop> = flops(2),
        c_operand: Flop = Flop::new(32),
        c_atomic_bank: Flop = Flop::new(bank),
        c_atomic_row: Flop = Flop::new(row),
        old: IndexedMux = IndexedMux::new(32, lanes),
        alu: AtomicAlu,
        select: Vec<IndexedMux> = (0..lanes).map(|_| IndexedMux::new(32, lanes)).collect(),
        row_shift: Constant = Constant::new(2 + bank as u64, 6),
    }
    sizes { _bank_width = bank, _row_width = row }
    /// The shared memory of the core `config`, for load-table entries of `entry` bits.
    pub fn new(config: &CoreConfig, entry: usize) {
        let lanes = config.lanes;
        let rows = config.shared_bytes / 4 / lanes;
        let (bank, row) = (index_width(lanes), index_width(rows));
        let flops = |width| (0..lanes).map(|_| Flop::new(width)).collect::<Vec<_>>();
    }
}

impl Logic for SharedMemory {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module SharedMemory");
        dff_setup!(self, clock, b_valid, b_op, b_succeeds, b_entry, b_leader, b_lanes);
        dff_setup!(self, clock, c_valid, c_writes, c_op, c_conditional, c_failed, c_entry, c_lanes);
        dff_setup!(self, clock, c_operand, c_atomic_bank, c_atomic_row);

        // B: stores write, everything else reads, and returns through C; not while the atomic in C writes.
        self.c_open.next = !self.c_valid.q.val() | self.result_ready.val();
        self.conditional.next = self.b_op.q.val() == MemoryOp::StoreConditional;
        self.store.next = (self.b_op.q.val() == MemoryOp::Store) | (self.conditional.val() & self.b_succeeds.q.val());
        self.returns.next = !(self.b_op.q.val() == MemoryOp::Store);
        self.atomic.next = self.returns.val()
            & !self.conditional.val()
            & !(self.b_op.q.val() == MemoryOp::Load)
            & !(self.b_op.q.val() == MemoryOp::LoadReserved);
        self.advance.next = self.b_valid.q.val() & !self.c_writes.q.val() & (self.c_open.val() | !self.returns.val());

        // A: per bank one row; the lanes that want it are taken.
        self.group_ready.next = !self.b_valid.q.val() | self.advance.val();
        self.without_conflict.next = 0.into();
        for i in 0..self.group_address.len() {
            self.address.next = self.group_address[i].val();
            self.lane_bank[i].next = bit_cast_to(self.address.val() >> 2, self._bank_width);
            self.lane_row[i].next = bit_cast_to(self.address.val() >> self.row_shift.val(), self._row_width);
            self.served[i].index.next = self.lane_bank[i].val();
            self.without_conflict.next =
                self.without_conflict.val().replace_bit(i, self.served[i].selected.val() == self.lane_row[i].val());
            self.arbiters[i].bank.next = i.into();
            self.arbiters[i].candidates.next = self.group_lanes.val();
        }
        for i in 0..self.served.len() {
            wire::join(&mut self.lane_bank, &mut self.arbiters[i].lane_bank);
            wire::join(&mut self.lane_row, &mut self.arbiters[i].lane_row);
            for j in 0..self.arbiters.len() {
                self.served[i].inputs[j].next = self.arbiters[j].row.val();
            }
        }
        self.taken.next = self.group_lanes.val() & self.without_conflict.val();
        self.shared_conflict.next = self.group_ready.val() & (self.group_lanes.val() & !self.taken.val()).any();

        if self.group_ready.val() {
            self.b_valid.d.next = self.group_lanes.val().any();
            self.b_op.d.next = self.group_op.val();
            self.b_succeeds.d.next = self.group_succeeds.val();
            self.b_entry.d.next = self.group_entry.val();
            self.b_leader.d.next = self.group_leader.val();
            self.b_lanes.d.next = self.taken.val();
        }
        for i in 0..self.b_bank.len() {
            self.b_bank[i].d.next = self.b_bank[i].q.val();
            self.b_offset[i].d.next = self.b_offset[i].q.val();
            self.b_data[i].d.next = self.b_data[i].q.val();
            self.b_mask[i].d.next = self.b_mask[i].q.val();
            self.b_row[i].d.next = self.b_row[i].q.val();
            self.address.next = self.group_address[i].val();
            if self.group_ready.val() {
                self.b_bank[i].d.next = self.lane_bank[i].val();
                self.b_offset[i].d.next = bit_cast_to(self.address.val(), 2);
                self.b_data[i].d.next = self.group_data[i].val();
                self.b_mask[i].d.next = self.group_mask[i].val();
                self.b_row[i].d.next = self.arbiters[i].row.val();
            }
        }

        // B: the access itself.
        self.crossbar.selected.next = 0.into();
        if self.store.val() {
            self.crossbar.selected.next = self.b_lanes.q.val();
        }
        self.operand.index.next = self.b_leader.q.val();
        self.atomic_bank.index.next = self.b_leader.q.val();
        self.atomic_row.index.next = self.atomic_bank.selected.val();
        for i in 0..self.banks.len() {
            self.crossbar.lane_slot[i].next = self.b_bank[i].q.val();
            self.crossbar.lane_mask[i].next = self.b_mask[i].q.val();
            self.crossbar.lane_data[i].next = self.b_data[i].q.val();
            self.operand.inputs[i].next = self.b_data[i].q.val();
            self.atomic_bank.inputs[i].next = self.b_bank[i].q.val();
            self.atomic_row.inputs[i].next = self.b_row[i].q.val();

            self.banks[i].read_address[0].next = self.b_row[i].q.val();
            self.banks[i].read_enable[0].next = self.advance.val() & self.returns.val();
            self.banks[i].write_enable[0].next = self.advance.val() & self.store.val();
            self.banks[i].write_address[0].next = self.b_row[i].q.val();
            self.banks[i].write_data[0].next = self.crossbar.slot_data[i].val();
            self.banks[i].write_mask[0].next = self.crossbar.slot_mask[i].val();
            if self.c_writes.q.val() {
                self.banks[i].write_enable[0].next = self.c_atomic_bank.q.val() == i;
                self.banks[i].write_address[0].next = self.c_atomic_row.q.val();
                self.banks[i].write_data[0].next = self.alu.result.val();
                self.banks[i].write_mask[0].next = 15.into();
            }
        }

        // C: the words that were read.
        self.c_writes.d.next = false;
        if self.c_open.val() {
            self.c_valid.d.next = self.advance.val() & self.returns.val();
            self.c_writes.d.next = self.advance.val() & self.atomic.val();
            self.c_op.d.next = self.b_op.q.val();
            self.c_conditional.d.next = self.conditional.val();
            self.c_failed.d.next = !self.b_succeeds.q.val();
            self.c_entry.d.next = self.b_entry.q.val();
            self.c_lanes.d.next = self.b_lanes.q.val();
            self.c_operand.d.next = self.operand.selected.val();
            self.c_atomic_bank.d.next = self.atomic_bank.selected.val();
            self.c_atomic_row.d.next = self.atomic_row.selected.val();
        }
        self.old.index.next = self.c_atomic_bank.q.val();
        self.alu.op.next = self.c_op.q.val();
        self.alu.old.next = self.old.selected.val();
        self.alu.operand.next = self.c_operand.q.val();
        self.result_valid.next = self.c_valid.q.val();
        self.result_entry.next = self.c_entry.q.val();
        self.result_lanes.next = self.c_lanes.q.val();
        for i in 0..self.banks.len() {
            self.c_bank[i].d.next = self.c_bank[i].q.val();
            self.c_offset[i].d.next = self.c_offset[i].q.val();
            if self.c_open.val() {
                self.c_bank[i].d.next = self.b_bank[i].q.val();
                self.c_offset[i].d.next = self.b_offset[i].q.val();
            }
            self.old.inputs[i].next = self.banks[i].read_data[0].val();
            self.select[i].index.next = self.c_bank[i].q.val();
            for j in 0..self.banks.len() {
                self.select[i].inputs[j].next = self.banks[j].read_data[0].val();
            }
            self.result_offset[i].next = self.c_offset[i].q.val();
            self.result_word[i].next = self.select[i].selected.val();
            if self.c_conditional.q.val() {
                self.result_word[i].next = bit_cast_to(self.c_failed.q.val(), 32);
            }
        }
        self.draining.next = self.b_valid.q.val();
        self.idle.next = !self.b_valid.q.val() & !self.c_valid.q.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four banks. Runs one line a cycle: `operation lanes word0 word1 word2 word3 | taken result`.
    ///
    /// Operations are `ld st add sc` and `sf`, a store-conditional that fails; lane *i* accesses the word with that number and
    /// writes 10 + i (hexadecimal). Taken are lanes; a result is its lanes and the words of lanes 0 to 3. `x` holds results back.
    const ACCESSES: &str = "
        st 1111 0 1 2 3 | 1111 -
        ld 1111 3 2 1 0 | 1111 -
        ld 1111 1 1 5 1 | 1011 -                   word 1 is broadcast, word 5 is in the same bank
        ld 0100 1 1 5 1 | 0100 1111 13 12 11 10
        st 1111 0 0 0 0 | 1111 1011 11 11 11 11
        ld 0001 0 0 0 0 | 0001 0100 0 0 0 0
        add 0010 0 0 0 0 | 0010 -                  the highest lane has won word 0:
        add 0100 0 0 0 0 | 0100 0001 13 13 13 13
        add 0100 0 0 0 0 | 0000 0010 13 13 13 13   while the first one writes
        ld 0001 0 0 0 0 | 0001 -
        ld 0001 0 0 0 0 | 0000 0100 24 24 24 24   13 + 11
        sc 0001 0 0 0 0 | 0001 -
        sf 0010 0 0 0 0 | 0010 0001 36 36 36 36
        ld 1000 0 0 0 0 | 1000 0001 0 0 0 0       it has stored
        x 0000 0 0 0 0 | 0000 0010 1 1 1 1       this one has not
        x 0000 0 0 0 0 | 0000 0010 1 1 1 1
        - 0000 0 0 0 0 | 0000 0010 1 1 1 1
        - 0000 0 0 0 0 | 0000 1000 10 10 10 10";

    #[test]
    fn accesses() {
        let config = CoreConfig { shared_bytes: 64, ..CoreConfig::tiny() };
        let mut memory = SharedMemory::new(&config, 3);
        memory.connect_all();
        simulate(&mut memory, 1000);
        for line in ACCESSES.trim().lines().map(str::trim) {
            let (inputs, outputs) = line.split_once(" | ").unwrap();
            let fields: Vec<_> = inputs.split_whitespace().collect();
            (memory.group_op.next, memory.group_succeeds.next) = match fields[0] {
                "st" => (MemoryOp::Store, false),
                "add" => (MemoryOp::AtomicAdd, false),
                "sc" => (MemoryOp::StoreConditional, true),
                "sf" => (MemoryOp::StoreConditional, false),
                _ => (MemoryOp::Load, false),
            };
            memory.result_ready.next = fields[0] != "x";
            let lanes = usize::from_str_radix(fields[1], 2).unwrap();
            memory.group_lanes.next = lanes.into();
            memory.group_leader.next = (lanes.trailing_zeros() as usize % 4).into();
            for lane in 0..4 {
                memory.group_address[lane].next = (4 * fields[2 + lane].parse::<usize>().unwrap()).into();
                memory.group_data[lane].next = (0x10 + lane).into();
                memory.group_mask[lane].next = 15.into();
            }
            simulate(&mut memory, 1000);
            let taken = if memory.group_ready.val() { memory.taken.val().value() } else { 0 };
            let words: Vec<_> = memory.result_word.iter().map(|word| format!("{:x}", word.val().value())).collect();
            let result = if memory.result_valid.val() {
                format!("{:04b} {}", memory.result_lanes.val().value(), words.join(" "))
            } else {
                "-".into()
            };
            let found = format!("{taken:04b} {result}");
            assert!(outputs.starts_with(&found), "{line}: {found}");
            assert_eq!(memory.shared_conflict.val(), memory.group_ready.val() && taken != lanes as u64);
            tick!(memory);
        }
    }
}
