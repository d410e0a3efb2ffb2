//! The load that has failed so often that all others wait for it: so that no load is overtaken for ever.
//!
//! ```text
//!                       +------------+
//!  under_way ---------->|            |---> golden
//!  check_valid, _warp ->| GoldenLoad |---> withheld
//!  check_slot, _took -->|            |
//!                       +------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `under_way` | W | these warps have loads that are not done |
//! | `check_valid`, `check_warp`, `check_slot` | 1, w, s | the memory stage has looked at this load |
//! | `check_took` | 1 | and some of its threads are done for that |
//! | `golden` | 1 | there is a golden load |
//! | `withheld` | W | these warps issue no memory instruction: all but its own |
//!
//! Latency 1. State: the warp whose turn it is, the slot that is watched, and how often it has failed.
//!
//! Oldest first in a warp, and whatever the scheduler does among them, do not keep a load from coming always when others have just taken what was free. Here each warp has its turn to be watched:
//! the first of its loads that fails is, until it gets something, and the turn passes on, also if the warp has none under way. If it fails `after` times in a row, nobody else's memory instructions issue until it has got something:
//! what is under way ends, because memory answers whatever it has been asked, and leaves MSHRs, places in the queue and lines to it alone. So each load gets something in the end.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct GoldenLoad: clock, reset {
        pub under_way: Net<In> = warps,
        pub check_valid: Signal<In, Bit>,
        pub check_warp: Net<In> = warp,
        pub check_slot: Net<In> = slot,
        pub check_took: Signal<In, Bit>,
        pub golden: Signal<Out, Bit>,
        pub withheld: Net<Out> = warps,

        turn: Register = Register::new(warp),
        watches: StateRegister<Bit>,
        slot: Register = Register::new(slot),
        failed: Register = Register::new(count),
        all: Constant = Constant::new(after as u64, count),
        last: Constant = Constant::new(warps as u64 - 1, warp),
        /// The look is at the load that is watched, or may be from now on.
        relevant: Signal<Local, Bit>,
        passes: Signal<Local, Bit>,
        mine: Net<Local> = warps,
    }
    sizes { _warps = warps }
    /// Of so many `warps` with so many `slots`; golden `after` so many failures in a row.
    pub fn new(warps: usize, slots: usize, after: usize) {
        let (warp, slot, count) = (index_width(warps), index_width(slots), index_width(after + 1));
    }
}

impl Logic for GoldenLoad {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module GoldenLoad");
        self.golden.next = self.failed.q.val() == self.all.val();
        self.mine.next = 0.into();
        for i in 0..self._warps {
            self.mine.next = self.mine.val().replace_bit(i, self.turn.q.val() == i);
        }
        self.withheld.next = 0.into();
        if self.golden.val() {
            self.withheld.next = !self.mine.val();
        }

        self.relevant.next = self.check_valid.val()
            & (self.check_warp.val() == self.turn.q.val())
            & (!self.watches.q.val() | (self.check_slot.val() == self.slot.q.val()));
        self.passes.next =
            !(self.under_way.val() & self.mine.val()).any() | (self.relevant.val() & self.check_took.val());

        self.turn.d.next = self.turn.q.val();
        self.watches.d.next = self.watches.q.val();
        self.slot.d.next = self.slot.q.val();
        self.failed.d.next = self.failed.q.val();
        if self.passes.val() {
            self.watches.d.next = false;
            self.failed.d.next = 0.into();
            // While nothing is under way anywhere it rests.
            if self.under_way.val().any() {
                self.turn.d.next = self.turn.q.val() + 1;
                if self.turn.q.val() == self.last.val() {
                    self.turn.d.next = 0.into();
                }
            }
        } else if self.relevant.val() {
            self.watches.d.next = true;
            self.slot.d.next = self.check_slot.val();
            if !self.golden.val() {
                self.failed.d.next = self.failed.q.val() + 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cycle a line: warps with loads under way, of warps 0, 1, 2; a look at `warp.slot`, which `+` took something or `-` not | withheld.
    const TURNS: &str = "
        ...  .    | ...    the turn rests at warp 0
        .b.  .    | ...    and passes: warp 0 has none
        .bc  1.2- | ...    warp 1's load of slot 2 is watched
        .bc  2.0- | ...    another's
        .bc  1.3- | ...    another load of the same warp
        .bc  1.2- | ...
        .bc  1.3+ | ...
        .bc  1.2- | ...    the third time
        .bc  .    | a.c
        .bc  2.0+ | a.c    what was under way
        .bc  1.2- | a.c
        .bc  1.2+ | a.c    it got something: warp 2's turn
        .bc  1.2- | ...
        .bc  2.1- | ...
        .bc  2.1- | ...
        .bc  2.1+ | ...    without any help
        .bc  2.1- | ...    warp 0's turn, which has none
        .bc  1.2- | ...    warp 1's
        .bc  1.2- | ...
        .bc  1.2- | ...
        ..c  .    | a.c    what is watched can only end by a look
        ..c  .    | ...";

    #[test]
    fn who_fails_three_times_in_a_row_is_waited_for() {
        let mut unit = GoldenLoad::new(3, 4, 3);
        unit.connect_all();
        simulate(&mut unit, 100);
        for line in TURNS.trim().lines() {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let warps = |text: &str| (0..3).filter(|i| text.as_bytes()[*i] != b'.').fold(0u64, |all, i| all | 1 << i);
            unit.under_way.next = Word::new(warps(fields[0]), 3);
            let look: Vec<u64> = fields[1].chars().filter_map(|c| c.to_digit(10)).map(u64::from).collect();
            unit.check_valid.next = !look.is_empty();
            unit.check_warp.next = Word::new(look.first().copied().unwrap_or(0), 2);
            unit.check_slot.next = Word::new(look.get(1).copied().unwrap_or(0), 2);
            unit.check_took.next = fields[1].ends_with('+');
            simulate(&mut unit, 100);
            assert_eq!(unit.withheld.val().value(), warps(fields[3]), "{line}");
            tick!(unit);
        }
    }
}
