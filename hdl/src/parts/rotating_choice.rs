//! The next requester of a round: the lowest one that the round has not passed, else the lowest.
//!
//! ```text
//!               +------------------------------------+
//!  request ---->|--- not passed ---> PrefixOr --+    |---> grant
//!   passed ---->|                               |--> |
//!               +--- all ----------> PrefixOr --+    |---> through
//!               +------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `request` | n | who wants |
//! | `passed` | n | thermometer code: bit *i*, the round is past requester *i* |
//! | `grant` | n | one-hot: who is chosen; zero if nobody wants |
//! | `through` | n | thermometer code: those up to the one chosen, which the round will have passed; all if nobody wants |
//!
//! Latency 0. Two prefix trees side by side instead of a rotation, so that the depth is log2 n and no barrel shifter is needed in
//! either direction.
use super::PrefixOr;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct RotatingChoice {
        pub request: Net<In> = requesters,
        pub passed: Net<In> = requesters,
        pub grant: Net<Out> = requesters,
        pub through: Net<Out> = requesters,

        ahead: Net<Local> = requesters,
        from_ahead: PrefixOr = PrefixOr::new(requesters) => { value: ahead },
        from_any: PrefixOr = PrefixOr::new(requesters) => { value: request },
        candidates: Net<Local> = requesters,
        beyond: Net<Local> = requesters,
    }
    /// Among 1 to 64 `requesters`.
    pub fn new(requesters: usize) {}
}

impl Logic for RotatingChoice {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module RotatingChoice");
        self.ahead.next = self.request.val() & !self.passed.val();
        self.candidates.next = self.request.val();
        self.beyond.next = self.from_any.reached.val() << 1;
        if self.ahead.val().any() {
            self.candidates.next = self.ahead.val();
            self.beyond.next = self.from_ahead.reached.val() << 1;
        }
        self.grant.next = self.candidates.val() & !self.beyond.val();
        self.through.next = !self.beyond.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ahead_before_behind() {
        let mut unit = RotatingChoice::new(4);
        unit.connect_all();
        for (request, passed, grant, through) in [
            (0b1111, 0b0000, 0b0001, 0b0001),
            (0b1111, 0b0001, 0b0010, 0b0011),
            (0b1001, 0b0001, 0b1000, 0b1111),
            (0b0011, 0b0011, 0b0001, 0b0001),
            (0b0100, 0b1111, 0b0100, 0b0111),
            (0b0000, 0b0011, 0b0000, 0b1111),
        ] {
            (unit.request.next, unit.passed.next) = (usize::into(request), usize::into(passed));
            simulate(&mut unit, 10);
            let seen = (unit.grant.val().index(), unit.through.val().index());
            assert_eq!(seen, (grant, through), "{request:04b} after {passed:04b}");
        }
    }
}
