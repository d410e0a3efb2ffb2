//! Spaces the accesses to a memory that is slower than the core: one in so many cycles.
//!
//! ```text
//!            +--------------+
//!  access -->| AccessSpacer |---> open
//!            +--------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `open` | 1 | an access may begin |
//! | `access` | 1 | one does; only while `open` |
//!
//! Latency 0. State: cycles until the next access. A core whose interval is 1 has no such part.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct AccessSpacer: clock, reset {
        pub access: Signal<In, Bit>,
        pub open: Signal<Out, Bit>,

        left: Register = Register::new(width),
        closed: Constant = Constant::new(interval as u64 - 1, width),
    }
    /// An access every `interval` cycles, 2 at least.
    pub fn new(interval: usize) {
        let width = index_width(interval);
    }
}

impl Logic for AccessSpacer {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module AccessSpacer");
        dff_setup!(self, clock, left);
        self.open.next = self.left.q.val() == 0;
        if self.left.q.val() != 0 {
            self.left.d.next = self.left.q.val() - 1;
        }
        if self.access.val() {
            self.left.d.next = self.closed.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_access_in_so_many_cycles() {
        for (interval, expected) in [(2, "101010101010"), (3, "100100100100"), (5, "100001000010")] {
            let mut spacer = AccessSpacer::new(interval);
            spacer.connect_all();
            simulate(&mut spacer, 100);
            let mut open = || {
                simulate(&mut spacer, 100);
                let open = spacer.open.val();
                spacer.access.next = open;
                tick!(spacer);
                if open { '1' } else { '0' }
            };
            assert_eq!((0..12).map(|_| open()).collect::<String>(), expected);
        }
    }
}
