//! Keeps a warp that has issued from issuing again too soon.
//!
//! ```text
//!             +-----------------------------------------+
//!  issued --->| 1 slot ago | 2 slots ago | .. (warps)   |---> resting
//!  slot ----->|   (shifts)                              |
//!             +-----------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `slot` | 1 | this cycle is an issue slot, see [`IssueInterval`](super::IssueInterval) |
//! | `issued` | W | the warp that issues in it, one-hot, or none |
//! | `resting` | W | warps that issued in one of the last `warp_interval` - 1 slots |
//!
//! Latency 1. State: `warp_interval` - 1 masks of warps. Where a slot is half a core cycle, since two schedulers take turns in it, each has warps
//! of its own: with an interval of 2 no warp is served by both in one core cycle (Rhu 2014, Table 3.1: two schedulers).
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct WarpInterval: clock, reset {
        pub slot: Signal<In, Bit>,
        pub issued: Net<In> = warps,
        pub resting: Net<Out> = warps,

        /// The warps of the slots before, the latest first.
        earlier: Vec<EnabledRegister> = (1..interval).map(|_| EnabledRegister::new(warps)).collect() => |i| { enable: slot },
    }
    /// Among `warps`, a slot of each in `interval`, of at least 2.
    pub fn new(warps: usize, interval: usize) {}
}

impl Logic for WarpInterval {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module WarpInterval");
        self.resting.next = 0.into();
        for i in 0..self.earlier.len() {
            self.resting.next = self.resting.val() | self.earlier[i].q.val();
        }
        self.earlier[0].d.next = self.issued.val();
        for i in 1..self.earlier.len() {
            self.earlier[i].d.next = self.earlier[i - 1].q.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `slot issued | resting` in each cycle; warps by number, - = none.
    fn check(interval: usize, script: &str) {
        let mut module = WarpInterval::new(4, interval);
        module.connect_all();
        simulate(&mut module, 100);
        for line in script.trim().lines().map(str::trim) {
            let field: Vec<&str> = line.split_whitespace().collect();
            module.slot.next = field[0] == "1";
            module.issued.next = field[1].parse().map_or(0, |warp: usize| 1 << warp).into();
            simulate(&mut module, 100);
            let resting = module.resting.val();
            let resting: String =
                (0..4).filter(|warp| resting.get_bit(*warp)).map(|warp| char::from(b'0' + warp as u8)).collect();
            assert_eq!(if resting.is_empty() { "-" } else { &resting }, field[3], "{line}");
            tick!(module);
        }
    }

    #[test]
    fn a_warp_rests_for_a_slot() {
        check(
            2,
            "1 0 | -
             1 1 | 0
             1 - | 1
             1 2 | -
             0 - | 2
             0 - | 2    no slot: nobody has waited
             1 3 | 2
             1 - | 3
             1 - | -",
        );
    }

    #[test]
    fn nobody_has_waited_between_slots() {
        check(
            3,
            "1 0 | -
             0 - | 0
             1 1 | 0
             0 - | 01
             0 - | 01
             1 - | 01
             1 - | 1
             1 - | -",
        );
    }

    #[test]
    fn or_for_more() {
        check(
            4,
            "1 0 | -
             1 1 | 0
             1 2 | 01
             1 3 | 012
             1 0 | 123
             1 - | 023
             1 - | 03
             1 - | 0
             1 - | -",
        );
    }
}
