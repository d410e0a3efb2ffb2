//! Flits that wait, in order: at an input of the network, or between two clock domains.
//!
//! ```text
//!                +------------+
//!  push -------->|            |---> pop
//!  push_ready <--| FlitBuffer |<--- pop_ready
//!  push_tick --->|            |<--- pop_tick
//!                +------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `push_tick`, `pop_tick` | 1 | flits may enter at the next edge; one may leave |
//! | `push`, `push_ready` | , 1 | a flit enters, with a tick and if there is room |
//! | `pop`, `pop_ready` | , 1 | the oldest flit; with a tick it leaves |
//!
//! Latency 1. State: a memory row for each flit, and [`FifoControl`].
use super::{Flit, NetworkConfig};
use crate::parts::FifoControl;
use crate::prelude::*;

records! {
    /// The flits.
    pub struct FlitTable {
        /// A flit that waits.
        WaitingFlit(config: &NetworkConfig) {
            head: Bit,
            tail: Bit,
            destination: [config.destination_width()],
            payload: [32; config.flit_words()],
        }
    }
}

module! {
    /// See the [module documentation](self).
    pub struct FlitBuffer: clock, reset {
        pub push_tick: Signal<In, Bit>,
        pub pop_tick: Signal<In, Bit>,
        pub push: Flit<In> = Flit::new(config),
        pub push_ready: Signal<Out, Bit>,
        pub pop: Flit<Out> = Flit::new(config),
        pub pop_ready: Signal<In, Bit>,

        fifo: FifoControl = FifoControl::new(depth) => { push_ready, pop_valid: pop.valid },
        waiting: FlitTable = FlitTable::new(depth, 1, config) => {
            write_enable: fifo.write_enable, write_row: fifo.write_row, write.head: push.head, write.tail: push.tail,
            write.destination: push.destination, write.payload: push.payload, read_row[0]: fifo.read_row, read[0].head: pop.head,
            read[0].tail: pop.tail, read[0].destination: pop.destination, read[0].payload: pop.payload,
        },
    }
    /// Of `depth` flits of this network.
    pub fn new(config: &NetworkConfig, depth: usize) {}
}

impl Logic for FlitBuffer {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module FlitBuffer");
        self.fifo.push_valid.next = self.push.valid.val() & self.push_tick.val();
        self.fifo.pop_ready.next = self.pop_ready.val() & self.pop_tick.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One line a cycle: `tick of either side, flit pushed, taken | room, flit`. A flit: its number, head, tail and destination.
    const TWO_DEEP: &str = "
        || 5ht1 . | 1 ----
        || 6h-0 . | 1 5ht1
        |. ---- t | 0 5ht1   no tick: nothing leaves
        || 7-t0 t | 0 5ht1   full: nothing enters, though a flit leaves
        .| 7-t0 . | 1 6h-0   no tick: nothing enters
        || 7-t0 t | 1 6h-0
        .| ---- t | 1 7-t0
        || ---- . | 1 ----";

    #[test]
    fn keeps_order_and_moves_with_ticks() {
        let mut buffer = FlitBuffer::new(&NetworkConfig::new(1, 2), 2);
        buffer.connect_all();
        simulate(&mut buffer, 100);
        for line in TWO_DEEP.trim().lines() {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let flit = fields[1].as_bytes();
            let digit = |byte: u8| Word::from(usize::from(byte.saturating_sub(b'0')));
            buffer.push_tick.next = fields[0].starts_with('|');
            buffer.pop_tick.next = fields[0].ends_with('|');
            buffer.push.valid.next = flit[0] != b'-';
            buffer.push.head.next = flit[1] == b'h';
            buffer.push.tail.next = flit[2] == b't';
            buffer.push.destination.next = digit(flit[3]);
            buffer.push.payload.iter_mut().for_each(|word| word.next = digit(flit[0]));
            buffer.pop_ready.next = fields[2] == "t";
            simulate(&mut buffer, 100);
            let mark = |is_so, mark| if is_so { mark } else { '-' };
            let Flit { valid, head, tail, destination, payload } = &buffer.pop;
            let numbers = (payload[0].val().value(), destination.val().value());
            let seen = match valid.val() {
                true => format!("{}{}{}{}", numbers.0, mark(head.val(), 'h'), mark(tail.val(), 't'), numbers.1),
                false => "----".into(),
            };
            assert!(payload.iter().all(|word| word.val() == payload[0].val()));
            assert_eq!(
                (u8::from(buffer.push_ready.val()).to_string(), &seen[..]),
                (fields[4].into(), fields[5]),
                "{line}"
            );
            tick!(buffer);
        }
    }
}
