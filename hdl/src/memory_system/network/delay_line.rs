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
//! Latency: `delay` ticks of that clock, and two of the network. State: the flits, and in [`Ripening`] when each has come.
//!
//! It takes a flit in every tick if there is room for all that come in the time.
use super::{ArrivedFlit, NetworkConfig};
use crate::memory_system::Ripening;
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
        ripening: Ripening = Ripening::new(delay, room) => {
            tick, time_tick, entered: fifo.write_enable, row: fifo.write_row, count: fifo.count, leaves, any: late.valid,
        },
        leaves: Signal<Local, Bit>,
    }
    /// Of `room` flits of this network.
    pub fn new(config: &NetworkConfig, delay: usize, room: usize) {}
}

impl Logic for DelayLine {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module DelayLine");
        self.fifo.push_valid.next = self.flit.valid.val() & self.tick.val();
        self.leaves.next = self.tick.val() & self.late.valid.val() & self.late_ready.val();
        self.fifo.pop_ready.next = self.leaves.val();
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
