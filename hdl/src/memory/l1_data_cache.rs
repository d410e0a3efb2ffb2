//! The L1 data cache: write-through, no write-allocate, hit under miss and miss under miss.
//!
//! ```text
//!        S0                S1                              S2
//!  group_* --+--> tags  --> compare --+-- hit ----------> data --> word per lane --> result_*
//!            |    (read)    LRU       |                   (read)     ^
//!            |                        +-- miss -> MshrTable -- replay+ (priority)
//!            +--> S1 register         |                ^
//!                                     +-- store ------ | ---> data (write) --+
//!                                     +-- atomic ----- | ------------------> RequestQueue --> request_*
//!                                       response_* ----+---> data (fill)
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `group_valid`, `group_ready` | 1 | a group of lanes in one line is offered; taken |
//! | `group_op`, `group_succeeds` | | operation; for a store-conditional, whether it stores |
//! | `group_address` | 32 | physical address of the leader |
//! | `group_lanes`, `group_entry` | L, e | lanes; load-table entry their results belong to |
//! | `group_offset[L]` | log2(line) | byte offsets in the line |
//! | `group_data[L]`, `group_mask[L]` | 32, 4 | store data and bytes, in place in their word |
//! | `clear` | 1 | drop every line (a launch) |
//! | `drop` | 1 | in a GPU, while nothing is in flight: drop every line |
//! | `result_valid`, `result_ready`, `result_entry`, `result_lanes` | | lanes that have their words |
//! | `result_word[L]`, `result_offset[L]` | 32, 2 | the word each lane addressed, and the byte in it |
//! | `request_*`, `response_*` | | the memory port, see [`interface`](crate::interface) |
//! | `draining` | 1 | a group is in S1 or a request waits: earlier stores may not have left |
//! | `idle` | 1 | nothing in flight |
//! | `l1_access` | 1 | a group has passed S1 (a failing store-conditional does not count) |
//! | `l1_miss` | 1 | ... a load whose line was not there (yet) |
//! | `served` | L | where loads are issued again (Vec of one): the lanes of the load in S1 that are done: they hit, or a request for them is on its way |
//! | `look_ends`, `look_missed` | 1 | where loads may wait for an MSHR before they issue (Vec of one): a load leaves S1; the line of the load in S1 is not there |
//! | `refused`, `refused_entry` | 1, e | where loads are issued again (Vec of one): the load in S1 leaves without that, and its entry with it |
//! | `mshr_taken`, `mshr_freed` | 1 | where hazards are counted (Vec of one): an MSHR is taken; one is free again |
//! | `waits`, `waits_for`, `mshr_free` | 1, | where hazards are counted (Vec of one): the group in S1 stays; if it does, or leaves without, it is for this; an MSHR is free |
//!
//! Latency: a hit is at `result_*` two cycles after its acceptance, one group per cycle. State: tags, LRU, data (a memory per
//! word of the line), MSHRs, the S1 and S2 registers, the request queue.
//!
//! Rules that keep it coherent and free of deadlock:
//! - S1 is the point of order: requests leave in its order. The tag and the way are allocated there at the miss; a group whose
//!   line is still on its way takes an MSHR of its own and waits for the same fill.
//! - A store or atomic to a line that loads wait for stays in S1 until they are replayed, so that they see the old data and the
//!   fill does not bury the new.
//! - Atomics and LR drop the line and go to memory; their answer passes to S2 without being cached.
//! - In a GPU a store-conditional that the core would let store is an atomic, too: L2 decides.
//! - Fills are always accepted, and replays and answers go before S1: neither S2 nor a fill ever waits for S1.
use super::{LaneWords, LineGroup, LineGroupRegister, LruTable, MshrTable, RequestQueue, TagArray};
use crate::interface::{LineRequest, LineResponse, LookHazard, MemoryOp, RequestKind};
use crate::parts::LaneCrossbar;
use crate::prelude::*;

/// Requests that may wait for the memory port.
const REQUEST_QUEUE: usize = 4;

registers! {
    /// The group in S2.
    pub struct ReadingGroupRegister {
        /// Lanes that read their words.
        ReadingGroup(config: &CoreConfig, entry: usize) {
            valid: Bit,
            /// The result is `word`, not a word of the line.
            single: Bit,
            word: [32],
            /// Load-table entry.
            entry: [entry],
            lanes: [config.lanes],
            /// Byte offsets in the line.
            offset: [index_width(config.line_bytes); config.lanes],
        }
    }
}

module! {
    /// See the [module documentation](self).
    pub struct L1DataCache: clock, reset {
        pub clear: Signal<In, Bit>,
        pub drop: Vec<Signal<In, Bit>> = bit_vec(config.of_gpu()),
        pub group: LineGroup<In> = LineGroup::new(config, entry),
        pub group_ready: Signal<Out, Bit>,
        pub result: LaneWords<Out> = LaneWords::new(config, entry),
        pub result_ready: Signal<In, Bit>,
        pub request: LineRequest<Out> = LineRequest::new(config),
        pub request_ready: Signal<In, Bit>,
        pub response: LineResponse<In> = LineResponse::new(config),
        pub response_ready: Signal<Out, Bit>,
        pub draining: Signal<Out, Bit>,
        pub idle: Signal<Out, Bit>,
        pub l1_access: Signal<Out, Bit>,
        pub l1_miss: Signal<Out, Bit>,
        /// Where loads are issued again, one each, or none: the lanes of the load in S1 that are done, and whether it leaves without that.
        pub served: Vec<Net<Out>> = Net::vec(config.of_replay(), config.lanes),
        pub refused: Vec<Signal<Out, Bit>> = bit_vec(config.of_replay()),
        pub refused_entry: Vec<Net<Out>> = Net::vec(config.of_replay(), entry),
        /// Where loads may wait for an MSHR before they issue, one each: a load leaves S1; the line of the load in S1 is not there.
        pub look_ends: Vec<Signal<Out, Bit>> = bit_vec(config.of_prediction()),
        pub look_missed: Vec<Signal<Out, Bit>> = bit_vec(config.of_prediction()),
        /// Where hazards are counted, one each: an MSHR is taken; one is free again; the group in S1 stays; what for, if it does or leaves without; an MSHR is free.
        pub mshr_taken: Vec<Signal<Out, Bit>> = bit_vec(config.of_hazards()),
        pub mshr_freed: Vec<Signal<Out, Bit>> = bit_vec(config.of_hazards()),
        pub waits: Vec<Signal<Out, Bit>> = bit_vec(config.of_hazards()),
        pub waits_for: Vec<Signal<Out, LookHazard>> = (0..config.of_hazards()).map(|_| Signal::default()).collect(),
        pub mshr_free: Vec<Signal<Out, Bit>> = bit_vec(config.of_hazards()),

        // S1: the group whose tags have been read.
        s1: LineGroupRegister = LineGroupRegister::new(config, entry),
        /// The group leaves S1 in this cycle.
        advance: Signal<Local, Bit>,
        line: Net<Local> = line,
        set: Net<Local> = set,
        group_set: Net<Local> = set,
        /// What the group is: a load, something that stores, an atomic or LR; `conditional`: an SC, which has a result at once.
        load: Signal<Local, Bit>,
        store: Signal<Local, Bit>,
        uncached: Signal<Local, Bit>,
        conditional: Signal<Local, Bit>,
        hit: Signal<Local, Bit>,
        allocate_line: Signal<Local, Bit>,
        store_hit: Signal<Local, Bit>,
        lane_offset: Net<Local> = offset,

        tags: TagArray = TagArray::new(config.l1_sets, config.l1_ways, line - set, config.of_gpu()) => {
            clear, drop, set, install: allocate_line, install_ways: lru.victim,
        },
        lru: LruTable = LruTable::new(config.l1_sets, config.l1_ways) => { set },
        mshrs: MshrTable = MshrTable::new(config, entry) => {
            query_line: line, allocate_uncached: uncached, group: s1.q, response, response_ready,
        },
        crossbar: LaneCrossbar = LaneCrossbar::new(lanes, words) => { lane_data: s1.q.data, lane_mask: s1.q.mask },
        requests: RequestQueue = RequestQueue::new(config, REQUEST_QUEUE) => {
            push.line: s1.q.address, push.id: mshrs.allocate_id, push.atomic: s1.q.op, push.data: crossbar.slot_data,
            push.mask: crossbar.slot_mask, request_ready, request,
        },
        /// One per word of the line; row = way, set.
        data: Vec<Memory> = (0..words).map(|_| Memory::with_byte_enables(32, rows, 1, 1, ReadKind::Synchronous)).collect() => |j| {
            read_address[0]: read_row, read_enable[0]: s2_open, write_address[0]: write_row,
        },
        read_row: Net<Local> = index_width(rows),
        write_row: Net<Local> = index_width(rows),
        read_words: Vec<Net<Local>> = Net::vec(words, 32),

        // S2: the group whose data has been read.
        s2_open: Signal<Local, Bit>,
        s2_take: Signal<Local, Bit>,
        s2: ReadingGroupRegister = ReadingGroupRegister::new(config, entry) => {
            q.valid: result.valid, q.entry: result.entry, q.lanes: result.lanes,
        },
        answer: IndexedMux = IndexedMux::new(32, words) => { inputs: response.data, index: mshrs.wake.word },
        select: Vec<IndexedMux> = (0..lanes).map(|_| IndexedMux::new(32, words)).collect() => |i| {
            inputs: read_words,
        },
        /// Bits below the number of a line in this bank.
        below_line: Constant = Constant::new(32 - line as u64, 6),
        set_shift: Constant = Constant::new(set as u64, 6),
    }
    sizes { _line_width = line, _set_width = set, _tag_width = line - set, _row_width = index_width(rows), _word_width = index_width(words) }
    /// A bank of `config`'s sets and MSHRs, all there are or [`l1_bank`](CoreConfig::l1_bank)'s, for load-table entries of `entry` bits.
    ///
    /// # Panics
    /// With fewer than 2 sets, ways or MSHRs.
    pub fn new(config: &CoreConfig, entry: usize) {
        assert!(config.l1_sets >= 2 && config.l1_ways >= 2 && config.mshrs >= 2, "at least 2 sets, ways and MSHRs");
        let (lanes, words) = (config.lanes, config.line_words());
        let (offset, set) = (index_width(config.line_bytes), index_width(config.l1_sets));
        let line = config.line_number_width();
        let rows = config.l1_sets * config.l1_ways;
    }
}

impl Logic for L1DataCache {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module L1DataCache");

        // S1: what is it, and may it go?
        self.line.next = bit_cast_to(self.s1.q.address.val() >> self.below_line.val(), self._line_width);
        self.group_set.next = bit_cast_to(self.group.address.val() >> self.below_line.val(), self._set_width);
        self.set.next = bit_cast_to(self.line.val(), self._set_width);
        self.load.next = self.s1.q.op.val() == MemoryOp::Load;
        self.conditional.next = self.s1.q.op.val() == MemoryOp::StoreConditional;
        self.store.next = (self.s1.q.op.val() == MemoryOp::Store) | (self.conditional.val() & self.s1.q.succeeds.val());
        self.uncached.next = !self.load.val() & !self.conditional.val() & !(self.s1.q.op.val() == MemoryOp::Store);
        for g in 0..self.drop.len() {
            self.requests.push.reserves[g].next = bit_cast_to(self.s1.q.succeeds.val(), 1);
            self.store.next = self.s1.q.op.val() == MemoryOp::Store;
            self.uncached.next = self.uncached.val() | (self.conditional.val() & self.s1.q.succeeds.val());
            self.conditional.next = self.conditional.val() & !self.s1.q.succeeds.val();
        }
        self.tags.tag.next = bit_cast_to(self.line.val() >> self.set_shift.val(), self._tag_width);
        self.lru.allowed.next = !self.mshrs.locked_ways.val();
        self.hit.next = self.tags.hit.val() & !self.mshrs.same_line.val();
        self.s2_open.next = !self.s2.q.valid.val() | self.result_ready.val();
        self.s2_take.next = self.s2_open.val() & !self.mshrs.wake_valid.val();

        self.advance.next = false;
        self.allocate_line.next = false;
        self.mshrs.allocate.next = false;
        self.requests.push.valid.next = false;
        self.store_hit.next = false;
        if self.s1.q.valid.val() {
            if self.load.val() {
                if self.hit.val() {
                    self.advance.next = self.s2_take.val();
                } else if self.mshrs.same_line.val() {
                    // In the very cycle of a fill it might be the one waited for: join in the next.
                    self.advance.next = self.mshrs.free.val() & !self.mshrs.settled.val() & !self.mshrs.fill.val();
                    self.mshrs.allocate.next = self.advance.val();
                } else {
                    self.advance.next = self.mshrs.free.val() & self.requests.space.val() & self.lru.victim_any.val();
                    self.mshrs.allocate.next = self.advance.val();
                    self.requests.push.valid.next = self.advance.val();
                    self.allocate_line.next = self.advance.val();
                }
            } else if self.uncached.val() {
                self.advance.next = self.mshrs.free.val() & self.requests.space.val() & !self.mshrs.same_line.val();
                self.mshrs.allocate.next = self.advance.val();
                self.requests.push.valid.next = self.advance.val();
            } else if self.store.val() {
                self.advance.next = self.requests.space.val()
                    & !self.mshrs.same_line.val()
                    & !self.mshrs.fill.val()
                    & (self.s2_take.val() | !self.conditional.val());
                self.requests.push.valid.next = self.advance.val();
                self.store_hit.next = self.advance.val() & self.tags.hit.val();
            } else {
                self.advance.next = self.s2_take.val();
            }
        }
        for k in 0..self.mshrs.may_ask.len() {
            // Who finds its line asked for needs a place to wait, and no MSHR.
            if !self.mshrs.may_ask[k].val()
                & !self.mshrs.same_line.val()
                & ((self.load.val() & !self.hit.val()) | self.uncached.val())
            {
                self.advance.next = false;
                self.mshrs.allocate.next = false;
                self.requests.push.valid.next = false;
                self.allocate_line.next = false;
            }
        }
        self.l1_access.next = self.advance.val() & (self.load.val() | self.store.val() | self.uncached.val());
        self.l1_miss.next = self.advance.val() & self.load.val() & !self.hit.val();

        // ... and what follows from it in the tags, the MSHRs and at the memory port.
        self.tags.invalidate.next = self.advance.val() & self.uncached.val();
        self.lru.touch.next = self.allocate_line.val() | (self.advance.val() & self.load.val());
        self.lru.touch_ways.next = self.tags.hit_ways.val();
        self.mshrs.allocate_way.next = self.tags.hit_way.val();
        if self.allocate_line.val() {
            self.lru.touch_ways.next = self.lru.victim.val();
            self.mshrs.allocate_way.next = self.lru.victim_way.val();
        }

        self.crossbar.selected.next = self.s1.q.lanes.val();
        if self.load.val() {
            self.crossbar.selected.next = 0.into();
        }
        for i in 0..self.crossbar.lane_slot.len() {
            self.lane_offset.next = self.s1.q.offset[i].val();
            self.crossbar.lane_slot[i].next = bit_cast_to(self.lane_offset.val() >> 2, self._word_width);
        }

        self.requests.push.kind.next = RequestKind::Atomic;
        if self.load.val() {
            self.requests.push.kind.next = RequestKind::Read;
        } else if self.store.val() {
            self.requests.push.kind.next = RequestKind::Write;
        }

        // S0: the next group, or once more the one that stays in S1, looks up its set.
        self.group_ready.next = !self.s1.q.valid.val() | self.advance.val();
        for r in 0..self.refused.len() {
            self.served[r].next = 0.into();
            if self.advance.val() & self.load.val() {
                self.served[r].next = self.s1.q.lanes.val();
            }
            self.refused[r].next = self.s1.q.valid.val() & self.load.val() & !self.advance.val();
            self.refused_entry[r].next = self.s1.q.entry.val();
            if self.refused[r].val() {
                self.group_ready.next = true;
            }
        }
        for h in 0..self.waits.len() {
            self.waits[h].next = !self.group_ready.val();
            self.mshr_free[h].next = self.mshrs.free.val();
            self.waits_for[h].next = LookHazard::Stall;
            if self.load.val() & !self.hit.val() & !self.mshrs.same_line.val() {
                self.waits_for[h].next = LookHazard::Reserved;
            }
            if !self.requests.space.val()
                & (self.store.val() | self.uncached.val() | (self.waits_for[h].val() == LookHazard::Reserved))
            {
                self.waits_for[h].next = LookHazard::Queue;
            }
            if ((self.load.val() & !self.hit.val()) | self.uncached.val()) & !self.mshrs.free.val() {
                self.waits_for[h].next = LookHazard::Mshr;
            }
            for k in 0..self.mshrs.may_ask.len() {
                self.mshr_free[h].next = self.mshrs.may_ask[k].val();
                if ((self.load.val() & !self.hit.val()) | self.uncached.val())
                    & !self.mshrs.same_line.val()
                    & !self.mshrs.may_ask[k].val()
                {
                    self.waits_for[h].next = LookHazard::Mshr;
                }
            }
        }
        for p in 0..self.look_ends.len() {
            self.look_ends[p].next = self.s1.q.valid.val() & self.load.val() & self.group_ready.val();
            self.look_missed[p].next = false;
            if self.s1.q.valid.val() & self.load.val() & !self.hit.val() {
                self.look_missed[p].next = true;
            }
            for _k in 0..self.mshrs.may_ask.len() {
                // A line that has been asked for is no miss of this load's own.
                self.look_missed[p].next = self.look_missed[p].val() & !self.mshrs.same_line.val();
            }
        }
        for h in 0..self.mshr_taken.len() {
            self.mshr_taken[h].next = self.mshrs.allocate.val();
            self.mshr_freed[h].next = self.mshrs.wake_valid.val() & self.mshrs.wake_take.val();
            for _k in 0..self.mshrs.may_ask.len() {
                self.mshr_taken[h].next = self.mshrs.allocate.val() & !self.mshrs.same_line.val();
                self.mshr_freed[h].next = self.response.valid.val() & self.response_ready.val();
            }
        }
        wire::join(&mut self.s1.q, &mut self.s1.d);
        if self.group_ready.val() {
            wire::join(&mut self.group, &mut self.s1.d);
        }
        self.tags.read_set.next = self.set.val();
        self.lru.read_set.next = self.set.val();
        if self.group_ready.val() {
            self.tags.read_set.next = self.group_set.val();
            self.lru.read_set.next = self.group_set.val();
        }

        // The data, read for S2 and written by fills and by stores that hit.
        self.mshrs.wake_take.next = self.s2_open.val() & self.mshrs.wake_valid.val();
        self.read_row.next = bit_cast_to(self.set.val(), self._row_width)
            | (bit_cast_to(self.tags.hit_way.val(), self._row_width) << self.set_shift.val());
        self.write_row.next = self.read_row.val();
        if self.mshrs.wake_valid.val() {
            self.read_row.next = bit_cast_to(self.mshrs.wake_set.val(), self._row_width)
                | (bit_cast_to(self.mshrs.wake_way.val(), self._row_width) << self.set_shift.val());
        }
        if self.mshrs.fill.val() {
            self.write_row.next = bit_cast_to(self.mshrs.fill_set.val(), self._row_width)
                | (bit_cast_to(self.mshrs.fill_way.val(), self._row_width) << self.set_shift.val());
        }
        for j in 0..self.data.len() {
            self.read_words[j].next = self.data[j].read_data[0].val();
            self.data[j].write_enable[0].next = self.mshrs.fill.val() | self.store_hit.val();
            self.data[j].write_data[0].next = self.crossbar.slot_data[j].val();
            self.data[j].write_mask[0].next = self.crossbar.slot_mask[j].val();
            if self.mshrs.fill.val() {
                self.data[j].write_data[0].next = self.response.data[j].val();
                self.data[j].write_mask[0].next = 15.into();
            }
        }

        // S2: a woken group, else the hit or the store-conditional from S1.
        wire::join(&mut self.s2.q, &mut self.s2.d);
        if self.s2_open.val() {
            self.s2.d.valid.next = self.mshrs.wake_valid.val()
                | (self.advance.val() & ((self.load.val() & self.hit.val()) | self.conditional.val()));
            self.s2.d.single.next = self.conditional.val();
            self.s2.d.word.next = bit_cast_to(!self.s1.q.succeeds.val(), 32);
            self.s2.d.entry.next = self.s1.q.entry.val();
            self.s2.d.lanes.next = self.s1.q.lanes.val();
            wire::join(&mut self.s1.q.offset, &mut self.s2.d.offset);
            if self.mshrs.wake_valid.val() {
                self.s2.d.single.next = self.mshrs.wake_uncached.val();
                self.s2.d.word.next = self.answer.selected.val();
                self.s2.d.entry.next = self.mshrs.wake.entry.val();
                self.s2.d.lanes.next = self.mshrs.wake.lanes.val();
                wire::join(&mut self.mshrs.wake.offset, &mut self.s2.d.offset);
            }
        }
        for i in 0..self.select.len() {
            self.lane_offset.next = self.s2.q.offset[i].val();
            self.select[i].index.next = bit_cast_to(self.lane_offset.val() >> 2, self._word_width);
            self.result.offset[i].next = bit_cast_to(self.lane_offset.val(), 2);
            self.result.word[i].next = self.select[i].selected.val();
            if self.s2.q.single.val() {
                self.result.word[i].next = self.s2.q.word.val();
            }
        }

        self.draining.next = self.s1.q.valid.val() | self.requests.any.val();
        self.idle.next = !self.draining.val() & !self.s2.q.valid.val() & self.mshrs.idle.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two sets, two ways, four lines of 16 bytes, three MSHRs. Runs one line a cycle: `group response | ready request result`.
    ///
    /// A group is `operation line lanes` (`ld st amo sc` and `sf`, a store-conditional that fails), held until it is ready;
    /// each lane accesses its own word of the line and writes 50 + lane. A response to id *i* carries `i` a0 to `i` a3.
    /// A request is its kind, line and id (or, of a write, its first word); a result the lanes and their words. Returns how many groups have
    /// accessed the cache, and how many of them have missed.
    fn check(script: &str) -> (usize, usize) {
        check_on(CoreConfig { l1_sets: 2, mshrs: 3, ..CoreConfig::tiny() }, script)
    }

    fn check_on(config: CoreConfig, script: &str) -> (usize, usize) {
        let mut cache = L1DataCache::new(&config, 3);
        cache.connect_all();
        simulate(&mut cache, 1000);
        cache.request_ready.next = true;
        cache.result_ready.next = true;
        let mut counts = (0, 0);
        for line in script.trim().lines().map(str::trim) {
            let (inputs, outputs) = line.split_once(" | ").unwrap();
            let fields: Vec<_> = inputs.split_whitespace().collect();
            cache.group.valid.next = fields[0] != "-";
            if let [op, number, lanes, _] = fields[..] {
                (cache.group.op.next, cache.group.succeeds.next) = match op {
                    "ld" => (MemoryOp::Load, false),
                    "st" => (MemoryOp::Store, false),
                    "amo" => (MemoryOp::AtomicAdd, false),
                    _ => (MemoryOp::StoreConditional, op == "sc"),
                };
                let lanes = usize::from_str_radix(lanes, 2).unwrap();
                let number: usize = number.parse().unwrap();
                cache.group.address.next = (16 * number + 4 * lanes.trailing_zeros() as usize).into();
                cache.group.lanes.next = lanes.into();
                for lane in 0..4usize {
                    cache.group.offset[lane].next = (4 * lane).into();
                    cache.group.data[lane].next = (0x50 + lane).into();
                    cache.group.mask[lane].next = 15.into();
                }
            }
            let response = fields[fields.len() - 1].parse::<usize>();
            cache.response.valid.next = response.is_ok();
            if let Ok(id) = response {
                cache.response.id.next = id.into();
                for (j, word) in cache.response.data.iter_mut().enumerate() {
                    word.next = (256 * id + 0xa0 + j).into();
                }
            }
            simulate(&mut cache, 1000);

            let request = match cache.request.kind.val() {
                _ if !cache.request.valid.val() => "-".into(),
                RequestKind::Write => format!(
                    "w{}:{:x}",
                    cache.request.line.val().value() / 16,
                    cache.request.data.iter().find(|word| word.val().any()).unwrap().val().value()
                ),
                kind => format!(
                    "{}{}#{}",
                    if kind == RequestKind::Read { "r" } else { "a" },
                    cache.request.line.val().value() / 16,
                    cache.request.id.val().value()
                ),
            };
            let lanes = cache.result.lanes.val();
            let result = if cache.result.valid.val() {
                let words = (0..4).filter(|&lane| lanes.get_bit(lane));
                let words: Vec<_> = words.map(|lane| format!("{:x}", cache.result.word[lane].val().value())).collect();
                format!("{:04b}:{}", lanes.value(), words.join(","))
            } else {
                "-".into()
            };
            let found = [if cache.group_ready.val() { "1" } else { "0" }, &request, &result].join(" ");
            let expected = outputs.split_whitespace().take(3).collect::<Vec<_>>().join(" ");
            assert_eq!(found, expected, "{line}");
            let bytes: Vec<_> = cache.request.mask.iter().map(|mask| mask.val().index()).collect();
            let writes = cache.request.valid.val() && cache.request.kind.val() != RequestKind::Read;
            assert!(bytes.iter().all(|bytes| [0, 15].contains(bytes)), "{line}: {bytes:?}");
            assert!(!cache.request.valid.val() || writes == bytes.contains(&15), "{line}: {bytes:?}");
            counts.0 += cache.l1_access.val() as usize;
            counts.1 += cache.l1_miss.val() as usize;
            tick!(cache);
        }
        counts
    }

    #[test]
    fn hits_and_misses_under_misses() {
        let counts = check(
            "ld 0 1111 - | 1 - -
             ld 1 0001 - | 1 - -
             ld 0 0010 - | 1 r0#0 -           joins the first miss: no request
             - -         | 1 r1#1 -
             ld 2 0001 0 | 1 - -
             ld 0 0100 - | 0 - -           line 2 finds no MSHR: line 0 leaves one, by its replay, in this cycle
             ld 0 0100 - | 1 - 1111:a0,a1,a2,a3
             - -         | 1 r2#0 0010:a1
             - -         | 1 - 0100:a2       a hit under the misses
             - 1         | 1 - -
             - 0         | 1 - -
             - -         | 1 - 0001:1a0
             - -         | 1 - 0001:a0
             - -         | 1 - -",
        );
        assert_eq!(counts, (5, 4));
    }

    /// Two MSHRs for four groups: who joins a line needs none, who asks for a third one waits for the first to come.
    #[test]
    fn groups_share_mshrs() {
        let config = CoreConfig { l1_sets: 2, mshrs: 2, mshr_merges: 2, ..CoreConfig::tiny() };
        let counts = check_on(
            config,
            "ld 0 1111 - | 1 - -
             ld 1 0001 - | 1 - -
             ld 0 0010 - | 1 r0#0 -           joins the first miss: no request
             ld 2 0001 - | 1 r1#1 -
             ld 2 0001 - | 0 - -              both MSHRs wait
             ld 2 0001 0 | 0 - -
             ld 0 0100 - | 1 - -              line 0 has come: its MSHR is free
             - -         | 0 r2#3 1111:a0,a1,a2,a3
             - -         | 1 - 0010:a1
             - -         | 1 - 0100:a2        a hit, behind those that waited",
        );
        assert_eq!(counts, (5, 4));
    }

    #[test]
    fn stores_write_through_and_wait_for_pending_loads() {
        let counts = check(
            "st 0 0011 - | 1 - -
             ld 0 0001 - | 1 - -
             st 0 0110 - | 1 w0:50 -
             ld 0 0010 - | 0 r0#0 -         the second store waits for the pending load
             ld 0 0010 0 | 0 - -
             ld 0 0010 - | 0 - -
             ld 0 0010 - | 1 - 0001:a0       the old data
             - -         | 1 w0:51 -
             - -         | 1 - 0010:51       the new
             - -         | 1 - -",
        );
        assert_eq!(counts, (4, 1));
    }

    #[test]
    fn atomics_go_past_the_cache() {
        let counts = check(
            "ld 0 0001 - | 1 - -
             - -         | 1 - -
             - 0         | 1 r0#0 -
             amo 0 0100 - | 1 - -
             amo 0 1000 - | 1 - 0001:a0
             ld 0 0001 - | 1 a0#0 -         the line has been dropped
             - -         | 1 a0#1 -
             - 1         | 1 r0#2 -
             - 0         | 1 - 1000:1a3      answers in any order
             - -         | 1 - 0100:a2
             - 2         | 1 - -
             sf 0 0001 - | 1 - -
             sc 0 0010 - | 1 - 0001:2a0
             - -         | 1 - 0001:1        it failed
             - -         | 1 w0:51 0010:0
             - -         | 1 - -",
        );
        assert_eq!(counts, (5, 2));
    }
}
