//! Lines on their way from DRAM to a slice of L2, and the reads that wait for them.
//!
//! ```text
//!  query_line ----------->+-------------+
//!  allocate_*, waiter --->|             |---> same_line, open, locked_ways, free, allocate_id
//!  merge ---------------->| L2MshrTable |
//!  fill, fill_id, ------->|             |---> served_line, served_way
//!    fill_burst           |             |---> replay_valid, replay_waiter
//!  replay_take ---------->+-------------+---> idle
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `query_line` | l | line looked up |
//! | `same_line`, `open`, `locked_ways` | 1, 1, ways | it is on its way; another read may wait for it; ways of its set that lines on their way need |
//! | `free`, `allocate_id` | 1, m | another line may be asked for; its number |
//! | `allocate`, `allocate_way`, `allocate_bursts`, `allocate_waits` | 1, w, b, 1 | `query_line` is asked for, of DRAM these bursts; `waiter` waits for it |
//! | `merge` | 1 | `waiter` waits for `query_line`, which is on its way |
//! | `waiter` | | the read |
//! | `fill`, `fill_id`, `fill_burst` | 1, m, b | this burst (one-hot) has come |
//! | `served_line`, `served_way` | l, w | where it belongs; without a burst: the line of `replay_waiter` |
//! | `replay_valid`, `replay_waiter`, `replay_take` | | a read whose line is there, with the burst that comes: only one of its line then; it is answered |
//! | `idle` | 1 | no line is on its way |
//!
//! Latency 0 for the comparisons, 1 for the state. All reads of a line are answered, in their order, before any new request for it: until then it counts as on its way.
//! A burst goes before lines that are there, so both never need the data of two lines in a tick: one line is served, and one read of it.
use super::{L2Config, L2MshrEntry};
use crate::prelude::*;

records! {
    /// Reads that wait, by line and order.
    pub struct WaiterTable {
        /// A read that waits for its line.
        Waiter(config: &L2Config) {
            core: [config.core_width()],
            id: [config.id_width],
            sectors: [config.sectors()],
        }
    }
}

module! {
    /// See the [module documentation](self).
    pub struct L2MshrTable: clock, reset {
        pub query_line: Net<In> = config.line_width,
        pub same_line: Signal<Out, Bit>,
        pub open: Signal<Out, Bit>,
        pub locked_ways: Net<Out> = config.ways,
        pub free: Signal<Out, Bit>,
        pub allocate_id: Net<Out> = config.mshr_width(),
        pub allocate: Signal<In, Bit>,
        pub allocate_way: Net<In> = config.way_width(),
        pub allocate_bursts: Net<In> = config.bursts(),
        pub allocate_waits: Signal<In, Bit>,
        pub merge: Signal<In, Bit>,
        pub waiter: Waiter<In> = Waiter::new(config),
        pub fill: Signal<In, Bit>,
        pub fill_id: Net<In> = config.mshr_width(),
        pub fill_burst: Net<In> = config.bursts(),
        pub served_line: Net<Out> = config.line_width,
        pub served_way: Net<Out> = config.way_width(),
        pub replay_valid: Signal<Out, Bit>,
        pub replay_waiter: Waiter<Out> = Waiter::new(config),
        pub replay_take: Signal<In, Bit>,
        pub idle: Signal<Out, Bit>,

        entries: Vec<L2MshrEntry> = (0..config.mshrs).map(|_| L2MshrEntry::new(config)).collect() => |i| {
            query_line, allocate_way, allocate_bursts, allocate_waits, fill_burst, line: lines[i], way: ways[i], waiters: waiters[i],
            replayed: replayed[i],
        },
        unused: PriorityEncoder = PriorityEncoder::new(config.mshrs) => { any: free, index: allocate_id },
        replaying: PriorityEncoder = PriorityEncoder::new(config.mshrs),
        same: PriorityEncoder = PriorityEncoder::new(config.mshrs) => { any: same_line },
        line: IndexedMux = IndexedMux::new(config.line_width, config.mshrs) => { inputs: lines, index: served, selected: served_line },
        way: IndexedMux = IndexedMux::new(config.way_width(), config.mshrs) => { inputs: ways, index: served, selected: served_way },
        next_waiter: IndexedMux = IndexedMux::new(count, config.mshrs) => { inputs: waiters, index: same.index },
        next_replay: IndexedMux = IndexedMux::new(count, config.mshrs) => { inputs: replayed, index: served },
        readers: WaiterTable = WaiterTable::new(config.mshrs * config.merges, 1, config) => { write: waiter, read[0]: replay_waiter },
        log_merges: Constant = Constant::new(config.merges.ilog2() as u64, 6),

        lines: Vec<Net<Local>> = Net::vec(config.mshrs, config.line_width),
        ways: Vec<Net<Local>> = Net::vec(config.mshrs, config.way_width()),
        waiters: Vec<Net<Local>> = Net::vec(config.mshrs, count),
        replayed: Vec<Net<Local>> = Net::vec(config.mshrs, count),
        held: Net<Local> = config.mshrs,
        found: Net<Local> = config.mshrs,
        finished: Net<Local> = config.mshrs,
        served: Net<Local> = config.mshr_width(),
        completes: Signal<Local, Bit>,
    }
    sizes { _row = index_width(config.mshrs * config.merges) }
    /// Of a slice.
    pub fn new(config: &L2Config) {
        let count = index_width(config.merges + 1);
        assert!(config.mshrs.is_power_of_two() && config.merges.is_power_of_two(), "{} x {}", config.mshrs, config.merges);
    }
}

impl Logic for L2MshrTable {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module L2MshrTable");
        self.held.next = 0.into();
        self.found.next = 0.into();
        self.finished.next = 0.into();
        self.completes.next = false;
        self.open.next = false;
        self.locked_ways.next = 0.into();
        for i in 0..self.entries.len() {
            self.held.next = self.held.val().replace_bit(i, self.entries[i].valid.val());
            self.found.next = self.found.val().replace_bit(i, self.entries[i].same_line.val());
            self.finished.next = self.finished.val().replace_bit(i, self.entries[i].replays.val());
            self.completes.next = self.completes.val() | self.entries[i].completes.val();
            self.open.next = self.open.val() | (self.entries[i].same_line.val() & self.entries[i].open.val());
            self.locked_ways.next = self.locked_ways.val() | self.entries[i].locked_ways.val();
        }
        self.idle.next = !self.held.val().any();
        self.unused.request.next = !self.held.val();
        self.same.request.next = self.found.val();
        self.replaying.request.next = self.finished.val();
        self.served.next = self.replaying.index.val();
        self.replay_valid.next = self.replaying.any.val();
        if self.fill.val() {
            self.served.next = self.fill_id.val();
            self.replay_valid.next = self.completes.val();
        }
        for i in 0..self.entries.len() {
            self.entries[i].allocate.next = self.allocate.val() & self.unused.one_hot.val().get_bit(i);
            self.entries[i].merge.next = self.merge.val() & self.found.val().get_bit(i);
            self.entries[i].fill.next = self.fill.val() & (self.fill_id.val() == i);
            self.entries[i].replay.next = self.replay_take.val() & (self.served.val() == i);
        }

        self.readers.write_enable.next = self.merge.val() | (self.allocate.val() & self.allocate_waits.val());
        self.readers.write_row.next = bit_cast_to(self.allocate_id.val(), self._row) << self.log_merges.val();
        if self.merge.val() {
            self.readers.write_row.next = (bit_cast_to(self.same.index.val(), self._row) << self.log_merges.val())
                | bit_cast_to(self.next_waiter.selected.val(), self._row);
        }
        self.readers.read_row[0].next = (bit_cast_to(self.served.val(), self._row) << self.log_merges.val())
            | bit_cast_to(self.next_replay.selected.val(), self._row);
    }
}
