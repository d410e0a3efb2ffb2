//! Reads of a slice of L2 that are late by a time when the controller of its channel gets them: what a machine has between L2 and DRAM, and is not built here.
//!
//! ```text
//!                        +-----------+
//!  read_valid, read ---->|           |---> late_valid, late
//!                        | ReadDelay |<--- late_ready
//!  time_tick ----------->|           |
//!                        +-----------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `read_valid`, `read` | 1, | a line is to be read: it is taken at once |
//! | `late_valid`, `late`, `late_ready` | 1, , 1 | the oldest one that has been here for long enough |
//! | `time_tick` | 1 | the clock by which that is counted |
//!
//! Latency: `delay` ticks of that clock, and two cycles. State: the reads, and in [`Ripening`] when each has come.
//!
//! There is room for all: a read has an MSHR of the slice. Writes go past it, for nobody waits for them; none is of a line that is being read, for the slice has no such line.
use super::Ripening;
use super::l2::L2Config;
use crate::parts::FifoControl;
use crate::prelude::*;

records! {
    /// The reads.
    pub struct DelayedReadTable {
        /// A read that is not late enough yet, or waits.
        DelayedRead(l2: &L2Config) {
            line: [l2.line_width],
            bursts: [l2.bursts()],
            id: [l2.mshr_width()],
        }
    }
}

module! {
    /// See the [module documentation](self).
    pub struct ReadDelay: clock, reset {
        pub time_tick: Signal<In, Bit>,
        pub read_valid: Signal<In, Bit>,
        pub read: DelayedRead<In> = DelayedRead::new(l2),
        pub late_valid: Signal<Out, Bit>,
        pub late: DelayedRead<Out> = DelayedRead::new(l2),
        pub late_ready: Signal<In, Bit>,

        fifo: FifoControl = FifoControl::new(l2.mshrs) => { push_valid: read_valid },
        delayed: DelayedReadTable = DelayedReadTable::new(l2.mshrs, 1, l2) => {
            write_enable: fifo.write_enable, write_row: fifo.write_row, write: read, read_row[0]: fifo.read_row, read[0]: late,
        },
        ripening: Ripening = Ripening::new(delay, l2.mshrs) => {
            time_tick, entered: fifo.write_enable, row: fifo.write_row, count: fifo.count, leaves, any: late_valid,
        },
        leaves: Signal<Local, Bit>,
        one: Constant = Constant::new(1, 1),
    }
    /// Of a slice of L2.
    pub fn new(l2: &L2Config, delay: usize) {}
}

impl Logic for ReadDelay {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ReadDelay");
        self.ripening.tick.next = self.one.val().any();
        self.leaves.next = self.late_valid.val() & self.late_ready.val();
        self.fifo.pop_ready.next = self.leaves.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One line a cycle: `time_tick, line, taken | late`; two MSHRs, three ticks.
    const THREE_LATE: &str = "
        | 5 t | -
        | - t | -
        . 6 t | -
        | - t | -
        | - t | -     5 is late enough
        | - . | 5     nobody takes it
        | - t | 5
        | 7 t | 6
        | - t | -";

    #[test]
    fn reads_are_late_and_in_order() {
        let l2 = L2Config {
            mshrs: 2,
            ..crate::memory_system::SystemConfig::new(1, 1, 64, (4, 2), &crate::memory_system::dram::GDDR3).l2
        };
        let mut delay = ReadDelay::new(&l2, 3);
        delay.connect_all();
        simulate(&mut delay, 100);
        for step in THREE_LATE.trim().lines() {
            let fields: Vec<&str> = step.split_whitespace().collect();
            delay.time_tick.next = fields[0] == "|";
            delay.read_valid.next = fields[1] != "-";
            delay.read.line.next = fields[1].parse::<usize>().unwrap_or(0).into();
            delay.late_ready.next = fields[2] == "t";
            simulate(&mut delay, 100);
            let late = match delay.late_valid.val() {
                true => delay.late.line.val().value().to_string(),
                false => "-".into(),
            };
            assert_eq!(late, fields[4], "{step}");
            tick!(delay);
        }
    }
}
