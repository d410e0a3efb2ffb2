//! A slice of L2: write-back, write-allocate, nothing fetched for a write; atomics and LR/SC are done here, and here all of a line's writes have one order.
//!
//! ```text
//!                    +-----------------------------------------------------------------------+
//!  request_* ------->|--> C: compare ---------------------> D: data -----------------------> |---> reply_*
//!  request_ready <---|    SectorTags, LruTable              data, dirty bytes                |<--- reply_ready
//!                    |      |   ^                           AtomicAlu, L2Reservations        |
//!  tick ------------>|      |   +-- L2MshrTable                |                             |
//!  flush ----------->|      |        ^                         v                             |---> flushed, idle
//!                    |      |        |                    EvictionBuffer                     |
//!                    |      v        |                         |                             |
//!  burst_* --------->|   fetch_* ----+-------------------------+---------------------------> |---> channel_*
//!                    +-----------------------------------------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `tick` | 1 | a clock of L2 passes: only then is anything taken or answered |
//! | `request_valid`, `request`, `request_ready` | | a request is taken |
//! | `reply_valid`, `reply`, `reply_ready` | | an answer is taken, in any cycle |
//! | `channel_valid`, `channel`, `channel_id`, `channel_write`, `channel_bursts`, `channel_ready` | | a line is to be read from DRAM, under this number, or written; these bursts of it |
//! | `burst_valid`, `burst_id`, `burst_number`, `burst_data[n]`, `burst_ready` | | a burst that has come |
//! | `flush`, `flushed` | 1 | while it is set and no request comes, dirty lines are written, and stay; none is dirty, and nothing is under way |
//! | `idle` | 1 | nothing is under way |
//! | `counter[i]` | 64 | see [`L2_COUNTERS`] |
//!
//! Latency: 3 ticks from a request to its answer, if its sectors are here; 2 from the last burst of a line to the first answer. State: in the blocks; the requests in C and D; the answers that wait.
//!
//! Rules that keep it coherent and free of deadlock:
//! - C is the point of order. What it decides, D does in the next tick: D never waits, for C has seen that there is room for an answer, and for a line that has to leave.
//! - Fills come before all else, answers to reads whose line has come before requests: neither ever waits for a request.
//! - The last fill of a line answers the first read that waits for it, in the same tick, if there is room for an answer; a fill never waits for that. The specification has another tick for it, which would make four of a line of two bursts: less than DRAM brings.
//! - A line on its way takes reads that wait for it, and nothing else: writes and atomics stay in C until all of those are answered.
//! - The bytes of a fill go beneath those that are dirty.
//! - A line in the eviction buffer is not fetched before it is on its way to DRAM, which keeps the order of requests to a row.
use super::l2_counters::{L2_COUNTERS, L2Counters};
use super::{
    EvictedLine, EvictionBuffer, L2Config, L2MshrTable, L2Reply, L2ReplyKind, L2Request, L2RequestKind,
    L2RequestRegister, L2Reservations, SectorTags,
};
use crate::interface::MemoryOp;
use crate::memory::{AtomicAlu, LruTable};
use crate::parts::FifoControl;
use crate::prelude::*;

registers! {
    /// [`LineOperation`], a tick later.
    pub struct LineOperationRegister {
        /// What D does with the line whose data have been read. More than one may be set; none: nothing.
        LineOperation(config: &L2Config) {
            /// Somebody is answered.
            replies: Bit,
            reply: L2ReplyKind,
            /// It is a request: what kind.
            requests: Bit,
            kind: L2RequestKind,
            /// A burst has come: it goes beneath the dirty bytes.
            fills: Bit,
            /// Another line takes the place, or this one is clean from now on: no byte is dirty but those that are written now.
            cleans: Bit,
            /// What has been there is written to DRAM, as this line.
            evicts: Bit,
            victim: [config.line_width],
            row: [config.row_width()],
            way: [config.way_width()],
            line: [config.line_width],
            /// Valid sectors of the line.
            valid: [config.sectors()],
            core: [config.core_width()],
            id: [config.id_width],
            sectors: [config.sectors()],
            atomic: MemoryOp,
            word: [index_width(config.words())],
            data: [32; config.words()],
            mask: [4; config.words()],
        }
    }
}

records! {
    /// Answers that wait.
    pub struct ReplyTable {
        /// One of them.
        WaitingReply(config: &L2Config) {
            kind: [2],
            core: [config.core_width()],
            id: [config.id_width],
            sectors: [config.sectors()],
            success: Bit,
            word: [index_width(config.words())],
            data: [32; config.words()],
        }
    }
}

module! {
    /// See the [module documentation](self).
    pub struct L2Slice: clock, reset {
        pub tick: Signal<In, Bit>,
        pub request_valid: Signal<In, Bit>,
        pub request: L2Request<In> = L2Request::new(config),
        pub request_ready: Signal<Out, Bit>,
        pub reply_valid: Signal<Out, Bit>,
        pub reply: L2Reply<Out> = L2Reply::new(config),
        pub reply_ready: Signal<In, Bit>,
        pub channel_valid: Signal<Out, Bit>,
        pub channel: EvictedLine<Out> = EvictedLine::new(config),
        pub channel_write: Signal<Out, Bit>,
        pub channel_id: Net<Out> = config.mshr_width(),
        pub channel_bursts: Net<Out> = config.bursts(),
        pub channel_ready: Signal<In, Bit>,
        pub burst_valid: Signal<In, Bit>,
        pub burst_id: Net<In> = config.mshr_width(),
        pub burst_number: Net<In> = index_width(config.bursts()),
        pub burst_data: Vec<Net<In>> = Net::vec(burst_words, 32),
        pub burst_ready: Signal<Out, Bit>,
        pub flush: Signal<In, Bit>,
        pub flushed: Signal<Out, Bit>,
        pub idle: Signal<Out, Bit>,
        pub counter: Vec<Net<Out>> = Net::vec(L2_COUNTERS.len(), 64),

        // C: the request whose tags have been read.
        has_request: StateRegister<Bit>,
        c: L2RequestRegister = L2RequestRegister::new(config),
        tags: SectorTags = SectorTags::new(config) => { read_set: next_set, set, victim_ways },
        lru: LruTable = LruTable::new(config.sets, config.ways) => { read_set: next_set, set },
        mshrs: L2MshrTable = L2MshrTable::new(config) => {
            query_line: c.q.line, allocate_id: channel_id, allocate_bursts: wanted, waiter.core: c.q.core, waiter.id: c.q.id,
            waiter.sectors: c.q.sectors, fill_id: burst_id, fill_burst: burst_bit,
        },
        /// The set whose dirty lines are written by a flush; with its highest bit, all have been.
        flush_set: Register = Register::new(set + 1),
        /// Its tags have been read.
        flush_read: StateRegister<Bit>,
        first_dirty: PriorityEncoder = PriorityEncoder::new(config.ways) => { request: tags.dirty_ways },

        /// A tick in which C may decide about a request, or about the flush.
        turn: Signal<Local, Bit>,
        flushing: Signal<Local, Bit>,
        flush_done: Signal<Local, Bit>,
        set: Net<Local> = set,
        request_set: Net<Local> = set,
        next_set: Net<Local> = set,
        tag: Net<Local> = config.tag_width(),
        way: Net<Local> = config.way_width(),
        ways: Net<Local> = config.ways,
        victim_ways: Net<Local> = config.ways,
        reads: Signal<Local, Bit>,
        writes: Signal<Local, Bit>,
        of_word: Signal<Local, Bit>,
        /// All of its sectors are here.
        hit: Signal<Local, Bit>,
        has_way: Signal<Local, Bit>,
        /// Its line takes the place of a dirty one.
        evicts: Signal<Local, Bit>,
        has_place: Signal<Local, Bit>,
        wants_fetch: Signal<Local, Bit>,
        fetches: Signal<Local, Bit>,
        merges: Signal<Local, Bit>,
        /// It goes to D with its line.
        proceeds: Signal<Local, Bit>,
        advance: Signal<Local, Bit>,
        flush_evicts: Signal<Local, Bit>,
        fills: Signal<Local, Bit>,
        replays: Signal<Local, Bit>,
        room: Signal<Local, Bit>,
        none: Net<Local> = sectors,
        all: Net<Local> = sectors,
        /// Sectors that the request writes as a whole.
        whole: Net<Local> = sectors,
        missing: Net<Local> = sectors,
        absent: Net<Local> = sectors,
        /// Of the line, before anything comes.
        valid: Net<Local> = sectors,
        wanted: Net<Local> = config.bursts(),
        burst_bit: Net<Local> = config.bursts(),
        dirty_bursts: Net<Local> = config.bursts(),
        is_whole: Signal<Local, Bit>,
        misses: Signal<Local, Bit>,

        // D: the line whose data have been read.
        d: LineOperationRegister = LineOperationRegister::new(config),
        /// One per word of the line; row = way, set.
        data: Vec<Memory> = (0..words).map(|_| Memory::with_byte_enables(32, rows, 1, 1, ReadKind::Synchronous)).collect() => |j| {
            read_address[0]: read_row, read_enable[0]: reads_row, write_address[0]: d.q.row, write_data[0]: stored[j], write_mask[0]: stored_mask[j],
        },
        dirty: Vec<Memory> = (0..words).map(|_| Memory::new(4, rows, 1, 1, ReadKind::Synchronous)).collect() => |j| {
            read_address[0]: read_row, read_enable[0]: reads_row, write_address[0]: d.q.row, write_data[0]: now_dirty[j],
        },
        /// What D has written in the last tick, which a read of that tick has not seen.
        last_wrote: StateRegister<Bit>,
        last_row: Flop = Flop::new(config.row_width()),
        last_data: Vec<Flop> = Flop::vec(words, 32),
        last_mask: Vec<Flop> = Flop::vec(words, 4),
        last_dirty: Vec<Flop> = Flop::vec(words, 4),
        old_word: IndexedMux = IndexedMux::new(32, words) => { inputs: current, index: d.q.word },
        operand: IndexedMux = IndexedMux::new(32, words) => { inputs: d.q.data, index: d.q.word },
        alu: AtomicAlu = AtomicAlu::default() => { op: d.q.atomic, old: old_word.selected, operand: operand.selected },
        reservations: L2Reservations = L2Reservations::new(config) => { line: d.q.line, sectors: d.q.sectors, core: d.q.core },
        evictions: EvictionBuffer = EvictionBuffer::new(config) => {
            push.line: d.q.victim, push.data: current, push.mask: was_dirty, query_line: c.q.line,
        },
        replies: FifoControl = FifoControl::new(config.replies) => { pop_valid: reply_valid, pop_ready: reply_ready },
        waiting: ReplyTable = ReplyTable::new(config.replies, 1, config) => {
            write_enable: replies.write_enable, write_row: replies.write_row, write.core: d.q.core, write.id: d.q.id, write.sectors: d.q.sectors,
            write.success: succeeds, write.word: d.q.word, write.data: answer, read_row[0]: replies.read_row, read[0].core: reply.core, read[0].id: reply.id,
            read[0].sectors: reply.sectors, read[0].success: reply.success, read[0].word: reply.word, read[0].data: reply.data,
        },
        counters: L2Counters = L2Counters::new() => { tick, counter },

        read_row: Net<Local> = config.row_width(),
        reads_row: Signal<Local, Bit>,
        forward: Signal<Local, Bit>,
        current: Vec<Net<Local>> = Net::vec(words, 32),
        was_dirty: Vec<Net<Local>> = Net::vec(words, 4),
        now_dirty: Vec<Net<Local>> = Net::vec(words, 4),
        stored: Vec<Net<Local>> = Net::vec(words, 32),
        stored_mask: Vec<Net<Local>> = Net::vec(words, 4),
        bits: Vec<Net<Local>> = Net::vec(words, 32),
        /// The words as the answer has them: before a request's change, after a burst's.
        answer: Vec<Net<Local>> = Net::vec(words, 32),
        /// Bits that the burst brings.
        brought: Vec<Net<Local>> = Net::vec(words, 32),
        any_dirty: Signal<Local, Bit>,
        succeeds: Signal<Local, Bit>,
        /// D writes bytes of a request; it writes at all.
        stores: Signal<Local, Bit>,
        works: Signal<Local, Bit>,
        /// Sectors of which all bytes are dirty by what D writes: they are valid from now on.
        completed: Net<Local> = sectors,
        completes: Signal<Local, Bit>,
        top_byte: Constant = Constant::new(0xff00_0000, 32),
        one_way: Constant = Constant::new(1, config.ways),
        set_shift: Constant = Constant::new(set as u64, 6),
        nearly_full: Constant = Constant::new(config.replies as u64 - 1, index_width(config.replies + 1)),
    }
    sizes {
        _set_width = set, _tag_width = config.tag_width(), _row_width = config.row_width(), _line_width = config.line_width, _sectors = sectors,
        _bursts = config.bursts(), _burst_words = burst_words, _burst_sectors = config.burst_sectors, _ways = config.ways,
    }
    /// A slice.
    ///
    /// # Panics
    /// With fewer than two answers that may wait.
    pub fn new(config: &L2Config) {
        assert!(config.replies >= 2, "at least 2 answers wait, not {}", config.replies);
        let (words, sectors, set) = (config.words(), config.sectors(), config.set_width());
        let (burst_words, rows) = (words / config.bursts(), config.sets * config.ways);
    }
}

impl Logic for L2Slice {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module L2Slice");
        dff_setup!(self, clock, has_request, flush_set, flush_read, last_wrote);

        // D: the bytes as they are.
        self.forward.next = self.last_wrote.q.val() & (self.last_row.q.val() == self.d.q.row.val());
        self.any_dirty.next = false;
        for j in 0..self.data.len() {
            self.bits[j].next = 0.into();
            if self.last_mask[j].q.val().get_bit(0) {
                self.bits[j].next = 0xff.into();
            }
            if self.last_mask[j].q.val().get_bit(1) {
                self.bits[j].next = self.bits[j].val() | 0xff00;
            }
            if self.last_mask[j].q.val().get_bit(2) {
                self.bits[j].next = self.bits[j].val() | 0xff_0000;
            }
            if self.last_mask[j].q.val().get_bit(3) {
                self.bits[j].next = self.bits[j].val() | self.top_byte.val();
            }
            self.current[j].next = self.data[j].read_data[0].val();
            self.was_dirty[j].next = self.dirty[j].read_data[0].val();
            if self.forward.val() {
                self.current[j].next = (self.data[j].read_data[0].val() & !self.bits[j].val())
                    | (self.last_data[j].q.val() & self.bits[j].val());
                self.was_dirty[j].next = self.last_dirty[j].q.val();
            }
            self.any_dirty.next = self.any_dirty.val() | self.was_dirty[j].val().any();
        }

        // ... and as they become.
        self.succeeds.next = self.reservations.held.val();
        self.stores.next = self.d.q.requests.val()
            & ((self.d.q.kind.val() == L2RequestKind::Write)
                | (self.d.q.kind.val() == L2RequestKind::Atomic)
                | ((self.d.q.kind.val() == L2RequestKind::StoreConditional) & self.succeeds.val()));
        self.works.next = self.tick.val() & (self.stores.val() | self.d.q.fills.val() | self.d.q.cleans.val());
        for j in 0..self.data.len() {
            self.stored[j].next = self.d.q.data[j].val();
            self.stored_mask[j].next = 0.into();
            self.now_dirty[j].next = self.was_dirty[j].val();
            if self.d.q.cleans.val() {
                self.now_dirty[j].next = 0.into();
            }
            if self.d.q.fills.val() {
                self.stored_mask[j].next = self.d.q.mask[j].val() & !self.was_dirty[j].val();
            }
            if self.stores.val() {
                self.stored_mask[j].next = self.d.q.mask[j].val();
                self.now_dirty[j].next = self.now_dirty[j].val() | self.d.q.mask[j].val();
            }
            if self.d.q.requests.val() & (self.d.q.kind.val() == L2RequestKind::Atomic) {
                self.stored[j].next = self.alu.result.val();
            }
            self.brought[j].next = 0.into();
            if self.d.q.fills.val() {
                if self.stored_mask[j].val().get_bit(0) {
                    self.brought[j].next = 0xff.into();
                }
                if self.stored_mask[j].val().get_bit(1) {
                    self.brought[j].next = self.brought[j].val() | 0xff00;
                }
                if self.stored_mask[j].val().get_bit(2) {
                    self.brought[j].next = self.brought[j].val() | 0xff_0000;
                }
                if self.stored_mask[j].val().get_bit(3) {
                    self.brought[j].next = self.brought[j].val() | self.top_byte.val();
                }
            }
            self.answer[j].next =
                (self.current[j].val() & !self.brought[j].val()) | (self.d.q.data[j].val() & self.brought[j].val());
            self.data[j].write_enable[0].next = self.works.val();
            self.dirty[j].write_enable[0].next = self.works.val();
            self.last_data[j].d.next = self.last_data[j].q.val();
            self.last_mask[j].d.next = self.last_mask[j].q.val();
            self.last_dirty[j].d.next = self.last_dirty[j].q.val();
            if self.tick.val() {
                self.last_data[j].d.next = self.stored[j].val();
                self.last_mask[j].d.next = self.stored_mask[j].val();
                self.last_dirty[j].d.next = self.now_dirty[j].val();
            }
        }
        self.last_row.d.next = self.last_row.q.val();
        if self.tick.val() {
            self.last_wrote.d.next = self.works.val();
            self.last_row.d.next = self.d.q.row.val();
        }
        self.completed.next = 0.into();
        for s in 0..self._sectors {
            self.is_whole.next = true;
            for j in 0..8 {
                if self.now_dirty[s * 8 + j].val() != 15 {
                    self.is_whole.next = false;
                }
            }
            self.completed.next = self.completed.val().replace_bit(s, self.is_whole.val());
        }
        self.completed.next = self.completed.val() & !self.d.q.valid.val();
        self.completes.next = self.stores.val() & self.completed.val().any();
        self.reservations.reserve.next =
            self.tick.val() & self.d.q.requests.val() & (self.d.q.kind.val() == L2RequestKind::LoadReserved);
        self.reservations.written.next = self.tick.val() & self.stores.val();
        self.evictions.push_valid.next = self.tick.val() & self.d.q.evicts.val() & self.any_dirty.val();
        self.replies.push_valid.next = self.tick.val() & self.d.q.replies.val();
        self.waiting.write.kind.next = bit_cast_to(self.d.q.reply.val(), 2);
        match self.waiting.read[0].kind.val().index() {
            0 => self.reply.kind.next = L2ReplyKind::Data,
            1 => self.reply.kind.next = L2ReplyKind::Ack,
            2 => self.reply.kind.next = L2ReplyKind::Old,
            _ => self.reply.kind.next = L2ReplyKind::Success,
        }

        // Whose turn is it? A burst's, and with the last one of its line that of a read that waits for it; then that of a read whose line is there; then that of the request, unless D has news about the sectors of a line.
        self.room.next = self.replies.count.val() < self.nearly_full.val();
        self.burst_ready.next = self.tick.val();
        self.fills.next = self.tick.val() & self.burst_valid.val();
        self.replays.next = self.tick.val() & self.mshrs.replay_valid.val() & self.room.val();
        self.turn.next =
            self.tick.val() & self.tags.ready.val() & !self.fills.val() & !self.replays.val() & !self.completes.val();

        // C: what is it, is it here, and if not, may it come?
        self.reads.next = self.has_request.q.val() & (self.c.q.kind.val() == L2RequestKind::Read);
        self.writes.next = self.has_request.q.val() & (self.c.q.kind.val() == L2RequestKind::Write);
        self.of_word.next = self.has_request.q.val() & !self.reads.val() & !self.writes.val();
        self.set.next = bit_cast_to(self.flush_set.q.val(), self._set_width);
        if self.has_request.q.val() {
            self.set.next = bit_cast_to(self.c.q.line.val(), self._set_width);
        }
        self.tag.next = bit_cast_to(self.c.q.line.val() >> self.set_shift.val(), self._tag_width);
        self.tags.tag.next = self.tag.val();
        self.lru.allowed.next = !self.mshrs.locked_ways.val();
        self.missing.next = self.c.q.sectors.val() & !self.tags.sectors.val();
        self.hit.next = self.tags.hit.val() & !self.missing.val().any();
        self.has_way.next = self.tags.hit.val() | self.lru.victim_any.val();
        self.victim_ways.next = self.lru.victim.val();
        self.evicts.next = !self.tags.hit.val() & self.tags.victim_dirty.val();
        self.has_place.next = self.has_way.val() & (!self.evicts.val() | self.evictions.room.val());
        self.merges.next = self.turn.val() & self.reads.val() & self.mshrs.same_line.val() & self.mshrs.open.val();
        self.wants_fetch.next = self.turn.val()
            & (self.reads.val() | self.of_word.val())
            & !self.mshrs.same_line.val()
            & !self.hit.val()
            & self.mshrs.free.val()
            & self.has_place.val()
            & !self.evictions.holds.val();
        self.fetches.next = self.wants_fetch.val() & self.channel_ready.val();
        self.proceeds.next = self.turn.val()
            & !self.mshrs.same_line.val()
            & self.room.val()
            & ((self.writes.val() & self.has_place.val()) | ((self.reads.val() | self.of_word.val()) & self.hit.val()));
        self.advance.next = self.merges.val() | self.proceeds.val() | (self.fetches.val() & self.reads.val());

        // The flush: a set's dirty lines, one in every second tick.
        self.flush_done.next = false;
        for top in self._set_width..(self._set_width + 1) {
            self.flush_done.next = self.flush_set.q.val().get_bit(top);
        }
        self.flushing.next = self.turn.val()
            & self.flush.val()
            & !self.has_request.q.val()
            & !self.flush_done.val()
            & self.mshrs.idle.val();
        self.flush_evicts.next =
            self.flushing.val() & self.flush_read.q.val() & self.first_dirty.any.val() & self.evictions.room.val();
        if self.flushing.val() {
            self.flush_read.d.next = !self.flush_read.q.val();
            if self.flush_read.q.val() & !self.first_dirty.any.val() {
                self.flush_set.d.next = self.flush_set.q.val() + 1;
            }
        }
        if !self.flush.val() {
            self.flush_set.d.next = 0.into();
            self.flush_read.d.next = false;
        }
        if self.flushing.val() {
            self.victim_ways.next = self.first_dirty.one_hot.val();
        }

        // ... what follows from it in the tags, and for DRAM.
        self.way.next = self.lru.victim_way.val();
        self.ways.next = self.victim_ways.val();
        if self.tags.hit.val() {
            self.way.next = self.tags.hit_way.val();
            self.ways.next = self.tags.hit_ways.val();
        }
        if self.flushing.val() {
            self.way.next = self.first_dirty.index.val();
            self.ways.next = self.first_dirty.one_hot.val();
        }
        self.whole.next = 0.into();
        for s in 0..self._sectors {
            self.is_whole.next = true;
            for j in 0..8 {
                if self.c.q.mask[s * 8 + j].val() != 15 {
                    self.is_whole.next = false;
                }
            }
            self.whole.next = self.whole.val().replace_bit(s, self.is_whole.val());
        }
        self.none.next = 0.into();
        self.all.next = !self.none.val();
        self.tags.write.next = self.fetches.val() | self.flush_evicts.val() | (self.proceeds.val() & !self.reads.val());
        self.tags.write_set.next = self.set.val();
        self.tags.write_ways.next = self.ways.val();
        self.tags.write_tag.next = self.tag.val();
        self.tags.write_dirty.next = true;
        self.valid.next = self.tags.sectors.val();
        if !self.tags.hit.val() {
            self.valid.next = 0.into();
        }
        if self.writes.val() {
            self.valid.next = self.valid.val() | self.whole.val();
        }
        self.tags.write_sectors.next = self.valid.val();
        if self.fetches.val() {
            self.tags.write_sectors.next = self.all.val();
            self.tags.write_dirty.next = (self.tags.hit_ways.val() & self.tags.dirty_ways.val()).any();
        }
        if self.flush_evicts.val() {
            self.tags.write_tag.next = self.tags.victim_tag.val();
            self.tags.write_sectors.next = self.tags.victim_sectors.val();
            self.tags.write_dirty.next = false;
        }
        if self.tick.val() & self.completes.val() {
            self.tags.write.next = true;
            self.tags.write_set.next = bit_cast_to(self.d.q.line.val(), self._set_width);
            self.tags.write_ways.next = self.one_way.val() << self.d.q.way.val();
            self.tags.write_tag.next = bit_cast_to(self.d.q.line.val() >> self.set_shift.val(), self._tag_width);
            self.tags.write_sectors.next = self.d.q.valid.val() | self.completed.val();
            self.tags.write_dirty.next = true;
        }
        self.lru.touch.next = self.fetches.val() | self.proceeds.val();
        self.lru.touch_ways.next = self.ways.val();

        // All that is not here is fetched: whole bursts.
        self.wanted.next = 0.into();
        self.dirty_bursts.next = 0.into();
        self.burst_bit.next = 0.into();
        self.absent.next = !self.tags.sectors.val();
        if !self.tags.hit.val() {
            self.absent.next = self.all.val();
        }
        for size in self._burst_sectors..(self._burst_sectors + 1) {
            for b in 0..self._bursts {
                for s in 0..self._burst_sectors {
                    if self.absent.val().get_bit(b * size + s) {
                        self.wanted.next = self.wanted.val().replace_bit(b, true);
                    }
                }
                if self.burst_number.val() == b {
                    self.burst_bit.next = self.burst_bit.val().replace_bit(b, true);
                }
            }
        }
        for words in self._burst_words..(self._burst_words + 1) {
            for b in 0..self._bursts {
                for j in 0..self._burst_words {
                    if self.evictions.pop.mask[b * words + j].val().any() {
                        self.dirty_bursts.next = self.dirty_bursts.val().replace_bit(b, true);
                    }
                }
            }
        }
        self.mshrs.allocate.next = self.fetches.val();
        self.mshrs.allocate_way.next = self.way.val();
        self.mshrs.allocate_waits.next = self.reads.val();
        self.mshrs.merge.next = self.merges.val();
        self.mshrs.fill.next = self.fills.val();
        self.mshrs.replay_take.next = self.replays.val();
        self.channel_valid.next = self.wants_fetch.val() | (self.tick.val() & self.evictions.pop_valid.val());
        self.channel_write.next = !self.wants_fetch.val();
        self.evictions.pop_ready.next = self.tick.val() & !self.wants_fetch.val() & self.channel_ready.val();
        wire::join(&mut self.channel, &mut self.evictions.pop);
        self.channel_bursts.next = self.dirty_bursts.val();
        if self.wants_fetch.val() {
            self.channel.line.next = self.c.q.line.val();
            self.channel_bursts.next = self.wanted.val();
        }

        // The next request, or once more the one that stays in C, looks up its set.
        self.request_ready.next = self.tick.val() & (!self.has_request.q.val() | self.advance.val());
        self.request_set.next = bit_cast_to(self.request.line.val(), self._set_width);
        wire::join(&mut self.c.q, &mut self.c.d);
        self.next_set.next = self.set.val();
        if self.request_ready.val() {
            wire::join(&mut self.request, &mut self.c.d);
            self.has_request.d.next = self.request_valid.val();
            self.next_set.next = bit_cast_to(self.flush_set.d.val(), self._set_width);
            if self.request_valid.val() {
                self.next_set.next = self.request_set.val();
            }
        } else if !self.has_request.q.val() {
            self.next_set.next = bit_cast_to(self.flush_set.d.val(), self._set_width);
        }

        // What D has to do in the next tick, and the line that it needs.
        wire::join(&mut self.d.q, &mut self.d.d);
        self.read_row.next = bit_cast_to(self.set.val(), self._row_width)
            | (bit_cast_to(self.way.val(), self._row_width) << self.set_shift.val());
        if self.fills.val() | self.replays.val() {
            self.read_row.next =
                bit_cast_to(bit_cast_to(self.mshrs.served_line.val(), self._set_width), self._row_width)
                    | (bit_cast_to(self.mshrs.served_way.val(), self._row_width) << self.set_shift.val());
        }
        self.reads_row.next = self.tick.val()
            & (self.fills.val()
                | self.replays.val()
                | self.proceeds.val()
                | self.fetches.val()
                | self.flush_evicts.val());
        if self.tick.val() {
            self.d.d.replies.next = self.proceeds.val() | self.replays.val();
            self.d.d.requests.next = self.proceeds.val();
            self.d.d.fills.next = self.fills.val();
            self.d.d.cleans.next =
                ((self.proceeds.val() | self.fetches.val()) & !self.tags.hit.val()) | self.flush_evicts.val();
            self.d.d.evicts.next =
                ((self.proceeds.val() | self.fetches.val()) & self.evicts.val()) | self.flush_evicts.val();
            self.d.d.victim.next = (bit_cast_to(self.tags.victim_tag.val(), self._line_width) << self.set_shift.val())
                | bit_cast_to(self.set.val(), self._line_width);
            self.d.d.row.next = self.read_row.val();
            self.d.d.way.next = self.way.val();
            self.d.d.valid.next = self.valid.val();
            self.d.d.kind.next = self.c.q.kind.val();
            self.d.d.line.next = self.c.q.line.val();
            self.d.d.core.next = self.c.q.core.val();
            self.d.d.id.next = self.c.q.id.val();
            self.d.d.sectors.next = self.c.q.sectors.val();
            self.d.d.atomic.next = self.c.q.atomic.val();
            self.d.d.word.next = self.c.q.word.val();
            wire::join(&mut self.c.q.data, &mut self.d.d.data);
            wire::join(&mut self.c.q.mask, &mut self.d.d.mask);
            match self.c.q.kind.val() {
                L2RequestKind::Read => self.d.d.reply.next = L2ReplyKind::Data,
                L2RequestKind::Write => self.d.d.reply.next = L2ReplyKind::Ack,
                L2RequestKind::StoreConditional => self.d.d.reply.next = L2ReplyKind::Success,
                _ => self.d.d.reply.next = L2ReplyKind::Old,
            }
            if self.replays.val() {
                self.d.d.reply.next = L2ReplyKind::Data;
                self.d.d.core.next = self.mshrs.replay_waiter.core.val();
                self.d.d.id.next = self.mshrs.replay_waiter.id.val();
                self.d.d.sectors.next = self.mshrs.replay_waiter.sectors.val();
            }
            if self.fills.val() {
                for words in self._burst_words..(self._burst_words + 1) {
                    for b in 0..self._bursts {
                        for j in 0..self._burst_words {
                            self.d.d.data[b * words + j].next = self.burst_data[j].val();
                            self.d.d.mask[b * words + j].next = 0.into();
                            if self.burst_bit.val().get_bit(b) {
                                self.d.d.mask[b * words + j].next = 15.into();
                            }
                        }
                    }
                }
            }
        }

        self.idle.next = !self.has_request.q.val()
            & !self.d.q.replies.val()
            & !self.d.q.fills.val()
            & !self.d.q.cleans.val()
            & self.mshrs.idle.val()
            & !self.evictions.pop_valid.val()
            & !self.reply_valid.val();
        self.flushed.next = self.flush_done.val() & self.idle.val();

        self.counters.events.read.next = self.reads.val() & self.advance.val();
        self.counters.events.write.next = self.writes.val() & self.advance.val();
        self.counters.events.atomic.next = self.of_word.val() & self.advance.val();
        self.counters.events.miss.next = (self.fetches.val() | self.proceeds.val()) & !self.tags.hit.val();
        self.counters.events.sector_miss.next = self.fetches.val() & self.tags.hit.val();
        self.counters.events.merge.next = self.merges.val();
        self.counters.events.eviction.next = self.evictions.push_valid.val();
        self.counters.events.stall_reply.next = self.turn.val()
            & !self.mshrs.same_line.val()
            & !self.room.val()
            & ((self.writes.val() & self.has_place.val()) | ((self.reads.val() | self.of_word.val()) & self.hit.val()));
        self.counters.events.stall_merge.next =
            self.turn.val() & self.has_request.q.val() & self.mshrs.same_line.val() & !self.merges.val();
        self.misses.next = self.turn.val() & self.has_request.q.val() & !self.mshrs.same_line.val() & !self.hit.val();
        self.counters.events.stall_mshr.next = self.misses.val() & !self.writes.val() & !self.mshrs.free.val();
        self.counters.events.stall_way.next = self.misses.val() & !self.has_way.val();
        self.counters.events.stall_eviction.next = self.misses.val()
            & ((self.has_way.val() & !self.has_place.val()) | (!self.writes.val() & self.evictions.holds.val()));
        self.counters.events.stall_channel.next = self.wants_fetch.val() & !self.channel_ready.val();
    }
}

#[cfg(test)]
#[path = "tests/l2_slice.rs"]
mod tests;
