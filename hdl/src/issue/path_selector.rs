//! Chooses which path of a warp competes in the warp scheduler.
//!
//! ```text
//!                    +--------------+
//!         ready ---->|              |
//!       present ---->| PathSelector |---> grant
//!        accept ---->|              |---> any
//!  long_latency ---->|              |
//!                    +--------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `ready` | P | paths that could issue this cycle |
//! | `present` | P | paths that live and could run |
//! | `accept` | 1 | the granted path issues |
//! | `long_latency` | 1 | what it issues is a load, an atomic or a division |
//! | `grant` | P | the chosen path, one-hot; 0 if none |
//! | `any` | 1 | some path is chosen |
//!
//! Latency 0. One of two variants, chosen at construction. *Free*: the ready paths take turns (the next after the one that issued last; state
//! P bits). *Constrained*: the warp has one entry in the scheduler, and only the *current* path can be chosen. It is determined in the cycle
//! before: the next present path becomes current when the current one has issued an operation of long latency, or is not present
//! (state 2 P bits). Rhu 2014, 3.2.3.
use crate::parts::RoundRobinArbiter;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct PathSelector: clock, reset {
        pub ready: Net<In> = sides,
        pub present: Net<In> = sides,
        pub accept: Signal<In, Bit>,
        pub long_latency: Signal<In, Bit>,
        pub grant: Net<Out> = sides,
        pub any: Signal<Out, Bit>,

        /// Turns of the ready paths; where constrained, of becoming current.
        turns: RoundRobinArbiter = RoundRobinArbiter::new(sides),
        /// Constrained: the current path, one-hot; one, or none.
        current: Vec<Register> = constrained.then(|| Register::with_initial(sides, 1)).into_iter().collect(),
        rotate: Signal<Local, Bit>,
    }
    /// For a warp of `sides` paths.
    pub fn new(sides: usize, constrained: bool) {}
}

impl Logic for PathSelector {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module PathSelector");
        self.turns.request.next = self.ready.val();
        self.turns.accept.next = self.accept.val();
        self.grant.next = self.turns.grant.val();
        self.rotate.next = false;
        for p in 0..self.current.len() {
            self.rotate.next =
                (self.accept.val() & self.long_latency.val()) | !(self.present.val() & self.current[p].q.val()).any();
            self.turns.request.next = self.present.val() & !self.current[p].q.val();
            self.turns.accept.next = self.rotate.val();
            self.current[p].d.next = self.current[p].q.val();
            if self.rotate.val() & self.turns.any.val() {
                self.current[p].d.next = self.turns.grant.val();
            }
            self.grant.next = self.ready.val() & self.current[p].q.val();
        }
        self.any.next = self.grant.val().any();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One line a cycle: `ready present accept long_latency | grant`, path 0 on the right.
    fn run(sides: usize, constrained: bool, script: &str) {
        let mut selector = PathSelector::new(sides, constrained);
        selector.connect_all();
        simulate(&mut selector, 1000);
        for line in script.trim().lines().map(str::trim) {
            let field: Vec<&str> = line.split_whitespace().collect();
            let bits = |text: &str| Word::from(usize::from_str_radix(text, 2).unwrap());
            selector.ready.next = bits(field[0]);
            selector.present.next = bits(field[1]);
            selector.accept.next = field[2] == "1";
            selector.long_latency.next = field[3] == "1";
            simulate(&mut selector, 1000);
            let grant = selector.grant.val();
            assert_eq!(format!("{:0sides$b}", grant.value()), field[5], "{line}");
            assert_eq!(selector.any.val(), grant.any(), "{line}");
            tick!(selector);
        }
    }

    #[test]
    fn ready_paths_take_turns() {
        run(
            2,
            false,
            "00 11 0 0 | 00
             11 11 1 0 | 01
             11 11 1 1 | 10
             11 11 0 0 | 01   another warp issues:
             11 11 1 0 | 01   offered again
             01 11 1 0 | 01   the other is not ready
             10 10 1 0 | 10
             11 11 1 0 | 01",
        );
        run(
            4,
            false,
            "1011 1111 1 0 | 0001
             1011 1111 1 0 | 0010
             1011 1111 1 0 | 1000
             1011 1111 1 0 | 0001",
        );
    }

    #[test]
    fn constrained_stays_until_an_operation_of_long_latency() {
        run(
            2,
            true,
            "11 11 1 0 | 01
             11 11 1 0 | 01   no turns
             10 11 0 0 | 00   only the current path can be ready
             11 11 0 1 | 01   a load that does not issue
             11 11 1 1 | 01   a load:
             11 11 1 0 | 10   the other path is current
             11 11 1 1 | 10
             01 01 1 1 | 01   no other path is present:
             01 01 1 0 | 01   it stays",
        );
    }

    #[test]
    fn constrained_leaves_a_path_that_is_not_present() {
        run(
            2,
            true,
            "10 10 0 0 | 00   path 0 ended; determined in the cycle before:
             10 10 1 0 | 10
             00 00 0 0 | 00   nobody is present
             10 10 1 0 | 10   nothing has changed
             01 01 0 0 | 00
             11 11 1 0 | 01",
        );
    }

    #[test]
    fn constrained_takes_turns_among_several() {
        run(
            4,
            true,
            "1101 1101 1 1 | 0001
             1101 1101 1 1 | 0100
             1101 1101 1 1 | 1000
             1101 1101 1 1 | 0001
             1010 1010 0 0 | 0000
             1010 1010 1 1 | 1000
             1010 1010 1 1 | 0010",
        );
    }
}
