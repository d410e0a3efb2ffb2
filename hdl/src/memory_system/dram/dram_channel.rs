//! What the commands to all banks of a channel allow: distances on the buses, and refresh.
//!
//! ```text
//!                                       +-------------+
//!  activate, read, write, precharge --->|             |---> may_activate, may_refresh
//!  refresh, group --------------------->| DramChannel |---> may_read[G], may_write[G]
//!                                       |             |---> refresh_due, turns
//!                                       +-------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `tick` | 1 | a clock of the command bus passes |
//! | `activate`, `read`, `write`, `precharge`, `refresh` | 1 | the command of this clock is this one |
//! | `group` | g | the group of its bank |
//! | `may_activate`, `may_refresh` | 1 | as far as the channel is concerned, the command is allowed in this clock; a refresh only when all banks are closed |
//! | `may_read`, `may_write` | G | the same, by group of banks |
//! | `refresh_due` | 1 | it is time for a refresh |
//! | `turns` | 2 | the data bus turns around: no read is allowed yet, for there was a write (bit 0); no write, for there was a read |
//!
//! Latency 1. State: [`Countdown`](super::Countdown)s; of the last four activates one each, in turn; clocks since the last time that a refresh fell due, and how many are owed, 15 at most.
use super::{Countdown, DramTiming};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct DramChannel: clock, reset {
        pub tick: Signal<In, Bit>,
        pub activate: Signal<In, Bit>,
        pub read: Signal<In, Bit>,
        pub write: Signal<In, Bit>,
        pub precharge: Signal<In, Bit>,
        pub refresh: Signal<In, Bit>,
        pub group: Net<In> = index_width(timing.groups),
        pub may_activate: Signal<Out, Bit>,
        pub may_refresh: Signal<Out, Bit>,
        pub may_read: Net<Out> = timing.groups,
        pub may_write: Net<Out> = timing.groups,
        pub refresh_due: Signal<Out, Bit>,
        pub turns: Net<Out> = 2,

        to_activate: Countdown = Countdown::new(&[timing.rrd]) => { tick },
        to_column: Countdown = Countdown::new(&[timing.ccd]) => { tick },
        to_read: Countdown = Countdown::new(&[timing.write_to_read()]) => { tick },
        to_write: Countdown = Countdown::new(&[timing.read_to_write()]) => { tick },
        to_refresh: Countdown = Countdown::new(&[timing.rp, timing.rfc]) => { tick },
        /// By group, where banks of a group keep another distance.
        to_group: Vec<Countdown> = (0..groups_apart).map(|_| Countdown::new(&[timing.ccd_group])).collect() => |g| { tick },
        /// Of each of the last four activates, if there is such a rule.
        to_fifth: Vec<Countdown> = (0..remembered).map(|_| Countdown::new(&[timing.faw])).collect() => |i| { tick },
        oldest_activate: Vec<Register> = Register::vec(remembered / ACTIVATES, 2),
        /// Where there is refresh.
        since: Vec<Register> = Register::vec(refreshes, interval),
        owed: Vec<Register> = Register::vec(refreshes, 4),
        last_clock: Constant = Constant::new(timing.refi.saturating_sub(1) as u64, interval),
        column: Signal<Local, Bit>,
        falls_due: Signal<Local, Bit>,
    }
    sizes { _groups = timing.groups }
    /// Of this DRAM.
    pub fn new(timing: &DramTiming) {
        let groups_apart = if timing.has_group_distance() { timing.groups } else { 0 };
        let remembered = if timing.faw > 0 { ACTIVATES } else { 0 };
        let refreshes = (timing.refi > 0) as usize;
        let interval = index_width(timing.refi.max(2));
    }
}

/// So many within tFAW.
const ACTIVATES: usize = 4;

impl Logic for DramChannel {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module DramChannel");
        self.column.next = self.read.val() | self.write.val();
        self.to_activate.start.next = bit_cast_to(self.activate.val(), 1);
        self.to_column.start.next = bit_cast_to(self.column.val(), 1);
        self.to_read.start.next = bit_cast_to(self.write.val(), 1);
        self.to_write.start.next = bit_cast_to(self.read.val(), 1);
        self.to_refresh.start.next = bit_cast_to(self.precharge.val(), 2) | (bit_cast_to(self.refresh.val(), 2) << 1);

        self.turns.next = bit_cast_to(!self.to_read.over.val(), 2) | (bit_cast_to(!self.to_write.over.val(), 2) << 1);
        self.may_activate.next = self.to_activate.over.val();
        for k in 0..self.oldest_activate.len() {
            self.oldest_activate[k].d.next = self.oldest_activate[k].q.val();
            if self.tick.val() & self.activate.val() {
                self.oldest_activate[k].d.next = self.oldest_activate[k].q.val() + 1;
            }
            for i in 0..self.to_fifth.len() {
                self.to_fifth[i].start.next = 0.into();
                if self.oldest_activate[k].q.val() == i {
                    self.to_fifth[i].start.next = bit_cast_to(self.activate.val(), 1);
                    self.may_activate.next = self.to_activate.over.val() & self.to_fifth[i].over.val();
                }
            }
        }

        self.may_read.next = 0.into();
        self.may_write.next = 0.into();
        for g in 0..self._groups {
            self.may_read.next =
                self.may_read.val().replace_bit(g, self.to_column.over.val() & self.to_read.over.val());
            self.may_write.next =
                self.may_write.val().replace_bit(g, self.to_column.over.val() & self.to_write.over.val());
        }
        for g in 0..self.to_group.len() {
            self.to_group[g].start.next = 0.into();
            if self.group.val() == g {
                self.to_group[g].start.next = bit_cast_to(self.column.val(), 1);
            }
            if !self.to_group[g].over.val() {
                self.may_read.next = self.may_read.val().replace_bit(g, false);
                self.may_write.next = self.may_write.val().replace_bit(g, false);
            }
        }

        self.may_refresh.next = self.to_refresh.over.val();
        self.refresh_due.next = false;
        self.falls_due.next = false;
        for k in 0..self.since.len() {
            // It is due in the clock in which the interval is over, and owed from then on.
            self.refresh_due.next = self.owed[k].q.val() != 0;
            self.falls_due.next = self.since[k].q.val() == self.last_clock.val();
            self.since[k].d.next = self.since[k].q.val();
            self.owed[k].d.next = self.owed[k].q.val();
            if self.tick.val() {
                self.since[k].d.next = self.since[k].q.val() + 1;
                if self.falls_due.val() {
                    self.since[k].d.next = 0.into();
                }
                if self.falls_due.val() & !self.refresh.val() & (self.owed[k].q.val() != 15) {
                    self.owed[k].d.next = self.owed[k].q.val() + 1;
                } else if self.refresh.val() & !self.falls_due.val() {
                    self.owed[k].d.next = self.owed[k].q.val() - 1;
                }
            }
        }
    }
}
