//! Likely-convergence points on the stacks of [`SpeStack`](super::SpeStack): which entry merges into which, and where.
//!
//! ```text
//!                       +------------------------------------------+
//!  fetch_warp --------->| active links, by warp {point, position}  |---> following_arrives
//!  following_pc ------->|                                          |---> link_active_point
//!  warp, slot, index -->| stored links, by {warp, index}           |---> link_entry_point
//!  detach, attach, ---->|                                          |
//!  activate, store ---->| warps that have arrived at their point   |---> link_arrived, _position
//!  arrives, merged ---->|                                          |
//!  pass, only_awaits -->| the walk: entries that await a merge,    |---> link_awaits_merge, _could_run
//!  restart, give_up --->| the highest that could run without       |---> link_given_up, _runs_anyway
//!                       +------------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `fetch_warp`, `following_pc` | w, 32 | the warp fetched this cycle, and the PC behind its instruction |
//! | `following_arrives` | 1 | a cycle later: that PC is the point of the warp's active entry |
//! | `warp`, `slot`, `index` | w, e, e | the engine's warp, the position of its active entry, the stored entry it looks at |
//! | `link_active_point`, `link_entry_point` | 32 | their likely-convergence points; 1 when there is none |
//! | `detach` | 1 | the active entry has no point any more |
//! | `attach`, `attach_point` | 1, 32 | the active entry merges at that point into the entry in `slot` |
//! | `activate` | 1 | the stored entry becomes the active one |
//! | `store` | 1 | an entry with the active one's link is stored in `slot` |
//! | `arrives` | W | warps whose active entry arrives at its point |
//! | `link_arrived`, `link_position` | 1, e | that of `warp` has; where it merges |
//! | `merged` | 1 | it is done |
//! | `pass` | 1 | the walk passes over the stored entry, which may have threads |
//! | `link_awaits_merge` | 1 | an entry passed may yet merge into the stored one |
//! | `only_awaits`, `link_could_run` | 1 | nothing but a merge to come keeps the stored entry from running; some entry passed was such |
//! | `restart` | 1 | the walk begins anew |
//! | `give_up`, `link_given_up` | 1 | the walk begins anew, to run the first such entry as it is; that walk is under way |
//! | `link_runs_anyway` | 1 | and has come to that entry |
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

bundle! {
    /// What the links say of the engine's warp, and of the stored entry that its walk has come to.
    pub struct LinkState(index: usize) {
        /// Where the active entry's path merges; 1: nowhere.
        active_point: [32],
        /// Where the stored entry's does.
        entry_point: [32],
        /// The active entry has arrived, and has yet to be merged.
        arrived: Bit,
        /// The entry that it merges into.
        position: [index],
        /// Entries passed may yet merge into the stored one.
        awaits_merge: Bit,
        /// Nothing but a merge to come has kept some entry passed from running.
        could_run: Bit,
        /// The walk goes down to that entry, and to no other.
        given_up: Bit,
        /// It has come there.
        runs_anyway: Bit,
    }
}

module! {
    /// See the [module documentation](self).
    pub struct ConvergenceLinks: clock, reset {
        pub fetch_warp: Net<In> = warp,
        pub following_pc: Net<In> = 32,
        pub following_arrives: Signal<Out, Bit>,
        pub warp: Net<In> = warp,
        pub slot: Net<In> = index,
        pub index: Net<In> = index,
        pub link: LinkState<Out> = LinkState::new(index),
        pub detach: Signal<In, Bit>,
        pub attach: Signal<In, Bit>,
        pub attach_point: Net<In> = 32,
        pub activate: Signal<In, Bit>,
        pub store: Signal<In, Bit>,
        pub arrives: Net<In> = warps,
        pub merged: Signal<In, Bit>,
        pub pass: Signal<In, Bit>,
        pub only_awaits: Signal<In, Bit>,
        pub restart: Signal<In, Bit>,
        pub give_up: Signal<In, Bit>,

        active_points: Memory = by_warp(32, 2) => {
            read_address[0]: fetch_warp, read_address[1]: warp, read_data[1]: link.active_point, write_address[0]: warp,
        },
        active_positions: Memory = by_warp(index, 1) => {
            read_address[0]: warp, read_data[0]: link.position, write_address[0]: warp,
        },
        entry_points: Memory = by_entry(32) => { read_address[0]: index_row, read_data[0]: link.entry_point },
        entry_positions: Memory = by_entry(index) => {
            read_address[0]: index_row, write_enable[0]: store, write_address[0]: slot_row,
            write_data[0]: active_positions.read_data[0],
        },
        following: Flop = Flop::new(1),
        /// Bit per warp: its active entry has arrived at its point.
        waiting: Register = Register::new(warps),
        /// Bit per entry: an entry passed may yet merge into it.
        awaiting: Register = Register::new(entries),
        found_awaiting: StateRegister<Bit> => { q: link.could_run },
        giving_up: StateRegister<Bit> => { q: link.given_up },
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

        self.following.d.next = bit_cast_to(self.following_pc.val() == self.active_points.read_data[0].val(), 1);
        self.following_arrives.next = self.following.q.val().any();

        // The links of the engine's warp.
        self.index_row.next = (bit_cast_to(self.warp.val(), self._row) << self.index_bits.val())
            | bit_cast_to(self.index.val(), self._row);
        self.slot_row.next = (bit_cast_to(self.warp.val(), self._row) << self.index_bits.val())
            | bit_cast_to(self.slot.val(), self._row);

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
        self.link.arrived.next = (self.waiting.q.val() & self.warp_bit.val()).any();
        self.waiting.d.next = self.waiting.q.val() | self.arrives.val();
        if self.merged.val() {
            self.waiting.d.next = (self.waiting.q.val() | self.arrives.val()) & !self.warp_bit.val();
        }

        // The walk down the stored entries.
        self.linked.next = self.entry_points.read_data[0].val() != self.none.val();
        self.link.awaits_merge.next = (self.awaiting.q.val() & (self.one_entry.val() << self.index.val())).any();
        self.link.runs_anyway.next = self.giving_up.q.val() & (self.index.val() == self.first_awaiting.q.val());
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

    /// Of the entries passed that only await a merge the highest runs, once the walk has given up.
    #[test]
    fn the_first_that_awaits_runs_anyway() {
        let mut links = ConvergenceLinks::new(2, 4);
        links.connect_all();
        for (index, only_awaits) in [(3usize, false), (2, true), (1, false), (0, true)] {
            links.index.next = index.into();
            links.only_awaits.next = only_awaits;
            simulate(&mut links, 1000);
            assert_eq!(links.link.could_run.val(), index < 2, "{index}");
            tick!(links);
        }
        links.only_awaits.next = false;
        links.give_up.next = true;
        links.restart.next = true;
        tick!(links);
        links.give_up.next = false;
        links.restart.next = false;
        for index in 0..4usize {
            links.index.next = index.into();
            simulate(&mut links, 1000);
            assert_eq!((links.link.given_up.val(), links.link.runs_anyway.val()), (true, index == 2), "{index}");
        }
    }

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
        assert_eq!((links.link.active_point.val().index(), links.link.position.val().index()), (0x40, 2));

        links.attach.next = false;
        links.detach.next = true;
        tick!(links);
        simulate(&mut links, 1000);
        assert_eq!(links.link.active_point.val().index(), 1, "no instruction is there");

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
            assert!(!links.link.awaits_merge.val(), "{index}");
        }
    }
}
