//! Likely-convergence points on the stacks of [`SpeStack`](super::SpeStack): which entry merges into which, and where.
//!
//! ```text
//!                       +------------------------------------------+
//!  fetch_warp --------->| active links, by warp {point, position}  |---> following_arrives
//!  following_pc ------->|                                          |---> active_point
//!  warp, slot, index -->| stored links, by {warp, index}           |---> entry_point
//!  detach, attach, ---->|                                          |
//!  activate, store ---->| warps that have arrived at their point   |---> arrived, position
//!  arrives, merged ---->|                                          |
//!  pass, only_awaits -->| the walk: entries that await a merge,    |---> awaits_merge, could_run
//!  restart, give_up --->| the highest that could run without       |---> given_up, runs_anyway
//!                       +------------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `fetch_warp`, `following_pc` | w, 32 | the warp fetched this cycle, and the PC behind its instruction |
//! | `following_arrives` | 1 | a cycle later: that PC is the point of the warp's active entry |
//! | `warp`, `slot`, `index` | w, e, e | the engine's warp, the position of its active entry, the stored entry it looks at |
//! | `active_point`, `entry_point` | 32 | their likely-convergence points; 1 when there is none |
//! | `detach` | 1 | the active entry has no point any more |
//! | `attach`, `attach_point` | 1, 32 | the active entry merges at that point into the entry in `slot` |
//! | `activate` | 1 | the stored entry becomes the active one |
//! | `store` | 1 | an entry with the active one's link is stored in `slot` |
//! | `arrives` | W | warps whose active entry arrives at its point |
//! | `arrived`, `position` | 1, e | that of `warp` has; where it merges |
//! | `merged` | 1 | it is done |
//! | `pass` | 1 | the walk passes over the stored entry, which may have threads |
//! | `awaits_merge` | 1 | an entry passed may yet merge into the stored one |
//! | `only_awaits`, `could_run` | 1 | nothing but a merge to come keeps the stored entry from running; some entry passed was such |
//! | `restart` | 1 | the walk begins anew |
//! | `give_up`, `given_up` | 1 | the walk begins anew, to run the first such entry as it is; that walk is under way |
//! | `runs_anyway` | 1 | and has come to that entry |
//!
//! Latency: commands act at the edge; everything but `following_arrives` answers in the same cycle.
//!
//! State: a link per warp and per stored entry; a bit per warp that has arrived; for the walk, a bit per entry, an
//! entry and two bits.
//!
//! Source: Fung & Aamodt 2011, 4. Where it is silent: an entry that others may still merge into runs only when nothing else of its
//! warp can, and then they lose their links and run on to the reconvergence point. An entry's position is always below those that merge
//! into it, so one walk down knows them all: an entry that is passed and has threads, or may get some, marks the one it merges into.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct ConvergenceLinks: clock, reset {
        pub fetch_warp: Net<In> = warp,
        pub following_pc: Net<In> = 32,
        pub following_arrives: Signal<Out, Bit>,
        pub warp: Net<In> = warp,
        pub slot: Net<In> = index,
        pub index: Net<In> = index,
        pub active_point: Net<Out> = 32,
        pub entry_point: Net<Out> = 32,
        pub detach: Signal<In, Bit>,
        pub attach: Signal<In, Bit>,
        pub attach_point: Net<In> = 32,
        pub activate: Signal<In, Bit>,
        pub store: Signal<In, Bit>,
        pub arrives: Net<In> = warps,
        pub arrived: Signal<Out, Bit>,
        pub position: Net<Out> = index,
        pub merged: Signal<In, Bit>,
        pub pass: Signal<In, Bit>,
        pub awaits_merge: Signal<Out, Bit>,
        pub only_awaits: Signal<In, Bit>,
        pub could_run: Signal<Out, Bit>,
        pub restart: Signal<In, Bit>,
        pub give_up: Signal<In, Bit>,
        pub given_up: Signal<Out, Bit>,
        pub runs_anyway: Signal<Out, Bit>,

        active_points: Memory = by_warp(32, 2),
        active_positions: Memory = by_warp(index, 1),
        entry_points: Memory = by_entry(32),
        entry_positions: Memory = by_entry(index),
        following: Flop = Flop::new(1),
        /// Bit per warp: its active entry has arrived at its point.
        waiting: Register = Register::new(warps),
        /// Bit per entry: an entry passed may yet merge into it.
        awaiting: Register = Register::new(entries),
        found_awaiting: StateRegister<Bit>,
        giving_up: StateRegister<Bit>,
        /// The highest entry that only awaits a merge.
        first_awaiting: Register = Register::new(index),

        one_warp: Constant = Constant::new(1, warps),
        one_entry: Constant = Constant::new(1, entries),
        none: Constant = Constant::new(1, 32),
        index_bits: Constant = Constant::new(index as u64, index_width(index + 1)),
        warp_bit: Net<Local> = warps,
        index_row: Net<Local> = index_width(warps << index),
        slot_row: Net<Local> = index_width(warps << index),
        linked: Signal<Local, Bit>,
        unlinks: Signal<Local, Bit>,
    }
    sizes { _row = index_width(warps << index) }
    /// For `warps` warps with stacks of `entries` entries.
    pub fn new(warps: usize, entries: usize) {
        let (warp, index) = (index_width(warps), index_width(entries));
        let by_warp = |width, reads| Memory::new(width, warps, reads, 1, ReadKind::Asynchronous);
        let by_entry = |width| Memory::new(width, warps << index, 1, 1, ReadKind::Asynchronous);
    }
}

impl Logic for ConvergenceLinks {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ConvergenceLinks");
        dff_setup!(self, clock, following, waiting, awaiting, found_awaiting, giving_up, first_awaiting);

        self.active_points.read_address[0].next = self.fetch_warp.val();
        self.following.d.next = bit_cast_to(self.following_pc.val() == self.active_points.read_data[0].val(), 1);
        self.following_arrives.next = self.following.q.val().any();

        // The links of the engine's warp.
        self.index_row.next = (bit_cast_to(self.warp.val(), self._row) << self.index_bits.val())
            | bit_cast_to(self.index.val(), self._row);
        self.slot_row.next = (bit_cast_to(self.warp.val(), self._row) << self.index_bits.val())
            | bit_cast_to(self.slot.val(), self._row);
        self.active_points.read_address[1].next = self.warp.val();
        self.active_positions.read_address[0].next = self.warp.val();
        self.entry_points.read_address[0].next = self.index_row.val();
        self.entry_positions.read_address[0].next = self.index_row.val();
        self.active_point.next = self.active_points.read_data[1].val();
        self.position.next = self.active_positions.read_data[0].val();
        self.entry_point.next = self.entry_points.read_data[0].val();

        self.active_points.write_address[0].next = self.warp.val();
        self.active_positions.write_address[0].next = self.warp.val();
        self.active_points.write_enable[0].next = self.detach.val() | self.attach.val() | self.activate.val();
        self.active_positions.write_enable[0].next = self.attach.val() | self.activate.val();
        self.active_points.write_data[0].next = self.none.val();
        self.active_positions.write_data[0].next = self.slot.val();
        if self.attach.val() {
            self.active_points.write_data[0].next = self.attach_point.val();
        } else if self.activate.val() {
            self.active_points.write_data[0].next = self.entry_points.read_data[0].val();
            self.active_positions.write_data[0].next = self.entry_positions.read_data[0].val();
        }

        self.warp_bit.next = self.one_warp.val() << self.warp.val();
        self.arrived.next = (self.waiting.q.val() & self.warp_bit.val()).any();
        self.waiting.d.next = self.waiting.q.val() | self.arrives.val();
        if self.merged.val() {
            self.waiting.d.next = (self.waiting.q.val() | self.arrives.val()) & !self.warp_bit.val();
        }

        // The walk down the stored entries.
        self.linked.next = self.entry_points.read_data[0].val() != self.none.val();
        self.awaits_merge.next = (self.awaiting.q.val() & (self.one_entry.val() << self.index.val())).any();
        self.could_run.next = self.found_awaiting.q.val();
        self.given_up.next = self.giving_up.q.val();
        self.runs_anyway.next = self.giving_up.q.val() & (self.index.val() == self.first_awaiting.q.val());
        self.unlinks.next = self.giving_up.q.val()
            & self.pass.val()
            & self.linked.val()
            & (self.entry_positions.read_data[0].val() == self.first_awaiting.q.val());
        self.awaiting.d.next = self.awaiting.q.val();
        self.found_awaiting.d.next = self.found_awaiting.q.val() | self.only_awaits.val();
        self.giving_up.d.next = self.giving_up.q.val() | self.give_up.val();
        self.first_awaiting.d.next = self.first_awaiting.q.val();
        if self.only_awaits.val() & !self.found_awaiting.q.val() {
            self.first_awaiting.d.next = self.index.val();
        }
        if self.pass.val() & self.linked.val() {
            self.awaiting.d.next =
                self.awaiting.q.val() | (self.one_entry.val() << self.entry_positions.read_data[0].val());
        }
        if self.give_up.val() {
            self.awaiting.d.next = 0.into();
        } else if self.restart.val() {
            self.awaiting.d.next = 0.into();
            self.found_awaiting.d.next = false;
            self.giving_up.d.next = false;
        }

        self.entry_points.write_enable[0].next = self.store.val() | self.unlinks.val();
        self.entry_positions.write_enable[0].next = self.store.val();
        self.entry_positions.write_address[0].next = self.slot_row.val();
        self.entry_positions.write_data[0].next = self.active_positions.read_data[0].val();
        self.entry_points.write_address[0].next = self.slot_row.val();
        self.entry_points.write_data[0].next = self.active_points.read_data[1].val();
        if self.unlinks.val() {
            self.entry_points.write_address[0].next = self.index_row.val();
            self.entry_points.write_data[0].next = self.none.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_without_a_point_links_to_nothing() {
        let mut links = ConvergenceLinks::new(2, 4);
        links.connect_all();
        links.warp.next = 1.into();
        links.attach.next = true;
        links.attach_point.next = 0x40.into();
        links.slot.next = 2.into();
        tick!(links);
        simulate(&mut links, 1000);
        assert_eq!((links.active_point.val().index(), links.position.val().index()), (0x40, 2));

        links.attach.next = false;
        links.detach.next = true;
        tick!(links);
        simulate(&mut links, 1000);
        assert_eq!(links.active_point.val().index(), 1, "no instruction is there");

        // It is stored, and passed on the way down: no entry awaits it.
        links.detach.next = false;
        links.store.next = true;
        links.slot.next = 3.into();
        tick!(links);
        links.store.next = false;
        links.index.next = 3.into();
        links.pass.next = true;
        tick!(links);
        links.pass.next = false;
        for index in 0..4usize {
            links.index.next = index.into();
            simulate(&mut links, 1000);
            assert!(!links.awaits_merge.val(), "{index}");
        }
    }
}
