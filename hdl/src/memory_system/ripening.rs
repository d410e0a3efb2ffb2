//! Which entries of a queue have been in it for a time: so many of the oldest.
//!
//! ```text
//!                     +----------+
//!  entered, row ----->|          |---> any
//!  leaves, count ---->| Ripening |
//!  tick, time_tick -->|          |
//!                     +----------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `entered`, `row` | 1, r | an entry is added, in this row: the rows are filled in turn |
//! | `leaves` | 1 | the oldest leaves, which has been here for long enough |
//! | `count` | c | entries in the queue |
//! | `tick` | 1 | an entry may become one that has been here for long enough |
//! | `time_tick` | 1 | the clock by which the time is counted |
//! | `any` | 1 | the oldest has been here for long enough |
//!
//! Latency: `delay` ticks of the time, and a `tick`. State: the time, when each entry has come, and how many have been here for long enough.
//!
//! One entry in a tick: that is as many as can have come in one.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct Ripening: clock, reset {
        pub tick: Signal<In, Bit>,
        pub time_tick: Signal<In, Bit>,
        pub entered: Signal<In, Bit>,
        pub row: Net<In> = row,
        pub leaves: Signal<In, Bit>,
        pub count: Net<In> = count,
        pub any: Signal<Out, Bit>,

        arrivals: Memory = Memory::new(time, room, 1, 1, ReadKind::Asynchronous) => {
            write_enable[0]: entered, write_address[0]: row, write_data[0]: now.q, read_address[0]: next.q,
        },
        /// The time; whose turn it is next, of those that are not here for long enough; how many are.
        now: Register = Register::new(time),
        next: Register = Register::new(row),
        ripe: Register = Register::new(count),
        age: Net<Local> = time,
        ripens: Signal<Local, Bit>,
        delay: Constant = Constant::new(delay as u64, time),
        last_row: Constant = Constant::new(room as u64 - 1, row),
    }
    /// Of a queue of `room` entries.
    pub fn new(delay: usize, room: usize) {
        // An age is known up to twice the delay: each is looked at when it is due.
        let (time, row, count) = (index_width(2 * delay + 4 * room + 2), index_width(room), index_width(room + 1));
    }
}

impl Logic for Ripening {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Ripening");
        dff_setup!(self, clock, now, next, ripe);
        if self.time_tick.val() {
            self.now.d.next = self.now.q.val() + 1;
        }
        self.age.next = self.now.q.val() - self.arrivals.read_data[0].val();
        self.ripens.next =
            self.tick.val() & (self.ripe.q.val() != self.count.val()) & (self.age.val() >= self.delay.val());
        if self.ripens.val() {
            self.next.d.next = self.next.q.val() + 1;
            if self.next.q.val() == self.last_row.val() {
                self.next.d.next = 0.into();
            }
        }
        self.any.next = self.ripe.q.val().any();
        if self.ripens.val() & !self.leaves.val() {
            self.ripe.d.next = self.ripe.q.val() + 1;
        } else if !self.ripens.val() & self.leaves.val() {
            self.ripe.d.next = self.ripe.q.val() - 1;
        }
    }
}
