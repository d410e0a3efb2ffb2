//! Lines that have left a slice of L2 and wait to be written to DRAM.
//!
//! ```text
//!                +----------------+
//!  push_* ------>|                |---> pop_valid, pop_*
//!  query_line -->| EvictionBuffer |<--- pop_ready
//!                |                |---> room, holds
//!                +----------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `push_valid`, `push` | 1, | a line, if there is `room` |
//! | `room` | 1 | there is room for another one, even if one comes in this cycle |
//! | `query_line`, `holds` | l, 1 | this line waits, or comes in this cycle |
//! | `pop_valid`, `pop`, `pop_ready` | 1, , 1 | the oldest; it leaves |
//!
//! Latency 1. State: the lines. Who fetches a line that waits here would get what it was before.
use super::L2Config;
use crate::parts::FifoControl;
use crate::prelude::*;

records! {
    /// The lines.
    pub struct EvictedLines {
        /// A line that is to be written.
        EvictedLine(config: &L2Config) {
            line: [config.line_width],
            data: [32; config.words()],
            /// Its dirty bytes.
            mask: [4; config.words()],
        }
    }
}

module! {
    /// See the [module documentation](self).
    pub struct EvictionBuffer: clock, reset {
        pub push_valid: Signal<In, Bit>,
        pub push: EvictedLine<In> = EvictedLine::new(config),
        pub room: Signal<Out, Bit>,
        pub query_line: Net<In> = config.line_width,
        pub holds: Signal<Out, Bit>,
        pub pop_valid: Signal<Out, Bit>,
        pub pop: EvictedLine<Out> = EvictedLine::new(config),
        pub pop_ready: Signal<In, Bit>,

        control: FifoControl = FifoControl::new(depth) => { push_valid, pop_valid, pop_ready },
        lines: EvictedLines = EvictedLines::new(depth, 1, config) => {
            write_enable: control.write_enable, write_row: control.write_row, write: push, read_row[0]: control.read_row, read[0]: pop,
        },
        waits: Register = Register::new(depth),
        numbers: Vec<Flop> = Flop::vec(depth, config.line_width),
        nearly_full: Constant = Constant::new(depth as u64 - 1, index_width(depth + 1)),
        one_row: Constant = Constant::new(1, depth),
        kept: Net<Local> = depth,
    }
    /// Of a slice.
    pub fn new(config: &L2Config) {
        // One more, for the line that is just coming when room is asked for.
        let depth = config.evictions + 1;
    }
}

impl Logic for EvictionBuffer {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module EvictionBuffer");
        self.room.next = self.control.count.val() < self.nearly_full.val();
        self.kept.next = self.waits.q.val();
        if self.pop_valid.val() & self.pop_ready.val() {
            self.kept.next = self.waits.q.val() & !(self.one_row.val() << self.control.read_row.val());
        }
        self.waits.d.next = self.kept.val();
        if self.control.write_enable.val() {
            self.waits.d.next = self.kept.val() | (self.one_row.val() << self.control.write_row.val());
        }
        self.holds.next = self.push_valid.val() & (self.push.line.val() == self.query_line.val());
        for i in 0..self.numbers.len() {
            self.numbers[i].d.next = self.numbers[i].q.val();
            if self.control.write_enable.val() & (self.control.write_row.val() == i) {
                self.numbers[i].d.next = self.push.line.val();
            }
            if self.waits.q.val().get_bit(i) & (self.numbers[i].q.val() == self.query_line.val()) {
                self.holds.next = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One line a cycle: `line that comes, whether one is taken | room, holds line 7, the oldest`. Room for two, and for the one that is just coming.
    const THREE_LINES: &str = "
        5 . | r - -
        7 . | r 7 5   in the very cycle in which it comes
        6 . | - 7 5   it was decided upon when there was room
        - t | - 7 5
        - t | - 7 7
        - t | r - 6   it is on its way
        - . | r - -";

    #[test]
    fn there_is_room_for_what_is_coming() {
        let mut buffer = EvictionBuffer::new(&L2Config {
            evictions: 2,
            ..crate::memory_system::SystemConfig::new(1, 1, 64, (4, 2), &crate::memory_system::dram::GDDR3).l2
        });
        buffer.connect_all();
        buffer.query_line.next = 7.into();
        for step in THREE_LINES.trim().lines() {
            let fields: Vec<&str> = step.split_whitespace().collect();
            buffer.push_valid.next = fields[0] != "-";
            buffer.push.line.next = fields[0].parse().unwrap_or(0usize).into();
            buffer.pop_ready.next = fields[1] == "t";
            simulate(&mut buffer, 100);
            let oldest = match buffer.pop_valid.val() {
                true => buffer.pop.line.val().value().to_string(),
                false => "-".into(),
            };
            let [room, holds] =
                [(buffer.room.val(), "r"), (buffer.holds.val(), "7")].map(|(is, sign)| if is { sign } else { "-" });
            assert_eq!([room, holds, &oldest], fields[3..6], "{step}");
            tick!(buffer);
        }
    }
}
