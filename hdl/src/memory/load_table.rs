//! The memory instructions that owe results: which lanes are outstanding, and what to do with their data.
//!
//! ```text
//!  access_* ----->+-----------+---> free, entry
//!                 |           |---> load_* (a LoadLane per lane)
//!  complete_* --->| LoadTable |
//!                 |           |---> query_pending
//!  query_warp --->+-----------+---> idle
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `free`, `entry` | 1, e | an entry is free, and which |
//! | `allocate`, `access_warp`, `_rows[R]`, `_rd`, `_size`, `_unsigned`, `_mask` | | an instruction takes it |
//! | `complete_valid`, `complete_entry`, `complete_lanes`, `complete_word[L]`, `complete_offset[L]` | | lanes of one have their words |
//! | `load_valid`, `load_ready` | 1 | so have they their data; taken |
//! | `load_warp`, `load_home_warps[R]`, `load_rd`, `load_mask`, `load_data[L]` | | of the instruction behind `complete_entry` |
//! | `load_last` | 1 | with these lanes it is complete |
//! | `query_warp`, `query_pending` | w, 1 | some instruction of that warp owes results (for `fence`); with compaction, of any warp, for threads change theirs |
//! | `idle` | 1 | none does |
//!
//! Latency 0, changes hold from the next cycle on. State: busy bits, the warp of each entry in registers (all are compared with
//! `query_warp`), the rest in a memory indexed by entry; outstanding lanes have two write ports, one to
//! allocate and one to complete.
use super::{LaneWords, LoadLane};
use crate::interface::{LoadResult, MemoryAccess};
use crate::prelude::*;

records! {
    /// What allocation leaves for completion.
    pub struct LoadRecords {
        /// Of an instruction that owes results.
        LoadRecord(config: &CoreConfig) {
            /// `unsigned`, `size`, `rd`, from the top.
            control: [8],
            /// Empty without compaction: then the home warp is the warp.
            home_warps: [config.warp_width(); config.kept_home_warps()],
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
        pub load: LoadResult<Out> = LoadResult::new(config),
        pub load_ready: Signal<In, Bit>,
        pub query_warp: Net<In> = config.path_width(),
        pub query_pending: Signal<Out, Bit>,
        pub idle: Signal<Out, Bit>,

        busy: Register = Register::new(entries) => { d: busy_next },
        busy_next: Net<Local> = entries,
        warps: Vec<Flop> = (0..entries).map(|_| Flop::new(config.path_width())).collect(),
        records: LoadRecords = LoadRecords::new(entries, 1, config) => {
            write_enable: allocate, write_row: entry, read_row[0]: complete.entry, read[0].control: control,
        },
        control: Net<Local> = 8,
        warp_mux: IndexedMux = IndexedMux::new(config.path_width(), entries) => {
            index: complete.entry, selected: load.result.destination.warp,
        },
        outstanding: Memory = Memory::new(config.lanes, entries, 1, 2, ReadKind::Asynchronous) => {
            read_address[0]: complete.entry, write_enable[0]: completing, write_address[0]: complete.entry,
            write_data[0]: remaining, write_enable[1]: allocate, write_address[1]: entry, write_data[1]: access.mask,
        },
        remaining: Net<Local> = config.lanes,
        lanes: Vec<LoadLane> = (0..config.lanes).map(|_| LoadLane::default()).collect() => |i| {
            word: complete.word[i], offset: complete.offset[i], value: load.result.data[i],
        },
        completing: Signal<Local, Bit>,
        unused: Net<Local> = entries,
        allocator: PriorityEncoder = PriorityEncoder::new(entries) => { request: unused, any: free, index: entry },
        query_all: Constant = Constant::new(config.compacts() as u64, 1),
        /// The warp's bits of a path number.
        warp_bits: Constant = Constant::new(mask(config.warp_width()), config.path_width()),
    }
    sizes { _warp_width = config.warp_width() }
    /// A table of `entries` (at most 64) for the core `config`.
    pub fn new(config: &CoreConfig, entries: usize) {
        let index = index_width(entries);
    }
}

impl Logic for LoadTable {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module LoadTable");
        self.unused.next = !self.busy.q.val();
        self.idle.next = self.unused.val().all();

        self.records.write.control.next = bit_cast_to(self.access.rd.val(), 8)
            | (bit_cast_to(self.access.size.val(), 8) << 5)
            | (bit_cast_to(self.access.unsigned.val(), 8) << 7);
        self.load.result.valid.next = self.complete.valid.val();
        self.load.result.destination.rd.next = bit_cast_to(self.control.val(), 5);
        self.load.result.destination.mask.next = self.complete.lanes.val();
        self.load.result.destination.home_warps[0].next = bit_cast_to(self.warp_mux.selected.val(), self._warp_width);
        for i in 0..self.records.write.home_warps.len() {
            self.records.write.home_warps[i].next = self.access.home_warps[i].val();
            self.load.result.destination.home_warps[i].next = self.records.read[0].home_warps[i].val();
        }
        for i in 0..self.lanes.len() {
            self.lanes[i].size.next = bit_cast_to(self.control.val() >> 5, 2);
            self.lanes[i].zero_extend.next = self.control.val().get_bit(7);
        }

        self.completing.next = self.complete.valid.val() & self.load_ready.val();
        self.remaining.next = self.outstanding.read_data[0].val() & !self.complete.lanes.val();
        self.load.last.next = !self.remaining.val().any();

        self.query_pending.next = false;
        self.busy_next.next = self.busy.q.val();
        for e in 0..self.warps.len() {
            self.warps[e].d.next = self.warps[e].q.val();
            self.warp_mux.inputs[e].next = self.warps[e].q.val();
            if self.allocate.val() & self.allocator.one_hot.val().get_bit(e) {
                self.warps[e].d.next = self.access.warp.val();
            }
            if self.busy.q.val().get_bit(e)
                & ((((self.warps[e].q.val() ^ self.query_warp.val()) & self.warp_bits.val()) == 0)
                    | self.query_all.val().any())
            {
                self.query_pending.next = true;
            }
            if self.allocate.val() & self.allocator.one_hot.val().get_bit(e) {
                self.busy_next.next = self.busy_next.val().replace_bit(e, true);
            } else if self.completing.val() & self.load.last.val() & (self.complete.entry.val() == e) {
                self.busy_next.next = self.busy_next.val().replace_bit(e, false);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two entries. One line a cycle: `allocate: warp rd lanes, complete: entry lanes | free entry, completed: warp rd last, warp 1 pending`.
    const FOLLOWS: &str = "
        1 5 1011  - -    | 1 0  - - -  0
        2 6 0001  - -    | 1 1  - - -  1
        - - -     0 0011 | 0 0  1 5 0  1
        - - -     1 0001 | 0 0  2 6 1  1
        1 7 0110  0 1000 | 1 1  1 5 1  1   one leaves, one enters
        - - -     1 0100 | 1 0  1 7 0  1
        3 8 0001  1 0010 | 1 0  1 7 1  1
        - - -     - -    | 1 1  - - -  0";

    #[test]
    fn follows() {
        let mut table = LoadTable::new(&CoreConfig::tiny(), 2);
        table.connect_all();
        simulate(&mut table, 1000);
        table.query_warp.next = 1.into();
        table.load_ready.next = true;
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
            simulate(&mut table, 1000);
            let completed = if table.complete.valid.val() {
                let (warp, rd) =
                    (table.load.result.destination.warp.val().value(), table.load.result.destination.rd.val().value());
                format!("{warp} {rd} {}", table.load.last.val() as u8)
            } else {
                "- - -".into()
            };
            let (free, pending) = (table.free.val() as u8, table.query_pending.val() as u8);
            let found = format!("{free} {} {completed} {pending}", table.entry.val().value());
            assert_eq!(found, fields[6..12].join(" "), "{line}");
            tick!(table);
        }
    }
}
