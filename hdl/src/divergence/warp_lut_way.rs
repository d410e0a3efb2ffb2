//! A way of the warp look-up table: one entry in each set.
//!
//! ```text
//!                     +------------------------------------+
//!  set, pc, cta ----->| {PC, CTA, slot, lanes} by set      |---> hit, joinable, slot, lanes, count
//!  write, new_* ----->|                                    |
//!  fetched_* -------->| listed, threads that wait, by set  |---> open, planes[k]
//!                     +------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `set`, `pc`, `cta` | i, 32, c | what to look for |
//! | `hit` | 1 | the entry in that set is of this PC and CTA: threads wait there to be fetched |
//! | `joinable`, `slot`, `lanes` | 1, p, L | a warp of these can be joined; the slot that was given last, its lanes |
//! | `count` | k | threads of the entry in that set that wait, of whatever PC |
//! | `write` | 1 | the entry in that set is written: `pc` and `cta`, and |
//! | `new_slot`, `new_lanes`, `new_count` | p, L, k | the warp to be joined, its lanes; threads that now wait |
//! | `fetched`, `fetched_set`, `fetched_listed`, `fetched_count` | 1, i, 1, k | a warp of this entry is fetched; it was to be joined; its threads |
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
        pub fetched: Signal<In, Bit>,
        pub fetched_set: Net<In> = set,
        pub fetched_listed: Signal<In, Bit>,
        pub fetched_count: Net<In> = count,
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
        fetched_bit: Net<Local> = sets,
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
        self.fetched_bit.next = self.one.val() << self.fetched_set.val();

        self.hit.next = self.looked_up.selected.val().any()
            & (self.listings.read[0].pc.val() == self.pc.val())
            & (self.listings.read[0].cta.val() == self.cta.val());
        self.joinable.next = (self.listed.q.val() & self.set_bit.val()).any();

        self.kept.next = self.listed.q.val();
        if self.fetched.val() & self.fetched_listed.val() {
            self.kept.next = self.listed.q.val() & !self.fetched_bit.val();
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
            if self.fetched.val() & self.fetched_bit.val().get_bit(i) {
                self.left[i].next = self.fetched_count.val();
            }
            self.added[i].next = self.counts[i].q.val();
            if self.write.val() & self.set_bit.val().get_bit(i) {
                self.added[i].next = self.new_count.val();
            }
            self.counts[i].d.next = self.added[i].val() - self.left[i].val();
        }
    }
}
