//! When a clock domain advances, in cycles of the fastest one.
//!
//! ```text
//!   +------+
//!   | Tick |---> tick
//!   +------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `tick` | 1 | the domain advances at the next edge |
//!
//! Latency 0. State: the phase, less than the fastest frequency.
//!
//! Of every *fastest* cycles the domain has *frequency*, as evenly as cycles allow. It is an enable and no clock: queues between
//! domains need no synchronizers, and equal runs are equal cycle for cycle.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct Tick: clock, reset {
        pub tick: Signal<Out, Bit>,

        phase: Register = Register::new(phase),
        frequency: Constant = Constant::new(frequency as u64, sum),
        fastest: Constant = Constant::new(fastest as u64, sum),
        sum: Net<Local> = sum,
    }
    sizes { _phase = phase, _sum = sum }
    /// Of a domain of this frequency, from 1 to `fastest`, that of the clock; in any unit.
    pub fn new(frequency: usize, fastest: usize) {
        assert!((1..=fastest).contains(&frequency), "a domain has a tick per cycle at most, not {frequency} in {fastest}");
        let (phase, sum) = (index_width(fastest), index_width(2 * fastest));
    }
}

impl Logic for Tick {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Tick");
        dff_setup!(self, clock, phase);
        self.sum.next = bit_cast_to(self.phase.q.val(), self._sum) + self.frequency.val();
        self.tick.next = self.sum.val() >= self.fastest.val();
        self.phase.d.next = bit_cast_to(self.sum.val(), self._phase);
        if self.tick.val() {
            self.phase.d.next = bit_cast_to(self.sum.val() - self.fastest.val(), self._phase);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first cycles, `|` with a tick.
    fn diagram(frequency: usize, fastest: usize, cycles: usize) -> String {
        let mut domain = Tick::new(frequency, fastest);
        domain.connect_all();
        let mut cycle = |_| {
            simulate(&mut domain, 100);
            let ticks = domain.tick.val();
            tick!(domain);
            if ticks { '|' } else { '.' }
        };
        (0..cycles).map(&mut cycle).collect()
    }

    #[test]
    fn ticks_are_spread_evenly() {
        assert_eq!(diagram(1, 1, 4), "||||");
        assert_eq!(diagram(800, 800, 4), "||||");
        assert_eq!(diagram(1, 4, 8), "...|...|");
        assert_eq!(diagram(3, 4, 8), ".|||.|||");
        assert_eq!(diagram(325, 800, 12), "..|.|..|.|..");
        // Every phase of 13 comes once.
        assert_eq!(diagram(5, 13, 14), "..|..|.|..|.|.");
    }

    #[test]
    fn there_are_as_many_as_the_frequency_says() {
        for frequency in [1, 325, 650, 799, 800] {
            assert_eq!(diagram(frequency, 800, 1600).matches('|').count(), 2 * frequency);
        }
    }
}
