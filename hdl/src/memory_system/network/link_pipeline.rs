//! A link: registers, one behind the other, for flits in one direction and credits in the other.
//!
//! ```text
//!                   +--------------+
//!  enters --------->| -> -> -> ->  |---> leaves
//!  credit_leaves <--|  <- <- <- <- |<--- credit_enters
//!  tick ----------->|              |
//!                   +--------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `tick` | 1 | the link moves |
//! | `enters`, `leaves` | | a flit, and the one that entered so many ticks ago |
//! | `credit_enters`, `credit_leaves` | 1 | likewise |
//!
//! Latency: its length, in ticks. State: as many flits and credits.
use super::{Flit, FlitRegister, NetworkConfig};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct LinkPipeline: clock, reset {
        pub tick: Signal<In, Bit>,
        pub enters: Flit<In> = Flit::new(config),
        pub leaves: Flit<Out> = Flit::new(config),
        pub credit_enters: Signal<In, Bit>,
        pub credit_leaves: Signal<Out, Bit>,

        /// The last one first.
        registers: Vec<FlitRegister> = (0..length).map(|_| FlitRegister::new(config)).collect() => |i| { q: flits[i] },
        /// In each of them, and behind these what enters.
        flits: Vec<Flit<Local>> = (0..=length).map(|_| Flit::new(config)).collect(),
        credits: Register = Register::new(length),
    }
    sizes { _length = length, _last = length - 1, _end = length + 1 }
    /// Of the flits of this network, 1 to 64 registers long.
    pub fn new(config: &NetworkConfig, length: usize) {
        assert!((1..=64).contains(&length), "a link of 1 to 64 registers, not {length}");
    }
}

impl Logic for LinkPipeline {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module LinkPipeline");
        dff_setup!(self, clock, credits);
        for entry in self._length..self._end {
            wire::join(&mut self.enters, &mut self.flits[entry]);
        }
        wire::join(&mut self.leaves, &mut self.flits[0]);
        for i in 0..self.registers.len() {
            wire::join(&mut self.flits[i], &mut self.registers[i].d);
            if self.tick.val() {
                wire::join(&mut self.flits[i + 1], &mut self.registers[i].d);
            }
        }
        for last in self._last..self._length {
            self.credit_leaves.next = self.credits.q.val().get_bit(last);
        }
        if self.tick.val() {
            self.credits.d.next = self.credits.q.val() << 1;
            if self.credit_enters.val() {
                self.credits.d.next = (self.credits.q.val() << 1) | 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One line a cycle, `.`: without a tick: `flit, credit | flit, credit` three ticks later. A flit: its number, head, tail and destination.
    const THREE_LONG: &str = "
        5h-1 . | ---- .
        ---- c | ---- .
        6-t0 c | ---- .
        7ht1 . | 5h-1 .
        ---- . | ---- c
        .8h-0 c | 6-t0 c
        .---- . | 6-t0 c
        ---- . | 6-t0 c
        ---- . | 7ht1 .
        ---- . | ---- .";

    #[test]
    fn what_enters_leaves_as_it_is() {
        let mut link = LinkPipeline::new(&NetworkConfig::new(1, 2), 3);
        link.connect_all();
        for line in THREE_LONG.trim().lines() {
            let fields: Vec<&str> = line.split_whitespace().collect();
            link.tick.next = !fields[0].starts_with('.');
            let flit = fields[0].trim_start_matches('.').as_bytes();
            let digit = |byte: u8| usize::from(byte.saturating_sub(b'0'));
            link.enters.valid.next = flit[0] != b'-';
            link.enters.head.next = flit[1] == b'h';
            link.enters.tail.next = flit[2] == b't';
            link.enters.destination.next = digit(flit[3]).into();
            for (w, word) in link.enters.payload.iter_mut().enumerate() {
                word.next = (digit(flit[0]) + 0x10 * w).into();
            }
            link.credit_enters.next = fields[1] == "c";
            simulate(&mut link, 100);
            let Flit { valid, head, tail, destination, payload } = &link.leaves;
            let number = payload[0].val().value();
            let mark = |is_so, mark| if is_so { mark } else { '-' };
            let seen = match valid.val() {
                true => {
                    format!("{number}{}{}{}", mark(head.val(), 'h'), mark(tail.val(), 't'), destination.val().value())
                }
                false => "----".into(),
            };
            if valid.val() {
                assert!((0u64..).zip(payload).all(|(w, word)| word.val().value() == number + 0x10 * w), "{line}");
            }
            let credit = if link.credit_leaves.val() { "c" } else { "." };
            assert_eq!([&seen[..], credit], fields[3..5], "{line}");
            tick!(link);
        }
    }
}
