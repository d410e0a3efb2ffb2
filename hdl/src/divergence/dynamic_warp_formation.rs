//! Dynamic warp formation: the reconvergence unit without a stack. DWF.
//!
//! ```text
//!                   +-----------------------------------------------------------------------+
//!  launch_* ------->|-----------------> ParkedThreads <--- threads without a slot ------+   |---> finished_*, waiting
//!                   |                     | Unpark: threads at one PC                   |   |
//!  resolve_* ------>|--> PathEvents --+   v                                             |   |---> arrive_*, exit_*
//!  decoded_join --->|--> joins -------+-> Serve --> group {PC, lanes, home warps}       |   |
//!  slot_pending[P] >|                 |    |          |         ^                       |   |---> left[P], cta_threads[C]
//!                   |                 |  dissolve     v         | joinable, lanes       |   |
//!                   |                 |    |        Update <--> WarpLut                 |   |---> form_*
//!                   |                 |    v          | join, new warp -----------------+   |
//!  issue_*, fetch_* >|       WarpPool {used, open, age, PC preferred} {PC, lanes by slot}    |---> fetchable[P], hold[P], fetch_pc, issue_mask
//!                   +-----------------------------------------------------------------------+
//! ```
//!
//! Ports: those of [`SpeStack`](super::SpeStack), vectors by side, and
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `issue_valid`, `issue_warp` | 1, p | an instruction of this warp issues in this cycle |
//! | `issue_mask` | L | its lanes; `fetch_mask` is 0 |
//! | `hold[P]` | W | by side: the warp's first instruction must not issue yet |
//! | `decoded_join` | 1 | the instruction in DECODE is the last before others may come in |
//! | `slot_valid[P]`, `slot_pending[P]` | W | by side: the warp's last instruction has not issued; it has a register pending |
//! | `slot_waits[P]` | W | under `orphans`: that instruction waits for a result |
//! | `left[P]` | W | instead of `slot_pending`, where a warp dissolves with registers pending (`dwf:orphans`): slots whose threads leave |
//! | `warp_slot[W]` | c | the pool of each warp: its CTA slot; 0, where warps are formed from threads of all CTAs |
//! | `home_slots[W]` | c | there: CTA slot of each home warp |
//! | `barrier_release` | C | CTAs whose barrier opens |
//! | `cta_threads[C]` | n | where warps are formed from threads of all CTAs, instead of `exit_count` and `arrive_count`: how many of each CTA |
//! | `present[P]` | W | by side: there is a warp |
//! | `form_valid`, `form_sides[L]`, `form_warps[L]`, `form_home_warps[L]` | 1, P, w, w | each lane with a bit set gets a thread: in the slot of this side and warp, of this home warp |
//! | `merged` | 1 | threads join one |
//! | `pool_events_*` | | see [`PoolEvents`] |
//!
//! A warp number is here the number of a slot, {side, warp}: a path number. The slots {side, warp} of all warps of a CTA are for whoever of its threads comes, or all slots for whoever of the core's threads does
//! (`dwf:core`): everything about slots, the table included, goes by `warp_slot`, so with 0 for all warps there is one pool. The CTA of a thread is then asked for by home warp: by barriers, which count threads,
//! and where instructions execute.
//!
//! Latency: in the cycle after its branch resolves a warp is served, and the threads of the side that goes first can be fetched in the next; those of the other side a cycle later.
//!
//! State: the slots and their PCs, lanes and home warps; the table; threads without a slot; the second side of the branch that is served.
//!
//! A warp dissolves when it has branched, jumped, or come to where others may come in (under `dwf:instruction`, behind every instruction), and its last result is there, so no thread
//! leaves a slot with a register pending, and a warp that can be joined has none. (Under `dwf:orphans` it does not wait for results: what is pending counts for all warps of the CTA then.) In one cycle all that go to one PC are *updated*: those whose lanes are free join the warp that the table has for that PC, unless it issues in this
//! cycle; the rest are a new warp, in the slot just left, or in the lowest free one of the CTA. If there is none, or others have waited for one before, they *park*: nothing stalls, and the core is right with a pool of any
//! size. Threads at `bar.sync` are parked, too, and so are those of a warp that starts.
//!
//! A warp is fetched at once, waits in the buffer for its turn to issue, and can be joined until then: so an instruction takes the lanes of its warp when it issues, not when it is fetched. Within a block they are the same.
//!
//! Two rules give every thread its turn. Whoever has waited for a whole age limit issues first; and of the warps that are served while threads of their CTA have no slot, every so many
//! parks its own threads, so that their slot is free.
//!
//! Source: Fung & Aamodt 2011, 2.3 and 3.2; decisions 0034 and 0040 to 0042 for what they leave open.
use super::{BranchSides, CtaThreads, ParkedThreads, Path, PathEvents, ThreadReport, WarpBarriers, WarpLut, WarpPool};
use crate::config::WarpFormation;
use crate::interface::{ControlKind, Decoded, Formed, Launch, PoolEvents, Resolve, ThreadEvent, WarpEvent};
use crate::issue::PathSelection;
use crate::parts::RoundRobinArbiter;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct DynamicWarpFormation: clock, reset {
        pub launch: Launch<In> = Launch::of(config),
        pub launch_ready: Signal<Out, Bit>,
        pub fetchable: Vec<Net<Out>> = Net::vec(sides, warps),
        pub present: Vec<Net<Out>> = Net::vec(sides, warps),
        pub hold: Vec<Net<Out>> = Net::vec(sides, warps),
        pub fetch_warp: Net<In> = path,
        pub fetch_pc: Net<Out> = 32,
        pub fetch_mask: Net<Out> = lanes,
        pub issue_valid: Signal<In, Bit>,
        pub issue_warp: Net<In> = path,
        pub issue_mask: Net<Out> = lanes,
        pub decoded: Decoded<In> = Decoded::of(config),
        pub decoded_join: Signal<In, Bit>,
        pub slot_valid: Vec<Net<In>> = Net::vec(sides, warps),
        pub slot_pending: Vec<Net<In>> = Net::vec(if config.drains_paths() { sides } else { 0 }, warps),
        pub slot_waits: Vec<Net<In>> = Net::vec(config.of_left_paths(sides), warps),
        pub left: Vec<Net<Out>> = Net::vec(config.of_left_paths(sides), warps),
        pub resolve: Resolve<In> = Resolve::of(config),
        pub warp_slot: Vec<Net<In>> = Net::vec(warps, c),
        pub home_slots: Vec<Net<In>> = Net::vec(config.where_mixed(warps), c),
        pub barrier_release: Net<In> = config.cta_slots,
        pub form: Formed<Out> = Formed::new(config),
        pub finished: WarpEvent<Out> = WarpEvent::of(config),
        pub arrive: ThreadEvent<Out> = ThreadEvent::of(config),
        pub exit: ThreadEvent<Out> = ThreadEvent::of(config),
        pub cta_threads: Vec<Net<Out>> = Net::vec(config.where_mixed(config.cta_slots), index_width(lanes + 1)),
        pub waiting: Net<Out> = warps,
        pub merged: Signal<Out, Bit>,
        pub pool_events: PoolEvents<Out> = PoolEvents::new(lanes, barriers),

        events: PathEvents = PathEvents::new(lanes, warps, sides) => {
            resolve.valid, resolve.warp, resolve.kind, resolve.taken, resolve.mask, resolve.target, resolve.next_pc,
            resolve.annotation, warp: server.index, select: served_side, serve: serves_event,
        },
        pool: WarpPool = WarpPool::new(config, formation) => {
            issue_warp, issue_valid, decoded, decoded_join, slot_valid, waits: slot_waits, form_valid: opens, form_slot: new_slot, form_pc: group.pc, form_static,
            form_entry: lut.entry, form_claims: lut.claims, reserve_valid: parked_threads.reserve, reserve_slot: free_slot,
            current_valid: lut.current_valid, current_entry: lut.current_entry, fetchable, hold, used: present,
        },
        lut: WarpLut = WarpLut::new(config, formation) => {
            pc: group.pc, cta: group_cta.selected, write: writes, new_slot: listed_slot, new_lanes: listed_lanes, new_threads: added.count,
            issue_valid, issued_entry: pool.issued_entry, issued_listed: pool.issued_listed, issued_threads: issued.count,
            evicted: pool_events.evicted,
        },
        parked_threads: ParkedThreads = ParkedThreads::new(config) => {
            launch, launch_ready, warp_slot, freed: freed_rows, room, enable: is_free, reserved: free_slot, waiting, rows: group_rows,
            park_arrives: arriving, diverged, returns, live_threads,
        },
        /// With warp barriers: one, else none.
        barriers: Vec<WarpBarriers> = (0..barriers).map(|_| WarpBarriers::new(lanes, warps)).collect() => |i| {
            valid: group_valid, pc: group.pc, mask: group.mask, rows: group_rows, rpc: events.event.rpc, arrives: arriving[i],
            live: live_threads, diverged: diverged[i], returns,
        },
        // By slot.
        pcs: Memory = by_slot(32, 2, 2) => {
            read_address[0]: fetch_warp, read_data[0]: fetch_pc, read_address[1]: served, write_address[0]: decoded.warp,
            write_data[0]: following_pc.q, write_enable[1]: opens, write_address[1]: new_slot, write_data[1]: group.pc,
        },
        masks: Memory = by_slot(lanes, 2, 2) => {
            read_address[0]: issue_warp, read_data[0]: issue_mask, read_address[1]: served, write_enable[0]: joins,
            write_address[0]: lut.slot, write_data[0]: joined_lanes, write_enable[1]: opens, write_address[1]: new_slot, write_data[1]: rest,
        },
        /// By lane: the home warps of the threads.
        home_warps: Vec<Memory> = (0..lanes).map(|_| by_slot(w, 1, 1)).collect() => |lane| {
            read_address[0]: served, write_address[0]: place[lane], write_data[0]: group_rows[lane],
        },
        /// PC of the instruction behind that in DECODE.
        following_pc: Flop = Flop::new(32),

        selection: PathSelection = PathSelection::new(warps, sides, false) => {
            grant: turns.grant, warp: server.index, accept: serves, path: served,
        },
        turns: RoundRobinArbiter = RoundRobinArbiter::new(warps) => { request: selection.warps, accept: serves },
        server: PriorityEncoder = PriorityEncoder::new(warps) => { request: turns.grant },
        sides: BranchSides = BranchSides::new(lanes, config.taken_first) => { event: events.event },
        threads: ThreadReport = ThreadReport::new(lanes, warps) => {
            warp: server.index, mask: events.event.mask, exits, arrives: waits, exit, arrive,
        },
        /// Where warps are formed from threads of several CTAs: one, else none.
        of_ctas: Vec<CtaThreads> = (0..config.where_mixed(1)).map(|_| CtaThreads::new(lanes, warps, config.cta_slots)).collect() => |i| {
            mask: events.event.mask, rows: group_rows, slots: home_slots, counts: cta_threads,
        },
        finishing: PriorityEncoder = PriorityEncoder::new(warps) => { index: finished.warp, any: finished.valid },
        /// Bit per warp: it has started, and not all of its threads have ended.
        started: Register = Register::new(warps),
        one: Constant = Constant::new(1, warps),
        side_bits: Constant = Constant::new(mask(path) ^ mask(w), path),

        // The second side of a branch, while the first is updated.
        has_second: StateRegister<Bit>,
        second_pc: Flop = Flop::new(32) => { d: sides.second.pc },
        second_mask: Flop = Flop::new(lanes) => { d: sides.second.mask },
        second_rows: Vec<Flop> = Flop::vec(lanes, w),
        second_slot: Flop = Flop::new(path) => { d: served },
        /// Its slot has not been taken by the first; it is to park.
        second_has_slot: StateRegister<Bit> => { d: leaves_slot },
        second_parks: StateRegister<Bit> => { d: parks_all },

        /// By CTA: warps that were served while threads had no slot, since one left them its own.
        pressure: Memory = Memory::new(relief, config.cta_slots, 1, 1, ReadKind::Asynchronous) => {
            read_address[0]: group_cta.selected, write_address[0]: group_cta.selected,
        },
        limit: Constant = Constant::new(formation.relief as u64, relief),
        group_cta: IndexedMux = slot_of_warp() => { inputs: warp_slot, index: group_warp },
        row_cta: IndexedMux = slot_of_warp() => { inputs: warp_slot, index: parked_threads.reserve_row },
        lowest: Vec<PriorityEncoder> = (0..sides).map(|_| PriorityEncoder::new(warps)).collect(),
        side_numbers: Vec<Constant> = (0..sides).map(|side| Constant::new((side << w) as u64, path)).collect(),
        added: Popcount = Popcount::new(lanes) => { value: waiting_lanes },
        issued: Popcount = Popcount::new(lanes) => { value: issue_mask },
        joining: Popcount = Popcount::new(lanes) => { value: entering, count: pool_events.joined },
        parking: Popcount = Popcount::new(lanes) => { value: parks, count: pool_events.parked },

        /// By side: the last instruction of the warp is over.
        over: Vec<Net<Local>> = Net::vec(sides, warps),
        is_free: Signal<Local, Bit>,
        served: Net<Local> = path,
        served_side: Net<Local> = sides,
        serves: Signal<Local, Bit>,
        serves_event: Signal<Local, Bit>,
        ended_block: Signal<Local, Bit>,
        exits: Signal<Local, Bit>,
        waits: Signal<Local, Bit>,
        group_valid: Signal<Local, Bit>,
        group: Path<Local> = Path::new(lanes),
        group_rows: Vec<Net<Local>> = Net::vec(lanes, w),
        group_slot: Net<Local> = path,
        group_warp: Net<Local> = w,
        has_slot: Signal<Local, Bit>,
        may_join: Signal<Local, Bit>,
        parks_all: Signal<Local, Bit>,
        members: Net<Local> = warps,
        others_wait: Signal<Local, Bit>,
        slot_free: Signal<Local, Bit>,
        free_slot: Net<Local> = path,
        lowest_index: Net<Local> = w,
        is_pressed: Signal<Local, Bit>,
        relieved: Signal<Local, Bit>,
        next_pressure: Net<Local> = relief,
        joins: Signal<Local, Bit>,
        entering: Net<Local> = lanes,
        rest: Net<Local> = lanes,
        joined_lanes: Net<Local> = lanes,
        opens: Signal<Local, Bit>,
        new_slot: Net<Local> = path,
        parks: Net<Local> = lanes,
        writes: Signal<Local, Bit>,
        listed_slot: Net<Local> = path,
        listed_lanes: Net<Local> = lanes,
        waiting_lanes: Net<Local> = lanes,
        leaves_slot: Signal<Local, Bit>,
        place: Vec<Net<Local>> = Net::vec(lanes, path),
        lane_place: Net<Local> = path,
        freed_rows: Net<Local> = warps,
        room: Net<Local> = warps,
        /// Slots without a warp, of any side; by side those of the CTA that needs one.
        any_free: Net<Local> = warps,
        cta_members: Vec<Net<Local>> = Net::vec(config.cta_slots, warps),
        needed_members: Net<Local> = warps,
        needed_cta: Net<Local> = c,
        started_now: Net<Local> = warps,
        /// With warp barriers: one of each, else none; of `returns` and `live_threads` one by lane.
        form_static: Vec<Signal<Local, Bit>> = bit_vec(barriers),
        arriving: Vec<Net<Local>> = Net::vec(barriers, lanes),
        diverged: Vec<Net<Local>> = Net::vec(barriers, warps),
        returns: Vec<Net<Local>> = Net::vec(barriers * lanes, warps),
        live_threads: Vec<Net<Local>> = Net::vec(barriers * lanes, warps),
    }
    sizes { _warp = w, _path = path }
    /// Of a core whose mechanism it is.
    pub fn new(config: &CoreConfig, formation: WarpFormation) {
        let (lanes, warps, sides) = (config.lanes, config.warps, config.sides());
        let (w, c, path) = (config.warp_width(), config.slot_width(), config.path_width());
        let relief = index_width(formation.relief + 1);
        let barriers = config.has_warp_barriers() as usize;
        let by_slot = |width, reads, writes| Memory::new(width, sides << w, reads, writes, ReadKind::Asynchronous);
        let slot_of_warp = || IndexedMux::new(c, warps);
    }
}

impl Logic for DynamicWarpFormation {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module DynamicWarpFormation");
        dff_setup!(self, clock, started);

        // ISSUE closes a warp, DECODE advances it.
        self.lut.issued.next = self.issue_valid.val() & self.pool.issued_open.val();
        self.fetch_mask.next = 0.into();
        self.following_pc.d.next = self.fetch_pc.val() + 4;
        self.pcs.write_enable[0].next = self.decoded.valid.val() & !self.decoded.control.val();

        // Serve: a warp whose last instruction is over, in turn, unless the second side of another is under way, or parked threads get their slot.
        self.is_free.next = !self.has_second.q.val();
        self.serves.next = self.turns.any.val() & self.is_free.val() & !self.parked_threads.form_valid.val();
        self.selection.long_latency.next = false;
        self.served_side.next = 0.into();
        self.ended_block.next = false;
        for s in 0..self.present.len() {
            self.selection.present[s].next = self.present[s].val();
            self.over[s].next = (self.events.pending[s].val() | self.pool.joins[s].val()) & !self.slot_valid[s].val();
            self.served_side.next = self.served_side.val().replace_bit(s, self.selection.granted[s].val().any());
            self.pool.dissolve[s].next = 0.into();
            if self.serves.val() {
                self.pool.dissolve[s].next = self.selection.granted[s].val();
            }
            self.ended_block.next =
                self.ended_block.val() | (self.selection.granted[s].val() & self.pool.joins[s].val()).any();
        }
        for s in 0..self.slot_pending.len() {
            self.over[s].next = self.over[s].val() & !self.slot_pending[s].val();
        }
        for s in 0..self.present.len() {
            self.selection.ready[s].next = self.over[s].val();
        }
        for s in 0..self.left.len() {
            self.left[s].next = 0.into();
            if self.serves.val() {
                self.left[s].next = self.selection.granted[s].val();
            }
        }
        self.events.accept.next = true;
        self.serves_event.next = self.serves.val() & !self.ended_block.val();
        self.exits.next = self.serves_event.val() & (self.events.event.kind.val() == ControlKind::Exit);
        self.waits.next = self.serves_event.val() & (self.events.event.kind.val() == ControlKind::Barrier);

        // The group: a second side, or threads that have had no slot, or what the warp that is served has come to.
        self.group_valid.next = false;
        self.group.pc.next = self.pcs.read_data[1].val();
        self.group.mask.next = self.masks.read_data[1].val();
        self.group_slot.next = self.served.val();
        self.has_slot.next = true;
        self.may_join.next = true;
        self.has_second.d.next = false;
        if self.has_second.q.val() {
            self.group_valid.next = true;
            self.group.pc.next = self.second_pc.q.val();
            self.group.mask.next = self.second_mask.q.val();
            self.group_slot.next = self.second_slot.q.val();
            self.has_slot.next = self.second_has_slot.q.val();
        } else if self.parked_threads.form_valid.val() {
            self.group_valid.next = true;
            self.group.pc.next = self.parked_threads.form_pc.val();
            self.group.mask.next = self.parked_threads.form_mask.val();
            self.group_slot.next = self.parked_threads.form_slot.val();
            self.may_join.next = false;
        } else if self.serves.val() {
            self.group_valid.next = !self.exits.val() & !self.waits.val();
            if !self.ended_block.val() {
                wire::join(&mut self.group, &mut self.sides.first);
                self.has_second.d.next =
                    self.group_valid.val() & self.sides.first.mask.val().any() & self.sides.second.mask.val().any();
                if !self.sides.first.mask.val().any() {
                    wire::join(&mut self.group, &mut self.sides.second);
                }
            }
        }
        for lane in 0..self.group_rows.len() {
            self.group_rows[lane].next = self.home_warps[lane].read_data[0].val();
            if self.has_second.q.val() {
                self.group_rows[lane].next = self.second_rows[lane].q.val();
            } else if self.parked_threads.form_valid.val() {
                self.group_rows[lane].next = self.parked_threads.form_rows[lane].val();
            }
            self.second_rows[lane].d.next = self.group_rows[lane].val();
        }

        // Behind a top-level divergence threads are regrouped, and wait for their warp where it has its barrier.
        for i in 0..self.barriers.len() {
            self.barriers[i].diverges.next =
                self.serves_event.val() & self.sides.first.mask.val().any() & self.sides.second.mask.val().any();
            self.form_static[i].next = !self.barriers[i].dynamic.val();
            self.pool_events.diverged[i].next = self.barriers[i].begins.val().into();
        }

        // The slots of its CTA, or of that whose parked threads get one.
        self.group_warp.next = bit_cast_to(self.group_slot.val(), self._warp);
        self.needed_cta.next = self.group_cta.selected.val();
        if self.parked_threads.reserve.val() {
            self.needed_cta.next = self.row_cta.selected.val();
        }
        self.any_free.next = 0.into();
        self.members.next = 0.into();
        self.needed_members.next = 0.into();
        self.room.next = 0.into();
        self.freed_rows.next = 0.into();
        for i in 0..self.warp_slot.len() {
            self.members.next =
                self.members.val().replace_bit(i, self.warp_slot[i].val() == self.group_cta.selected.val());
            self.needed_members.next =
                self.needed_members.val().replace_bit(i, self.warp_slot[i].val() == self.needed_cta.val());
            self.freed_rows.next = self
                .freed_rows
                .val()
                .replace_bit(i, self.barrier_release.val().get_bit(self.warp_slot[i].val().index()));
        }
        for i in 0..self.home_slots.len() {
            self.freed_rows.next = self
                .freed_rows
                .val()
                .replace_bit(i, self.barrier_release.val().get_bit(self.home_slots[i].val().index()));
        }
        self.slot_free.next = false;
        self.free_slot.next = 0.into();
        for s in 0..self.lowest.len() {
            self.lowest[s].request.next = !self.present[s].val() & self.needed_members.val();
            self.lowest_index.next = self.lowest[s].index.val();
            if self.lowest[s].any.val() & !self.slot_free.val() {
                self.free_slot.next = bit_cast_to(self.lowest_index.val(), self._path) | self.side_numbers[s].val();
            }
            self.slot_free.next = self.slot_free.val() | self.lowest[s].any.val();
            self.any_free.next = self.any_free.val() | !self.present[s].val();
        }
        for c in 0..self.cta_members.len() {
            self.cta_members[c].next = 0.into();
            for i in 0..self.warp_slot.len() {
                self.cta_members[c].next = self.cta_members[c].val().replace_bit(i, self.warp_slot[i].val() == c);
            }
            if (self.cta_members[c].val() & self.any_free.val()).any() {
                self.room.next = self.room.val() | self.cta_members[c].val();
            }
        }
        for i in 0..self.barriers.len() {
            // In the next cycle there is one more to choose from.
            if self.barriers[i].completes.val() {
                self.room.next = 0.into();
            }
        }
        self.others_wait.next = (self.parked_threads.ready.val() & self.members.val()).any();

        // Of the warps that keep others waiting, every so many leaves its slot to them.
        self.is_pressed.next =
            self.serves.val() & self.others_wait.val() & !(self.any_free.val() & self.members.val()).any();
        self.next_pressure.next = self.pressure.read_data[0].val() + 1;
        self.relieved.next = self.is_pressed.val() & (self.next_pressure.val() == self.limit.val());
        self.pressure.write_enable[0].next = self.is_pressed.val();
        self.pressure.write_data[0].next = self.next_pressure.val();
        if self.relieved.val() {
            self.pressure.write_data[0].next = 0.into();
        }
        self.parks_all.next = self.relieved.val();
        if self.has_second.q.val() {
            self.parks_all.next = self.second_parks.q.val();
        }

        // Update: into the warp that waits at the PC, the rest into one of its own.
        self.entering.next = 0.into();
        if self.group_valid.val()
            & self.may_join.val()
            & self.lut.joinable.val()
            & !(self.issue_valid.val() & (self.issue_warp.val() == self.lut.slot.val()))
        {
            self.entering.next = self.group.mask.val() & !self.lut.lanes.val();
        }
        for i in 0..self.barriers.len() {
            self.entering.next = self.entering.val() & !self.arriving[i].val();
            if self.form_static[i].val() {
                self.entering.next = 0.into();
            }
        }
        self.joins.next = self.entering.val().any();
        self.joined_lanes.next = self.lut.lanes.val() | self.entering.val();
        self.rest.next = self.group.mask.val() & !self.entering.val();
        for i in 0..self.barriers.len() {
            self.rest.next = self.rest.val() & !self.arriving[i].val();
        }
        self.new_slot.next = self.group_slot.val();
        self.opens.next = self.has_slot.val();
        if !self.has_slot.val() {
            self.new_slot.next = self.free_slot.val();
            self.opens.next = self.slot_free.val() & !self.others_wait.val();
        }
        self.opens.next = self.opens.val() & self.group_valid.val() & self.rest.val().any() & !self.parks_all.val();
        self.leaves_slot.next = !self.opens.val();
        self.writes.next = self.opens.val() | self.joins.val();
        self.listed_slot.next = self.lut.slot.val();
        self.listed_lanes.next = self.joined_lanes.val();
        self.waiting_lanes.next = self.entering.val();
        self.parks.next = 0.into();
        if self.opens.val() {
            self.listed_slot.next = self.new_slot.val();
            self.listed_lanes.next = self.rest.val();
            self.waiting_lanes.next = self.group.mask.val();
        } else if self.group_valid.val() {
            self.parks.next = self.rest.val();
        }
        for i in 0..self.barriers.len() {
            if self.opens.val() {
                self.waiting_lanes.next = self.group.mask.val() & !self.arriving[i].val();
            }
        }

        for i in 0..self.barriers.len() {
            // All that were to get a slot wait for their warps: it is free again.
            if self.is_free.val()
                & self.parked_threads.form_valid.val()
                & self.barriers[i].arrives.val().any()
                & !self.opens.val()
            {
                for s in 0..self.side_numbers.len() {
                    if (self.group_slot.val() & self.side_bits.val()) == self.side_numbers[s].val() {
                        self.pool.dissolve[s].next = self.one.val() << self.group_warp.val();
                    }
                }
            }
        }

        // Who loses the slot.
        self.parked_threads.park_mask.next = self.parks.val();
        for i in 0..self.barriers.len() {
            self.parked_threads.park_mask.next = self.parks.val() | self.arriving[i].val();
        }
        self.parked_threads.park_pc.next = self.group.pc.val();
        self.parked_threads.park_waits.next = self.waits.val();
        self.parked_threads.end_mask.next = 0.into();
        if self.waits.val() {
            self.parked_threads.park_mask.next = self.events.event.mask.val();
            self.parked_threads.park_pc.next = self.events.event.next_pc.val();
        }
        if self.exits.val() {
            self.parked_threads.end_mask.next = self.events.event.mask.val();
        }

        // Each lane in its place.
        self.form.valid.next = self.writes.val();
        for i in 0..self.barriers.len() {
            // Nobody joins a warp that has not diverged: it is not in the table.
            self.form.valid.next = self.opens.val() | self.joins.val();
            if self.form_static[i].val() {
                self.writes.next = false;
            }
        }
        self.form.warp.next = 0.into();
        for lane in 0..self.place.len() {
            self.place[lane].next = self.new_slot.val();
            if self.entering.val().get_bit(lane) {
                self.place[lane].next = self.lut.slot.val();
            }
            self.home_warps[lane].write_enable[0].next =
                self.entering.val().get_bit(lane) | (self.opens.val() & self.rest.val().get_bit(lane));
            self.lane_place.next = self.place[lane].val();
            self.form.sides[lane].next = 0.into();
            for s in 0..self.side_numbers.len() {
                self.form.sides[lane].next = self.form.sides[lane].val().replace_bit(
                    s,
                    (self.entering.val().get_bit(lane) | (self.opens.val() & self.rest.val().get_bit(lane)))
                        & ((self.lane_place.val() & self.side_bits.val()) == self.side_numbers[s].val()),
                );
            }
            self.form.warps[lane].next = bit_cast_to(self.lane_place.val(), self._warp);
            self.form.home_warps[lane].next = self.group_rows[lane].val();
        }
        self.pool_events.forms.next = self.opens.val();
        self.pool_events.relieved.next = self.relieved.val();
        self.merged.next = self.joins.val();

        // Warps start and end.
        self.started_now.next = 0.into();
        if self.launch.valid.val() & self.launch_ready.val() {
            self.started_now.next = self.one.val() << self.launch.warp.val();
        }
        self.finishing.request.next = self.started.q.val() & !self.parked_threads.live.val();
        self.started.d.next = (self.started.q.val() & !self.finishing.one_hot.val()) | self.started_now.val();
    }
}

#[cfg(test)]
#[path = "tests/dynamic_warp_formation.rs"]
mod tests;
