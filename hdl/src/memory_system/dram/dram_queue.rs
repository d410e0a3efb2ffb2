//! The requests that wait for their bursts, the oldest first.
//!
//! ```text
//!                   +-----------+
//!  push_*, tick --->|           |---> valid, banks[n], rows[n], writes, bursts[n], columns[n], ids[n], lasts, hits
//!  chosen --------->| DramQueue |---> ready, count
//!  activates ------>|           |---> starved
//!                   +-----------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `tick` | 1 | a clock of the command bus passes |
//! | `push_valid`, `push` | 1, | a request comes, if `ready`, in any cycle; it may be chosen in the next clock |
//! | `chosen` | n | a burst of this request is under way (one-hot, or 0): it leaves with its last |
//! | `activates` | n | for this one a row is opened, or 0 |
//! | `valid`, `writes`, `lasts`, `hits` | n | there is a request; it writes; it has one burst left; no row has been opened for it |
//! | `banks[n]`, `rows[n]`, `bursts[n]`, `columns[n]`, `ids[n]` | b, r, u, c, i | of each: where its next burst is, which of its line it is, and its name |
//! | `count` | | requests |
//! | `starved` | 1 | the oldest has waited for as long as it may |
//! | `waited` | 17 | clocks that it has waited, where that is known: if requests starve after some time |
//!
//! Latency 1. State: all of that; the clock in which each came. Where one leaves, those behind it move up, so that the order is that of age.
use super::ChannelConfig;
use crate::prelude::*;

bundle! {
    /// What is asked of a channel.
    pub struct DramRequest(config: &ChannelConfig) {
        write: Bit,
        bank: [config.bank_width()],
        row: [config.row_width],
        /// Of the first burst of its line, a multiple of their number.
        column: [config.column_width],
        /// Which bursts of the line, one at least.
        bursts: [config.bursts],
        id: [config.id_width],
    }
}

/// Bits of a clock: no request waits for twice as long as it may without being served.
pub const CLOCK: usize = 17;

module! {
    /// See the [module documentation](self).
    pub struct DramQueue: clock, reset {
        pub tick: Signal<In, Bit>,
        pub push_valid: Signal<In, Bit>,
        pub push: DramRequest<In> = DramRequest::new(config),
        pub ready: Signal<Out, Bit>,
        pub chosen: Net<In> = entries,
        pub activates: Net<In> = entries,
        pub valid: Net<Out> = entries,
        pub writes: Net<Out> = entries,
        pub lasts: Net<Out> = entries,
        pub hits: Net<Out> = entries,
        pub banks: Vec<Net<Out>> = Net::vec(entries, config.bank_width()),
        pub rows: Vec<Net<Out>> = Net::vec(entries, config.row_width),
        pub bursts: Vec<Net<Out>> = Net::vec(entries, config.burst_width()),
        pub columns: Vec<Net<Out>> = Net::vec(entries, config.column_width),
        pub ids: Vec<Net<Out>> = Net::vec(entries, config.id_width),
        pub count: Net<Out> = count,
        pub starved: Signal<Out, Bit>,
        pub waited: Net<Out> = CLOCK,

        held: Register = Register::new(count) => { q: count },
        is_write: Vec<Flop> = Flop::vec(entries, 1),
        bank: Vec<Flop> = Flop::vec(entries, config.bank_width()) => |i| { q: banks[i] },
        row: Vec<Flop> = Flop::vec(entries, config.row_width) => |i| { q: rows[i] },
        column: Vec<Flop> = Flop::vec(entries, config.column_width),
        left: Vec<Flop> = Flop::vec(entries, config.bursts),
        next_burst: Vec<PriorityEncoder> = (0..entries).map(|_| PriorityEncoder::new(config.bursts)).collect() => |i| { index: bursts[i] },
        has_opened: Vec<Flop> = Flop::vec(entries, 1),
        id: Vec<Flop> = Flop::vec(entries, config.id_width) => |i| { q: ids[i] },
        /// Where requests may starve others: now, and when each came.
        now: Vec<Register> = Register::vec(ages, CLOCK),
        came: Vec<Flop> = Flop::vec(ages * entries, CLOCK),
        patience: Constant = Constant::new(config.starve as u64, CLOCK),
        full: Constant = Constant::new(entries as u64, count),

        /// One leaves.
        leaves: Signal<Local, Bit>,
        /// It is this one, or one before.
        has_left: Signal<Local, Bit>,
        /// Those that take the place before theirs, by that place.
        moving: Net<Local> = entries,
        pushed: Signal<Local, Bit>,
        /// Where the next one goes.
        place: Net<Local> = count,
        next_now: Net<Local> = CLOCK,
        burst: Net<Local> = config.burst_width(),
    }
    sizes { _entries = entries, _column = config.column_width }
    /// Of a channel.
    pub fn new(config: &ChannelConfig) {
        let (entries, count) = (config.queue, index_width(config.queue + 1));
        let ages = (config.starve > 0) as usize;
    }
}

impl Logic for DramQueue {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module DramQueue");
        dff_setup!(self, clock, held);
        self.ready.next = self.held.q.val() != self.full.val();
        self.pushed.next = self.push_valid.val() & self.ready.val();
        self.valid.next = 0.into();
        self.writes.next = 0.into();
        self.lasts.next = 0.into();
        self.hits.next = 0.into();
        self.burst.next = 0.into();
        self.has_left.next = false;
        self.moving.next = 0.into();
        for i in 0..self._entries {
            self.valid.next = self.valid.val().replace_bit(i, self.held.q.val() > i);
            self.writes.next = self.writes.val().replace_bit(i, self.is_write[i].q.val().any());
            self.next_burst[i].request.next = self.left[i].q.val();
            self.lasts.next = self.lasts.val().replace_bit(i, self.next_burst[i].one_hot.val() == self.left[i].q.val());
            self.hits.next = self.hits.val().replace_bit(i, !self.has_opened[i].q.val().any());
            self.burst.next = self.next_burst[i].index.val();
            self.columns[i].next = self.column[i].q.val() | bit_cast_to(self.burst.val(), self._column);
            if self.tick.val() & self.chosen.val().get_bit(i) & self.lasts.val().get_bit(i) {
                self.has_left.next = true;
            }
            self.moving.next = self.moving.val().replace_bit(i, self.has_left.val());
        }
        self.leaves.next = self.has_left.val();

        for i in 0..self._entries {
            self.is_write[i].d.next = self.is_write[i].q.val();
            self.bank[i].d.next = self.bank[i].q.val();
            self.row[i].d.next = self.row[i].q.val();
            self.column[i].d.next = self.column[i].q.val();
            self.left[i].d.next = self.left[i].q.val();
            self.id[i].d.next = self.id[i].q.val();
            if self.tick.val() & self.chosen.val().get_bit(i) {
                self.left[i].d.next = self.left[i].q.val() ^ self.next_burst[i].one_hot.val();
            }
            self.has_opened[i].d.next = self.has_opened[i].q.val();
            if self.tick.val() & self.activates.val().get_bit(i) {
                self.has_opened[i].d.next = 1.into();
            }
        }
        for i in 1..self._entries {
            if self.moving.val().get_bit(i - 1) {
                self.is_write[i - 1].d.next = self.is_write[i].q.val();
                self.bank[i - 1].d.next = self.bank[i].q.val();
                self.row[i - 1].d.next = self.row[i].q.val();
                self.column[i - 1].d.next = self.column[i].q.val();
                self.left[i - 1].d.next = self.left[i].q.val();
                self.has_opened[i - 1].d.next = self.has_opened[i].q.val();
                self.id[i - 1].d.next = self.id[i].q.val();
            }
        }
        self.place.next = self.held.q.val();
        if self.leaves.val() {
            self.place.next = self.held.q.val() - 1;
        }
        for i in 0..self._entries {
            if self.pushed.val() & (self.place.val() == i) {
                self.is_write[i].d.next = bit_cast_to(self.push.write.val(), 1);
                self.bank[i].d.next = self.push.bank.val();
                self.row[i].d.next = self.push.row.val();
                self.column[i].d.next = self.push.column.val();
                self.left[i].d.next = self.push.bursts.val();
                self.has_opened[i].d.next = 0.into();
                self.id[i].d.next = self.push.id.val();
            }
        }
        self.held.d.next = self.place.val();
        if self.pushed.val() {
            self.held.d.next = self.place.val() + 1;
        }

        self.starved.next = false;
        self.next_now.next = 0.into();
        self.waited.next = 0.into();
        for k in 0..self.now.len() {
            self.next_now.next = self.now[k].q.val();
            if self.tick.val() {
                self.next_now.next = self.now[k].q.val() + 1;
            }
            self.now[k].d.next = self.next_now.val();
            if self.valid.val().get_bit(0) {
                self.waited.next = self.now[k].q.val() - self.came[0].q.val();
            }
            self.starved.next = self.waited.val() >= self.patience.val();
        }
        for i in 0..self.came.len() {
            self.came[i].d.next = self.came[i].q.val();
        }
        for i in 1..self.came.len() {
            if self.moving.val().get_bit(i - 1) {
                self.came[i - 1].d.next = self.came[i].q.val();
            }
        }
        for i in 0..self.came.len() {
            // It may be chosen in the next clock.
            if self.pushed.val() & (self.place.val() == i) {
                self.came[i].d.next = self.next_now.val();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory_system::dram::GDDR3;

    /// With as many requests, which have come before any clock has passed.
    fn full(starve: usize, entries: usize) -> DramQueue {
        let mut queue = DramQueue::new(&ChannelConfig { queue: entries, starve, ..ChannelConfig::new(&GDDR3, 64, 2) });
        queue.connect_all();
        queue.push_valid.next = true;
        queue.push.bursts.next = 3.into();
        simulate(&mut queue, 1000);
        while queue.ready.val() {
            tick!(queue);
        }
        queue.push_valid.next = false;
        queue
    }

    #[test]
    fn a_request_is_a_hit_until_a_row_is_opened_for_it() {
        let mut queue = full(0, 16);
        let mut hits = 0xffff;
        // In any order, and only with a clock.
        for entry in (0..16).map(|number| number * 5 % 16) {
            for (tick, activates) in [(true, 0), (false, 1 << entry), (true, 1 << entry)] {
                queue.tick.next = tick;
                queue.activates.next = activates.into();
                tick!(queue);
                hits &= if tick { !activates } else { 0xffff };
                assert_eq!(queue.hits.val().index(), hits, "entry {entry}");
            }
        }
    }

    #[test]
    fn the_oldest_has_starved_after_so_many_clocks() {
        for starve in [3, 2048] {
            let mut queue = full(starve, 2);
            queue.tick.next = true;
            for clock in 0..starve {
                assert!(!queue.starved.val(), "clock {clock} of {starve}");
                tick!(queue);
            }
            assert!(queue.starved.val());
            assert_eq!(queue.waited.val().index(), starve);
        }
    }
}
