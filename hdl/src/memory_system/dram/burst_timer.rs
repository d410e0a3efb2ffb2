//! When the data of a burst are on the bus: some clocks after its command, for some clocks.
//!
//! ```text
//!            +------------+
//!  start --->| BurstTimer |---> beats
//!  tick ---->|            |---> last
//!            +------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `tick` | 1 | a clock of the command bus passes |
//! | `start` | 1 | the command is given in this clock |
//! | `beats` | n | this clock of the bus carries this part of a burst (one-hot, or 0) |
//! | `last` | 1 | it is the last of its burst |
//!
//! Latency: that of the command. State: a bit for each clock in which it may have been given.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct BurstTimer: clock, reset {
        pub tick: Signal<In, Bit>,
        pub start: Signal<In, Bit>,
        pub beats: Net<Out> = beats,
        pub last: Signal<Out, Bit>,

        given: Register = Register::new(clocks),
        first_beat: Constant = Constant::new(latency as u64 - 1, 6),
        last_beat: Constant = Constant::new(clocks as u64 - 1, 6),
    }
    sizes { _beats = beats, _clocks = clocks }
    /// Of bursts of so many beats, so many clocks after the command.
    pub fn new(latency: usize, beats: usize) {
        let clocks = latency + beats - 1;
        assert!(latency > 0 && clocks <= 64, "a burst is over 1 to 64 clocks after its command, not {clocks}");
    }
}

impl Logic for BurstTimer {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module BurstTimer");
        self.given.d.next = self.given.q.val();
        if self.tick.val() {
            self.given.d.next = (self.given.q.val() << 1) | bit_cast_to(self.start.val(), self._clocks);
        }
        self.beats.next = bit_cast_to(self.given.q.val() >> self.first_beat.val(), self._beats);
        self.last.next = (self.given.q.val() >> self.last_beat.val()).any();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `s`: the command is given, `.`: no tick. Below, the beat in each clock.
    fn diagram(latency: usize, beats: usize, starts: &str) -> String {
        let mut timer = BurstTimer::new(latency, beats);
        timer.connect_all();
        let mut step = |start: char| {
            timer.tick.next = start != '.';
            timer.start.next = start == 's';
            simulate(&mut timer, 100);
            let beats = timer.beats.val().value();
            tick!(timer);
            match beats {
                0 => ' ',
                one_hot => char::from_digit(one_hot.trailing_zeros(), 10).unwrap(),
            }
        };
        starts.chars().map(&mut step).collect()
    }

    #[test]
    fn data_come_after_the_latency() {
        assert_eq!(diagram(3, 2, "s-----"), "   01 ");
        assert_eq!(diagram(3, 2, "s-s----"), "   0101");
        assert_eq!(diagram(1, 4, "s-----"), " 0123 ");
        assert_eq!(diagram(2, 1, "ss---"), "  00 ");
    }

    #[test]
    fn only_clocks_of_the_bus_count() {
        assert_eq!(diagram(3, 2, "s.--.--"), "    001");
    }
}
