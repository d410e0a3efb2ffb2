//! Counts what a channel of DRAM is told, and what it waits for.
//!
//! ```text
//!            +-----------------+
//!  tick ---->|                 |
//!  events -->| ChannelCounters |---> counter[i]
//!            +-----------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `tick` | 1 | a clock of the command bus passes: only then is counted |
//! | `events` | | what happens in it |
//! | `counter[i]` | 64 | see [`CHANNEL_COUNTERS`]; zero at reset, counting on from launch to launch |
//!
//! Latency 1. The share of the data bus in use is that of reads and writes, times the clocks of a burst.
use super::dram_queue::CLOCK;
use super::{ChannelConfig, DramCommand};
use crate::counters::Counter;
use crate::prelude::*;

bundle! {
    /// What happens in a clock of the command bus.
    pub struct ChannelEvents(config: &ChannelConfig) {
        command: DramCommand,
        /// The last burst of a request for which no row has been opened.
        row_hit: Bit,
        /// A request finds no room.
        full: Bit,
        /// Nothing is read or written, for the data bus turns around.
        turns: Bit,
        starved: Bit,
        /// Requests in the queue.
        waiting: [index_width(config.queue + 1)],
        /// Clocks that the oldest has waited.
        waited: [CLOCK],
    }
}

/// The counters, in order.
pub const CHANNEL_COUNTERS: &[Counter] = &[
    Counter::sum("activates", "rows opened"),
    Counter::sum("reads", "bursts read"),
    Counter::sum("writes", "bursts written"),
    Counter::sum("precharges", "rows closed"),
    Counter::sum("refreshes", "refreshes of all banks"),
    Counter::sum("row_hits", "requests for which no row was opened"),
    Counter::sum("queue_sum", "requests in the queue, summed over clocks of the command bus"),
    Counter::sum("queue_full", "clocks in which a request found no room"),
    Counter::sum("turns", "clocks without a burst while the data bus turned around for one that found its row"),
    Counter::sum("starved", "clocks in which only the oldest request was served, for it had starved"),
    Counter::max("wait_max", "clocks that a request has waited at most, if requests starve after some time"),
];

module! {
    /// See the [module documentation](self).
    pub struct ChannelCounters: clock, reset {
        pub tick: Signal<In, Bit>,
        pub events: ChannelEvents<In> = ChannelEvents::new(config),
        pub counter: Vec<Net<Out>> = Net::vec(counters, 64),

        /// What each counter grows by.
        amounts: Vec<Net<Local>> = Net::vec(counters, 64),
        totals: Vec<Register> = Register::vec(counters, 64) => |i| { q: counter[i] },
    }
    sizes { _amount = 64 }
    /// The counters of a channel.
    pub fn new(config: &ChannelConfig) {
        let counters = CHANNEL_COUNTERS.len();
    }
}

impl Logic for ChannelCounters {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ChannelCounters");
        for i in 0..self.totals.len() {
            self.amounts[i].next = 0.into();
        }
        match self.events.command.val() {
            DramCommand::Nop => {}
            DramCommand::Activate => self.amounts[0].next = 1.into(),
            DramCommand::Read => self.amounts[1].next = 1.into(),
            DramCommand::Write => self.amounts[2].next = 1.into(),
            DramCommand::Precharge => self.amounts[3].next = 1.into(),
            DramCommand::Refresh => self.amounts[4].next = 1.into(),
        }
        self.amounts[5].next = bit_cast_to(self.events.row_hit.val(), self._amount);
        self.amounts[6].next = bit_cast_to(self.events.waiting.val(), self._amount);
        self.amounts[7].next = bit_cast_to(self.events.full.val(), self._amount);
        self.amounts[8].next = bit_cast_to(self.events.turns.val(), self._amount);
        self.amounts[9].next = bit_cast_to(self.events.starved.val(), self._amount);
        if bit_cast_to(self.events.waited.val(), self._amount) > self.totals[10].q.val() {
            self.amounts[10].next = bit_cast_to(self.events.waited.val(), self._amount) - self.totals[10].q.val();
        }
        for i in 0..self.totals.len() {
            self.totals[i].d.next = self.totals[i].q.val();
            if self.tick.val() {
                self.totals[i].d.next = self.totals[i].q.val() + self.amounts[i].val();
            }
        }
    }
}
