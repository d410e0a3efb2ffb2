//! What DRAM has read, on its way to the L2 slice.
//!
//! ```text
//!                      +------------+
//!  read, id, burst --->|            |---> reply_*
//!  tick, read_data --->| ReadReturn |<--- reply_ready
//!                      |            |---> room, idle
//!                      +------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `tick` | 1 | a clock of the command bus passes |
//! | `read` | 1 | a burst is read in this clock; only if there is `room` |
//! | `id`, `burst`, `last` | i, u, 1 | whose, which of its line, its last |
//! | `read_data[w]` | 32 | the data bus: words of this clock |
//! | `reply_*`, `reply_ready` | | a burst that has come; it is taken, in any cycle |
//! | `room`, `idle` | 1 | another read may be commanded; nothing is on its way |
//!
//! Latency: that of a read, its clocks on the bus, and 1. State: the names of bursts that are on their way, in the order of their commands; the words of the burst on the bus but its last ones; a queue.
//! A read takes a place in the queue with its command, since DRAM does not wait.
use super::{BurstTimer, ChannelConfig};
use crate::parts::FifoControl;
use crate::prelude::*;

records! {
    /// Bursts on their way.
    pub struct BurstNames {
        /// What they are.
        BurstName(config: &ChannelConfig) {
            id: [config.id_width],
            burst: [config.burst_width()],
            last: Bit,
        }
    }
}

records! {
    /// Bursts that have come.
    pub struct BurstTable {
        /// One of them.
        FetchedBurst(config: &ChannelConfig) {
            id: [config.id_width],
            /// Which of its line.
            burst: [config.burst_width()],
            /// The last one of its request.
            last: Bit,
            data: [32; config.burst_words],
        }
    }
}

module! {
    /// See the [module documentation](self).
    pub struct ReadReturn: clock, reset {
        pub tick: Signal<In, Bit>,
        pub read: Signal<In, Bit>,
        pub id: Net<In> = config.id_width,
        pub burst: Net<In> = config.burst_width(),
        pub last: Signal<In, Bit>,
        pub read_data: Vec<Net<In>> = Net::vec(config.beat_words(), 32),
        pub reply_valid: Signal<Out, Bit>,
        pub reply: FetchedBurst<Out> = FetchedBurst::new(config),
        pub reply_ready: Signal<In, Bit>,
        pub room: Signal<Out, Bit>,
        pub idle: Signal<Out, Bit>,

        timer: BurstTimer = BurstTimer::new(config.timing.read_latency, config.timing.burst) => { tick, start: read },
        coming: FifoControl = FifoControl::new(on_the_way),
        names: BurstNames = BurstNames::new(on_the_way, 1, config) => {
            write_enable: coming.write_enable, write_row: coming.write_row, write.id: id, write.burst: burst, write.last: last,
            read_row[0]: coming.read_row,
        },
        come: FifoControl = FifoControl::new(config.returns) => { pop_valid: reply_valid, pop_ready: reply_ready },
        bursts: BurstTable = BurstTable::new(config.returns, 1, config) => {
            write_enable: come.write_enable, write_row: come.write_row, read_row[0]: come.read_row, write.id: names.read[0].id,
            write.burst: names.read[0].burst, write.last: names.read[0].last, read[0].id: reply.id, read[0].burst: reply.burst,
            read[0].last: reply.last, read[0].data: reply.data,
        },
        /// Of the burst on the bus, all beats but the last.
        earlier: Vec<Flop> = Flop::vec(config.burst_words - config.beat_words(), 32),
        /// Reads that have been commanded and not taken.
        owed: Register = Register::new(owed),
        most: Constant = Constant::new(config.returns as u64, owed),
        is_read: Signal<Local, Bit>,
        taken: Signal<Local, Bit>,
    }
    sizes { _beat_words = config.beat_words(), _last_beat = config.timing.burst - 1 }
    /// Of a channel.
    pub fn new(config: &ChannelConfig) {
        let owed = index_width(config.returns + 1);
        let on_the_way = config.on_the_way(config.timing.read_latency);
    }
}

impl Logic for ReadReturn {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ReadReturn");
        self.is_read.next = self.tick.val() & self.read.val();
        self.coming.push_valid.next = self.is_read.val();
        self.coming.pop_ready.next = self.tick.val() & self.timer.last.val();
        self.come.push_valid.next = self.coming.pop_ready.val();
        self.taken.next = self.come.pop_valid.val() & self.reply_ready.val();

        // Loops of one trip: an index may hold numbers and loop variables only.
        for words in self._beat_words..(self._beat_words + 1) {
            for end in self._last_beat..(self._last_beat + 1) {
                for w in 0..self._beat_words {
                    for beat in 0..self._last_beat {
                        self.earlier[beat * words + w].d.next = self.earlier[beat * words + w].q.val();
                        if self.tick.val() & self.timer.beats.val().get_bit(beat) {
                            self.earlier[beat * words + w].d.next = self.read_data[w].val();
                        }
                        self.bursts.write.data[beat * words + w].next = self.earlier[beat * words + w].q.val();
                    }
                    self.bursts.write.data[end * words + w].next = self.read_data[w].val();
                }
            }
        }

        self.room.next = self.owed.q.val() != self.most.val();
        self.idle.next = self.owed.q.val() == 0;
        self.owed.d.next = self.owed.q.val();
        if self.is_read.val() & !self.taken.val() {
            self.owed.d.next = self.owed.q.val() + 1;
        } else if self.taken.val() & !self.is_read.val() {
            self.owed.d.next = self.owed.q.val() - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory_system::dram::{DramTiming, GDDR3};

    /// One line a cycle: `clock, whose burst is read, bus | whose burst has come, what the bus said in its clocks`, for bursts of four clocks, three after their command.
    const OF_FOUR_CLOCKS: &str = "
        | 1 - | -
        | - - | -
        | - - | -
        | - 1 | -
        | 2 2 | -
        . - 9 | -        no clock passes: nothing of a burst
        | - 3 | -
        . - 9 | -
        | - 4 | -
        | - 5 | 1:1234   the next burst is on the bus
        . - 9 | -
        | - 6 | -
        | - 7 | -
        | - 8 | -
        . - - | 2:5678";

    #[test]
    fn each_clock_of_a_burst_has_its_words() {
        let timing = DramTiming { read_latency: 3, burst: 4, ccd: 4, ..GDDR3 };
        let config = ChannelConfig::new(&timing, 64, 2);
        let mut returns = ReadReturn::new(&config);
        returns.connect_all();
        returns.reply_ready.next = true;
        for step in OF_FOUR_CLOCKS.trim().lines() {
            let fields: Vec<&str> = step.split_whitespace().collect();
            returns.tick.next = fields[0] == "|";
            returns.read.next = fields[1] != "-";
            returns.id.next = fields[1].parse().unwrap_or(0usize).into();
            let said = fields[2].parse().unwrap_or(0usize);
            for (word, data) in returns.read_data.iter_mut().enumerate() {
                data.next = (16 * word + said).into();
            }
            simulate(&mut returns, 100);
            let come = match returns.reply_valid.val() {
                true => {
                    let words: Vec<usize> = returns.reply.data.iter().map(|data| data.val().index()).collect();
                    let clocks = words.chunks(config.beat_words()).map(|words| {
                        assert_eq!(words[1], words[0] + 16, "words of one clock: {step}");
                        words[0].to_string()
                    });
                    format!("{}:{}", returns.reply.id.val().index(), clocks.collect::<String>())
                }
                false => "-".into(),
            };
            assert_eq!(come, fields[4], "{step}");
            tick!(returns);
        }
    }
}
