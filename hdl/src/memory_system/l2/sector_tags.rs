//! Which lines a slice of L2 holds, and what of them.
//!
//! ```text
//!  read_set ------------->+------------+
//!  set, tag ------------->|            |---> hit, hit_ways, hit_way, sectors
//!  victim_ways ---------->| SectorTags |---> victim_tag, victim_dirty
//!  write, write_ways, --->|            |---> dirty_ways
//!  write_tag, ...         |            |---> ready
//!                         +------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `read_set` | s | set that `set` names in the next cycle (sampled in every cycle) |
//! | `set`, `tag` | s, t | line looked for |
//! | `hit`, `hit_ways`, `hit_way`, `sectors` | 1, ways, w, S | whether and where it is; its valid sectors |
//! | `dirty_ways` | ways | ways of the set that hold a dirty line |
//! | `victim_ways`, `victim_tag`, `victim_dirty`, `victim_sectors` | ways, t, 1, S | what is in this way (one-hot) |
//! | `write`, `write_set`, `write_ways` | 1, s, ways | this way of that set holds from now on |
//! | `write_tag`, `write_dirty`, `write_sectors` | t, 1, S | ... that line, with these valid sectors |
//! | `ready` | 1 | every set has been emptied since reset |
//!
//! Latency: one cycle from `read_set`, then 0; a write holds from the next cycle on, and is forwarded to a read of the same cycle. State: a synchronous memory per way, one row per set;
//! after reset, the sets are emptied one after the other.
use super::L2Config;
use crate::parts::OneHotMux;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct SectorTags: clock, reset {
        pub read_set: Net<In> = set,
        pub set: Net<In> = set,
        pub tag: Net<In> = tag,
        pub hit: Signal<Out, Bit>,
        pub hit_ways: Net<Out> = ways,
        pub hit_way: Net<Out> = config.way_width(),
        pub sectors: Net<Out> = sectors,
        pub dirty_ways: Net<Out> = ways,
        pub victim_ways: Net<In> = ways,
        pub victim_tag: Net<Out> = tag,
        pub victim_dirty: Signal<Out, Bit>,
        pub victim_sectors: Net<Out> = sectors,
        pub write: Signal<In, Bit>,
        pub write_set: Net<In> = set,
        pub write_ways: Net<In> = ways,
        pub write_tag: Net<In> = tag,
        pub write_dirty: Signal<In, Bit>,
        pub write_sectors: Net<In> = sectors,
        pub ready: Signal<Out, Bit>,

        /// From the top: tag, present, dirty, valid sectors.
        lines: Vec<Memory> = (0..ways).map(|_| Memory::new(row, config.sets, 1, 1, ReadKind::Synchronous)).collect() => |i| {
            read_address[0]: read_set, write_address[0]: writing_set, write_data[0]: written,
        },
        /// Sets that have been emptied since reset; with its highest bit, all of them.
        emptied: Register = Register::new(set + 1),
        /// The last write.
        written_ways: Register = Register::new(ways) => { d: writing },
        written_set: Flop = Flop::new(set) => { d: writing_set },
        written_row: Flop = Flop::new(row) => { d: written },
        encoder: PriorityEncoder = PriorityEncoder::new(ways) => { request: matching, any: hit, one_hot: hit_ways, index: hit_way },
        hit_row: OneHotMux = OneHotMux::new(row, ways) => { inputs: current, select: matching },
        victim_row: OneHotMux = OneHotMux::new(row, ways) => { inputs: current, select: victim_ways },
        above_sectors: Constant = Constant::new(sectors as u64, 6),
        below_tag: Constant = Constant::new(sectors as u64 + 2, 6),

        writing: Net<Local> = ways,
        writing_set: Net<Local> = set,
        written: Net<Local> = row,
        current: Vec<Net<Local>> = Net::vec(ways, row),
        matching: Net<Local> = ways,
        row: Net<Local> = row,
        /// Of it: present, dirty.
        flags: Net<Local> = 2,
    }
    sizes { _set_width = set, _tag_width = tag, _row_width = row, _sectors = sectors, _last = set }
    /// Of a slice.
    pub fn new(config: &L2Config) {
        let (ways, set, tag, sectors) = (config.ways, config.set_width(), config.tag_width(), config.sectors());
        let row = tag + 2 + sectors;
    }
}

impl Logic for SectorTags {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module SectorTags");
        self.ready.next = false;
        for top in self._last..(self._last + 1) {
            self.ready.next = self.emptied.q.val().get_bit(top);
        }
        self.emptied.d.next = self.emptied.q.val();
        self.writing.next = 0.into();
        self.writing_set.next = self.write_set.val();
        self.written.next = (bit_cast_to(self.write_tag.val(), self._row_width) << self.below_tag.val())
            | (bit_cast_to(2, self._row_width) << self.above_sectors.val())
            | (bit_cast_to(self.write_dirty.val(), self._row_width) << self.above_sectors.val())
            | bit_cast_to(self.write_sectors.val(), self._row_width);
        if !self.ready.val() {
            self.emptied.d.next = self.emptied.q.val() + 1;
            self.writing_set.next = bit_cast_to(self.emptied.q.val(), self._set_width);
            self.writing.next = !self.writing.val();
            self.written.next = 0.into();
        }
        if self.ready.val() & self.write.val() {
            self.writing.next = self.write_ways.val();
        }

        self.matching.next = 0.into();
        self.dirty_ways.next = 0.into();
        self.row.next = 0.into();
        self.flags.next = 0.into();
        for i in 0..self.lines.len() {
            self.lines[i].read_enable[0].next = true;
            self.lines[i].write_enable[0].next = self.writing.val().get_bit(i);
            self.current[i].next = self.lines[i].read_data[0].val();
            if self.written_ways.q.val().get_bit(i) & (self.written_set.q.val() == self.set.val()) {
                self.current[i].next = self.written_row.q.val();
            }
            self.row.next = self.current[i].val();
            self.flags.next = bit_cast_to(self.row.val() >> self.above_sectors.val(), 2);
            self.dirty_ways.next = self.dirty_ways.val().replace_bit(i, self.flags.val() == 3);
            self.matching.next = self.matching.val().replace_bit(
                i,
                self.flags.val().get_bit(1)
                    & (bit_cast_to(self.row.val() >> self.below_tag.val(), self._tag_width) == self.tag.val()),
            );
        }
        self.sectors.next = bit_cast_to(self.hit_row.selected.val(), self._sectors);
        self.victim_tag.next = bit_cast_to(self.victim_row.selected.val() >> self.below_tag.val(), self._tag_width);
        self.victim_sectors.next = bit_cast_to(self.victim_row.selected.val(), self._sectors);
        self.victim_dirty.next = (self.victim_ways.val() & self.dirty_ways.val()).any();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETS: usize = 16;

    /// Two ways of lines of two sectors; the sets are empty.
    fn tags() -> SectorTags {
        let mut tags = SectorTags::new(&L2Config {
            line_bytes: 64,
            sets: SETS,
            ways: 2,
            mshrs: 4,
            merges: 2,
            evictions: 2,
            replies: 8,
            cores: 3,
            id_width: 2,
            line_width: 22,
            burst_sectors: 2,
        });
        tags.connect_all();
        empty(&mut tags);
        tags
    }

    /// A set a cycle.
    fn empty(tags: &mut SectorTags) {
        for _ in 0..SETS {
            simulate(tags, 100);
            assert!(!tags.ready.val());
            tick!(*tags);
        }
        assert!(tags.ready.val());
    }

    fn write(tags: &mut SectorTags, set: usize, way: usize, tag: usize, sectors: usize) {
        tags.write.next = true;
        tags.write_set.next = set.into();
        tags.write_ways.next = (1usize << way).into();
        tags.write_tag.next = tag.into();
        tags.write_sectors.next = sectors.into();
        tick!(*tags);
        tags.write.next = false;
    }

    /// The way that has the line, and its sectors.
    fn look(tags: &mut SectorTags, set: usize, tag: usize) -> Option<(usize, usize)> {
        tags.read_set.next = set.into();
        tick!(*tags);
        tags.set.next = set.into();
        tags.tag.next = tag.into();
        simulate(tags, 100);
        tags.hit.val().then(|| (tags.hit_way.val().index(), tags.sectors.val().index()))
    }

    #[test]
    fn a_line_is_found_by_its_set_and_all_of_its_tag() {
        let (first, second) = (0x2_0001, 0x0_0001);
        let mut tags = tags();
        write(&mut tags, 9, 1, first, 1);
        assert_eq!(look(&mut tags, 9, first), Some((1, 1)));
        assert_eq!([(9, second), (9, 0), (8, first)].map(|(set, tag)| look(&mut tags, set, tag)), [None; 3]);
        write(&mut tags, 9, 0, second, 2);
        assert_eq!([first, second].map(|tag| look(&mut tags, 9, tag)), [Some((1, 1)), Some((0, 2))]);
    }

    /// Memories keep what they hold: a set that is passed over would have lines of the time before.
    #[test]
    fn a_reset_empties_every_set() {
        let mut tags = tags();
        let places: Vec<(usize, usize)> = (0..SETS).flat_map(|set| [(set, 0), (set, 1)]).collect();
        for (set, way) in &places {
            write(&mut tags, *set, *way, 4 + way, 3);
        }
        assert!(places.iter().all(|(set, way)| look(&mut tags, *set, 4 + way) == Some((*way, 3))));
        tags.reset.next = true;
        tick!(tags);
        tags.reset.next = false;
        empty(&mut tags);
        assert!(places.iter().all(|(set, way)| look(&mut tags, *set, 4 + way).is_none()));
    }
}
