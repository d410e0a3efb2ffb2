//! Which loads will miss, by what loads at their PC did (Turner 2012, section 6.0.2).
//!
//! ```text
//!                  +--------------+
//!  load_entry ---->|              |---> predicted
//!  check_valid --->| MissCounters |
//!  check_entry --->|              |
//!  check_missed -->|              |
//!                  +--------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `load_entry` | e | the low bits of a load's PC |
//! | `predicted` | 1 | loads there mostly miss |
//! | `check_valid`, `check_entry` | 1, e | the memory stage has looked at a load of this PC |
//! | `check_missed` | 1 | the line was not there, whether or not an MSHR was |
//!
//! Latency 0 to what is predicted, 1 from a check. State: a saturating counter for each entry.
//!
//! Counters start at the last value that predicts a hit; a memory starts at zero, so they are kept as their difference from it. A counter predicts a miss from its top bit on.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct MissCounters: clock {
        pub load_entry: Net<In> = entry,
        pub predicted: Signal<Out, Bit>,
        pub check_valid: Signal<In, Bit>,
        pub check_entry: Net<In> = entry,
        pub check_missed: Signal<In, Bit>,

        counters: Memory = Memory::new(bits, 1 << entry, 2, 1, ReadKind::Asynchronous) => {
            read_address[0]: load_entry, read_address[1]: check_entry, write_enable[0]: check_valid, write_address[0]: check_entry,
        },
        counter: Net<Local> = bits,
        next: Net<Local> = bits,
        looked_up: Net<Local> = bits,
        weak_hit: Constant = Constant::new(mask(bits) >> 1, bits),
    }
    /// Of a counter of `bits` for each value of `entry` bits.
    pub fn new(entry: usize, bits: usize) {}
}

impl Logic for MissCounters {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module MissCounters");
        self.looked_up.next = self.counters.read_data[0].val() ^ self.weak_hit.val();
        self.predicted.next = self.looked_up.val() > self.weak_hit.val();
        self.counter.next = self.counters.read_data[1].val() ^ self.weak_hit.val();
        self.next.next = self.counter.val();
        if self.check_missed.val() & !self.counter.val().all() {
            self.next.next = self.counter.val() + 1;
        }
        if !self.check_missed.val() & self.counter.val().any() {
            self.next.next = self.counter.val() - 1;
        }
        self.counters.write_data[0].next = self.next.val() ^ self.weak_hit.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A check a line: `entry` and `h`it or `m`iss | what is predicted for each of two entries.
    fn script(bits: usize, script: &str) {
        let mut unit = MissCounters::new(2, bits);
        unit.connect_all();
        for line in script.trim().lines() {
            let (step, expected) = line.split_once('|').unwrap();
            let step: Vec<&str> = step.split_whitespace().collect();
            unit.check_valid.next = true;
            unit.check_entry.next = step[0].parse::<usize>().unwrap().into();
            unit.check_missed.next = step[1] != "h";
            tick!(unit);
            unit.check_valid.next = false;
            let mut seen = vec![];
            for entry in 0..2 {
                unit.load_entry.next = usize::into(entry);
                simulate(&mut unit, 100);
                seen.push(if unit.predicted.val() { "miss" } else { "hit" });
            }
            assert_eq!(seen, expected.split_whitespace().take(2).collect::<Vec<_>>(), "{line}");
        }
    }

    #[test]
    fn two_bits_start_at_a_weak_hit_and_saturate() {
        script(
            2,
            "
            0 h | hit  hit
            0 m | hit  hit      a strong hit before
            0 m | miss hit
            0 m | miss hit
            0 m | miss hit
            0 h | miss hit      from a strong miss
            0 h | hit  hit
            1 m | hit  miss     another entry
            1 h | hit  hit",
        );
    }

    #[test]
    fn one_bit_is_what_was_last_seen() {
        script(
            1,
            "
            0 m | miss hit
            0 h | hit  hit
            1 m | hit  miss",
        );
    }
}
