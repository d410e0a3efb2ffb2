//! One miss status holding register: a group of lanes that waits for a line or for an atomic's answer.
//!
//! ```text
//!                     +-----------+
//!  allocate, (...) -->|           |---> state
//!  query_line ------->| MshrEntry |---> same_line, locked_ways
//!  fill, fill_line -->|           |
//!  retire ----------->|           |
//!                     +-----------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `allocate` | 1 | take `query_line`, `allocate_way`, `allocate_uncached` |
//! | `query_line` | line | line of the group being looked up |
//! | `fill`, `fill_line` | 1, line | this line is written into the cache at the end of the cycle |
//! | `retire` | 1 | the group has its data |
//! | `state` | | see [`MshrState`] |
//! | `same_line` | 1 | a cached entry for `query_line` |
//! | `locked_ways` | ways | the way (one-hot) this entry needs in the set of `query_line` |
//!
//! Latency 0 for the comparisons, 1 for the state. What is only read back later (lanes, offsets) lies in
//! the memories of [`MshrTable`](super::MshrTable).
use crate::prelude::*;

hardware_enum! {
    /// Life of a miss status holding register.
    pub enum MshrState {
        /// Unused.
        Free,
        /// A load whose line has been requested, by this entry or by an earlier one.
        Waiting,
        /// The line is in the cache; the group has not been replayed yet.
        Ready,
        /// An atomic or load-reserved: its answer goes past the cache.
        Uncached,
    }
}

module! {
    /// See the [module documentation](self).
    pub struct MshrEntry: clock, reset {
        pub allocate: Signal<In, Bit>,
        pub allocate_uncached: Signal<In, Bit>,
        pub allocate_way: Net<In> = index_width(ways),
        pub query_line: Net<In> = line,
        pub fill: Signal<In, Bit>,
        pub fill_line: Net<In> = line,
        pub retire: Signal<In, Bit>,
        pub state: Signal<Out, MshrState>,
        pub same_line: Signal<Out, Bit>,
        pub locked_ways: Net<Out> = ways,

        held: StateRegister<MshrState> => { q: state },
        line: Flop = Flop::new(line),
        way: Flop = Flop::new(index_width(ways)),
        cached: Signal<Local, Bit>,
    }
    sizes { _set_width = index_width(sets), _ways = ways }
    /// An entry for lines numbered with `line` bits, in a cache of `sets` x `ways`.
    pub fn new(line: usize, sets: usize, ways: usize) {}
}

impl Logic for MshrEntry {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module MshrEntry");
        dff_setup!(self, clock, held, line, way);
        self.cached.next = (self.held.q.val() == MshrState::Waiting) | (self.held.q.val() == MshrState::Ready);
        self.same_line.next = self.cached.val() & (self.line.q.val() == self.query_line.val());
        self.locked_ways.next = 0.into();
        if self.cached.val()
            & (bit_cast_to(self.line.q.val(), self._set_width) == bit_cast_to(self.query_line.val(), self._set_width))
        {
            self.locked_ways.next = bit_cast_to(1, self._ways) << self.way.q.val();
        }

        if self.allocate.val() {
            self.held.d.next = MshrState::Waiting;
            if self.allocate_uncached.val() {
                self.held.d.next = MshrState::Uncached;
            }
            self.line.d.next = self.query_line.val();
            self.way.d.next = self.allocate_way.val();
        } else if self.retire.val() {
            self.held.d.next = MshrState::Free;
        } else if self.fill.val()
            & (self.held.q.val() == MshrState::Waiting)
            & (self.line.q.val() == self.fill_line.val())
        {
            self.held.d.next = MshrState::Ready;
        }
    }
}
