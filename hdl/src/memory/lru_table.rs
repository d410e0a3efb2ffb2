//! True least-recently-used order of the ways of every set, as a matrix.
//!
//! ```text
//!  S0: read_set -->+----------+
//!  S1: set ------->|          |---> victim      one-hot
//!      allowed --->| LruTable |---> victim_way
//!      touch ----->|          |---> victim_any
//!      touch_ways >|          |
//!                  +----------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `read_set` | s | set that `set` names in the next cycle (sampled in every cycle) |
//! | `set` | s | set looked at: `read_set` one cycle ago |
//! | `allowed` | ways | ways that may be evicted |
//! | `victim`, `victim_way`, `victim_any` | ways, w, 1 | the allowed way used longest ago; whether there is one |
//! | `touch`, `touch_ways` | 1, ways | the way (one-hot) of `set` that is used in this cycle |
//!
//! Latency: one cycle from `read_set`, then 0. State: ways x ways bits per set.
//! Bit *j* of row *i*: way *i* was used after way *j*. A use fills its row and clears its column; the
//! victim is the way whose row is empty among the allowed ones. Rows written in the last cycle are forwarded,
//! because a synchronous read that meets a write sees the old row.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct LruTable: clock, reset {
        pub read_set: Net<In> = index_width(sets),
        pub set: Net<In> = index_width(sets),
        pub allowed: Net<In> = ways,
        pub victim: Net<Out> = ways,
        pub victim_way: Net<Out> = index_width(ways),
        pub victim_any: Signal<Out, Bit>,
        pub touch: Signal<In, Bit>,
        pub touch_ways: Net<In> = ways,

        rows: Vec<Memory> = (0..ways).map(|_| Memory::new(ways, sets, 1, 1, ReadKind::Synchronous)).collect() => |i| {
            read_address[0]: read_set, write_enable[0]: touch, write_address[0]: set,
        },
        /// The last use: its set, and the rows it wrote.
        written: StateRegister<Bit> => { d: touch },
        written_set: Flop = Flop::new(index_width(sets)) => { d: set },
        written_rows: Vec<Flop> = (0..ways).map(|_| Flop::new(ways)).collect(),
        forward: Signal<Local, Bit>,
        current: Vec<Net<Local>> = Net::vec(ways, ways),
        oldest: Net<Local> = ways,
        encoder: PriorityEncoder = PriorityEncoder::new(ways) => {
            request: oldest, one_hot: victim, index: victim_way, any: victim_any,
        },
    }
    /// A table of `sets` sets of 2 to 64 `ways`.
    pub fn new(sets: usize, ways: usize) {}
}

impl Logic for LruTable {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module LruTable");
        self.forward.next = self.written.q.val() & (self.written_set.q.val() == self.set.val());

        self.oldest.next = 0.into();
        for i in 0..self.rows.len() {
            self.rows[i].read_enable[0].next = true;
            self.current[i].next = self.rows[i].read_data[0].val();
            if self.forward.val() {
                self.current[i].next = self.written_rows[i].q.val();
            }
            self.oldest.next = self
                .oldest
                .val()
                .replace_bit(i, self.allowed.val().get_bit(i) & !(self.current[i].val() & self.allowed.val()).any());

            self.written_rows[i].d.next = self.current[i].val() & !self.touch_ways.val();
            if self.touch_ways.val().get_bit(i) {
                self.written_rows[i].d.next = !self.touch_ways.val();
            }
            self.rows[i].write_data[0].next = self.current[i].val() & !self.touch_ways.val();
            if self.touch_ways.val().get_bit(i) {
                self.rows[i].write_data[0].next = !self.touch_ways.val();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One line a cycle, read in the cycle before: `set touch allowed | victim`, `-` where nothing is touched or evicted.
    const EVICTS_THE_OLDEST: &str = "
        0 0 1111 | 0001   never used: the lowest
        0 1 1111 | 0010
        0 2 1111 | 0100   forwarded
        0 3 1111 | 1000
        0 - 1111 | 0001
        1 - 1111 | 0001   another set
        0 0 1111 | 0001
        0 - 1111 | 0010
        0 - 1101 | 0100   way 1 is locked
        0 1 0001 | 0001
        0 - 0000 | -
        0 - 1111 | 0100";

    #[test]
    fn evicts_the_oldest() {
        let mut table = LruTable::new(2, 4);
        table.connect_all();
        simulate(&mut table, 1000);
        for line in EVICTS_THE_OLDEST.trim().lines().map(str::trim) {
            let fields: Vec<_> = line.split_whitespace().collect();
            table.touch.next = false;
            table.read_set.next = fields[0].parse::<usize>().unwrap().into();
            tick!(table);
            table.set.next = fields[0].parse::<usize>().unwrap().into();
            table.touch.next = fields[1] != "-";
            table.touch_ways.next = fields[1].parse::<usize>().map_or(0, |way| 1 << way).into();
            table.allowed.next = usize::from_str_radix(fields[2], 2).unwrap().into();
            simulate(&mut table, 1000);
            let victim = format!("{:04b}", table.victim.val().value());
            assert_eq!(if table.victim_any.val() { &victim } else { "-" }, fields[4], "{line}");
            tick!(table);
        }
    }

    /// A set in every cycle, most of them used, against the time of each way's last use: whatever of a set was written in the last cycle
    /// counts, and nothing of another set or of a cycle without a use.
    #[test]
    fn the_victim_is_the_way_whose_last_use_is_longest_ago() {
        let (sets, ways) = (4, 4);
        let mut table = LruTable::new(sets, ways);
        table.connect_all();
        simulate(&mut table, 1000);
        let mut state = 3u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % below
        };
        let mut last_use = vec![vec![0; ways]; sets];
        let mut set = 0;
        for cycle in 1..2000 {
            let (next, allowed, way, touches) = (random(sets), random(1 << ways), random(ways), random(4) > 0);
            table.read_set.next = next.into();
            table.set.next = set.into();
            table.allowed.next = allowed.into();
            table.touch.next = touches;
            table.touch_ways.next = (1usize << way).into();
            simulate(&mut table, 1000);
            let oldest = (0..ways).filter(|way| allowed >> way & 1 == 1).min_by_key(|&way| last_use[set][way]);
            assert_eq!(table.victim_any.val(), oldest.is_some(), "cycle {cycle}");
            assert_eq!(table.victim.val().index(), oldest.map_or(0, |way| 1 << way), "cycle {cycle}");
            assert_eq!(table.victim_way.val().index(), oldest.unwrap_or(0), "cycle {cycle}");
            if touches {
                last_use[set][way] = cycle;
            }
            tick!(table);
            set = next;
        }
    }

    #[test]
    fn forwards_back_to_back_uses() {
        let mut table = LruTable::new(2, 4);
        table.connect_all();
        simulate(&mut table, 1000);
        table.allowed.next = 0b1111.into();
        table.touch.next = true;
        for way in [0usize, 3, 1, 2] {
            table.touch_ways.next = (1usize << way).into();
            tick!(table);
        }
        assert_eq!(table.victim.val().value(), 0b0001);
    }
}
