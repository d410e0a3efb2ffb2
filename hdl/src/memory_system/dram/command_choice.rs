//! The next command: first ready, first come, first served.
//!
//! ```text
//!  requests: valid, banks[n], rows[n], writes --->+---------------+
//!  banks: open, open_rows[B], may_* ------------->| CommandChoice |---> command, bank, row
//!  channel: may_refresh, refresh_due ------------>|               |---> chosen, activates
//!  starved -------------------------------------->|               |---> found
//!                                                 +---------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `valid`, `writes`, `banks[n]`, `rows[n]` | n, n, b, r | the requests, the oldest first |
//! | `starved` | 1 | only the oldest is served |
//! | `open`, `open_rows[B]` | B, r | banks with an open row, and which |
//! | `may_activate`, `may_read`, `may_write`, `may_precharge` | B | by bank: the command is allowed in this clock |
//! | `may_refresh`, `refresh_due` | 1 | the same of a refresh, as far as the channel is concerned; it is time for one |
//! | `command`, `bank`, `row` | | what the command bus says |
//! | `chosen` | n | the request whose burst is read or written, or 0 |
//! | `activates` | n | the request for which a row is opened, or 0 |
//! | `found` | n | requests that find their row open |
//!
//! Latency 0, no state. In this order:
//!
//! 1. If a refresh is due: close banks, the lowest first; when all are, refresh. Nothing else.
//! 2. A burst of the oldest request that finds its row open and may be served now. Of each bank only the oldest that finds it open is considered, so that requests to a row
//!    keep their order.
//! 3. For the oldest request to its bank, if none finds the row of that bank open: open its row, or close the other one.
//!
//! A row is closed only for a request to another one, or for a refresh: *open row*. Rixner et al. 2000; Wang 2020, 2.2.
use super::{ChannelConfig, DramCommand};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct CommandChoice {
        pub valid: Net<In> = entries,
        pub writes: Net<In> = entries,
        pub banks: Vec<Net<In>> = Net::vec(entries, b),
        pub rows: Vec<Net<In>> = Net::vec(entries, row),
        pub starved: Signal<In, Bit>,
        pub open: Net<In> = banks,
        pub open_rows: Vec<Net<In>> = Net::vec(banks, row),
        pub may_activate: Net<In> = banks,
        pub may_read: Net<In> = banks,
        pub may_write: Net<In> = banks,
        pub may_precharge: Net<In> = banks,
        pub may_refresh: Signal<In, Bit>,
        pub refresh_due: Signal<In, Bit>,
        pub command: Signal<Out, DramCommand>,
        pub bank: Net<Out> = b,
        pub row: Net<Out> = row,
        pub chosen: Net<Out> = entries,
        pub activates: Net<Out> = entries,
        pub found: Net<Out> = entries,

        /// Of each request.
        row_there: Vec<IndexedMux> = (0..entries).map(|_| IndexedMux::new(row, banks)).collect() => |i| {
            inputs: open_rows, index: banks[i],
        },
        /// Of each bank: the requests that find their row, and all.
        first_hit: Vec<PriorityEncoder> = (0..banks).map(|_| PriorityEncoder::new(entries)).collect(),
        first: Vec<PriorityEncoder> = (0..banks).map(|_| PriorityEncoder::new(entries)).collect(),
        oldest_column: PriorityEncoder = PriorityEncoder::new(entries) => { request: columns },
        oldest_row: PriorityEncoder = PriorityEncoder::new(entries) => { request: row_commands },
        closing: PriorityEncoder = PriorityEncoder::new(banks),
        bank_of_row: IndexedMux = IndexedMux::new(b, entries) => { inputs: banks, index: oldest_row.index },
        bank_of_column: IndexedMux = IndexedMux::new(b, entries) => { inputs: banks, index: oldest_column.index },
        row_of: IndexedMux = IndexedMux::new(row, entries) => { inputs: rows, index: oldest_row.index, selected: row },
        one_bank: Constant = Constant::new(1, banks),

        considered: Net<Local> = entries,
        at: Net<Local> = banks,
        /// Requests that may be served now, if they find their row open.
        allowed: Net<Local> = entries,
        to_bank: Net<Local> = entries,
        columns: Net<Local> = entries,
        row_commands: Net<Local> = entries,
        any_open: Signal<Local, Bit>,
        opens: Signal<Local, Bit>,
        writes_it: Signal<Local, Bit>,
    }
    /// Of a channel.
    pub fn new(config: &ChannelConfig) {
        let (entries, banks) = (config.queue, config.timing.banks);
        let (b, row) = (config.bank_width(), config.row_width);
    }
}

impl Logic for CommandChoice {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module CommandChoice");
        self.considered.next = self.valid.val();
        if self.starved.val() {
            self.considered.next = self.valid.val() & 1;
        }
        self.found.next = 0.into();
        self.allowed.next = 0.into();
        for i in 0..self.row_there.len() {
            self.at.next = self.one_bank.val() << self.banks[i].val();
            self.found.next = self.found.val().replace_bit(
                i,
                self.considered.val().get_bit(i)
                    & (self.open.val() & self.at.val()).any()
                    & (self.row_there[i].selected.val() == self.rows[i].val()),
            );
            self.allowed.next = self.allowed.val().replace_bit(i, (self.may_read.val() & self.at.val()).any());
            if self.writes.val().get_bit(i) {
                self.allowed.next = self.allowed.val().replace_bit(i, (self.may_write.val() & self.at.val()).any());
            }
        }

        self.columns.next = 0.into();
        self.row_commands.next = 0.into();
        for b in 0..self.first.len() {
            self.to_bank.next = 0.into();
            for i in 0..self.row_there.len() {
                self.to_bank.next =
                    self.to_bank.val().replace_bit(i, self.considered.val().get_bit(i) & (self.banks[i].val() == b));
            }
            self.first[b].request.next = self.to_bank.val();
            self.first_hit[b].request.next = self.to_bank.val() & self.found.val();
            self.columns.next = self.columns.val() | (self.first_hit[b].one_hot.val() & self.allowed.val());
            if !self.first_hit[b].any.val() & (self.may_activate.val().get_bit(b) | self.may_precharge.val().get_bit(b))
            {
                self.row_commands.next = self.row_commands.val() | self.first[b].one_hot.val();
            }
        }

        self.closing.request.next = self.may_precharge.val();
        self.any_open.next = self.open.val().any();
        self.opens.next = !(self.open.val() & (self.one_bank.val() << self.bank_of_row.selected.val())).any();
        self.writes_it.next = (self.writes.val() & self.oldest_column.one_hot.val()).any();
        self.command.next = DramCommand::Nop;
        self.bank.next = self.bank_of_row.selected.val();
        self.chosen.next = 0.into();
        self.activates.next = 0.into();
        if self.refresh_due.val() {
            self.bank.next = self.closing.index.val();
            if self.closing.any.val() {
                self.command.next = DramCommand::Precharge;
            } else if !self.any_open.val() & self.may_refresh.val() {
                self.command.next = DramCommand::Refresh;
            }
        } else if self.oldest_column.any.val() {
            self.bank.next = self.bank_of_column.selected.val();
            self.chosen.next = self.oldest_column.one_hot.val();
            self.command.next = DramCommand::Read;
            if self.writes_it.val() {
                self.command.next = DramCommand::Write;
            }
        } else if self.oldest_row.any.val() {
            self.command.next = DramCommand::Precharge;
            if self.opens.val() {
                self.command.next = DramCommand::Activate;
                self.activates.next = self.oldest_row.one_hot.val();
            }
        }
    }
}
