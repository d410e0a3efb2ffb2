//! A line on its way from DRAM to a slice of L2, and how many reads wait for it.
//!
//! ```text
//!                       +-------------+
//!  allocate, (...) ---->|             |---> valid, line, way
//!  query_line --------->| L2MshrEntry |---> same_line, locked_ways, open
//!  fill, fill_burst --->|             |---> completes, replays,
//!  merge, replay ------>|             |     waiters, replayed
//!                       +-------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `allocate`, `query_line`, `allocate_way`, `allocate_bursts`, `allocate_waits` | 1, l, w, b, 1 | this line is asked for, of DRAM these bursts; whether a read waits for it |
//! | `fill`, `fill_burst` | 1, b | this burst (one-hot) has come |
//! | `merge`, `replay` | 1 | another read waits; the first one has been answered |
//! | `valid`, `line`, `way` | 1, l, w | the line |
//! | `same_line`, `locked_ways` | 1, ways | it is `query_line`; the way that it needs in the set of `query_line` (one-hot) |
//! | `open` | 1 | another read may wait: bursts are on their way, and there is room |
//! | `completes` | 1 | the burst that has come is the last one, and a read waits: it may be answered in this very tick |
//! | `replays` | 1 | all bursts have come before, and a read waits |
//! | `waiters`, `replayed` | m+1, m+1 | reads that have waited for it; those that have been answered |
//!
//! Latency 0 for the comparisons, 1 for the state. An entry that nobody waits for any more is free as soon as all bursts have come.
use super::L2Config;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct L2MshrEntry: clock, reset {
        pub allocate: Signal<In, Bit>,
        pub query_line: Net<In> = config.line_width,
        pub allocate_way: Net<In> = config.way_width(),
        pub allocate_bursts: Net<In> = config.bursts(),
        pub allocate_waits: Signal<In, Bit>,
        pub fill: Signal<In, Bit>,
        pub fill_burst: Net<In> = config.bursts(),
        pub merge: Signal<In, Bit>,
        pub replay: Signal<In, Bit>,
        pub valid: Signal<Out, Bit>,
        pub line: Net<Out> = config.line_width,
        pub way: Net<Out> = config.way_width(),
        pub same_line: Signal<Out, Bit>,
        pub locked_ways: Net<Out> = config.ways,
        pub open: Signal<Out, Bit>,
        pub completes: Signal<Out, Bit>,
        pub replays: Signal<Out, Bit>,
        pub waiters: Net<Out> = count,
        pub replayed: Net<Out> = count,

        held: StateRegister<Bit> => { q: valid },
        held_line: Flop = Flop::new(config.line_width) => { q: line },
        held_way: Flop = Flop::new(config.way_width()) => { q: way },
        owed: Flop = Flop::new(config.bursts()),
        asked: Flop = Flop::new(count) => { q: waiters },
        answered: Flop = Flop::new(count) => { q: replayed },
        most: Constant = Constant::new(config.merges as u64, count),
        come: Signal<Local, Bit>,
        waits: Signal<Local, Bit>,
        remaining: Net<Local> = config.bursts(),
    }
    sizes { _set_width = config.set_width(), _ways = config.ways, _count = count }
    /// Of a slice.
    pub fn new(config: &L2Config) {
        let count = index_width(config.merges + 1);
    }
}

impl Logic for L2MshrEntry {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module L2MshrEntry");
        dff_setup!(self, clock, held, held_line, held_way, owed, asked, answered);
        self.same_line.next = self.held.q.val() & (self.held_line.q.val() == self.query_line.val());
        self.locked_ways.next = 0.into();
        if self.held.q.val()
            & (bit_cast_to(self.held_line.q.val(), self._set_width)
                == bit_cast_to(self.query_line.val(), self._set_width))
        {
            self.locked_ways.next = bit_cast_to(1, self._ways) << self.held_way.q.val();
        }
        self.come.next = !self.owed.q.val().any();
        self.open.next = !self.come.val() & (self.asked.q.val() != self.most.val());
        self.waits.next = self.held.q.val() & (self.asked.q.val() != self.answered.q.val());
        self.replays.next = self.waits.val() & self.come.val();

        self.remaining.next = self.owed.q.val() & !self.fill_burst.val();
        self.completes.next = self.waits.val() & self.fill.val() & !self.remaining.val().any();
        if self.fill.val() {
            self.owed.d.next = self.remaining.val();
        }
        if self.merge.val() {
            self.asked.d.next = self.asked.q.val() + 1;
        }
        if self.replay.val() {
            self.answered.d.next = self.answered.q.val() + 1;
        }
        if self.held.q.val() & self.come.val() & (self.asked.q.val() == self.answered.q.val()) {
            self.held.d.next = false;
        }
        if self.allocate.val() {
            self.held.d.next = true;
            self.held_line.d.next = self.query_line.val();
            self.held_way.d.next = self.allocate_way.val();
            self.owed.d.next = self.allocate_bursts.val();
            self.asked.d.next = bit_cast_to(self.allocate_waits.val(), self._count);
            self.answered.d.next = 0.into();
        }
    }
}
