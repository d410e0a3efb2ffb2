//! The walk down a stack: the highest entry not seen yet, and what rests above it.
//!
//! ```text
//!                    +------------------------------+
//!  entries --------->| entries not seen --> highest |---> any, index, one_hot
//!  step, passed ---->| of those passed over         |---> above
//!  restart, forget ->|                              |
//!                    +------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `entries` | d | entries of the stack |
//! | `any`, `index`, `one_hot` | 1, i, d | there is one not seen yet; the highest of them |
//! | `step`, `passed` | 1, m | the walk goes on below it; it is passed over, with these threads (0: with none) |
//! | `above` | m | threads of all entries passed over |
//! | `restart`, `forget` | 1 | the walk begins at the top again; what has been passed over is forgotten |
//!
//! Latency 0; the others act at the edge. State: a bit per entry, and `above`.
//!
//! What counts as threads is the stack's to say: lanes of a warp, or the entries that they were split from.
use super::super::HighestEntry;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct StackWalk: clock, reset {
        pub entries: Net<In> = entries,
        pub any: Signal<Out, Bit>,
        pub index: Net<Out> = index_width(entries),
        pub one_hot: Net<Out> = entries,
        pub step: Signal<In, Bit>,
        pub passed: Net<In> = threads,
        pub above: Net<Out> = threads,
        pub restart: Signal<In, Bit>,
        pub forget: Signal<In, Bit>,

        unseen: Register = Register::with_initial(entries, mask(entries)),
        passed_over: Register = Register::new(threads) => { q: above },
        all_entries: Constant = Constant::new(mask(entries), entries),
        highest: HighestEntry = HighestEntry::new(entries) => { any, index, one_hot },
    }
    /// For stacks of `entries` entries (at most 64) whose threads are told by `threads` bits.
    pub fn new(entries: usize, threads: usize) {}
}

impl Logic for StackWalk {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module StackWalk");
        dff_setup!(self, clock, unseen, passed_over);
        self.highest.candidates.next = self.entries.val() & self.unseen.q.val();
        if self.restart.val() {
            self.unseen.d.next = self.all_entries.val();
        } else if self.step.val() {
            self.unseen.d.next = self.highest.below.val();
        }
        if self.forget.val() {
            self.passed_over.d.next = 0.into();
        } else if self.step.val() {
            self.passed_over.d.next = self.passed_over.q.val() | self.passed.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::divergence::cycle_script::{cycles, digits, set};

    /// A line is a cycle: entries of the stack, then `step:THREADS`, `restart`, `again` (without forgetting) or nothing `|` the highest entry not seen, threads above it.
    #[test]
    fn down_and_up_again() {
        let mut walk = StackWalk::new(5, 4);
        walk.connect_all();
        simulate(&mut walk, 1000);
        let script = "
            0134             | 4 -
            0134 step:01     | 4 -
            0134             | 3 01
            0134 step:-      | 3 01   | dropped, or without threads
            0134 step:2      | 1 01
            04               | 0 012
            4                | - 012  | nothing is left
            4 restart        | - 012
            034              | 4 -
            034 step:3       | 4 -
            034 step:3       | 3 3
            034 again        | 0 3
            034              | 4 3
            034 restart      | 4 3
            034              | 4 -";
        for (input, seen) in cycles(script) {
            walk.entries.next = set(input[0]);
            let passed = input.get(1).and_then(|word| word.strip_prefix("step:"));
            walk.step.next = passed.is_some();
            walk.passed.next = set(passed.unwrap_or("-"));
            walk.restart.next = ["restart", "again"].iter().any(|word| input.contains(word));
            walk.forget.next = input.contains(&"restart");
            simulate(&mut walk, 1000);
            let highest = if walk.any.val() { walk.index.val().value().to_string() } else { "-".into() };
            assert_eq!(digits(walk.one_hot.val()), highest);
            assert_eq!([highest, digits(walk.above.val())], seen[..], "{input:?}");
            tick!(walk);
        }
    }
}
