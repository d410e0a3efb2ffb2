//! The data of writes, until they are on the bus to the DRAM.
//!
//! ```text
//!                        +-------------+
//!  push_*, data, mask -->|             |---> slot, room, idle
//!  write, its_slot ----->| WriteBuffer |
//!  burst, last, tick --->|             |---> bus_data[w], bus_mask[w]
//!                        +-------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `tick` | 1 | a clock of the command bus passes |
//! | `push_valid`, `data[n]`, `mask[n]` | 1, 32, 4 | a line is to be written, in any cycle, if there is `room` |
//! | `slot`, `room` | s, 1 | where that line is kept until then |
//! | `write`, `its_slot`, `burst`, `last` | 1, s, u, 1 | a burst is written in this clock: of the line in this slot, which; its last |
//! | `bus_data[w]`, `bus_mask[w]` | 32, 4 | words on the data bus in this clock, and which of their bytes are written |
//! | `idle` | 1 | no line is kept |
//!
//! Latency: that of a write. State: the lines and which slots hold one; names of the bursts whose commands have been given, in their order.
use super::{BurstTimer, ChannelConfig};
use crate::parts::FifoControl;
use crate::prelude::*;

records! {
    /// Lines to be written.
    pub struct LineTable {
        /// A line, with the bytes that are written.
        WrittenLine(config: &ChannelConfig) {
            data: [32; config.line_words()],
            mask: [4; config.line_words()],
        }
    }
}

records! {
    /// Bursts on their way.
    pub struct WriteNames {
        /// What they are.
        WriteName(config: &ChannelConfig) {
            slot: [config.slot_width()],
            burst: [config.burst_width()],
            last: Bit,
        }
    }
}

module! {
    /// See the [module documentation](self).
    pub struct WriteBuffer: clock, reset {
        pub tick: Signal<In, Bit>,
        pub push_valid: Signal<In, Bit>,
        pub push: WrittenLine<In> = WrittenLine::new(config),
        pub slot: Net<Out> = config.slot_width(),
        pub room: Signal<Out, Bit>,
        pub write: Signal<In, Bit>,
        pub its_slot: Net<In> = config.slot_width(),
        pub burst: Net<In> = config.burst_width(),
        pub last: Signal<In, Bit>,
        pub bus_data: Vec<Net<Out>> = Net::vec(config.beat_words(), 32),
        pub bus_mask: Vec<Net<Out>> = Net::vec(config.beat_words(), 4),
        pub idle: Signal<Out, Bit>,

        lines: LineTable = LineTable::new(config.write_slots(), 1, config) => { write_enable: push_valid, write_row: slot, write: push, read_row[0]: names.read[0].slot },
        used: Register = Register::new(config.write_slots()),
        free: PriorityEncoder = PriorityEncoder::new(config.write_slots()) => { index: slot, any: room },
        timer: BurstTimer = BurstTimer::new(config.timing.write_latency, config.timing.burst) => { tick, start: write },
        coming: FifoControl = FifoControl::new(on_the_way),
        names: WriteNames = WriteNames::new(on_the_way, 1, config) => {
            write_enable: coming.write_enable, write_row: coming.write_row, write.slot: its_slot, write.burst: burst, write.last: last,
            read_row[0]: coming.read_row,
        },
        /// The beat of the burst on the bus.
        on_bus: PriorityEncoder = PriorityEncoder::new(config.timing.burst) => { request: timer.beats },
        /// Of each word of the bus: the words of the line that it carries in turn.
        data_of: Vec<IndexedMux> = (0..config.beat_words()).map(|_| IndexedMux::new(32, beats)).collect() => |w| { index: place, selected: bus_data[w] },
        mask_of: Vec<IndexedMux> = (0..config.beat_words()).map(|_| IndexedMux::new(4, beats)).collect() => |w| { index: place },

        place: Net<Local> = index_width(beats),
        now_used: Net<Local> = config.write_slots(),
        one_slot: Constant = Constant::new(1, config.write_slots()),
        log_burst: Constant = Constant::new(config.timing.burst.ilog2() as u64, 6),
    }
    sizes { _beat_words = config.beat_words(), _beats = beats, _place = index_width(beats) }
    /// Of a channel.
    pub fn new(config: &ChannelConfig) {
        let on_the_way = config.on_the_way(config.timing.write_latency);
        let beats = config.bursts * config.timing.burst;
        assert!(config.timing.burst.is_power_of_two(), "bursts of {} clocks", config.timing.burst);
    }
}

impl Logic for WriteBuffer {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module WriteBuffer");
        self.coming.push_valid.next = self.tick.val() & self.write.val();
        self.coming.pop_ready.next = self.tick.val() & self.timer.last.val();

        self.place.next = (bit_cast_to(self.names.read[0].burst.val(), self._place) << self.log_burst.val())
            | bit_cast_to(self.on_bus.index.val(), self._place);
        // A loop of one trip: an index may hold numbers and loop variables only.
        for words in self._beat_words..(self._beat_words + 1) {
            for w in 0..self._beat_words {
                for beat in 0..self._beats {
                    self.data_of[w].inputs[beat].next = self.lines.read[0].data[beat * words + w].val();
                    self.mask_of[w].inputs[beat].next = self.lines.read[0].mask[beat * words + w].val();
                }
                self.bus_mask[w].next = 0.into();
                if self.on_bus.any.val() {
                    self.bus_mask[w].next = self.mask_of[w].selected.val();
                }
            }
        }

        self.free.request.next = !self.used.q.val();
        self.idle.next = !self.used.q.val().any();
        self.now_used.next = self.used.q.val();
        if self.push_valid.val() {
            self.now_used.next = self.used.q.val() | self.free.one_hot.val();
        }
        self.used.d.next = self.now_used.val();
        if self.coming.pop_ready.val() & self.names.read[0].last.val() {
            self.used.d.next = self.now_used.val() & !(self.one_slot.val() << self.names.read[0].slot.val());
        }
    }
}
