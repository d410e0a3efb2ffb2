//! Grants one of the requesters per cycle, starting after the one granted last.
//!
//! ```text
//!              +---------------------+
//!  request --->|                     |---> grant   one-hot, zero when nothing requests
//!    accept -->| RoundRobinArbiter   |---> any
//!              +---------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `request` | n | bit *i*: requester *i* wants the slot this cycle |
//! | `accept` | 1 | the grant is taken: the pointer moves past it at the clock edge |
//! | `grant` | n | one-hot: who has the slot this cycle (combinational) |
//! | `any` | 1 | some requester has it |
//!
//! Latency 0; state: one bit per requester (`not_above_last`, a thermometer code).
//! Loose round robin of the warp scheduler, Fung & Aamodt 2011, Table 2.
//!
//! The choice is a [`RotatingChoice`].
use super::RotatingChoice;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct RoundRobinArbiter: clock, reset {
        pub request: Net<In> = requesters,
        pub accept: Signal<In, Bit>,
        pub grant: Net<Out> = requesters,
        pub any: Signal<Out, Bit>,

        /// Bit *i*: requester *i* is at or below the one granted last.
        not_above_last: Register = Register::new(requesters),
        choice: RotatingChoice = RotatingChoice::new(requesters) => { request, passed: not_above_last.q, grant },
    }
    /// An arbiter for 1 to 64 `requesters`.
    pub fn new(requesters: usize) {}
}

impl Logic for RoundRobinArbiter {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module RoundRobinArbiter");
        dff_setup!(self, clock, not_above_last);

        self.any.next = self.request.val().any();

        if self.accept.val() & self.any.val() {
            self.not_above_last.d.next = self.choice.through.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One line a cycle: `request accept | grant`, bit 0 on the right.
    const ROTATES_AND_SKIPS: &str = "
        0000 1 | 0000
        1111 1 | 0001
        1111 1 | 0010
        1001 1 | 1000
        1001 0 | 0001   not accepted:
        1001 1 | 0001   offered again
        0001 1 | 0001   alone: every cycle
        1110 1 | 0010";

    #[test]
    fn rotates_and_skips() {
        let mut arbiter = RoundRobinArbiter::new(4);
        arbiter.connect_all();
        simulate(&mut arbiter, 1000);
        for line in ROTATES_AND_SKIPS.trim().lines().map(str::trim) {
            let (request, accept, grant) = (&line[0..4], &line[5..6], &line[9..13]);
            arbiter.request.next = usize::from_str_radix(request, 2).unwrap().into();
            arbiter.accept.next = accept == "1";
            simulate(&mut arbiter, 1000);
            assert_eq!(format!("{:04b}", arbiter.grant.val().value()), grant, "{line}");
            for _ in 0..2 {
                arbiter.clock.next = !arbiter.clock.val();
                simulate(&mut arbiter, 1000);
            }
        }
    }
}
