//! The pointers of a queue, without its storage: payloads wider than a word use several memories.
//!
//! ```text
//!                +-------------+
//!  push_valid -->|             |---> pop_valid
//!  push_ready <--| FifoControl |<--- pop_ready
//!                |             |---> write_enable, write_row
//!                |             |---> read_row
//!                +-------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `push_valid`, `push_ready` | 1 | an entry is added at the edge when both are set |
//! | `pop_valid`, `pop_ready` | 1 | the oldest entry leaves at the edge when both are set |
//! | `write_enable`, `write_row` | 1, r | the storage writes the pushed payload here |
//! | `read_row` | r | row of the oldest entry |
//! | `count` | c | entries held |
//!
//! Latency 1. State: two row numbers and a count. Any depth from 1 up.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct FifoControl: clock, reset {
        pub push_valid: Signal<In, Bit>,
        pub push_ready: Signal<Out, Bit>,
        pub pop_valid: Signal<Out, Bit>,
        pub pop_ready: Signal<In, Bit>,
        pub write_enable: Signal<Out, Bit>,
        pub write_row: Net<Out> = row,
        pub read_row: Net<Out> = row,
        pub count: Net<Out> = count,

        head: Register = Register::new(row) => { q: read_row },
        tail: Register = Register::new(row) => { q: write_row },
        held: Register = Register::new(count) => { q: count },
        last_row: Constant = Constant::new(depth as u64 - 1, row),
        full: Constant = Constant::new(depth as u64, count),
        pushing: Signal<Local, Bit>,
        popping: Signal<Local, Bit>,
    }
    /// Control of `depth` entries.
    pub fn new(depth: usize) {
        assert!(depth > 0, "a queue holds something");
        let (row, count) = (index_width(depth), index_width(depth + 1));
    }
}

impl Logic for FifoControl {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module FifoControl");
        dff_setup!(self, clock, head, tail, held);

        self.push_ready.next = self.held.q.val() != self.full.val();
        self.pop_valid.next = self.held.q.val().any();
        self.pushing.next = self.push_valid.val() & self.push_ready.val();
        self.popping.next = self.pop_ready.val() & self.pop_valid.val();
        self.write_enable.next = self.pushing.val();

        if self.pushing.val() {
            self.tail.d.next = self.tail.q.val() + 1;
            if self.tail.q.val() == self.last_row.val() {
                self.tail.d.next = 0.into();
            }
        }
        if self.popping.val() {
            self.head.d.next = self.head.q.val() + 1;
            if self.head.q.val() == self.last_row.val() {
                self.head.d.next = 0.into();
            }
        }
        if self.pushing.val() & !self.popping.val() {
            self.held.d.next = self.held.q.val() + 1;
        }
        if !self.pushing.val() & self.popping.val() {
            self.held.d.next = self.held.q.val() - 1;
        }
    }
}
