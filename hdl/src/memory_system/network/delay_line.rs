//! Flits that are late by so many ticks of a clock, in order: what lies between the network and a slice of L2 and is not built here.
//!
//! ```text
//!                +-----------+
//!  flit -------->|           |---> late
//!  flit_ready <--| DelayLine |<--- late_ready
//!  tick -------->|           |<--- time_tick
//!                +-----------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `tick` | 1 | of the network |
//! | `flit`, `flit_ready` | , 1 | a flit; with a tick it is taken |
//! | `late`, `late_ready` | , 1 | the oldest one that has been here for long enough; with a tick it leaves |
//! | `time_tick` | 1 | the clock by which that is counted |
//!
//! Latency: `delay` ticks of that clock, and two of the network. State: the flits, when each has come, and how many have been here for long enough.
//!
//! It takes a flit in every tick if there is room for all that come in the time.
use super::{ArrivedFlit, NetworkConfig};
use crate::parts::FifoControl;
use crate::prelude::*;

records! {
    /// The flits.
    pub struct DelayedTable {
        /// A flit that is not late enough yet, or waits.
        DelayedFlit(config: &NetworkConfig) {
            head: Bit,
            tail: Bit,
            payload: [32; config.flit_words()],
        }
    }
}

module! {
    /// See the [module documentation](self).
    pub struct DelayLine: clock, reset {
        pub tick: Signal<In, Bit>,
        pub flit: ArrivedFlit<In> = ArrivedFlit::new(config),
        pub flit_ready: Signal<Out, Bit>,
        pub late: ArrivedFlit<Out> = ArrivedFlit::new(config),
        pub late_ready: Signal<In, Bit>,
        pub time_tick: Signal<In, Bit>,

        fifo: FifoControl = FifoControl::new(room) => { push_ready: flit_ready },
        delayed: DelayedTable = DelayedTable::new(room, 1, config) => {
            write_enable: fifo.write_enable, write_row: fifo.write_row, write.head: flit.head, write.tail: flit.tail, write.payload: flit.payload,
            read_row[0]: fifo.read_row, read[0].head: late.head, read[0].tail: late.tail, read[0].payload: late.payload,
        },
        arrivals: Memory = Memory::new(time, room, 1, 1, ReadKind::Asynchronous) => {
            write_enable[0]: fifo.write_enable, write_address[0]: fifo.write_row, write_data[0]: now.q, read_address[0]: next.q,
        },
        /// The time; whose turn it is next, of those that are not late enough; how many are.
        now: Register = Register::new(time),
        next: Register = Register::new(row),
        ripe: Register = Register::new(count),
        age: Net<Local> = time,
        ripens: Signal<Local, Bit>,
        leaves: Signal<Local, Bit>,
        delay: Constant = Constant::new(delay as u64, time),
        last_row: Constant = Constant::new(room as u64 - 1, row),
    }
    /// Of `room` flits of this network.
    pub fn new(config: &NetworkConfig, delay: usize, room: usize) {
        // An age is known up to twice the delay: each is looked at when it is due.
        let (time, row, count) = (index_width(2 * delay + 4 * room + 2), index_width(room), index_width(room + 1));
    }
}

impl Logic for DelayLine {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module DelayLine");
        dff_setup!(self, clock, now, next, ripe);
        self.fifo.push_valid.next = self.flit.valid.val() & self.tick.val();
        if self.time_tick.val() {
            self.now.d.next = self.now.q.val() + 1;
        }

        self.age.next = self.now.q.val() - self.arrivals.read_data[0].val();
        self.ripens.next =
            self.tick.val() & (self.ripe.q.val() != self.fifo.count.val()) & (self.age.val() >= self.delay.val());
        if self.ripens.val() {
            self.next.d.next = self.next.q.val() + 1;
            if self.next.q.val() == self.last_row.val() {
                self.next.d.next = 0.into();
            }
        }

        self.late.valid.next = self.ripe.q.val().any();
        self.leaves.next = self.tick.val() & self.late.valid.val() & self.late_ready.val();
        self.fifo.pop_ready.next = self.leaves.val();
        if self.ripens.val() & !self.leaves.val() {
            self.ripe.d.next = self.ripe.q.val() + 1;
        } else if !self.ripens.val() & self.leaves.val() {
            self.ripe.d.next = self.ripe.q.val() - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One line a cycle: `tick time_tick, flit, taken | room, what has been here for 3 ticks of the time`.
    const THREE_LATE: &str = "
        || 5 t | 1 -
        || 6 t | 1 -
        || - t | 1 -
        || - t | 1 -     5 is late enough
        || 7 t | 1 5
        |. - t | 1 6
        |. - t | 1 -
        || - t | 1 -
        .| - t | 1 -     no tick of the network
        || - . | 1 -
        || - . | 1 7     nobody takes it
        || 8 . | 1 7
        || 9 . | 1 7
        || 1 . | 1 7
        || 2 . | 0 7     full
        || - t | 0 7
        || - t | 1 8
        || - t | 1 9
        || - t | 1 1
        || - t | 1 -";

    #[test]
    fn flits_are_late_and_in_order() {
        let mut line = DelayLine::new(&NetworkConfig::new(1, 1), 3, 4);
        line.connect_all();
        simulate(&mut line, 100);
        for step in THREE_LATE.trim().lines() {
            let fields: Vec<&str> = step.split_whitespace().collect();
            line.tick.next = fields[0].starts_with('|');
            line.time_tick.next = fields[0].ends_with('|');
            line.flit.valid.next = fields[1] != "-";
            let number: usize = fields[1].parse().unwrap_or(0);
            line.flit.payload.iter_mut().for_each(|word| word.next = number.into());
            line.late_ready.next = fields[2] == "t";
            simulate(&mut line, 100);
            let late = match line.late.valid.val() {
                true => line.late.payload[0].val().value().to_string(),
                false => "-".into(),
            };
            assert_eq!([u8::from(line.flit_ready.val()).to_string(), late], fields[4..6], "{step}");
            tick!(line);
        }
    }
}
