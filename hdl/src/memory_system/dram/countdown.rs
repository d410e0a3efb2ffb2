//! Clocks until something is allowed again: the longest of several rules that other commands have started.
//!
//! ```text
//!            +-----------+
//!  start --->| Countdown |---> over
//!  tick ---->|           |
//!            +-----------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `tick` | 1 | a clock of the command bus passes |
//! | `start` | r | in it, the command is given that starts this rule: what waits is not allowed until as many clocks later as it says |
//! | `over` | 1 | no rule forbids it in this clock |
//!
//! Latency 1. State: the clocks that are left. A rule of 0 clocks or of one never forbids anything.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct Countdown: clock, reset {
        pub tick: Signal<In, Bit>,
        pub start: Net<In> = rules.len(),
        pub over: Signal<Out, Bit>,

        left: Register = Register::new(width),
        /// Less the clock of the command itself.
        waits: Vec<Constant> = rules.iter().map(|clocks| Constant::new(clocks.saturating_sub(1) as u64, width)).collect(),
        longest: Net<Local> = width,
    }
    /// For these rules, each of so many clocks.
    pub fn new(rules: &[usize]) {
        let width = index_width(rules.iter().copied().max().unwrap_or_default().max(2));
    }
}

impl Logic for Countdown {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Countdown");
        dff_setup!(self, clock, left);
        self.over.next = self.left.q.val() == 0;
        self.longest.next = 0.into();
        if self.left.q.val() != 0 {
            self.longest.next = self.left.q.val() - 1;
        }
        for rule in 0..self.waits.len() {
            if self.start.val().get_bit(rule) & (self.waits[rule].val() > self.longest.val()) {
                self.longest.next = self.waits[rule].val();
            }
        }
        if self.tick.val() {
            self.left.d.next = self.longest.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `a`, `b`: the commands that start the rules, `-` none; `.`: no tick. Below, `|` where it is over.
    fn diagram(rules: &[usize], commands: &str) -> String {
        let mut countdown = Countdown::new(rules);
        countdown.connect_all();
        let mut over = |command: char| {
            countdown.tick.next = command != '.';
            countdown.start.next = match command {
                'a' => 1.into(),
                'b' => 2.into(),
                _ => 0.into(),
            };
            simulate(&mut countdown, 100);
            let over = countdown.over.val();
            tick!(countdown);
            if over { '|' } else { ' ' }
        };
        commands.chars().map(&mut over).collect()
    }

    #[test]
    fn the_longest_rule_counts() {
        assert_eq!(diagram(&[3, 5], "a---b-----"), "|  ||    |");
        assert_eq!(diagram(&[3, 5], "b-a-------"), "|    |||||");
        assert_eq!(diagram(&[3, 5], "a-b-------"), "|      |||");
    }

    #[test]
    fn only_clocks_of_the_bus_count() {
        assert_eq!(diagram(&[3, 5], "a.-.--"), "|    |");
    }

    #[test]
    fn short_rules_forbid_nothing() {
        assert_eq!(diagram(&[0, 1], "abab"), "||||");
    }
}
