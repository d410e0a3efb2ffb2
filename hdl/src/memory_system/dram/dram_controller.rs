//! The controller of a channel of DRAM: requests for lines on one side, the pins of the DRAM on the other.
//!
//! ```text
//!                  +-------------------------------------------------+
//!  request_* ----->|--+--> DramScheduler -------------+--------------|---> bus: command, bank, row, column
//!  request_ready <-|  |      ^                        |              |
//!                  |  |      | room         read      | write        |
//!  reply_* <-------|--|-- ReadReturn <----------------+              |<--- read_data[w]
//!  reply_ready --->|  |                               v              |
//!                  |  +--> WriteBuffer -------------------------------|---> bus: data[w], mask[w]
//!  tick ---------->|        ChannelCounters                          |---> counter[i], idle
//!                  +-------------------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `tick` | 1 | a clock of the command bus passes |
//! | `request_valid`, `request`, `data[n]`, `mask[n]`, `request_ready` | | bursts of a line are to be read, or written with these bytes; it is taken, in any cycle |
//! | `reply_valid`, `reply`, `reply_ready` | | a burst that has been read; it is taken, in any cycle |
//! | `bus` | | what the pins say in this clock |
//! | `read_data[w]` | 32 | what the DRAM says: words of a burst, its read latency after the command |
//! | `idle` | 1 | nothing is under way |
//! | `counter[i]` | 64 | see [`CHANNEL_COUNTERS`](super::CHANNEL_COUNTERS) |
//!
//! Latency: that of the DRAM and 2, if its row is open and the bus is free. State: in the blocks. A write has no answer: requests to a row keep their order, so that a later read of its line sees it.
//! Rixner et al. 2000; Wang 2020, 2.2.
use super::{
    CHANNEL_COUNTERS, ChannelConfig, ChannelCounters, DramCommand, DramRequest, DramScheduler, FetchedBurst,
    ReadReturn, WriteBuffer, WrittenLine,
};
use crate::prelude::*;

bundle! {
    /// The pins of a channel of DRAM, but those that it drives.
    pub struct DramBus(config: &ChannelConfig) {
        command: DramCommand,
        bank: [config.bank_width()],
        row: [config.row_width],
        column: [config.column_width],
        /// The write latency after a write, and the words that follow in the next clocks.
        data: [32; config.beat_words()],
        /// Bytes of them that are written.
        mask: [4; config.beat_words()],
    }
}

module! {
    /// See the [module documentation](self).
    pub struct DramController: clock, reset {
        pub tick: Signal<In, Bit>,
        pub request_valid: Signal<In, Bit>,
        pub request: DramRequest<In> = DramRequest::new(config),
        pub line: WrittenLine<In> = WrittenLine::new(config),
        pub request_ready: Signal<Out, Bit>,
        pub reply_valid: Signal<Out, Bit>,
        pub reply: FetchedBurst<Out> = FetchedBurst::new(config),
        pub reply_ready: Signal<In, Bit>,
        pub bus: DramBus<Out> = DramBus::new(config),
        pub read_data: Vec<Net<In>> = Net::vec(config.beat_words(), 32),
        pub idle: Signal<Out, Bit>,
        pub counter: Vec<Net<Out>> = Net::vec(CHANNEL_COUNTERS.len(), 64),

        scheduler: DramScheduler = DramScheduler::new(&scheduled) => {
            tick, push.write: request.write, push.bank: request.bank, push.row: request.row, push.column: request.column,
            push.bursts: request.bursts, room: returns.room, command: bus.command, bank: bus.bank, row: bus.row, column: bus.column,
        },
        writes: WriteBuffer = WriteBuffer::new(config) => {
            tick, push: line, burst: scheduler.burst, last: scheduler.last, bus_data: bus.data, bus_mask: bus.mask,
        },
        returns: ReadReturn = ReadReturn::new(config) => {
            tick, burst: scheduler.burst, last: scheduler.last, read_data, reply_valid, reply, reply_ready,
        },
        counters: ChannelCounters = ChannelCounters::new(config) => { tick, events: scheduler.events, counter },
    }
    sizes { _name = scheduled.id_width, _id = config.id_width, _slot = config.slot_width() }
    /// Of a channel.
    pub fn new(config: &ChannelConfig) {
        // A write is known by where its data are.
        let scheduled = ChannelConfig { id_width: config.id_width.max(config.slot_width()), ..config.clone() };
    }
}

impl Logic for DramController {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module DramController");
        self.request_ready.next = self.scheduler.ready.val() & self.writes.room.val();
        self.scheduler.push_valid.next = self.request_valid.val() & self.writes.room.val();
        self.writes.push_valid.next = self.request_valid.val() & self.request.write.val() & self.request_ready.val();
        self.scheduler.push.id.next = bit_cast_to(self.request.id.val(), self._name);
        if self.request.write.val() {
            self.scheduler.push.id.next = bit_cast_to(self.writes.slot.val(), self._name);
        }
        self.returns.id.next = bit_cast_to(self.scheduler.id.val(), self._id);
        self.writes.its_slot.next = bit_cast_to(self.scheduler.id.val(), self._slot);
        self.returns.read.next = self.scheduler.command.val() == DramCommand::Read;
        self.writes.write.next = self.scheduler.command.val() == DramCommand::Write;
        self.idle.next = self.scheduler.idle.val() & self.writes.idle.val() & self.returns.idle.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory_system::dram::GDDR3;

    /// A name is shorter than that of a place for data that are written.
    #[test]
    fn answers_have_the_names_of_their_reads() {
        let config = ChannelConfig::new(&GDDR3, 64, 2);
        assert!(config.id_width < config.slot_width());
        let mut controller = DramController::new(&config);
        controller.connect_all();
        (controller.tick.next, controller.reply_ready.next) = (true, true);
        let names = [2usize, 0, 3, 1];
        for (bank, name) in names.into_iter().enumerate() {
            controller.request_valid.next = true;
            controller.request.bank.next = bank.into();
            controller.request.bursts.next = 1.into();
            controller.request.id.next = name.into();
            simulate(&mut controller, 100);
            assert!(controller.request_ready.val());
            tick!(controller);
        }
        controller.request_valid.next = false;
        let mut answered = vec![];
        for _ in 0..60 {
            if controller.reply_valid.val() {
                answered.push(controller.reply.id.val().index());
            }
            tick!(controller);
        }
        // Of open rows the first to come is the first to be read.
        assert_eq!(answered, names);
        assert!(controller.idle.val());
    }
}
