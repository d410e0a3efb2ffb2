//! The warp look-up table: for a PC, the warp that its threads may join; and the PC whose warps issue first.
//!
//! ```text
//!                      +-----------------------------------------------+
//!  pc, cta ----------->| WarpLutWay x 4, set = PC[..2] ^ PC[..5]       |---> joinable, slot, lanes, entry, claims
//!  write, new_* ------>|    |                                          |
//!  issued_* ---------->|    | counts                                   |
//!                      |    v                                          |---> current_*
//!                      | ChoiceStep x k: most, or fewest               |
//!                      +-----------------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `pc`, `cta` | 32, c | where threads go; whose they are |
//! | `joinable`, `slot`, `lanes` | 1, p, L | an open warp is there; its slot and its lanes |
//! | `entry`, `claims` | e, 1 | the entry for that PC, {way, set}: its own, or, where no threads wait, one that is free or for which the fewest do, taken from its PC |
//! | `write`, `new_slot`, `new_lanes`, `new_threads` | 1, p, L, n | it is written: the warp to be joined from now on, its lanes, how many threads more wait |
//! | `issued`, `issued_entry`, `issued_listed`, `issued_threads` | 1, e, 1, n | an open warp of this entry issues; the one that can be joined; its threads |
//! | `current_valid`, `current_entry` | 1, e | the entry preferred now |
//! | `issue_valid` | 1 | something issues |
//! | `evicted` | 1 | threads that wait lose their entry: a chance to merge is lost |
//!
//! Latency: look-up 0, write 1. State: that of the ways, and the preferred entry.
//!
//! An entry is preferred until none of its warps is open; then that with the most threads in open warps (*majority*) or the fewest
//! (*minority*), the first among equals. Other policies prefer none. It counts threads of all open warps at its PC, of which only the last one formed can be joined: the others have the lanes
//! that it lacked. Fung & Aamodt 2011, 2.3 and 3.2 (warp LUT).
use super::WarpLutWay;
use crate::config::{IssuePolicy, WarpFormation};
use crate::parts::ChoiceStep;
use crate::prelude::*;

/// Entries of a set.
const WAYS: usize = 4;

module! {
    /// See the [module documentation](self).
    pub struct WarpLut: clock, reset {
        pub pc: Net<In> = 32,
        pub cta: Net<In> = cta,
        pub joinable: Signal<Out, Bit>,
        pub slot: Net<Out> = path,
        pub lanes: Net<Out> = lanes,
        pub entry: Net<Out> = entry,
        pub claims: Signal<Out, Bit>,
        pub evicted: Signal<Out, Bit>,
        pub write: Signal<In, Bit>,
        pub new_slot: Net<In> = path,
        pub new_lanes: Net<In> = lanes,
        pub new_threads: Net<In> = threads,
        pub issue_valid: Signal<In, Bit>,
        pub issued: Signal<In, Bit>,
        pub issued_entry: Net<In> = entry,
        pub issued_listed: Signal<In, Bit>,
        pub issued_threads: Net<In> = threads,
        pub current_valid: Signal<Out, Bit>,
        pub current_entry: Net<Out> = entry,

        ways: Vec<WarpLutWay> = (0..WAYS).map(|_| WarpLutWay::new(sets, most, lanes, path, cta)).collect() => |i| {
            set, pc, cta, new_slot, new_lanes, issued_listed,
        },
        /// With a preferred PC: a step for every bit of a count, the lowest first; else none.
        steps: Vec<ChoiceStep> = (0..steps).map(|_| ChoiceStep::new(WAYS, sets)).collect(),
        lowest: Vec<PriorityEncoder> = (0..WAYS).map(|_| PriorityEncoder::new(sets)).collect(),
        fewest: Constant = Constant::new((formation.policy == IssuePolicy::Minority) as u64, 1),
        way_numbers: Vec<Constant> = (0..WAYS).map(|way| Constant::new((way * sets) as u64, entry)).collect(),
        way_bits: Constant = Constant::new(mask(entry) ^ mask(set), entry),
        preferring: StateRegister<Bit>,
        preferred: Register = Register::new(entry),

        set: Net<Local> = set,
        issued_way: Net<Local> = entry,
        hit: Signal<Local, Bit>,
        way: Net<Local> = entry,
        count: Net<Local> = count,
        held_way: Net<Local> = entry,
        held_set: Net<Local> = set,
        held_open: Signal<Local, Bit>,
        chosen: Signal<Local, Bit>,
        lowest_index: Net<Local> = set,
        now_preferred: Net<Local> = entry,
    }
    sizes { _set = set, _count = count, _last = (steps.max(1)) - 1, _entry = entry }
    /// Of a core.
    pub fn new(config: &CoreConfig, formation: WarpFormation) {
        let (lanes, path, cta) = (config.lanes, config.path_width(), config.slot_width());
        let (entry, sets, most) = (index_width(formation.lut_entries), formation.lut_entries / WAYS, config.warps * config.lanes);
        let (set, count, threads) = (index_width(sets), index_width(most + 1), index_width(lanes + 1));
        let prefers = matches!(formation.policy, IssuePolicy::Majority | IssuePolicy::Minority);
        let steps = if prefers { count } else { 0 };
    }
}

impl Logic for WarpLut {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module WarpLut");
        dff_setup!(self, clock, preferring, preferred);

        // Look-up: the entry of this PC, else the one with the fewest threads.
        self.set.next = bit_cast_to((self.pc.val() >> 2) ^ (self.pc.val() >> 5), self._set);
        self.hit.next = false;
        self.joinable.next = false;
        self.slot.next = self.ways[0].slot.val();
        self.lanes.next = self.ways[0].lanes.val();
        self.way.next = self.way_numbers[0].val();
        self.count.next = self.ways[0].count.val();
        for i in 0..self.ways.len() {
            if self.ways[i].count.val() < self.count.val() {
                self.way.next = self.way_numbers[i].val();
                self.count.next = self.ways[i].count.val();
            }
        }
        for i in 0..self.ways.len() {
            if self.ways[i].hit.val() {
                self.hit.next = true;
                self.joinable.next = self.ways[i].joinable.val();
                self.slot.next = self.ways[i].slot.val();
                self.lanes.next = self.ways[i].lanes.val();
                self.way.next = self.way_numbers[i].val();
                self.count.next = self.ways[i].count.val();
            }
        }
        self.entry.next = self.way.val() | bit_cast_to(self.set.val(), self._entry);
        self.claims.next = !self.hit.val();
        self.evicted.next = self.write.val() & !self.hit.val() & self.count.val().any();

        self.issued_way.next = self.issued_entry.val() & self.way_bits.val();
        for i in 0..self.ways.len() {
            self.ways[i].write.next = self.write.val() & (self.way.val() == self.way_numbers[i].val());
            self.ways[i].new_count.next = bit_cast_to(self.new_threads.val(), self._count);
            if self.hit.val() {
                self.ways[i].new_count.next = self.count.val() + bit_cast_to(self.new_threads.val(), self._count);
            }
            self.ways[i].issued.next = self.issued.val() & (self.issued_way.val() == self.way_numbers[i].val());
            self.ways[i].issued_set.next = bit_cast_to(self.issued_entry.val(), self._set);
            self.ways[i].issued_count.next = bit_cast_to(self.issued_threads.val(), self._count);
        }

        // Which PC is preferred.
        self.held_way.next = self.preferred.q.val() & self.way_bits.val();
        self.held_set.next = bit_cast_to(self.preferred.q.val(), self._set);
        self.held_open.next = false;
        for i in 0..self.ways.len() {
            if self.held_way.val() == self.way_numbers[i].val() {
                self.held_open.next = self.ways[i].open.val().get_bit(self.held_set.val().index());
            }
            self.lowest[i].request.next = 0.into();
            for b in 0..self._last {
                self.steps[b].candidates[i].next = self.steps[b + 1].left[i].val();
            }
            for b in self._last..self.steps.len() {
                self.steps[b].candidates[i].next = self.ways[i].open.val();
            }
            for b in 0..self.steps.len() {
                self.steps[b].plane[i].next = self.ways[i].planes[b].val();
                if self.fewest.val().any() {
                    self.steps[b].plane[i].next = !self.ways[i].planes[b].val();
                }
                self.lowest[i].request.next = self.steps[0].left[i].val();
            }
        }
        self.chosen.next = false;
        self.current_valid.next = false;
        self.current_entry.next = self.preferred.q.val();
        if self.preferring.q.val() & self.held_open.val() {
            self.current_valid.next = true;
            self.chosen.next = true;
        }
        for i in 0..self.lowest.len() {
            self.lowest_index.next = self.lowest[i].index.val();
            if self.lowest[i].any.val() & !self.chosen.val() {
                self.current_valid.next = true;
                self.chosen.next = true;
                self.current_entry.next = self.way_numbers[i].val() | bit_cast_to(self.lowest_index.val(), self._entry);
            }
        }
        self.now_preferred.next = self.preferred.q.val();
        if self.issue_valid.val() {
            self.now_preferred.next = self.current_entry.val();
            self.preferring.d.next = self.current_valid.val();
            self.preferred.d.next = self.current_entry.val();
        }
        if self.write.val() & self.claims.val() & (self.entry.val() == self.now_preferred.val()) {
            self.preferring.d.next = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Mechanism;
    use crate::divergence::cycle_script::{cycles, digits, set};

    /// A PC is looked up; `write` slot, lanes and threads; `issue` of a warp of an entry with so many threads `|` slot and lanes of the warp that can be joined; the entry; what happens to it; the entry preferred now.
    #[track_caller]
    fn play(policy: IssuePolicy, script: &str) {
        let how = WarpFormation { policy, lut_entries: 8, ..WarpFormation::DEFAULT };
        let config = CoreConfig { mechanism: Mechanism::WarpFormation(how), ..CoreConfig::tiny() };
        let mut lut = WarpLut::new(&config, how);
        lut.connect_all();
        simulate(&mut lut, 1000);
        for (input, seen) in cycles(script) {
            let behind = |name: &str| input.iter().position(|word| *word == name).map(|at| &input[at + 1..]);
            let number = |text: &str| text.parse::<usize>().unwrap().into();
            lut.pc.next = usize::from_str_radix(input[0], 16).unwrap().into();
            lut.write.next = behind("write").is_some();
            if let Some([slot, lanes, threads, ..]) = behind("write") {
                lut.new_slot.next = number(slot);
                lut.new_lanes.next = set(lanes);
                lut.new_threads.next = number(threads);
            }
            lut.issue_valid.next = behind("issue").is_some();
            lut.issued.next = behind("issue").is_some();
            lut.issued_listed.next = input.contains(&"listed");
            if let Some([entry, threads, ..]) = behind("issue") {
                lut.issued_entry.next = number(entry);
                lut.issued_threads.next = number(threads);
            }
            simulate(&mut lut, 1000);
            let mut found = match lut.joinable.val() {
                true => format!("{}:{} ", lut.slot.val().value(), digits(lut.lanes.val())),
                false => "- ".to_string(),
            };
            found += &lut.entry.val().value().to_string();
            for (happens, what) in [(lut.claims.val(), " claims"), (lut.evicted.val(), " evicts")] {
                found += if happens { what } else { "" };
            }
            found += &match lut.current_valid.val() {
                true => format!(" >{}", lut.current_entry.val().value()),
                false => " >-".to_string(),
            };
            assert_eq!(found, seen.join(" "), "{input:?}");
            tick!(lut);
        }
    }

    #[test]
    fn the_majority_is_preferred_as_long_as_it_lasts() {
        play(
            IssuePolicy::Majority,
            "0 write 0 01 2       | - 0 claims >-
             0                    | 0:01 0 >0
             8 write 1 0123 4     | - 2 claims >0
             8                    | 1:0123 2 >2
             8 issue 2 4 listed   | 1:0123 2 >2
             0                    | 0:01 0 >0
             10 write 2 0 1       | - 2 claims >0    | the entry is free
             18 write 3 1 1       | - 4 claims >0
             40 write 4 2 1       | - 6 claims >0
             80 write 5 3 1       | - 2 claims evicts >0 | the first with the fewest threads
             80                   | 5:3 2 >0
             10                   | - 2 claims >0
             4                    | - 1 claims >0    | in the other set",
        );
    }

    #[test]
    fn the_minority_is_preferred_as_long_as_it_lasts() {
        play(
            IssuePolicy::Minority,
            "0 write 0 012 3      | - 0 claims >-
             4 write 1 3 1        | - 1 claims >0
             4 issue 1 1 listed   | 1:3 1 >1
             4                    | - 1 claims >0",
        );
    }

    #[test]
    fn other_policies_prefer_nobody() {
        play(
            IssuePolicy::Oldest,
            "0 write 0 012 3      | - 0 claims >-
             0                    | 0:012 0 >-",
        );
    }
}
