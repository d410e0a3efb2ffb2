//! Tags and valid bits of the L1, looked up one cycle after the set is known.
//!
//! ```text
//!  S0: read_set --->+----------+
//!  S1: set, tag --->|          |---> hit
//!      install ---->| TagArray |---> hit_ways   one-hot
//!      invalidate ->|          |---> hit_way
//!      clear ------>|          |
//!                   +----------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `read_set` | s | set that `set` names in the next cycle (sampled in every cycle) |
//! | `set`, `tag` | s, t | line looked for |
//! | `hit`, `hit_ways`, `hit_way` | 1, ways, w | whether and where it is |
//! | `install`, `install_ways` | 1, ways | put the line into this way (one-hot) |
//! | `invalidate` | 1 | drop the line from where it hits |
//! | `clear` | 1 | drop every line |
//! | `drop` | 1 | in a GPU, at another time: drop every line |
//!
//! Latency: one cycle from `read_set`, then 0; changes hold from the next cycle on. State: a synchronous memory of tags
//! and a register of valid bits per way (at most 64 sets), so that `clear` takes one cycle.
//! The tag installed in the last cycle is forwarded: a synchronous read that meets a write sees the old tag.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct TagArray: clock, reset {
        pub read_set: Net<In> = index_width(sets),
        pub set: Net<In> = index_width(sets),
        pub tag: Net<In> = tag,
        pub hit: Signal<Out, Bit>,
        pub hit_ways: Net<Out> = ways,
        pub hit_way: Net<Out> = index_width(ways),
        pub install: Signal<In, Bit>,
        pub install_ways: Net<In> = ways,
        pub invalidate: Signal<In, Bit>,
        pub clear: Signal<In, Bit>,
        pub drop: Vec<Signal<In, Bit>> = bit_vec(drops),

        tags: Vec<Memory> = (0..ways).map(|_| Memory::new(tag, sets, 1, 1, ReadKind::Synchronous)).collect() => |i| {
            read_address[0]: read_set, write_address[0]: set, write_data[0]: tag,
        },
        /// Per way, one bit per set.
        valid: Vec<Register> = Register::vec(ways, sets),
        /// The last installation.
        written_ways: Register = Register::new(ways),
        written_set: Flop = Flop::new(index_width(sets)) => { d: set },
        written_tag: Flop = Flop::new(tag) => { d: tag },
        current: Vec<Net<Local>> = Net::vec(ways, tag),
        matching: Net<Local> = ways,
        encoder: PriorityEncoder = PriorityEncoder::new(ways) => {
            request: matching, any: hit, one_hot: hit_ways, index: hit_way,
        },
    }
    /// `sets` x `ways` tags of `tag` bits; with `drops` ports more at which all are dropped.
    ///
    /// # Panics
    /// With more than 64 sets: the valid bits of a way are one register.
    pub fn new(sets: usize, ways: usize, tag: usize, drops: usize) {
        assert!((2..=64).contains(&sets), "2 to 64 sets, not {sets}");
    }
}

impl Logic for TagArray {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module TagArray");
        dff_setup!(self, clock, written_ways);
        self.written_ways.d.next = 0.into();
        if self.install.val() {
            self.written_ways.d.next = self.install_ways.val();
        }

        self.matching.next = 0.into();
        for i in 0..self.tags.len() {
            self.tags[i].read_enable[0].next = true;
            self.tags[i].write_enable[0].next = self.install.val() & self.install_ways.val().get_bit(i);
            self.current[i].next = self.tags[i].read_data[0].val();
            if self.written_ways.q.val().get_bit(i) & (self.written_set.q.val() == self.set.val()) {
                self.current[i].next = self.written_tag.q.val();
            }
            self.matching.next = self.matching.val().replace_bit(
                i,
                self.valid[i].q.val().get_bit(self.set.val().index()) & (self.current[i].val() == self.tag.val()),
            );
        }

        for i in 0..self.valid.len() {
            self.valid[i].reset.next = self.reset.val() | self.clear.val();
            for g in 0..self.drop.len() {
                self.valid[i].reset.next = self.reset.val() | self.clear.val() | self.drop[g].val();
            }
            self.valid[i].d.next = self.valid[i].q.val();
            if self.install.val() & self.install_ways.val().get_bit(i) {
                self.valid[i].d.next = self.valid[i].q.val().replace_bit(self.set.val().index(), true);
            } else if self.invalidate.val() & self.matching.val().get_bit(i) {
                self.valid[i].d.next = self.valid[i].q.val().replace_bit(self.set.val().index(), false);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One line a cycle: `set tag action | ways that hit`; every set is read in the cycle before.
    const LOOKS_UP: &str = "
        1 7 -  | -
        1 7 i0 | -      install into way 0
        1 7 -  | 0      at once: forwarded
        1 7 -  | 0      from the memory
        0 7 -  | -
        1 6 i1 | -
        1 6 -  | 1
        1 7 x  | 0      invalidate
        1 7 -  | -
        1 6 c  | 1      clear
        1 6 -  | -";

    #[test]
    fn looks_up() {
        let mut tags = TagArray::new(2, 2, 8, 0);
        tags.connect_all();
        simulate(&mut tags, 1000);
        let lines: Vec<Vec<_>> = LOOKS_UP.trim().lines().map(|line| line.split_whitespace().collect()).collect();
        for (at, line) in lines.iter().enumerate() {
            let number = |text: &str| Word::from(text.parse::<usize>().unwrap());
            tags.set.next = number(line[0]);
            tags.tag.next = number(line[1]);
            tags.install.next = line[2].starts_with('i');
            tags.install_ways.next = if line[2] == "i1" { 2.into() } else { 1.into() };
            tags.invalidate.next = line[2] == "x";
            tags.clear.next = line[2] == "c";
            tags.read_set.next = number(lines.get(at + 1).map_or("0", |next| next[0]));
            simulate(&mut tags, 1000);
            let way = tags.hit_way.val().value().to_string();
            assert_eq!(if tags.hit.val() { &way } else { "-" }, line[4], "{line:?}");
            tick!(tags);
        }
    }
}
