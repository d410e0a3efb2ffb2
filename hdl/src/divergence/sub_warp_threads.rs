//! How many threads a jump is of, and how many sub-warps an instruction would take if any thread could go into any lane: for the counters.
//!
//! ```text
//!                                         +-----------------------------------------+
//!  pending[L] --------------------------->|--> Popcount x W --[.]--> sum of --+     |
//!  candidates --------------------------->|------------------[.]--> these     +-->  |---> events   (OPERAND stage)
//!  issue_*, last, at_once, by_row ------->|------------------[.]--> begun ----+     |
//!                                         +-----------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `pending[L]` | W | threads that have not issued |
//! | `candidates` | W | the rows of the large warp whose sub-warp is chosen |
//! | `issue_valid`, `issue_warp` | 1, w | it issues |
//! | `last` | 1 | no thread of the instruction is left behind it |
//! | `at_once`, `by_row` | 1 | it stands for all threads; it is a row |
//! | `events` | | see [`SubWarpEvents`] |
//!
//! Latency 1. State: a bit per large warp, and the counts of a cycle. Threads are counted row by row, of all large warps, and the rows of the one that issues
//! are added up in the next cycle: nothing is counted behind the scheduler's choice. The ideal is the thesis' perfect register file: Narasiman 2014, Fig 5.4.
use crate::interface::SubWarpEvents;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct SubWarpThreads: clock, reset {
        pub pending: Vec<Net<In>> = Net::vec(lanes, warps),
        pub candidates: Net<In> = warps,
        pub issue_valid: Signal<In, Bit>,
        pub issue_warp: Net<In> = w,
        pub last: Signal<In, Bit>,
        pub at_once: Signal<In, Bit>,
        pub by_row: Signal<In, Bit>,
        pub events: SubWarpEvents<Out> = SubWarpEvents::new(warps),

        in_row: Vec<Popcount> = (0..warps).map(|_| Popcount::new(lanes)).collect() => |row| { value: of_row[row] },
        counted: Vec<Flop> = Flop::vec(warps, index_width(lanes + 1)) => |row| { d: in_row[row].count },
        rows: Flop = Flop::new(warps) => { d: candidates },
        issued: StateRegister<Bit> => { d: issue_valid },
        issued_warp: Flop = Flop::new(w) => { d: issue_warp },
        was_last: StateRegister<Bit> => { d: last },
        was_once: StateRegister<Bit> => { d: at_once },
        was_row: StateRegister<Bit> => { d: by_row },
        /// By large warp: a sub-warp of its instruction has issued, and not all.
        begun: Register = Register::new(warps),
        one_warp: Constant = Constant::new(1, warps),
        rounding: Constant = Constant::new(lanes as u64 - 1, total),
        lanes_log2: Constant = Constant::new(lanes.ilog2() as u64, total),
        /// By row: its lanes whose threads have not issued.
        of_row: Vec<Net<Local>> = Net::vec(warps, lanes),
        issued_bit: Net<Local> = warps,
        in_this: Net<Local> = index_width(lanes + 1),
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
        dff_setup!(self, clock, begun);
        for row in 0..self.of_row.len() {
            self.of_row[row].next = 0.into();
            for lane in 0..self.pending.len() {
                self.of_row[row].next = self.of_row[row].val().replace_bit(lane, self.pending[lane].val().get_bit(row));
            }
        }

        self.issued_bit.next = self.one_warp.val() << self.issued_warp.q.val();
        if self.issued.q.val() {
            self.begun.d.next = self.begun.q.val() | self.issued_bit.val();
            if self.was_last.q.val() {
                self.begun.d.next = self.begun.q.val() & !self.issued_bit.val();
            }
        }

        self.all.next = 0.into();
        for row in 0..self.counted.len() {
            self.in_this.next = 0.into();
            if self.rows.q.val().get_bit(row) {
                self.in_this.next = self.counted[row].q.val();
            }
            self.all.next = self.all.val() + bit_cast_to(self.in_this.val(), self._total);
        }
        self.events.threads.next = bit_cast_to(self.all.val(), 64);
        self.events.at_once.next = self.issued.q.val() & self.was_once.q.val();
        self.events.row.next = self.issued.q.val() & self.was_row.q.val();
        self.events.packed.next = self.issued.q.val() & !self.was_once.q.val() & !self.was_row.q.val();
        self.events.ideal.next = 0.into();
        if self.events.packed.val() & !(self.begun.q.val() & self.issued_bit.val()).any() {
            self.events.ideal.next =
                bit_cast_to((self.all.val() + self.rounding.val()) >> self.lanes_log2.val(), self._ideal);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two large warps of four lanes and four warps, 0 and 4: a line is a sub-warp: large warp, how many of its threads wait, and of the other, `once` or
    /// `row`, `last` `|` threads that wait, what it is, ideal number of sub-warps of its instruction if it is the first of them.
    const SUB_WARPS: &str = "
        0 9 9           | 9  packed 3
        4 9 5 row       | 9  row    0
        0 5 8           | 5  packed 0
        4 8 1 row last  | 8  row    0
        4 4 1           | 4  packed 1
        0 1 2 last      | 1  packed 0
        4 2 16 last     | 2  packed 0
        0 16 3 once last| 16 once   0
        0 16 16         | 16 packed 4
        4 1 12 last     | 1  packed 1";

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
                let rows = |threads: usize| (1usize << ((threads + 3 - lane) / 4)) - 1;
                let (its, others) = (rows(number(1)), rows(number(2)));
                unit.pending[lane].next = (its << number(0) | others << (4 - number(0))).into();
            }
            unit.candidates.next = (0b1111usize << number(0)).into();
            unit.issue_valid.next = true;
            unit.issue_warp.next = number(0).into();
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
