//! The memory instructions that owe results: which lanes are outstanding, and what to do with their data.
//!
//! ```text
//!  access_* ----->+-----------+---> free, entry
//!                 |           |
//!  complete_* --->| LoadTable |---> load_*   (a LoadLane per lane, then the LoadBuffer)
//!                 |           |
//!  query_warp --->|           |---> query_pending
//!                 +-----------+---> idle
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `free`, `entry` | 1, e | an entry is free, and which |
//! | `allocate`, `access_warp`, `_home_warps[R]`, `_rd`, `_size`, `_unsigned`, `_mask` | | an instruction takes it |
//! | `complete_valid`, `complete_ready`, `complete_entry`, `complete_lanes`, `complete_word[L]`, `complete_offset[L]` | | lanes of one have their words; taken |
//! | `load_valid`, `load_ready` | 1 | all lanes of one have their data; taken |
//! | `load_warp`, `load_home_warps[R]`, `load_rd`, `load_mask`, `load_data[L]` | | of that instruction |
//! | `query_warp`, `query_pending` | w, 1 | some instruction of that warp owes results (for `fence`); with compaction, of any warp, for threads change theirs |
//! | `idle` | 1 | none does, and none waits to be written back |
//! | `gives_up`, `given_up` | 1, e | where loads are issued again (Vec of one): nothing comes for this entry, which is free in the next cycle; each look at a load has one of its own there, whose lanes come together |
//!
//! Latency of an instruction whose lanes complete together 0, else 1 from the last of them ([`LoadBuffer`](super::LoadBuffer)); an entry is
//! free in the cycle after its last lanes have come. State: who has which entry, in groups of 64 ([`LoadGroup`](super::LoadGroup)), the
//! rest in memories indexed by entry; outstanding lanes have two write ports, one to allocate and one to complete.
use super::{GROUP, LaneWords, LoadBuffer, LoadGroup, LoadLane, group_sizes};
use crate::interface::{LaneResult, MemoryAccess, MemoryOp};
use crate::prelude::*;

records! {
    /// What allocation leaves for completion.
    pub struct LoadRecords {
        /// Of an instruction that owes results.
        LoadRecord(config: &CoreConfig) {
            /// `rd`, `unsigned`, `size`, from the top.
            control: [3 + config.register_width()],
            /// All its lanes.
            mask: [config.lanes],
            /// Empty without compaction: then the home warp is the warp.
            home_warps: [config.warp_width(); config.kept_home_warps()],
            /// Where loads are issued again: it is one, of which this is a look.
            is_look: [1; config.of_replay()],
        }
    }
}

module! {
    /// See the [module documentation](self).
    pub struct LoadTable: clock, reset {
        pub free: Signal<Out, Bit>,
        pub entry: Net<Out> = index,
        pub allocate: Signal<In, Bit>,
        pub access: MemoryAccess<In> = MemoryAccess::new(config),
        pub complete: LaneWords<In> = LaneWords::new(config, index),
        pub complete_ready: Signal<Out, Bit>,
        pub load: LaneResult<Out> = LaneResult::new(config),
        pub load_ready: Signal<In, Bit>,
        /// Where loads are issued again (one each, or none): nothing comes for this entry.
        pub gives_up: Vec<Signal<In, Bit>> = bit_vec(config.of_replay()),
        pub given_up: Vec<Net<In>> = Net::vec(config.of_replay(), index),
        pub query_warp: Net<In> = config.path_width(),
        pub query_pending: Signal<Out, Bit>,
        pub idle: Signal<Out, Bit>,

        groups: Vec<LoadGroup> = group_sizes(entries).map(|size| LoadGroup::new(config, size, local)).collect() => |g| {
            warp: access.warp, query_warp, given_up: given_up_local,
        },
        /// The number of the group in turn.
        group: Net<Local> = index,
        free_index: Net<Local> = local,
        completing_group: Net<Local> = index,
        given_up_group: Vec<Net<Local>> = Net::vec(config.of_replay(), index),
        given_up_local: Vec<Net<Local>> = Net::vec(config.of_replay(), local),
        records: LoadRecords = LoadRecords::new(entries, 1, config) => {
            write_enable: allocate, write_row: entry, write.mask: access.mask, read_row[0]: complete.entry,
            read[0].control: control, read[0].mask: lanes_of_entry,
        },
        control: Net<Local> = 3 + config.register_width(),
        lanes_of_entry: Net<Local> = config.lanes,
        warp: Net<Local> = config.path_width(),
        outstanding: Memory = Memory::new(config.lanes, entries, 1, 2, ReadKind::Asynchronous) => {
            read_address[0]: complete.entry, write_enable[0]: completing, write_address[0]: complete.entry,
            write_data[0]: remaining, write_enable[1]: allocate, write_address[1]: entry, write_data[1]: access.mask,
        },
        remaining: Net<Local> = config.lanes,
        lanes: Vec<LoadLane> = (0..config.lanes).map(|_| LoadLane::default()).collect() => |i| {
            word: complete.word[i], offset: complete.offset[i], value: values[i],
        },
        values: Vec<Net<Local>> = Net::vec(config.lanes, 32),
        buffer: LoadBuffer = LoadBuffer::new(config, entries) => {
            arrival.valid: complete.valid, arrival.data: values, arrival.destination.warp: warp,
            lanes: complete.lanes, entry: complete.entry, last,
            ready: complete_ready, load, load_ready,
        },
        completing: Signal<Local, Bit>,
        /// Nothing of the instruction is missing any more.
        last: Signal<Local, Bit>,
    }
    sizes { _control_width = 3 + config.register_width(), _register_width = config.register_width(), _warp_width = config.warp_width(), _entry_width = index, _local_width = local }
    /// A table of `entries` for the core `config`.
    pub fn new(config: &CoreConfig, entries: usize) {
        let (index, local) = (index_width(entries), index_width(entries.min(GROUP)));
    }
}

impl Logic for LoadTable {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module LoadTable");
        self.records.write.control.next = bit_cast_to(self.access.size.val(), self._control_width)
            | (bit_cast_to(self.access.unsigned.val(), self._control_width) << 2)
            | (bit_cast_to(self.access.rd.val(), self._control_width) << 3);
        self.buffer.arrival.destination.rd.next = bit_cast_to(self.control.val() >> 3, self._register_width);
        for p in 0..self.buffer.arrival.destination.raises.len() {
            self.buffer.arrival.destination.raises[p].next = 0.into();
            self.buffer.arrival.destination.replaces[p].next = 0.into();
        }
        for i in 0..self.buffer.arrival.flags.len() {
            self.buffer.arrival.flags[i].next = 0.into();
        }
        for i in 0..self.lanes.len() {
            self.lanes[i].size.next = bit_cast_to(self.control.val(), 2);
            self.lanes[i].zero_extend.next = self.control.val().get_bit(2);
        }

        self.completing.next = self.complete.valid.val() & self.complete_ready.val();
        self.remaining.next = self.outstanding.read_data[0].val() & !self.complete.lanes.val();
        self.last.next = !self.remaining.val().any();
        self.buffer.first.next = self.outstanding.read_data[0].val() == self.lanes_of_entry.val();

        self.buffer.arrival.destination.mask.next = self.lanes_of_entry.val();
        for r in 0..self.gives_up.len() {
            self.records.write.is_look[r].next = 0.into();
            if self.access.op.val() == MemoryOp::Load {
                self.records.write.is_look[r].next = 1.into();
            }
            self.buffer.arrival.destination.is_look[r].next = self.records.read[0].is_look[r].val();
            if self.records.read[0].is_look[r].val().any() {
                // Its lanes come together, and are all that there will be.
                self.last.next = true;
                self.buffer.first.next = true;
                self.buffer.arrival.destination.mask.next = self.complete.lanes.val();
            }
        }

        self.free.next = false;
        self.entry.next = 0.into();
        self.query_pending.next = false;
        self.idle.next = self.buffer.idle.val();
        self.completing_group.next = self.complete.entry.val() >> 6;
        self.warp.next = 0.into();
        for r in 0..self.gives_up.len() {
            self.given_up_group[r].next = self.given_up[r].val() >> 6;
            self.given_up_local[r].next = 0.into();
            for b in 0..self._local_width {
                self.given_up_local[r].next =
                    self.given_up_local[r].val().replace_bit(b, self.given_up[r].val().get_bit(b));
            }
        }
        for g in 0..self.groups.len() {
            self.group.next = g.into();
            self.groups[g].allocate.next = self.allocate.val() & !self.free.val() & self.groups[g].free.val();
            self.free_index.next = self.groups[g].free_index.val();
            if !self.free.val() & self.groups[g].free.val() {
                self.entry.next = bit_cast_to(self.free_index.val(), self._entry_width) | (self.group.val() << 6);
            }
            self.free.next = self.free.val() | self.groups[g].free.val();
            self.groups[g].select_index.next = bit_cast_to(self.complete.entry.val(), self._local_width);
            self.groups[g].leave.next =
                self.completing.val() & self.last.val() & (self.completing_group.val() == self.group.val());
            for r in 0..self.gives_up.len() {
                self.groups[g].gives_up[r].next =
                    self.gives_up[r].val() & (self.given_up_group[r].val() == self.group.val());
            }
            if self.completing_group.val() == self.group.val() {
                self.warp.next = self.groups[g].selected_warp.val();
            }
            self.query_pending.next = self.query_pending.val() | self.groups[g].pending.val();
            self.idle.next = self.idle.val() & self.groups[g].idle.val();
        }

        self.buffer.arrival.destination.home_warps[0].next = bit_cast_to(self.warp.val(), self._warp_width);
        for i in 0..self.records.write.home_warps.len() {
            self.records.write.home_warps[i].next = self.access.home_warps[i].val();
            self.buffer.arrival.destination.home_warps[i].next = self.records.read[0].home_warps[i].val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two entries. One line a cycle: `allocate: warp rd lanes, complete: entry lanes, load_ready | free entry, loaded: warp rd lanes,
    /// warp 1 pending`.
    const FOLLOWS: &str = "
        1 5 1011  - -    1 | 1 0  - - -     0
        2 6 0001  - -    1 | 1 1  - - -     1
        - - -     0 0011 1 | 0 0  - - -     1
        - - -     1 0001 1 | 0 0  2 6 0001  1   at once
        1 7 0110  0 1000 1 | 1 1  - - -     1   one leaves, one enters
        - - -     1 0100 0 | 1 0  1 5 1011  1
        3 8 0001  1 0010 0 | 1 0  1 5 1011  1   not taken: there is one in waiting
        - - -     1 0010 1 | 0 0  1 5 1011  1
        - - -     - -    1 | 1 1  1 7 0110  0
        - - -     0 0001 1 | 1 1  3 8 0001  0
        - - -     - -    1 | 1 0  - - -     0";

    #[test]
    fn follows() {
        let mut table = LoadTable::new(&CoreConfig::tiny(), 2);
        table.connect_all();
        simulate(&mut table, 1000);
        table.query_warp.next = 1.into();
        for line in FOLLOWS.trim().lines() {
            let fields: Vec<_> = line.split_whitespace().collect();
            let number = |text: &str| Word::from(text.parse::<usize>().unwrap_or(0));
            let lanes = |text| Word::from(usize::from_str_radix(text, 2).unwrap_or(0));
            table.allocate.next = fields[0] != "-";
            table.access.warp.next = number(fields[0]);
            table.access.rd.next = number(fields[1]);
            table.access.mask.next = lanes(fields[2]);
            table.complete.valid.next = fields[3] != "-";
            table.complete.entry.next = number(fields[3]);
            table.complete.lanes.next = lanes(fields[4]);
            table.load_ready.next = fields[5] == "1";
            simulate(&mut table, 1000);
            let loaded = if table.load.valid.val() {
                let destination = &table.load.destination;
                let (warp, rd) = (destination.warp.val().value(), destination.rd.val().value());
                format!("{warp} {rd} {:04b}", destination.mask.val().value())
            } else {
                "- - -".into()
            };
            let (free, pending) = (table.free.val() as u8, table.query_pending.val() as u8);
            let found = format!("{free} {} {loaded} {pending}", table.entry.val().value());
            assert_eq!(found, fields[7..13].join(" "), "{line}");
            tick!(table);
        }
    }

    /// One entry more than a mask has bits, the last of another warp: it is pending for that alone, and leaves alone.
    #[test]
    fn a_warp_is_pending_wherever_its_entries_are() {
        let mut table = LoadTable::new(&CoreConfig::tiny(), GROUP + 1);
        table.connect_all();
        simulate(&mut table, 1000);
        assert!(table.idle.val());
        table.load_ready.next = true;
        table.allocate.next = true;
        table.access.mask.next = 1.into();
        for entry in 0..=GROUP {
            table.access.warp.next = (if entry == GROUP { 2usize } else { 1 }).into();
            simulate(&mut table, 1000);
            assert_eq!((table.free.val(), table.entry.val().index()), (true, entry));
            tick!(table);
        }
        table.allocate.next = false;
        simulate(&mut table, 1000);
        assert!(!table.free.val());
        let pending = |table: &mut LoadTable| {
            [0usize, 1, 2, 3].map(|warp| {
                table.query_warp.next = warp.into();
                simulate(table, 1000);
                table.query_pending.val()
            })
        };
        assert_eq!(pending(&mut table), [false, true, true, false]);
        table.complete.valid.next = true;
        table.complete.lanes.next = 1.into();
        for (entry, warp, left) in [(GROUP, 2, [false, true, false, false]), (0, 1, [false, true, false, false])] {
            table.complete.entry.next = entry.into();
            simulate(&mut table, 1000);
            assert!(table.load.valid.val() && !table.idle.val());
            assert_eq!(table.load.destination.warp.val().index(), warp);
            tick!(table);
            assert_eq!(pending(&mut table), left, "without {entry}");
        }
        for entry in 1..GROUP {
            table.complete.entry.next = entry.into();
            tick!(table);
        }
        table.complete.valid.next = false;
        simulate(&mut table, 1000);
        assert!(table.idle.val() && pending(&mut table) == [false; 4]);
    }
}
