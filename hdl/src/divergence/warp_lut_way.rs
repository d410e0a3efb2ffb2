//! A way of the warp look-up table: one entry in each set.
//!
//! ```text
//!                     +------------------------------------+
//!  set, pc, cta ----->| {PC, CTA, slot, lanes} by set      |---> hit, joinable, slot, lanes, count
//!  write, new_* ----->|                                    |
//!  issued_* --------->| listed, threads that wait, by set  |---> open, planes[k]
//!                     +------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `set`, `pc`, `cta` | i, 32, c | what to look for |
//! | `hit` | 1 | the entry in that set is of this PC and CTA: threads wait there in open warps |
//! | `joinable`, `slot`, `lanes` | 1, p, L | a warp of these can be joined; the slot that was given last, its lanes |
//! | `count` | k | threads of the entry in that set that wait, of whatever PC |
//! | `write` | 1 | the entry in that set is written: `pc` and `cta`, and |
//! | `new_slot`, `new_lanes`, `new_count` | p, L, k | the warp to be joined, its lanes; threads that now wait |
//! | `issued`, `issued_set`, `issued_listed`, `issued_count` | 1, i, 1, k | a warp of this entry issues for the first time; it was to be joined; its threads |
//! | `open` | sets | entries for which threads wait |
//! | `planes[k]` | sets | bit *k* of everybody's count |
//!
//! Latency: look-up 0, write 1. State: a row of memory, a bit and a count per set. Where nobody waits, nothing is listed: the entry is free.
use crate::prelude::*;

records! {
    /// Warps that can be joined.
    pub struct ListingTable {
        /// A warp that can be joined.
        Listing(lanes: usize, path: usize, cta: usize) {
            pc: [32],
            cta: [cta],
            slot: [path],
            lanes: [lanes],
        }
    }
}

module! {
    /// See the [module documentation](self).
    pub struct WarpLutWay: clock, reset {
        pub set: Net<In> = set,
        pub pc: Net<In> = 32,
        pub cta: Net<In> = cta,
        pub hit: Signal<Out, Bit>,
        pub joinable: Signal<Out, Bit>,
        pub slot: Net<Out> = path,
        pub lanes: Net<Out> = lanes,
        pub count: Net<Out> = count,
        pub write: Signal<In, Bit>,
        pub new_slot: Net<In> = path,
        pub new_lanes: Net<In> = lanes,
        pub new_count: Net<In> = count,
        pub issued: Signal<In, Bit>,
        pub issued_set: Net<In> = set,
        pub issued_listed: Signal<In, Bit>,
        pub issued_count: Net<In> = count,
        pub open: Net<Out> = sets,
        pub planes: Vec<Net<Out>> = Net::vec(count, sets),

        listings: ListingTable = ListingTable::new(sets, 1, lanes, path, cta) => {
            write_enable: write, write_row: set, write.pc: pc, write.cta: cta, write.slot: new_slot, write.lanes: new_lanes,
            read_row[0]: set, read[0].slot: slot, read[0].lanes: lanes,
        },
        /// Bit per set: the warp in `slot` can be joined.
        listed: Register = Register::new(sets),
        counts: Vec<Register> = Register::vec(sets, count),
        looked_up: IndexedMux = IndexedMux::new(count, sets) => { index: set, selected: count },
        one: Constant = Constant::new(1, sets),
        set_bit: Net<Local> = sets,
        issued_bit: Net<Local> = sets,
        kept: Net<Local> = sets,
        left: Vec<Net<Local>> = Net::vec(sets, count),
        added: Vec<Net<Local>> = Net::vec(sets, count),
    }
    /// With `sets` sets, for `threads` threads.
    pub fn new(sets: usize, threads: usize, lanes: usize, path: usize, cta: usize) {
        let (set, count) = (index_width(sets), index_width(threads + 1));
    }
}

impl Logic for WarpLutWay {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module WarpLutWay");
        self.set_bit.next = self.one.val() << self.set.val();
        self.issued_bit.next = self.one.val() << self.issued_set.val();

        self.hit.next = self.looked_up.selected.val().any()
            & (self.listings.read[0].pc.val() == self.pc.val())
            & (self.listings.read[0].cta.val() == self.cta.val());
        self.joinable.next = (self.listed.q.val() & self.set_bit.val()).any();

        self.kept.next = self.listed.q.val();
        if self.issued.val() & self.issued_listed.val() {
            self.kept.next = self.listed.q.val() & !self.issued_bit.val();
        }
        self.listed.d.next = self.kept.val();
        if self.write.val() {
            self.listed.d.next = self.kept.val() | self.set_bit.val();
        }

        self.open.next = 0.into();
        for b in 0..self.planes.len() {
            self.planes[b].next = 0.into();
        }
        for i in 0..self.counts.len() {
            self.looked_up.inputs[i].next = self.counts[i].q.val();
            self.open.next = self.open.val().replace_bit(i, self.counts[i].q.val().any());
            for b in 0..self.planes.len() {
                self.planes[b].next = self.planes[b].val().replace_bit(i, self.counts[i].q.val().get_bit(b));
            }
            self.left[i].next = 0.into();
            if self.issued.val() & self.issued_bit.val().get_bit(i) {
                self.left[i].next = self.issued_count.val();
            }
            self.added[i].next = self.counts[i].q.val();
            if self.write.val() & self.set_bit.val().get_bit(i) {
                self.added[i].next = self.new_count.val();
                // A warp that issues is one of those that lose this entry.
                if !self.hit.val() {
                    self.left[i].next = 0.into();
                }
            }
            self.counts[i].d.next = self.added[i].val() - self.left[i].val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::divergence::cycle_script::{cycles, digits, set};

    /// A set and a PC are looked up; `write` slot, lanes and count; `issue` from a set so many threads `|` slot and lanes of the warp that can be joined,
    /// `none`, or `miss`; the count.
    const SCRIPT: &str = "
        1 100                          | miss 0
        1 100 write 2 01 2             | miss 0
        1 100                          | 2 01 2
        1 104                          | miss 2 | of another PC
        0 100                          | miss 0 | in another set
        1 100 write 5 23 4             | 2 01 2
        1 100 issue 1 2                | 5 23 4 | the first warp, no more to be joined
        1 100 write 6 0 3 issue 1 1 listed | 5 23 2
        1 100 issue 1 1 listed         | 6 0 2
        1 100 issue 1 1                | none 1
        1 100                          | miss 0
        1 104 write 2 01 2             | miss 0
        1 100 write 3 3 1 issue 1 2 listed | miss 2 | the warp loses its entry as it issues
        1 100                          | 3 3 1";

    #[test]
    fn threads_come_and_issue() {
        let mut way = WarpLutWay::new(2, 16, 4, 3, 1);
        way.connect_all();
        simulate(&mut way, 1000);
        for (input, seen) in cycles(SCRIPT) {
            let behind = |name: &str| input.iter().position(|word| *word == name).map(|at| &input[at + 1..]);
            let number = |text: &str| text.parse::<usize>().unwrap().into();
            way.set.next = number(input[0]);
            way.pc.next = usize::from_str_radix(input[1], 16).unwrap().into();
            way.write.next = behind("write").is_some();
            if let Some([slot, lanes, count, ..]) = behind("write") {
                way.new_slot.next = number(slot);
                way.new_lanes.next = set(lanes);
                way.new_count.next = number(count);
            }
            way.issued.next = behind("issue").is_some();
            way.issued_listed.next = input.contains(&"listed");
            if let Some([row, count, ..]) = behind("issue") {
                way.issued_set.next = number(row);
                way.issued_count.next = number(count);
            }
            simulate(&mut way, 1000);
            let warp = match (way.hit.val(), way.joinable.val()) {
                (false, _) => "miss".to_string(),
                (true, false) => "none".to_string(),
                (true, true) => format!("{} {}", way.slot.val().value(), digits(way.lanes.val())),
            };
            assert_eq!(format!("{warp} {}", way.count.val().value()), seen.join(" "), "{input:?}");
            tick!(way);
        }
    }
}
