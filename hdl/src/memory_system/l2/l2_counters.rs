//! Counts what a slice of L2 is asked, and what it waits for.
//!
//! ```text
//!            +------------+
//!  tick ---->|            |
//!  events -->| L2Counters |---> counter[i]
//!            +------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `tick` | 1 | a clock of L2 passes: only then is counted |
//! | `events` | | what happens in it, in the order of [`L2_COUNTERS`] |
//! | `counter[i]` | 64 | zero at reset, counting on from launch to launch |
//!
//! Latency 1.
use crate::counters::Counter;
use crate::prelude::*;

bundle! {
    /// What happens in a clock of L2.
    pub struct L2Events() {
        read: Bit,
        write: Bit,
        /// Or LR/SC.
        atomic: Bit,
        /// The line is not here.
        miss: Bit,
        /// It is, but not all of its sectors.
        sector_miss: Bit,
        /// A read waits for a line that is on its way.
        merge: Bit,
        /// A line leaves with dirty bytes.
        eviction: Bit,
        /// A request waits, since there is no room for ...
        stall_reply: Bit,
        stall_merge: Bit,
        stall_mshr: Bit,
        stall_way: Bit,
        stall_eviction: Bit,
        stall_channel: Bit,
    }
}

/// The counters, in order.
pub const L2_COUNTERS: &[Counter] = &[
    Counter::sum("l2_reads", "reads"),
    Counter::sum("l2_writes", "writes"),
    Counter::sum("l2_atomics", "atomics, load-reserveds and store-conditionals"),
    Counter::sum("l2_misses", "lines that were not there, for reads, writes or atomics"),
    Counter::sum("l2_sector_misses", "lines that were there without all sectors that were read"),
    Counter::sum("l2_merges", "reads that joined others in waiting for a line"),
    Counter::sum("l2_evictions", "lines written to DRAM"),
    Counter::sum("l2_stall_reply", "clocks in which a request waited, for answers were not taken"),
    Counter::sum("l2_stall_merge", "clocks in which a request waited for a line that was on its way"),
    Counter::sum("l2_stall_mshr", "clocks in which a request waited, for too many lines were on their way"),
    Counter::sum(
        "l2_stall_way",
        "clocks in which a request waited, for all ways of its set were waiting for their lines",
    ),
    Counter::sum("l2_stall_eviction", "clocks in which a request waited for lines to be written"),
    Counter::sum("l2_stall_channel", "clocks in which a request waited, for DRAM took none"),
];

module! {
    /// See the [module documentation](self).
    pub struct L2Counters: clock, reset {
        pub tick: Signal<In, Bit>,
        pub events: L2Events<In> = L2Events::new(),
        pub counter: Vec<Net<Out>> = Net::vec(counters, 64),

        happened: Vec<Signal<Local, Bit>> = bit_vec(counters),
        totals: Vec<Register> = Register::vec(counters, 64) => |i| { q: counter[i] },
    }
    /// The counters of a slice.
    pub fn new() {
        let counters = L2_COUNTERS.len();
    }
}

impl Logic for L2Counters {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module L2Counters");
        self.happened[0].next = self.events.read.val();
        self.happened[1].next = self.events.write.val();
        self.happened[2].next = self.events.atomic.val();
        self.happened[3].next = self.events.miss.val();
        self.happened[4].next = self.events.sector_miss.val();
        self.happened[5].next = self.events.merge.val();
        self.happened[6].next = self.events.eviction.val();
        self.happened[7].next = self.events.stall_reply.val();
        self.happened[8].next = self.events.stall_merge.val();
        self.happened[9].next = self.events.stall_mshr.val();
        self.happened[10].next = self.events.stall_way.val();
        self.happened[11].next = self.events.stall_eviction.val();
        self.happened[12].next = self.events.stall_channel.val();
        for i in 0..self.totals.len() {
            self.totals[i].d.next = self.totals[i].q.val();
            if self.tick.val() & self.happened[i].val() {
                self.totals[i].d.next = self.totals[i].q.val() + 1;
            }
        }
    }
}
