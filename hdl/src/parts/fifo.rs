//! A first-in first-out queue of words.
//!
//! ```text
//!                +------+
//!  push_valid -->|      |---> pop_valid
//!   push_data -->| Fifo |---> pop_data
//!  push_ready <--|      |<--- pop_ready
//!                +------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `push_valid`, `push_ready` | 1 | a word enters at the edge when both are set |
//! | `push_data` | w | that word |
//! | `pop_valid`, `pop_ready` | 1 | a word leaves at the edge when both are set |
//! | `pop_data` | w | the oldest word |
//!
//! Latency 1: a word can leave in the cycle after it entered. `push_ready` does not depend on `pop_ready`,
//! so no combinational path runs from the reader to the writer. State: `depth` words and [`FifoControl`](super::FifoControl).
use super::FifoControl;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct Fifo: clock, reset {
        pub push_valid: Signal<In, Bit>,
        pub push_data: Net<In> = width,
        pub push_ready: Signal<Out, Bit>,
        pub pop_valid: Signal<Out, Bit>,
        pub pop_data: Net<Out> = width,
        pub pop_ready: Signal<In, Bit>,

        control: FifoControl = FifoControl::new(depth) => { push_valid, pop_ready, push_ready, pop_valid },
        words: Memory = Memory::new(width, depth, 1, 1, ReadKind::Asynchronous) => {
            write_enable[0]: control.write_enable, write_address[0]: control.write_row, write_data[0]: push_data,
            read_address[0]: control.read_row, read_data[0]: pop_data,
        },
    }
    /// A queue of `depth` words of `width` bits.
    pub fn new(width: usize, depth: usize) {}
}

impl Logic for Fifo {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Fifo");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One line a cycle: `push data pop | ready valid data`.
    const THREE_DEEP: &str = "
        1 5 0 | 1 0 -
        1 6 0 | 1 1 5   a word is visible one cycle after it enters
        1 7 0 | 1 1 5
        1 8 0 | 0 1 5   full: 8 is refused
        1 8 1 | 0 1 5   still refused while one leaves
        1 8 1 | 1 1 6
        0 0 1 | 1 1 7
        0 0 1 | 1 1 8
        0 0 1 | 1 0 -   empty";

    #[test]
    fn keeps_the_order() {
        let mut fifo = Fifo::new(4, 3);
        fifo.connect_all();
        simulate(&mut fifo, 1000);
        for line in THREE_DEEP.trim().lines().map(str::trim) {
            let field = |i: usize| line.split_whitespace().nth(i).unwrap();
            fifo.push_valid.next = field(0) == "1";
            fifo.push_data.next = field(1).parse::<usize>().unwrap().into();
            fifo.pop_ready.next = field(2) == "1";
            simulate(&mut fifo, 1000);
            assert_eq!(fifo.push_ready.val(), field(4) == "1", "{line}");
            assert_eq!(fifo.pop_valid.val(), field(5) == "1", "{line}");
            if fifo.pop_valid.val() {
                assert_eq!(fifo.pop_data.val().value().to_string(), field(6), "{line}");
            }
            for _ in 0..2 {
                fifo.clock.next = !fifo.clock.val();
                simulate(&mut fifo, 1000);
            }
        }
    }
}
