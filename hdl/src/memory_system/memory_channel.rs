//! A slice of L2 and the channel of DRAM behind it.
//!
//! ```text
//!                 +---------------------------------------------------+
//!  request_* ---->|--> L2Slice -- ReadDelay, DramMap --> DramController |---> bus
//!  reply_* <------|<--         <------- burst_* -------                |<--- read_data[w]
//!  flush -------->|                                                   |---> flushed, idle
//!                 +---------------------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `l2_tick`, `dram_tick` | 1 | a clock of L2 passes; one of the command bus |
//! | `core_tick[d]` | 1 | where reads are delayed: the clock by which |
//! | `request_valid`, `request`, `request_ready` | | to [`L2Slice`](super::l2::L2Slice) |
//! | `reply_valid`, `reply`, `reply_ready` | | from it |
//! | `bus`, `read_data[w]` | , 32 | the pins, see [`DramController`](super::dram::DramController) |
//! | `flush`, `flushed` | 1 | dirty lines are written while it is set; the DRAM has all of them |
//! | `idle` | 1 | nothing is under way |
//! | `l2_counter[i]`, `dram_counter[i]` | 64 | see [`L2_COUNTERS`](super::l2::L2_COUNTERS), [`CHANNEL_COUNTERS`](super::dram::CHANNEL_COUNTERS) |
//!
//! Latency: that of the slice, and of the DRAM. State: in the blocks.
use super::ReadDelay;
use super::dram::{AddressBits, CHANNEL_COUNTERS, ChannelConfig, DramBus, DramController, DramMap};
use super::l2::{L2_COUNTERS, L2Config, L2Reply, L2Request, L2Slice};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct MemoryChannel: clock, reset {
        pub l2_tick: Signal<In, Bit>,
        pub dram_tick: Signal<In, Bit>,
        pub core_tick: Vec<Signal<In, Bit>> = bit_vec(delayed),
        pub request_valid: Signal<In, Bit>,
        pub request: L2Request<In> = L2Request::new(l2),
        pub request_ready: Signal<Out, Bit>,
        pub reply_valid: Signal<Out, Bit>,
        pub reply: L2Reply<Out> = L2Reply::new(l2),
        pub reply_ready: Signal<In, Bit>,
        pub bus: DramBus<Out> = DramBus::new(dram),
        pub read_data: Vec<Net<In>> = Net::vec(dram.beat_words(), 32),
        pub flush: Signal<In, Bit>,
        pub flushed: Signal<Out, Bit>,
        pub idle: Signal<Out, Bit>,
        pub l2_counter: Vec<Net<Out>> = Net::vec(L2_COUNTERS.len(), 64),
        pub dram_counter: Vec<Net<Out>> = Net::vec(CHANNEL_COUNTERS.len(), 64),

        slice: L2Slice = L2Slice::new(l2) => {
            tick: l2_tick, request_valid, request, request_ready, reply_valid, reply, reply_ready,
            burst_valid: controller.reply_valid, burst_id: controller.reply.id, burst_number: controller.reply.burst,
            burst_data: controller.reply.data, flush, counter: l2_counter,
        },
        map: DramMap = DramMap::new(bits, dram, l2.line_width) => { line },
        /// One, if reads are delayed.
        delays: Vec<ReadDelay> = (0..delayed).map(|_| ReadDelay::new(l2, dram.read_delay)).collect() => |d| {
            time_tick: core_tick[d], read.line: slice.channel.line, read.bursts: slice.channel_bursts, read.id: slice.channel_id,
        },
        /// What the controller is asked for.
        line: Net<Local> = l2.line_width,
        controller: DramController = DramController::new(dram) => {
            tick: dram_tick, request.bank: map.bank, request.row: map.row,
            request.column: map.column, line.data: slice.channel.data,
            line.mask: slice.channel.mask, reply_ready: slice.burst_ready, bus, read_data, counter: dram_counter,
        },
    }
    /// A slice and its channel, whose DRAM is addressed by these bits.
    ///
    /// # Panics
    /// If they do not fit together.
    pub fn new(l2: &L2Config, dram: &ChannelConfig, bits: &AddressBits) {
        assert_eq!((l2.words(), l2.bursts(), l2.mshr_width()), (dram.line_words(), dram.bursts, dram.id_width), "slice and channel");
        let widths = [&bits.bank, &bits.row, &bits.column].map(Vec::len);
        assert_eq!(widths, [dram.bank_width(), dram.row_width, dram.column_width], "bits of an address");
        let delayed = usize::from(dram.read_delay > 0);
    }
}

impl Logic for MemoryChannel {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module MemoryChannel");
        self.line.next = self.slice.channel.line.val();
        self.controller.request_valid.next = self.slice.channel_valid.val();
        self.controller.request.write.next = self.slice.channel_write.val();
        self.controller.request.bursts.next = self.slice.channel_bursts.val();
        self.controller.request.id.next = self.slice.channel_id.val();
        self.slice.channel_ready.next = self.controller.request_ready.val();
        for d in 0..self.delays.len() {
            self.delays[d].read_valid.next = self.slice.channel_valid.val() & !self.slice.channel_write.val();
            self.delays[d].late_ready.next = self.controller.request_ready.val();
            self.controller.request_valid.next =
                self.delays[d].late_valid.val() | (self.slice.channel_valid.val() & self.slice.channel_write.val());
            self.controller.request.write.next = !self.delays[d].late_valid.val();
            // Reads are taken at once, writes when no read is due.
            self.slice.channel_ready.next = !self.slice.channel_write.val()
                | (self.controller.request_ready.val() & !self.delays[d].late_valid.val());
            if self.delays[d].late_valid.val() {
                self.line.next = self.delays[d].late.line.val();
                self.controller.request.bursts.next = self.delays[d].late.bursts.val();
                self.controller.request.id.next = self.delays[d].late.id.val();
            }
        }
        self.idle.next = self.slice.idle.val() & self.controller.idle.val();
        self.flushed.next = self.slice.flushed.val() & self.controller.idle.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory_system::SystemConfig;
    use crate::memory_system::dram::{DramCommand, GDDR3};
    use crate::memory_system::l2::L2RequestKind;

    /// All clocks pass in every cycle.
    fn channel() -> MemoryChannel {
        let config = SystemConfig::new(1, 1, 64, (4, 2), &GDDR3);
        let mut channel = MemoryChannel::new(&config.l2, &config.dram, &config.bits);
        channel.connect_all();
        (channel.l2_tick.next, channel.dram_tick.next, channel.reply_ready.next) = (true, true, true);
        for _ in 0..4 {
            tick!(channel);
        }
        channel
    }

    /// Of line 5; a write is of its word 0.
    fn ask(channel: &mut MemoryChannel, kind: L2RequestKind) {
        channel.request_valid.next = true;
        channel.request.kind.next = kind;
        channel.request.line.next = 5.into();
        channel.request.sectors.next = 1.into();
        channel.request.mask[0].next = 15.into();
        simulate(channel, 100);
        assert!(channel.request_ready.val());
        tick!(*channel);
        channel.request_valid.next = false;
        simulate(channel, 100);
    }

    fn until_idle(channel: &mut MemoryChannel) {
        let cycles = (0..100).take_while(|_| {
            tick!(*channel);
            !channel.idle.val()
        });
        assert!(cycles.count() < 100, "something is under way for ever");
    }

    #[test]
    fn it_is_idle_when_both_the_slice_and_the_controller_are() {
        let mut channel = channel();
        assert!(channel.idle.val());
        ask(&mut channel, L2RequestKind::Write);
        assert!(!channel.idle.val(), "the slice has a request, and the controller none");
        until_idle(&mut channel);
        channel.flush.next = true;
        let mut commands = vec![];
        for _ in 0..100 {
            tick!(channel);
            match channel.bus.command.val() {
                DramCommand::Nop => {}
                command => commands.push((command, channel.slice.idle.val(), channel.idle.val())),
            }
        }
        // The slice has nothing to do with the line any more.
        assert_eq!(commands, [(DramCommand::Activate, true, false), (DramCommand::Write, true, false)]);
        assert!(channel.idle.val() && channel.flushed.val());
    }

    #[test]
    fn a_write_to_a_line_on_its_way_is_counted_as_waiting() {
        let mut channel = channel();
        ask(&mut channel, L2RequestKind::Read);
        ask(&mut channel, L2RequestKind::Write);
        until_idle(&mut channel);
        let counted =
            L2_COUNTERS.iter().zip(&channel.l2_counter).map(|(counter, net)| (counter.name, net.val().value()));
        let counted: Vec<_> = counted.filter(|(_, count)| *count > 0).collect();
        // As long as DRAM takes for two bursts of a row that it has to open.
        assert_eq!(counted, [("l2_reads", 1), ("l2_writes", 1), ("l2_misses", 1), ("l2_stall_merge", 26)]);
    }
}
