//! How many threads a sub-warp is of, and how many sub-warps its instruction would take if any thread could go into any lane: for the counters.
//!
//! ```text
//!                                        +-----------------------------------------+
//!  waiting[L] ------------------------->|--> Popcount x L --[.]--> sum --+         |
//!  issue_valid, issue_warp, lanes ----->|                                +--> ...  |---> events   (OPERAND stage)
//!  last, at_once, by_row -------------->|--> begun --------[.]-----------+         |
//!                                        +-----------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `waiting[L]` | W | threads of the large warp whose sub-warp is chosen that have not issued |
//! | `issue_valid`, `issue_warp` | 1, w | it issues |
//! | `lanes` | L | the sub-warp's |
//! | `last` | 1 | no thread of the instruction is left behind it |
//! | `at_once`, `by_row` | 1 | it stands for all threads; it is a row |
//! | `events` | | see [`SubWarpEvents`] |
//!
//! Latency 1. State: a bit per large warp, and the counts of a cycle. The ideal is the thesis' perfect register file: Narasiman 2014, Fig 5.4.
use crate::interface::SubWarpEvents;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct SubWarpThreads: clock, reset {
        pub waiting: Vec<Net<In>> = Net::vec(lanes, warps),
        pub issue_valid: Signal<In, Bit>,
        pub issue_warp: Net<In> = w,
        pub lanes: Net<In> = lanes,
        pub last: Signal<In, Bit>,
        pub at_once: Signal<In, Bit>,
        pub by_row: Signal<In, Bit>,
        pub events: SubWarpEvents<Out> = SubWarpEvents::new(warps),

        in_lane: Vec<Popcount> = (0..lanes).map(|_| Popcount::new(warps)).collect() => |lane| { value: waiting[lane] },
        counted: Vec<Flop> = Flop::vec(lanes, index_width(warps + 1)) => |lane| { d: in_lane[lane].count },
        of_sub_warp: Popcount = Popcount::new(lanes) => { value: lanes },
        packed_threads: Flop = Flop::new(index_width(lanes + 1)) => { d: of_sub_warp.count },
        issued: StateRegister<Bit> => { d: issue_valid },
        was_once: StateRegister<Bit> => { d: at_once },
        was_row: StateRegister<Bit> => { d: by_row },
        was_first: StateRegister<Bit>,
        /// By large warp: a sub-warp of its instruction has issued, and not all.
        begun: Register = Register::new(warps),
        one_warp: Constant = Constant::new(1, warps),
        rounding: Constant = Constant::new(lanes as u64 - 1, total),
        lanes_log2: Constant = Constant::new(lanes.ilog2() as u64, total),
        issue_bit: Net<Local> = warps,
        in_this: Net<Local> = index_width(warps + 1),
        all: Net<Local> = total,
    }
    sizes { _total = total, _ideal = index_width(warps + 1) }
    /// For `warps` warps of `lanes` threads.
    pub fn new(lanes: usize, warps: usize) {
        let (w, total) = (index_width(warps), index_width(lanes * warps + 1));
    }
}

impl Logic for SubWarpThreads {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module SubWarpThreads");
        dff_setup!(self, clock, begun, was_first);
        self.issue_bit.next = self.one_warp.val() << self.issue_warp.val();
        self.was_first.d.next = !(self.begun.q.val() & self.issue_bit.val()).any();
        if self.issue_valid.val() {
            self.begun.d.next = self.begun.q.val() | self.issue_bit.val();
            if self.last.val() {
                self.begun.d.next = self.begun.q.val() & !self.issue_bit.val();
            }
        }

        self.all.next = 0.into();
        for lane in 0..self.counted.len() {
            self.in_this.next = self.counted[lane].q.val();
            self.all.next = self.all.val() + bit_cast_to(self.in_this.val(), self._total);
        }
        self.events.threads.next = bit_cast_to(self.packed_threads.q.val(), 64);
        if self.was_once.q.val() {
            self.events.threads.next = bit_cast_to(self.all.val(), 64);
        }
        self.events.at_once.next = self.issued.q.val() & self.was_once.q.val();
        self.events.row.next = self.issued.q.val() & self.was_row.q.val();
        self.events.packed.next = self.issued.q.val() & !self.was_once.q.val() & !self.was_row.q.val();
        self.events.ideal.next = 0.into();
        if self.events.packed.val() & self.was_first.q.val() {
            self.events.ideal.next =
                bit_cast_to((self.all.val() + self.rounding.val()) >> self.lanes_log2.val(), self._ideal);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two large warps of four lanes, of eight warps: a line is a sub-warp: large warp, how many threads wait, how many issue, `once` or `row`, `last`
    /// `|` threads, what it is, ideal number of sub-warps of its instruction if it is the first of them.
    const SUB_WARPS: &str = "
        0 9 4           | 4  packed 3
        4 9 1 row       | 1  row    0
        0 5 4           | 4  packed 0
        4 8 4 row last  | 4  row    0
        4 4 2           | 2  packed 1
        0 1 1 last      | 1  packed 0
        4 2 2 last      | 2  packed 0
        0 32 4 once last| 32 once   0
        0 32 4          | 4  packed 8
        4 1 1 last      | 1  packed 1";

    #[test]
    fn a_jump_is_of_all_threads_and_the_first_sub_warp_says_what_would_be_ideal() {
        let mut unit = SubWarpThreads::new(4, 8);
        unit.connect_all();
        simulate(&mut unit, 1000);
        for line in SUB_WARPS.trim().lines().map(str::trim) {
            let (input, seen) = line.split_once('|').unwrap();
            let words: Vec<&str> = input.split_whitespace().collect();
            let number = |i: usize| words[i].parse::<usize>().unwrap();
            for lane in 0..4 {
                let threads = (number(1) + 3 - lane) / 4;
                unit.waiting[lane].next = ((1usize << threads) - 1).into();
            }
            unit.issue_valid.next = true;
            unit.issue_warp.next = number(0).into();
            unit.lanes.next = ((1usize << number(2)) - 1).into();
            unit.last.next = words.contains(&"last");
            unit.at_once.next = words.contains(&"once");
            unit.by_row.next = words.contains(&"row");
            simulate(&mut unit, 1000);
            tick!(unit);
            unit.issue_valid.next = false;
            simulate(&mut unit, 1000);
            let events = &unit.events;
            let kinds = [(events.packed.val(), "packed"), (events.row.val(), "row"), (events.at_once.val(), "once")];
            let kinds: Vec<&str> = kinds.iter().filter(|kind| kind.0).map(|kind| kind.1).collect();
            let found = format!("{} {} {}", events.threads.val().value(), kinds.join(" "), events.ideal.val().value());
            assert_eq!(found, seen.split_whitespace().collect::<Vec<_>>().join(" "), "{line}");
            tick!(unit);
        }
    }
}
