//! The miss status holding registers of the L1: who waits for which line.
//!
//! ```text
//!                    +-----------+
//!  query_line ------>|           |---> same_line, settled, locked_ways
//!  allocate (+...) ->|           |---> free, allocate_id
//!  response_valid -->| MshrTable |---> response_ready, fill, fill_set, fill_way
//!  response_id ----->|           |---> wake_valid, wake_* (group that has its data)
//!  wake_take ------->|           |
//!                    +-----------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `query_line` | line | line of the group in S1 |
//! | `same_line` | 1 | some load waits for that line, or has still to be replayed from it |
//! | `settled` | 1 | ... and the line is already there |
//! | `locked_ways` | ways | ways of its set that waiting loads need |
//! | `free`, `allocate_id` | 1, m | an entry is free, and which |
//! | `may_ask` | 1 | where groups share MSHRs (Vec of one): not so many lines and atomics are waited for that another could not be |
//! | `allocate`, `allocate_uncached`, `allocate_way` | | put the group in S1 into it |
//! | `group_address`, `group_entry`, `group_lanes`, `group_offset[L]` | | that group: address of its leader, load-table entry, lanes, byte offsets in the line |
//! | `response_valid`, `response_ready`, `response_id` | | from the memory port |
//! | `fill`, `fill_set`, `fill_way` | | the response is a line for the cache, and goes here |
//! | `wake_valid`, `wake_take` | 1 | a group has its data; taken into S2 |
//! | `wake_uncached` | 1 | ... in word `wake_word` of the response, not in the cache |
//! | `wake_set`, `wake_way`, `wake_entry`, `wake_lanes`, `wake_offset[L]` | | as allocated |
//! | `idle` | 1 | no entry in use |
//!
//! Latency 0; state: the entries, in groups of 64 ([`MshrGroup`](super::MshrGroup)), and memories for what is only read back.
//! A fill is always accepted; an uncached answer when S2 takes it, before replays. Every group has an entry of its own:
//! a secondary miss is an entry that waits for a line somebody else has asked for. Where groups share MSHRs there are more entries than lines and atomics may be asked for. Replays rotate in each group, and among groups.
use super::{GROUP, LineGroup, MshrGroup, group_sizes};
use crate::interface::LineResponse;
use crate::parts::RoundRobinArbiter;
use crate::prelude::*;

records! {
    /// Which lines have been asked for, by entry.
    pub struct LineTable {
        /// A line, and the way it goes to.
        PendingLine(line: usize, way: usize) {
            line: [line],
            way: [way],
        }
    }
}

records! {
    /// Who waits, by entry.
    pub struct WaitingTable {
        /// Lanes that wait for their words.
        WaitingGroup(config: &CoreConfig, entry: usize) {
            /// Load-table entry.
            entry: [entry],
            lanes: [config.lanes],
            /// Word of the leader in the line.
            word: [index_width(config.line_words())],
            /// Byte offsets in the line.
            offset: [index_width(config.line_bytes); config.lanes],
        }
    }
}

module! {
    /// See the [module documentation](self).
    pub struct MshrTable: clock, reset {
        pub query_line: Net<In> = line,
        pub same_line: Signal<Out, Bit>,
        pub settled: Signal<Out, Bit>,
        pub locked_ways: Net<Out> = config.l1_ways,
        pub free: Signal<Out, Bit>,
        pub allocate_id: Net<Out> = index_width(entries),
        pub may_ask: Vec<Signal<Out, Bit>> = bit_vec(config.of_merging()),
        pub allocate: Signal<In, Bit>,
        pub allocate_uncached: Signal<In, Bit>,
        pub allocate_way: Net<In> = way,
        pub group: LineGroup<In> = LineGroup::new(config, entry),
        pub response: LineResponse<In> = LineResponse::new(config),
        pub response_ready: Signal<Out, Bit>,
        pub fill: Signal<Out, Bit>,
        pub fill_set: Net<Out> = set,
        pub fill_way: Net<Out> = way,
        pub wake_valid: Signal<Out, Bit>,
        pub wake_take: Signal<In, Bit>,
        pub wake_uncached: Signal<Out, Bit>,
        pub wake_set: Net<Out> = set,
        pub wake_way: Net<Out> = way,
        pub wake: WaitingGroup<Out> = WaitingGroup::new(config, entry),
        pub idle: Signal<Out, Bit>,

        groups: Vec<MshrGroup> = group_sizes(entries)
            .map(|size| MshrGroup::new(size, local, line, config.l1_sets, config.l1_ways))
            .collect() => |g| {
            query_line, allocate_uncached, allocate_way, fill, fill_line: lines.read[0].line,
        },
        /// The number of the group in turn.
        group_number: Net<Local> = index_width(entries),
        /// An entry in it.
        index: Net<Local> = local,
        /// Groups with something to replay; the one whose turn it is.
        replayable: Net<Local> = group_count,
        turn: Net<Local> = group_count,
        /// Chooses among groups, if there are several.
        between: Vec<RoundRobinArbiter> = (1..group_count.min(2)).map(|_| RoundRobinArbiter::new(group_count)).collect(),
        wake_id: Net<Local> = index_width(entries),
        /// Where groups share MSHRs, one: lines and atomics that have been asked for and have not come.
        asked: Vec<Register> = Register::vec(config.of_merging(), index_width(config.mshrs + 1)),
        most: Vec<Constant> = (0..config.of_merging()).map(|_| Constant::new(config.mshrs as u64, index_width(config.mshrs + 1))).collect(),
        /// Read at the response's entry and at the woken one.
        lines: LineTable = LineTable::new(entries, 2, line, way) => {
            write_enable: allocate, write_row: allocate_id, write.line: query_line, write.way: allocate_way,
            read_row[0]: response.id, read[0].way: fill_way, read_row[1]: wake_id, read[1].way: wake_way,
        },
        /// Read at the woken entry.
        waiting: WaitingTable = WaitingTable::new(entries, 1, config, entry) => {
            write_enable: allocate, write_row: allocate_id, write.entry: group.entry, write.lanes: group.lanes,
            write.offset: group.offset, read_row[0]: wake_id, read[0]: wake,
        },
    }
    sizes { _set_width = set, _word_width = index_width(config.line_words()), _id_width = index_width(entries), _local_width = local }
    /// The table of the core `config`, for load-table entries of `entry` bits.
    pub fn new(config: &CoreConfig, entry: usize) {
        let (entries, line) = (config.waiting_groups(), config.line_number_width());
        let (set, way) = (index_width(config.l1_sets), index_width(config.l1_ways));
        let (group_count, local) = (group_sizes(entries).count(), index_width(entries.min(GROUP)));
    }
}

impl Logic for MshrTable {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module MshrTable");

        self.same_line.next = false;
        self.settled.next = false;
        self.locked_ways.next = 0.into();
        self.free.next = false;
        self.allocate_id.next = 0.into();
        self.idle.next = true;
        self.wake_uncached.next = false;
        self.replayable.next = 0.into();
        for g in 0..self.groups.len() {
            self.group_number.next = g.into();
            self.same_line.next = self.same_line.val() | self.groups[g].same_line.val();
            self.settled.next = self.settled.val() | self.groups[g].settled.val();
            self.locked_ways.next = self.locked_ways.val() | self.groups[g].locked_ways.val();
            self.groups[g].allocate.next = self.allocate.val() & !self.free.val() & self.groups[g].free.val();
            self.index.next = self.groups[g].free_index.val();
            if !self.free.val() & self.groups[g].free.val() {
                self.allocate_id.next = bit_cast_to(self.index.val(), self._id_width) | (self.group_number.val() << 6);
            }
            self.free.next = self.free.val() | self.groups[g].free.val();
            self.idle.next = self.idle.val() & self.groups[g].idle.val();
            self.groups[g].query_index.next = bit_cast_to(self.response.id.val(), self._local_width);
            if (self.response.id.val() >> 6) == self.group_number.val() {
                self.wake_uncached.next = self.response.valid.val() & self.groups[g].uncached.val();
            }
            self.replayable.next = self.replayable.val().replace_bit(g, self.groups[g].replay_any.val());
        }

        self.fill.next = self.response.valid.val() & !self.wake_uncached.val();
        self.response_ready.next = !self.wake_uncached.val() | self.wake_take.val();
        self.wake_valid.next = self.wake_uncached.val() | self.replayable.val().any();

        self.turn.next = self.replayable.val();
        for k in 0..self.between.len() {
            self.between[k].request.next = self.replayable.val();
            self.between[k].accept.next = self.wake_take.val() & !self.wake_uncached.val();
            self.turn.next = self.between[k].grant.val();
        }
        self.wake_id.next = 0.into();
        for g in 0..self.groups.len() {
            self.group_number.next = g.into();
            self.groups[g].replay_accept.next =
                self.wake_take.val() & !self.wake_uncached.val() & self.turn.val().get_bit(g);
            self.index.next = self.groups[g].replay_index.val();
            if self.turn.val().get_bit(g) {
                self.wake_id.next = bit_cast_to(self.index.val(), self._id_width) | (self.group_number.val() << 6);
            }
        }
        if self.wake_uncached.val() {
            self.wake_id.next = self.response.id.val();
        }
        for g in 0..self.groups.len() {
            self.group_number.next = g.into();
            self.groups[g].retire.next = self.wake_take.val() & ((self.wake_id.val() >> 6) == self.group_number.val());
            self.groups[g].retire_index.next = bit_cast_to(self.wake_id.val(), self._local_width);
        }

        self.fill_set.next = bit_cast_to(self.lines.read[0].line.val(), self._set_width);
        self.wake_set.next = bit_cast_to(self.lines.read[1].line.val(), self._set_width);

        for k in 0..self.asked.len() {
            self.may_ask[k].next = !(self.asked[k].q.val() == self.most[k].val());
            self.asked[k].d.next = self.asked[k].q.val();
            if self.allocate.val() & !self.same_line.val() {
                self.asked[k].d.next = self.asked[k].q.val() + 1;
            }
            if self.response.valid.val() & self.response_ready.val() {
                self.asked[k].d.next = self.asked[k].q.val() - 1;
                if self.allocate.val() & !self.same_line.val() {
                    self.asked[k].d.next = self.asked[k].q.val();
                }
            }
        }

        self.waiting.write.word.next = bit_cast_to(self.group.address.val() >> 2, self._word_width);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three entries, two sets. One line a cycle: `query line, allocate (c cached, u uncached), response id, take |
    /// free id, same settled locked, ready fill, woken lanes`. Allocated lanes: those of the line's number; way 1.
    const WAITS: &str = "
        6 c - 0 | 0  0 0 00  1 0  -
        6 c - 0 | 1  1 0 10  1 0  -      joins
        4 - - 0 | 2  0 0 10  1 0  -      another line of the set
        5 u - 0 | 2  0 0 00  1 0  -
        5 - - 0 | -  0 0 00  1 0  -      uncached: nobody joins
        6 - 2 0 | -  1 0 10  0 0  0101   not taken
        6 - 2 1 | -  1 0 10  1 0  0101
        6 - 0 0 | 2  1 0 10  1 1  -      the line comes
        6 - - 1 | 2  1 1 10  1 0  0110   both are replayed
        6 - - 1 | 0  1 1 10  1 0  0110
        6 - - 1 | 0  0 0 00  1 0  -";

    /// A cycle in which a group of the lanes of a line's number looks for that line: `query line, allocate, response id, take`.
    fn drive(table: &mut MshrTable, fields: &[&str]) {
        let number: usize = fields[0].parse().unwrap();
        table.query_line.next = number.into();
        table.allocate.next = fields[1] != "-";
        table.allocate_uncached.next = fields[1] == "u";
        table.allocate_way.next = 1.into();
        table.group.lanes.next = number.into();
        table.response.valid.next = fields[2] != "-";
        table.response.id.next = fields[2].parse::<usize>().unwrap_or(0).into();
        table.wake_take.next = fields[3] == "1";
        simulate(table, 1000);
        if !table.wake_valid.val() {
            table.wake_take.next = false;
            simulate(table, 1000);
        }
    }

    #[test]
    fn waits() {
        let config = CoreConfig { mshrs: 3, l1_sets: 2, ..CoreConfig::tiny() };
        let mut table = MshrTable::new(&config, 3);
        table.connect_all();
        simulate(&mut table, 1000);
        for line in WAITS.trim().lines() {
            let fields: Vec<_> = line.split_whitespace().collect();
            drive(&mut table, &fields);
            let id = if table.free.val() { table.allocate_id.val().value().to_string() } else { "-".into() };
            let woken =
                if table.wake_valid.val() { format!("{:04b}", table.wake.lanes.val().value()) } else { "-".into() };
            let found = format!(
                "{id} {} {} {:02b} {} {} {woken}",
                table.same_line.val() as u8,
                table.settled.val() as u8,
                table.locked_ways.val().value(),
                table.response_ready.val() as u8,
                table.fill.val() as u8
            );
            assert_eq!(found, fields[5..12].join(" "), "{line}");
            tick!(table);
        }
    }

    /// Two lines may be asked for, and four groups wait for them: `query line, allocate, response id, take | free may_ask same woken`.
    #[test]
    fn groups_that_share_an_mshr() {
        let config = CoreConfig { mshrs: 2, mshr_merges: 2, l1_sets: 2, ..CoreConfig::tiny() };
        let mut table = MshrTable::new(&config, 3);
        table.connect_all();
        simulate(&mut table, 1000);
        for line in "
            6 c - 0 | 0 1 0 -
            6 c - 0 | 1 1 1 -     joins: no line more is asked for
            4 - - 0 | 2 1 0 -
            5 u - 0 | 2 1 0 -
            4 - - 0 | 3 0 0 -     a place to wait, and no MSHR
            6 c - 0 | 3 0 1 -
            6 - - 0 | - 0 1 -     nor a place
            4 - 0 0 | - 0 0 -     the line comes: its MSHR is free before its groups have gone
            4 - - 1 | - 1 0 6
            4 c - 1 | 0 1 0 6     asked for in the place of the first
            3 - 2 1 | 1 0 0 5     the answer goes past the cache
            3 - - 1 | 1 1 0 6
            3 - 0 0 | 1 1 0 -
            3 - - 1 | 1 1 0 4
            3 - - 0 | 0 1 0 -"
            .trim()
            .lines()
        {
            let fields: Vec<_> = line.split_whitespace().collect();
            drive(&mut table, &fields);
            let number = |is: bool, number: Word| if is { number.value().to_string() } else { "-".into() };
            let id = number(table.free.val(), table.allocate_id.val());
            let woken = number(table.wake_valid.val(), table.wake.lanes.val());
            let found = format!("{id} {} {} {woken}", table.may_ask[0].val() as u8, table.same_line.val() as u8);
            assert_eq!(found, fields[5..9].join(" "), "{line}");
            tick!(table);
        }
        assert!(table.idle.val());
    }

    /// Lines and uncached words for every entry; what comes back with the answers.
    #[test]
    fn a_group_comes_back_with_its_answer() {
        let config = CoreConfig { mshrs: 4, ..CoreConfig::tiny() };
        let mut table = MshrTable::new(&config, 3);
        table.connect_all();
        simulate(&mut table, 1000);
        let uncached = |id: usize| id % 2 == 1;
        table.allocate.next = true;
        for id in 0..4usize {
            table.query_line.next = (id + 1).into();
            table.allocate_uncached.next = uncached(id);
            table.allocate_way.next = (id / 2).into();
            table.group.address.next = (16 * (id + 1) + 4 * (3 - id)).into();
            table.group.lanes.next = (id + 1).into();
            table.group.entry.next = (7 - id).into();
            for (lane, offset) in table.group.offset.iter_mut().enumerate() {
                offset.next = (3 * id + lane).into();
            }
            simulate(&mut table, 1000);
            assert_eq!((table.free.val(), table.allocate_id.val().index()), (true, id));
            tick!(table);
        }
        table.allocate.next = false;
        simulate(&mut table, 1000);
        assert!(!table.free.val());
        for id in [2usize, 1, 3, 0] {
            table.response.valid.next = true;
            table.response.id.next = id.into();
            simulate(&mut table, 1000);
            assert_eq!((table.wake_uncached.val(), table.fill.val()), (uncached(id), !uncached(id)), "{id}");
            if !uncached(id) {
                assert_eq!(table.fill_set.val().index(), (id + 1) % config.l1_sets);
                assert_eq!(table.fill_way.val().index(), id / 2);
                tick!(table);
                table.response.valid.next = false;
                simulate(&mut table, 1000);
                assert_eq!(table.wake_set.val().index(), (id + 1) % config.l1_sets);
                assert_eq!(table.wake_way.val().index(), id / 2);
            } else {
                assert_eq!(table.wake.word.val().index(), 3 - id);
            }
            assert!(table.wake_valid.val() && !table.idle.val());
            assert_eq!((table.wake.lanes.val().index(), table.wake.entry.val().index()), (id + 1, 7 - id));
            let mut offsets = table.wake.offset.iter().enumerate();
            assert!(offsets.all(|(lane, offset)| offset.val().index() == 3 * id + lane));
            table.wake_take.next = true;
            tick!(table);
            table.wake_take.next = false;
        }
        table.response.valid.next = false;
        simulate(&mut table, 1000);
        assert!(table.idle.val() && !table.wake_valid.val());
    }
}
