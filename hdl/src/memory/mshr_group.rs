//! Up to 64 miss status holding registers: as many as a mask has bits.
//!
//! ```text
//!                    +-----------+
//!  query_line ------>|           |---> same_line, settled, locked_ways
//!  allocate (+...) ->|           |---> free, free_index
//!  fill, fill_line ->| MshrGroup |---> replay_any, replay_index
//!  replay_accept --->|           |---> uncached
//!  retire, (index) ->|           |---> idle
//!                    +-----------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `query_line`, `same_line`, `settled`, `locked_ways` | | as of [`MshrTable`](super::MshrTable), for the entries of this group |
//! | `free`, `free_index` | 1, i | an entry is free, and which |
//! | `allocate`, `allocate_uncached`, `allocate_way` | | the group in S1 takes it |
//! | `fill`, `fill_line` | 1, line | this line is written into the cache at the end of the cycle |
//! | `replay_any`, `replay_index`, `replay_accept` | 1, i, 1 | an entry whose line has come, in turn; taken |
//! | `retire`, `retire_index` | 1, i | this entry has its data |
//! | `query_index`, `uncached` | i, 1 | whether this entry waits for an answer that goes past the cache |
//! | `idle` | 1 | no entry in use |
//!
//! Latency 0; state: an [`MshrEntry`](super::MshrEntry) per entry. Replays rotate, so none starves.
use super::{MshrEntry, MshrState};
use crate::parts::RoundRobinArbiter;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct MshrGroup: clock, reset {
        pub query_line: Net<In> = line,
        pub same_line: Signal<Out, Bit>,
        pub settled: Signal<Out, Bit>,
        pub locked_ways: Net<Out> = ways,
        pub free: Signal<Out, Bit>,
        pub free_index: Net<Out> = index,
        pub allocate: Signal<In, Bit>,
        pub allocate_uncached: Signal<In, Bit>,
        pub allocate_way: Net<In> = index_width(ways),
        pub fill: Signal<In, Bit>,
        pub fill_line: Net<In> = line,
        pub replay_any: Signal<Out, Bit>,
        pub replay_index: Net<Out> = index,
        pub replay_accept: Signal<In, Bit>,
        pub retire: Signal<In, Bit>,
        pub retire_index: Net<In> = index,
        pub query_index: Net<In> = index,
        pub uncached: Signal<Out, Bit>,
        pub idle: Signal<Out, Bit>,

        entries: Vec<MshrEntry> = (0..entries).map(|_| MshrEntry::new(line, sets, ways)).collect() => |m| {
            query_line, allocate_uncached, allocate_way, fill, fill_line,
        },
        /// One bit per entry.
        unused: Net<Local> = entries,
        ready: Net<Local> = entries,
        past_cache: Net<Local> = entries,
        allocator: PriorityEncoder = PriorityEncoder::new(entries) => { request: unused, any: free },
        replay: RoundRobinArbiter = RoundRobinArbiter::new(entries) => {
            request: ready, accept: replay_accept, any: replay_any,
        },
        replay_encoder: PriorityEncoder = PriorityEncoder::new(entries) => { request: replay.grant },
    }
    sizes { _index_width = index }
    /// 1 to 64 `entries`, numbered with `index` bits, for lines numbered with `line` bits, in a cache of `sets` x `ways`.
    pub fn new(entries: usize, index: usize, line: usize, sets: usize, ways: usize) {}
}

impl Logic for MshrGroup {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module MshrGroup");
        self.unused.next = 0.into();
        self.ready.next = 0.into();
        self.past_cache.next = 0.into();
        self.same_line.next = false;
        self.settled.next = false;
        self.locked_ways.next = 0.into();
        for m in 0..self.entries.len() {
            self.unused.next = self.unused.val().replace_bit(m, self.entries[m].state.val() == MshrState::Free);
            self.ready.next = self.ready.val().replace_bit(m, self.entries[m].state.val() == MshrState::Ready);
            self.past_cache.next =
                self.past_cache.val().replace_bit(m, self.entries[m].state.val() == MshrState::Uncached);
            if self.entries[m].same_line.val() {
                self.same_line.next = true;
                if self.entries[m].state.val() == MshrState::Ready {
                    self.settled.next = true;
                }
            }
            self.locked_ways.next = self.locked_ways.val() | self.entries[m].locked_ways.val();
            self.entries[m].allocate.next = self.allocate.val() & self.allocator.one_hot.val().get_bit(m);
            self.entries[m].retire.next = self.retire.val() & (self.retire_index.val() == m);
        }
        self.idle.next = self.unused.val().all();
        self.free_index.next = bit_cast_to(self.allocator.index.val(), self._index_width);
        self.replay_index.next = bit_cast_to(self.replay_encoder.index.val(), self._index_width);
        self.uncached.next = self.past_cache.val().get_bit(self.query_index.val().index());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idle_when_all_are_free() {
        let config = CoreConfig::tiny();
        let mut group = MshrGroup::new(config.mshrs, index_width(config.mshrs), 28, config.l1_sets, config.l1_ways);
        group.connect_all();
        simulate(&mut group, 100);
        for entry in 0..config.mshrs {
            assert_eq!((group.idle.val(), group.free_index.val().index()), (entry == 0, entry));
            group.allocate.next = true;
            group.allocate_uncached.next = entry == 1;
            group.query_line.next = entry.into();
            tick!(group);
        }
        group.allocate.next = false;
        simulate(&mut group, 100);
        assert_eq!((group.idle.val(), group.free.val()), (false, false));
        for entry in (0..config.mshrs).rev() {
            group.query_index.next = entry.into();
            simulate(&mut group, 100);
            assert_eq!(group.uncached.val(), entry == 1);
            group.retire.next = true;
            group.retire_index.next = entry.into();
            tick!(group);
            group.retire.next = false;
            simulate(&mut group, 100);
            assert_eq!((group.idle.val(), group.free.val()), (entry == 0, true));
        }
    }

    #[test]
    fn every_entry_of_a_set_locks_its_way() {
        let config = CoreConfig::tiny();
        let sets = config.l1_sets;
        let mut group = MshrGroup::new(config.mshrs, index_width(config.mshrs), 28, sets, config.l1_ways);
        group.connect_all();
        simulate(&mut group, 100);
        for (line, way) in [(3, 0), (3 + sets, 1), (2, 1)] {
            group.allocate.next = true;
            group.query_line.next = line.into();
            group.allocate_way.next = way.into();
            tick!(group);
        }
        group.allocate.next = false;
        for (line, locked) in [(3 + 2 * sets, 0b11), (2, 0b10), (1, 0)] {
            group.query_line.next = line.into();
            simulate(&mut group, 100);
            assert_eq!(group.locked_ways.val(), locked, "line {line}");
        }
    }
}
