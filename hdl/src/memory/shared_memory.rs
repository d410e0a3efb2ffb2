//! The shared memory: one bank of 32-bit words per lane; lanes in conflict wait.
//!
//! ```text
//!        A: choose                      B: access               C: return
//!  head_*  --> BankArbiter x L --> rows --> banks (read) --> word per lane --> result_*
//!        <-- taken (no conflict)            banks (write) <--+
//!                                              ^    LaneCrossbar (stores)
//!                                              +--- AtomicAlu (atomics, from C)
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `group_lanes`, `group_ready` | L, 1 | lanes that want access; the lanes in `taken` are taken |
//! | `taken` | L | per bank the lanes that want the same row as the lowest one |
//! | `group_succeeds` | 1 | for a store-conditional, whether it stores |
//! | `group_leader`, `group_entry` | l, e | the lane of an atomic; load-table entry their results belong to |
//! | `head_op` | | operation |
//! | `head_address[L]` | 32 | byte addresses in this memory |
//! | `head_data[L]`, `head_mask[L]` | 32, 4 | store data and bytes, in place in their word |
//! | `result_valid`, `result_ready`, `result_entry`, `result_lanes` | | lanes that have their words |
//! | `result_word[L]`, `result_offset[L]` | 32, 2 | the word each lane addressed, and the byte in it |
//! | `draining` | 1 | a group has not been performed yet |
//! | `idle` | 1 | nothing in flight |
//! | `shared_conflict` | 1 | taken in this cycle, but lanes are left over by bank conflicts |
//!
//! Latency: `result_*` two cycles after acceptance, one group per cycle; an atomic holds the next group back for one cycle while it
//! writes. Lane groups of atomics and LR/SC have one lane. State: the banks, the registers of B and C.
//! Consecutive words lie in consecutive banks. Every word is touched in stage B only, so groups take effect in order.
use super::{AtomicAlu, BankArbiter, Head, LaneWords, SharedGroup};
use crate::interface::MemoryOp;
use crate::parts::LaneCrossbar;
use crate::prelude::*;

registers! {
    /// The group in B.
    pub struct AccessedGroupRegister {
        /// Lanes without conflict.
        AccessedGroup(config: &CoreConfig, entry: usize, row: usize) {
            valid: Bit,
            op: MemoryOp,
            succeeds: Bit,
            entry: [entry],
            leader: [config.lane_width()],
            lanes: [config.lanes],
            bank: [index_width(config.lanes); config.lanes],
            offset: [2; config.lanes],
            data: [32; config.lanes],
            mask: [4; config.lanes],
            /// By bank.
            row: [row; config.lanes],
        }
    }
}

registers! {
    /// The group in C.
    pub struct ReadGroupRegister {
        /// Lanes whose words have been read.
        ReadGroup(config: &CoreConfig, entry: usize, row: usize) {
            valid: Bit,
            /// An atomic that writes its word in this cycle.
            writes: Bit,
            op: MemoryOp,
            /// The result of a store-conditional, instead of a word: its failure.
            conditional: Bit,
            failed: Bit,
            entry: [entry],
            lanes: [config.lanes],
            bank: [index_width(config.lanes); config.lanes],
            offset: [2; config.lanes],
            operand: [32],
            atomic_bank: [index_width(config.lanes)],
            atomic_row: [row],
        }
    }
}

module! {
    /// See the [module documentation](self).
    pub struct SharedMemory: clock, reset {
        pub head: Head<In> = Head::new(config),
        pub group: SharedGroup<In> = SharedGroup::new(config, entry),
        pub group_ready: Signal<Out, Bit>,
        pub taken: Net<Out> = lanes,
        pub result: LaneWords<Out> = LaneWords::new(config, entry),
        pub result_ready: Signal<In, Bit>,
        pub draining: Signal<Out, Bit>,
        pub idle: Signal<Out, Bit>,
        pub shared_conflict: Signal<Out, Bit>,

        // A
        arbiters: Vec<BankArbiter> = (0..lanes).map(|_| BankArbiter::new(lanes, rows)).collect() => |i| {
            candidates: group.lanes, lane_bank, lane_row,
        },
        /// Per lane: the row its bank serves.
        served: Vec<IndexedMux> = (0..lanes).map(|_| IndexedMux::new(row, lanes)).collect() => |i| {
            inputs: bank_row, index: lane_bank[i],
        },
        /// Lanes whose row is the one their bank serves.
        without_conflict: Net<Local> = lanes,
        /// Address of the lane in turn.
        address: Net<Local> = 32,
        lane_bank: Vec<Net<Local>> = Net::vec(lanes, bank),
        lane_row: Vec<Net<Local>> = Net::vec(lanes, row),
        lane_offset: Vec<Net<Local>> = Net::vec(lanes, 2),
        /// The row that each bank serves.
        bank_row: Vec<Net<Local>> = Net::vec(lanes, row),

        // B
        b: AccessedGroupRegister = AccessedGroupRegister::new(config, entry, row) => { q.valid: draining },
        conditional: Signal<Local, Bit>,
        store: Signal<Local, Bit>,
        atomic: Signal<Local, Bit>,
        returns: Signal<Local, Bit>,
        /// The group leaves B in this cycle.
        advance: Signal<Local, Bit>,
        crossbar: LaneCrossbar = LaneCrossbar::new(lanes, lanes) => {
            lane_slot: b.q.bank, lane_mask: b.q.mask, lane_data: b.q.data,
        },
        operand: IndexedMux = IndexedMux::new(32, lanes) => { index: b.q.leader, inputs: b.q.data },
        atomic_bank: IndexedMux = IndexedMux::new(bank, lanes) => { index: b.q.leader, inputs: b.q.bank },
        atomic_row: IndexedMux = IndexedMux::new(row, lanes) => { index: atomic_bank.selected, inputs: b.q.row },
        banks: Vec<Memory> = (0..lanes).map(|_| Memory::with_byte_enables(32, rows, 1, 1, ReadKind::Synchronous)).collect() => |i| {
            read_address[0]: b.q.row[i],
        },

        // C
        words: Vec<Net<Local>> = Net::vec(lanes, 32),
        c_open: Signal<Local, Bit>,
        c: ReadGroupRegister = ReadGroupRegister::new(config, entry, row) => {
            q.valid: result.valid, q.entry: result.entry, q.lanes: result.lanes, q.offset: result.offset,
        },
        old: IndexedMux = IndexedMux::new(32, lanes) => { index: c.q.atomic_bank, inputs: words },
        alu: AtomicAlu => { op: c.q.op, old: old.selected, operand: c.q.operand },
        select: Vec<IndexedMux> = (0..lanes).map(|_| IndexedMux::new(32, lanes)).collect() => |i| {
            inputs: words, index: c.q.bank[i],
        },
        row_shift: Constant = Constant::new(2 + bank as u64, 6),
    }
    sizes { _bank_width = bank, _row_width = row }
    /// The shared memory of the core `config`, for load-table entries of `entry` bits.
    pub fn new(config: &CoreConfig, entry: usize) {
        let lanes = config.lanes;
        let rows = config.shared_bytes / 4 / lanes;
        let (bank, row) = (index_width(lanes), index_width(rows));
    }
}

impl Logic for SharedMemory {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module SharedMemory");

        // B: stores write, everything else reads, and returns through C; not while the atomic in C writes.
        self.c_open.next = !self.c.q.valid.val() | self.result_ready.val();
        self.conditional.next = self.b.q.op.val() == MemoryOp::StoreConditional;
        self.store.next = (self.b.q.op.val() == MemoryOp::Store) | (self.conditional.val() & self.b.q.succeeds.val());
        self.returns.next = !(self.b.q.op.val() == MemoryOp::Store);
        self.atomic.next = self.returns.val()
            & !self.conditional.val()
            & !(self.b.q.op.val() == MemoryOp::Load)
            & !(self.b.q.op.val() == MemoryOp::LoadReserved);
        self.advance.next = self.b.q.valid.val() & !self.c.q.writes.val() & (self.c_open.val() | !self.returns.val());

        // A: per bank one row; the lanes that want it are taken.
        self.group_ready.next = !self.b.q.valid.val() | self.advance.val();
        self.without_conflict.next = 0.into();
        for i in 0..self.served.len() {
            self.address.next = self.head.address[i].val();
            self.lane_bank[i].next = bit_cast_to(self.address.val() >> 2, self._bank_width);
            self.lane_row[i].next = bit_cast_to(self.address.val() >> self.row_shift.val(), self._row_width);
            self.lane_offset[i].next = bit_cast_to(self.address.val(), 2);
            self.arbiters[i].bank.next = i.into();
            self.bank_row[i].next = self.arbiters[i].row.val();
        }
        for i in 0..self.served.len() {
            self.without_conflict.next =
                self.without_conflict.val().replace_bit(i, self.served[i].selected.val() == self.lane_row[i].val());
        }
        self.taken.next = self.group.lanes.val() & self.without_conflict.val();
        self.shared_conflict.next = self.group_ready.val() & (self.group.lanes.val() & !self.taken.val()).any();

        wire::join(&mut self.b.q, &mut self.b.d);
        if self.group_ready.val() {
            self.b.d.valid.next = self.group.lanes.val().any();
            self.b.d.op.next = self.head.op.val();
            self.b.d.succeeds.next = self.group.succeeds.val();
            self.b.d.entry.next = self.group.entry.val();
            self.b.d.leader.next = self.group.leader.val();
            self.b.d.lanes.next = self.taken.val();
            wire::join(&mut self.lane_bank, &mut self.b.d.bank);
            wire::join(&mut self.lane_offset, &mut self.b.d.offset);
            wire::join(&mut self.head.data, &mut self.b.d.data);
            wire::join(&mut self.head.mask, &mut self.b.d.mask);
            wire::join(&mut self.bank_row, &mut self.b.d.row);
        }

        // B: the access itself.
        self.crossbar.selected.next = 0.into();
        if self.store.val() {
            self.crossbar.selected.next = self.b.q.lanes.val();
        }
        for i in 0..self.banks.len() {
            self.words[i].next = self.banks[i].read_data[0].val();
            self.banks[i].read_enable[0].next = self.advance.val() & self.returns.val();
            self.banks[i].write_enable[0].next = self.advance.val() & self.store.val();
            self.banks[i].write_address[0].next = self.b.q.row[i].val();
            self.banks[i].write_data[0].next = self.crossbar.slot_data[i].val();
            self.banks[i].write_mask[0].next = self.crossbar.slot_mask[i].val();
            if self.c.q.writes.val() {
                self.banks[i].write_enable[0].next = self.c.q.atomic_bank.val() == i;
                self.banks[i].write_address[0].next = self.c.q.atomic_row.val();
                self.banks[i].write_data[0].next = self.alu.result.val();
                self.banks[i].write_mask[0].next = 15.into();
            }
        }

        // C: the words that were read.
        wire::join(&mut self.c.q, &mut self.c.d);
        self.c.d.writes.next = false;
        if self.c_open.val() {
            self.c.d.valid.next = self.advance.val() & self.returns.val();
            self.c.d.writes.next = self.advance.val() & self.atomic.val();
            self.c.d.op.next = self.b.q.op.val();
            self.c.d.conditional.next = self.conditional.val();
            self.c.d.failed.next = !self.b.q.succeeds.val();
            self.c.d.entry.next = self.b.q.entry.val();
            self.c.d.lanes.next = self.b.q.lanes.val();
            self.c.d.operand.next = self.operand.selected.val();
            self.c.d.atomic_bank.next = self.atomic_bank.selected.val();
            self.c.d.atomic_row.next = self.atomic_row.selected.val();
            wire::join(&mut self.b.q.bank, &mut self.c.d.bank);
            wire::join(&mut self.b.q.offset, &mut self.c.d.offset);
        }
        for i in 0..self.select.len() {
            self.result.word[i].next = self.select[i].selected.val();
            if self.c.q.conditional.val() {
                self.result.word[i].next = bit_cast_to(self.c.q.failed.val(), 32);
            }
        }
        self.idle.next = !self.b.q.valid.val() & !self.c.q.valid.val();
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

    /// One line a cycle: `operation, result_ready | draining idle result`; lane 0 accesses word 0.
    const IN_FLIGHT: &str = "
        -  1 | 0 1 -
        st 1 | 0 1 -
        -  1 | 1 0 -    it writes
        ld 1 | 0 1 -
        -  0 | 1 0 -    it reads
        -  0 | 0 0 x    its word waits
        -  1 | 0 0 x
        ld 1 | 0 1 -
        ld 1 | 1 0 -
        -  1 | 1 0 x
        -  1 | 0 0 x
        -  1 | 0 1 -";

    #[test]
    fn is_idle_when_nothing_is_in_flight() {
        let config = CoreConfig { shared_bytes: 64, ..CoreConfig::tiny() };
        let mut memory = SharedMemory::new(&config, 3);
        memory.connect_all();
        for line in IN_FLIGHT.trim().lines().map(str::trim) {
            let fields: Vec<_> = line.split_whitespace().collect();
            memory.head.op.next = if fields[0] == "st" { MemoryOp::Store } else { MemoryOp::Load };
            memory.group.lanes.next = ((fields[0] != "-") as usize).into();
            memory.result_ready.next = fields[1] == "1";
            simulate(&mut memory, 1000);
            let found = [memory.draining.val(), memory.idle.val(), memory.result.valid.val()];
            assert_eq!(found, [fields[3] == "1", fields[4] == "1", fields[5] == "x"], "{line}");
            tick!(memory);
        }
    }

    #[test]
    fn accesses() {
        let config = CoreConfig { shared_bytes: 64, ..CoreConfig::tiny() };
        let mut memory = SharedMemory::new(&config, 3);
        memory.connect_all();
        simulate(&mut memory, 1000);
        for line in ACCESSES.trim().lines().map(str::trim) {
            let (inputs, outputs) = line.split_once(" | ").unwrap();
            let fields: Vec<_> = inputs.split_whitespace().collect();
            (memory.head.op.next, memory.group.succeeds.next) = match fields[0] {
                "st" => (MemoryOp::Store, false),
                "add" => (MemoryOp::AtomicAdd, false),
                "sc" => (MemoryOp::StoreConditional, true),
                "sf" => (MemoryOp::StoreConditional, false),
                _ => (MemoryOp::Load, false),
            };
            memory.result_ready.next = fields[0] != "x";
            let lanes = usize::from_str_radix(fields[1], 2).unwrap();
            memory.group.lanes.next = lanes.into();
            memory.group.leader.next = (lanes.trailing_zeros() as usize % 4).into();
            for lane in 0..4 {
                memory.head.address[lane].next = (4 * fields[2 + lane].parse::<usize>().unwrap()).into();
                memory.head.data[lane].next = (0x10 + lane).into();
                memory.head.mask[lane].next = 15.into();
            }
            simulate(&mut memory, 1000);
            let taken = if memory.group_ready.val() { memory.taken.val().value() } else { 0 };
            let words: Vec<_> = memory.result.word.iter().map(|word| format!("{:x}", word.val().value())).collect();
            let result = if memory.result.valid.val() {
                format!("{:04b} {}", memory.result.lanes.val().value(), words.join(" "))
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
