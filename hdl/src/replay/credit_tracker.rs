//! How many MSHRs are free for those that will need one, instructions under way counted in (Turner 2012, section 6.0.1).
//!
//! ```text
//!                    +---------------+
//!  issues ---------->|               |
//!  returns --------->| CreditTracker |---> any
//!  takes ----------->|               |---> credit
//!  frees ----------->|               |
//!                    +---------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `issues` | 1 | a load that is to need an MSHR is issued, and takes a credit with it |
//! | `returns` | 1 | the memory stage has looked at one with a credit, and it took none: it hit, or failed |
//! | `takes` | 1 | one without a credit took one |
//! | `frees` | 1 | an MSHR is free again |
//! | `any` | 1 | there is a credit: such a load may be issued |
//! | `credit` | c | in two's complement: negative while more was taken without credits than there was |
//!
//! Latency 1. State: the count.
//!
//! At any time the credits are the MSHRs less those that are busy, less those instructions under way that have one: all of them when nothing is under way.
use crate::prelude::*;

/// Width of the credits of so many MSHRs, with at most so many looks under way.
pub fn credit_width(mshrs: usize, looks: usize) -> usize {
    index_width(mshrs.max(looks) + 1) + 1
}

module! {
    /// See the [module documentation](self).
    pub struct CreditTracker: clock, reset {
        pub issues: Signal<In, Bit>,
        pub returns: Signal<In, Bit>,
        pub takes: Signal<In, Bit>,
        pub frees: Signal<In, Bit>,
        pub any: Signal<Out, Bit>,
        pub credit: Net<Out> = width,

        held: Register = Register::with_initial(width, mshrs as u64) => { q: credit },
        /// What comes back, and what goes.
        back: Net<Local> = width,
        away: Net<Local> = width,
        most: Constant = Constant::new(mask(width - 1), width),
    }
    sizes { _width = width }
    /// Of so many MSHRs, with at most so many looks under way.
    pub fn new(mshrs: usize, looks: usize) {
        let width = credit_width(mshrs, looks);
    }
}

impl Logic for CreditTracker {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module CreditTracker");
        self.any.next = self.held.q.val().any() & (self.held.q.val() <= self.most.val());
        self.back.next = bit_cast_to(self.returns.val(), self._width) + bit_cast_to(self.frees.val(), self._width);
        self.away.next = bit_cast_to(self.issues.val(), self._width) + bit_cast_to(self.takes.val(), self._width);
        self.held.d.next = self.held.q.val() + self.back.val() - self.away.val();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MSHRS: usize = 2;
    const LOOKS: usize = 4;

    fn credit(unit: &CreditTracker) -> i64 {
        let width = unit.credit.width();
        (unit.credit.val().value() << (64 - width)) as i64 >> (64 - width)
    }

    #[test]
    fn nothing_is_promised_at_zero_or_below() {
        let config = CoreConfig::tiny();
        let mut unit = CreditTracker::new(config.mshrs, config.loads_promised());
        unit.connect_all();
        simulate(&mut unit, 100);
        unit.takes.next = true;
        let least = -(1 << (unit.credit.width() - 1));
        for expected in (least..=config.mshrs as i64).rev() {
            assert_eq!((credit(&unit), unit.any.val()), (expected, expected > 0));
            tick!(unit);
        }
    }

    proptest! {
        /// With two MSHRs and four instructions under way: `issues`, whether with a credit; a look at the oldest, whether it would hit; an MSHR is freed.
        #[test]
        fn credits_are_what_is_neither_busy_nor_promised(steps in prop::collection::vec(any::<[bool; 5]>(), 80)) {
            let mut unit = CreditTracker::new(MSHRS, LOOKS);
            unit.connect_all();
            simulate(&mut unit, 100);
            // Whether those under way have a credit, and those that an MSHR is busy with.
            let (mut under_way, mut busy) = (std::collections::VecDeque::new(), 0);
            for [issues, with_credit, looks, hits, frees] in steps {
                let promised = under_way.iter().filter(|credit| **credit).count();
                prop_assert_eq!(credit(&unit), MSHRS as i64 - busy as i64 - promised as i64);
                prop_assert_eq!(unit.any.val(), credit(&unit) > 0);
                let issues = issues && under_way.len() < LOOKS && (!with_credit || unit.any.val());
                let look = if looks { under_way.pop_front() } else { None };
                let took = look.is_some() && !hits && busy < MSHRS;
                let frees = frees && busy > 0;
                unit.issues.next = issues && with_credit;
                unit.returns.next = look == Some(true) && !took;
                unit.takes.next = look == Some(false) && took;
                unit.frees.next = frees;
                tick!(unit);
                under_way.extend(issues.then_some(with_credit));
                busy += usize::from(took);
                busy -= usize::from(frees);
            }
        }
    }
}
