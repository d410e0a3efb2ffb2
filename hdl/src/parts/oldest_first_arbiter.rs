//! Grants the requester that has waited longest since it was last renewed.
//!
//! ```text
//!                  +--------------------+
//!      request --->|                    |---> grant   one-hot, zero when nothing requests
//!  renew_valid --->| OldestFirstArbiter |---> any
//!  renew_index --->|                    |
//!                  +--------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `request` | n | bit *i*: requester *i* wants the slot this cycle |
//! | `renew_valid`, `renew_index` | 1, index of n | at the edge this requester becomes the youngest |
//! | `grant` | n | one-hot: the oldest requester (combinational) |
//! | `any` | 1 | some requester has it |
//!
//! Latency 0. State: an age matrix, n words of n bits: bit *j* of row *i* says that *j* is older than *i*.
//! At start lower numbers are older.
//!
//! The "oldest" of greedy-then-oldest scheduling. A matrix instead of time stamps: no counter can wrap, and a grant is one
//! and-reduction per requester whatever their number.
use super::OldestFirstRow;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct OldestFirstArbiter: clock, reset {
        pub request: Net<In> = requesters,
        pub renew_valid: Signal<In, Bit>,
        pub renew_index: Net<In> = index_width(requesters),
        pub grant: Net<Out> = requesters,
        pub any: Signal<Out, Bit>,

        rows: Vec<OldestFirstRow> = (0..requesters).map(|_| OldestFirstRow::new(requesters)).collect() => |i| {
            order: order[i], request, renewed,
        },
        /// Row *i*: lower numbers are older at start.
        order: Vec<Constant> = (0..requesters).map(|i| Constant::new((1 << i) - 1, requesters)).collect(),
        one: Net<Local> = requesters,
        renewed: Net<Local> = requesters,
    }
    /// An arbiter for 1 to 64 `requesters`.
    pub fn new(requesters: usize) {}
}

impl Logic for OldestFirstArbiter {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module OldestFirstArbiter");
        self.one.next = 1.into();
        self.renewed.next = 0.into();
        if self.renew_valid.val() {
            self.renewed.next = self.one.val() << self.renew_index.val();
        }
        self.grant.next = 0.into();
        for i in 0..self.rows.len() {
            self.rows[i].requesting.next = self.request.val().get_bit(i);
            self.rows[i].renewing.next = self.renewed.val().get_bit(i);
            self.grant.next = self.grant.val().replace_bit(i, self.rows[i].granted.val());
        }
        self.any.next = self.request.val().any();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One line a cycle: `request renew | grant`; renew `-` is none.
    const AGES: &str = "
        0000 - | 0000
        1111 - | 0001   lower numbers start older
        1111 0 | 0001   0 becomes the youngest
        1111 - | 0010
        1001 1 | 1000   1 younger still
        0011 - | 0001   0 before 1
        1111 2 | 0100
        1111 - | 1000   3 was never renewed
        0101 - | 0001";

    #[test]
    fn the_oldest_wins() {
        let mut arbiter = OldestFirstArbiter::new(4);
        arbiter.connect_all();
        simulate(&mut arbiter, 1000);
        for line in AGES.trim().lines().map(str::trim) {
            let (request, renew, grant) = (&line[0..4], &line[5..6], &line[9..13]);
            arbiter.request.next = usize::from_str_radix(request, 2).unwrap().into();
            arbiter.renew_valid.next = renew != "-";
            arbiter.renew_index.next = renew.parse::<usize>().unwrap_or(0).into();
            simulate(&mut arbiter, 1000);
            assert_eq!(format!("{:04b}", arbiter.grant.val().value()), grant, "{line}");
            for _ in 0..2 {
                arbiter.clock.next = !arbiter.clock.val();
                simulate(&mut arbiter, 1000);
            }
        }
    }
}
