//! What decides the commands of a channel of DRAM.
//!
//! ```text
//!               +--------------------------------------------------+
//!  push_* ----->|--> DramQueue ----------> CommandChoice           |---> command, bank, row, column
//!               |       ^                   ^    |                 |
//!               |       +----- chosen ------|----+-> DramBank x B  |---> id, burst, last
//!  tick ------->|                           |    +-> DramChannel   |
//!  room ------->|                           +---- open, may_* --+  |---> ready, idle, events
//!               +--------------------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `tick` | 1 | a clock of the command bus passes |
//! | `push_valid`, `push`, `ready` | 1, , 1 | a request comes |
//! | `room` | 1 | there is room for what a read brings |
//! | `command`, `bank`, `row`, `column` | 3, b, r, c | the command bus in this clock |
//! | `id`, `burst`, `last` | i, u, 1 | of a read or a write: whose burst it is, and which of its line; it is its last |
//! | `idle` | 1 | nothing waits |
//! | `events` | | what is counted ([`ChannelEvents`](super::ChannelEvents)) |
//!
//! Latency 1 from a request to its first command. State: the queue, and what the banks and the channel remember of earlier commands. [`CommandChoice`](super::CommandChoice) says what comes first.
use super::{ChannelConfig, ChannelEvents, CommandChoice, DramBank, DramChannel, DramCommand, DramQueue, DramRequest};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct DramScheduler: clock, reset {
        pub tick: Signal<In, Bit>,
        pub push_valid: Signal<In, Bit>,
        pub push: DramRequest<In> = DramRequest::new(config),
        pub ready: Signal<Out, Bit>,
        pub room: Signal<In, Bit>,
        pub command: Signal<Out, DramCommand>,
        pub bank: Net<Out> = config.bank_width(),
        pub row: Net<Out> = config.row_width,
        pub column: Net<Out> = config.column_width,
        pub id: Net<Out> = config.id_width,
        pub burst: Net<Out> = config.burst_width(),
        pub last: Signal<Out, Bit>,
        pub idle: Signal<Out, Bit>,
        pub events: ChannelEvents<Out> = ChannelEvents::new(config),

        queue: DramQueue = DramQueue::new(config) => {
            tick, push_valid, push, ready, chosen: choice.chosen, activates: choice.activates, count: events.waiting,
            starved: events.starved, waited: events.waited,
        },
        choice: CommandChoice = CommandChoice::new(config) => {
            valid: queue.valid, writes: queue.writes, banks: queue.banks, rows: queue.rows, starved: queue.starved, open, may_activate, may_read,
            may_write, may_precharge, may_refresh: channel.may_refresh, refresh_due: channel.refresh_due, command, bank, row,
        },
        banks: Vec<DramBank> = (0..config.timing.banks).map(|_| DramBank::new(&config.timing, config.row_width)).collect() => |i| {
            tick, row: choice.row, group_read: group_reads[i], refresh: refreshes,
        },
        channel: DramChannel = DramChannel::new(&config.timing) => {
            tick, activate: activates, read: reads, write: is_write, precharge: precharges, refresh: refreshes, group,
        },
        place: PriorityEncoder = PriorityEncoder::new(config.queue) => { request: choice.chosen },
        column_of: IndexedMux = IndexedMux::new(config.column_width, config.queue) => { inputs: queue.columns, index: place.index, selected: column },
        burst_of: IndexedMux = IndexedMux::new(config.burst_width(), config.queue) => { inputs: queue.bursts, index: place.index, selected: burst },
        id_of: IndexedMux = IndexedMux::new(config.id_width, config.queue) => { inputs: queue.ids, index: place.index, selected: id },
        /// The group of each bank.
        groups: Vec<Constant> = (0..config.timing.banks).map(|bank| Constant::new(config.timing.group(bank) as u64, group)).collect(),

        open: Net<Local> = config.timing.banks,
        may_activate: Net<Local> = config.timing.banks,
        may_read: Net<Local> = config.timing.banks,
        may_write: Net<Local> = config.timing.banks,
        may_precharge: Net<Local> = config.timing.banks,
        group_reads: Vec<Signal<Local, Bit>> = bit_vec(config.timing.banks),
        activates: Signal<Local, Bit>,
        reads: Signal<Local, Bit>,
        is_write: Signal<Local, Bit>,
        precharges: Signal<Local, Bit>,
        refreshes: Signal<Local, Bit>,
        /// Some find their row open.
        waiting_reads: Signal<Local, Bit>,
        waiting_writes: Signal<Local, Bit>,
        /// Of the bank that the command is for.
        group: Net<Local> = group,
        /// By group, as far as the channel is concerned.
        group_bit: Net<Local> = config.timing.groups,
        one_group: Constant = Constant::new(1, config.timing.groups),
    }
    /// Of a channel.
    pub fn new(config: &ChannelConfig) {
        let group = index_width(config.timing.groups);
    }
}

impl Logic for DramScheduler {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module DramScheduler");
        self.activates.next = self.command.val() == DramCommand::Activate;
        self.reads.next = self.command.val() == DramCommand::Read;
        self.is_write.next = self.command.val() == DramCommand::Write;
        self.precharges.next = self.command.val() == DramCommand::Precharge;
        self.refreshes.next = self.command.val() == DramCommand::Refresh;
        self.last.next = (self.queue.lasts.val() & self.choice.chosen.val()).any();
        self.idle.next = !self.queue.valid.val().any();

        self.events.command.next = self.command.val();
        self.events.row_hit.next = (self.queue.lasts.val() & self.choice.chosen.val() & self.queue.hits.val()).any();
        self.events.full.next = self.push_valid.val() & !self.ready.val();
        self.waiting_reads.next = (self.choice.found.val() & !self.queue.writes.val()).any();
        self.waiting_writes.next = (self.choice.found.val() & self.queue.writes.val()).any();
        self.events.turns.next = !self.reads.val()
            & !self.is_write.val()
            & ((self.waiting_reads.val() & self.channel.turns.val().get_bit(0))
                | (self.waiting_writes.val() & self.channel.turns.val().get_bit(1)));

        self.group.next = 0.into();
        self.open.next = 0.into();
        self.may_activate.next = 0.into();
        self.may_read.next = 0.into();
        self.may_write.next = 0.into();
        self.may_precharge.next = 0.into();
        for i in 0..self.banks.len() {
            if self.bank.val() == i {
                self.group.next = self.groups[i].val();
            }
            self.group_bit.next = self.one_group.val() << self.groups[i].val();
            self.open.next = self.open.val().replace_bit(i, self.banks[i].open.val());
            self.choice.open_rows[i].next = self.banks[i].open_row.val();
            self.may_activate.next = self
                .may_activate
                .val()
                .replace_bit(i, self.banks[i].may_activate.val() & self.channel.may_activate.val());
            self.may_read.next = self.may_read.val().replace_bit(
                i,
                self.room.val()
                    & self.banks[i].may_read.val()
                    & (self.channel.may_read.val() & self.group_bit.val()).any(),
            );
            self.may_write.next = self.may_write.val().replace_bit(
                i,
                self.banks[i].may_write.val() & (self.channel.may_write.val() & self.group_bit.val()).any(),
            );
            self.may_precharge.next = self.may_precharge.val().replace_bit(i, self.banks[i].may_precharge.val());
        }
        for i in 0..self.banks.len() {
            self.banks[i].activate.next = self.activates.val() & (self.bank.val() == i);
            self.banks[i].read.next = self.reads.val() & (self.bank.val() == i);
            self.banks[i].write.next = self.is_write.val() & (self.bank.val() == i);
            self.banks[i].precharge.next = self.precharges.val() & (self.bank.val() == i);
            self.group_reads[i].next = self.reads.val() & (self.group.val() == self.groups[i].val());
        }
    }
}

#[cfg(test)]
#[path = "tests/dram_scheduler.rs"]
mod tests;
