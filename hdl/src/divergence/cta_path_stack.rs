//! The CTA-wide reconvergence stack of dual-path execution: one per resident CTA, whose entries hold both sides of a branch.
//!
//! ```text
//!                       +-----------------------------------------------------------+
//!  arrive_* ----------->|--> GatheredBranches x 2 {kind, pcs, rpc} -----------+     |
//!  formed ------------->|--> WarpCounts x 2: complete --> waits? -----+       |     |
//!                       |                                             v       v     |
//!  launch_* ----------->|------------------------------------->  engine, one step   |---> activate_*, activate_right, members[L]
//!  launch_ready <-------|                                        a cycle: Launch,   |---> moved, pushed, suspended, side
//!  barrier_release ---->|------------------------------------->  Commit, Form,      |---> finished_*, overflow_*
//!                       |                                        Walk, Release      |---> present[2]
//!  query_*, decoded_* ->|--> ActiveEnds <-----------------------+   |              |
//!                       |        CtaPathEntries, StackWalk <---------+              |
//!                       |        PathColumn x L: masks, staged sides, live <--------|
//!                       +-----------------------------------------------------------+
//! ```
//!
//! Ports: those of [`CtaStack`](super::CtaStack) under the same names, without what is ahead, and
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `arrive_right` | 1 | the warp that arrives is of the right path |
//! | `forming_right` | 1 | the warps that are being formed since an earlier cycle are |
//! | `activate_right` | 1 | the threads to be formed are |
//! | `members[L]` | W | those threads |
//! | `side_valid`, `side` | 1, | they are a side of a divergent branch that runs for the first time, see [`SideRecord`] |
//! | `present[2]` | W | by path: home warps of CTAs whose active entry has such a path under way |
//! | `moved` | W | home warps of a CTA of which another entry becomes active: a thread may run on another side than before |
//! | `pushed`, `suspended` | 1 | an entry is pushed; it suspends a live path of the entry below |
//! | `counts_path`, `compacted_warps` | 1, n | where both paths share the slots (Vec of one): `members` are to be counted; one cycle later, how many warps compaction makes of them |
//!
//! Latency: a path goes on in the cycle of its last warp's arrival, if the engine and the compaction unit are free: in its entry, or in one that is pushed.
//! Of two paths the left one is formed at once, the right one when the unit is free again. Where a path ends or waits and the other one has, too, a cycle for that and
//! one for every entry looked at. Where both share the slots, [`SharedSlots`](super::SharedSlots) says whether a path fits beside the other one; the right path is counted in the cycle behind the left one's
//! activation, and formed two cycles later at the earliest. A path that does not fit waits outside the engine, which goes on.
//!
//! State per CTA: by path WCnt, the gathered branch with its staged sides, three bits; entries {RPC, by path PC, ancestors, how its warps came there}, by path a bit each for in use and at `bar.sync`. The CTA-wide masks lie in [`PathColumn`](super::PathColumn)s.
//!
//! Source: Rhu 2014, 4.5.4, which extends the CTA-wide stack to both paths of a branch and says no more. What is not said there: docs/decisions/0035-dual-path-compaction.md.
//!
//! *A path whose warps are under way cannot be stored*: they are at different PCs. So one that must push an entry above waits until the other one
//! has gathered too; that runs on by itself to a gathering, a barrier or its end. Then its own outcome comes first, and what it pushes lies beneath. A path that
//! waits holds no slots, so nothing waits for it. The same holds of a path that has found no room: it is a PC and a mask, and a push by the other one suspends it at once. *Both sides of a branch are one entry*: a push is one write, and nothing is placed in later cycles. *An ancestor is a path of an entry*, not the entry: one of its paths may run while the other one's threads wait above.
use super::{
    Activation, ActiveEnds, Arrival, CtaPathEntries, EntryEnd, FreeEntry, GatherKind, GatherRecord, GatheredBranches,
    PathColumn, PathPlan, PathStep, SharedSlots, SideRecord, StackWalk, WarpCounts,
};
use crate::interface::{CtaStart, KernelConfiguration, WarpEvent};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct CtaPathStack: clock, reset {
        pub kernel: KernelConfiguration<In> = KernelConfiguration::new(config),
        pub cta_start: CtaStart<In> = CtaStart::new(config),
        pub launch_valid: Signal<In, Bit>,
        pub launch_ready: Signal<Out, Bit>,
        pub launch_cta: Net<In> = c,
        pub launch_home_warp: Net<In> = w,
        pub launch_mask: Net<In> = lanes,
        pub arrive: Arrival<In> = Arrival::new(config),
        pub arrive_right: Signal<In, Bit>,
        pub query_cta: Net<In> = c,
        pub query: EntryEnd<Out> = EntryEnd::new(),
        pub decoded_cta: Net<In> = c,
        pub decoded: EntryEnd<Out> = EntryEnd::new(),
        pub barrier_release: Net<In> = ctas,
        pub forming: Signal<In, Bit>,
        pub forming_cta: Net<In> = c,
        pub forming_right: Signal<In, Bit>,
        pub formed: Signal<In, Bit>,
        pub engine_home_warps: Net<Out> = warps,
        pub activate: Activation<Out> = Activation::new(config),
        pub activate_right: Signal<Out, Bit>,
        pub members: Vec<Net<Out>> = Net::vec(lanes, warps),
        pub side_valid: Signal<Out, Bit>,
        pub side: SideRecord<Out> = SideRecord::new(warps),
        pub present: Vec<Net<Out>> = Net::vec(2, warps),
        pub moved: Net<Out> = warps,
        pub pushed: Signal<Out, Bit>,
        pub suspended: Signal<Out, Bit>,
        /// Where both paths share the slots: one of each, else none.
        pub counts_path: Vec<Signal<Out, Bit>> = bit_vec(sharing),
        pub compacted_warps: Vec<Net<In>> = Net::vec(sharing, count),
        pub finished: WarpEvent<Out> = WarpEvent::of(config),
        pub waiting: Net<Out> = warps,
        pub gathering: Net<Out> = warps,
        pub overflow_valid: Signal<Out, Bit>,
        pub mismatch_valid: Signal<Out, Bit>,
        pub fault_home_warp: Net<Out> = w,
        pub fault_pc: Net<Out> = 32,
        pub depth: Net<Out> = index_width(entries + 1),
        columns: Vec<PathColumn> = (0..lanes).map(|_| PathColumn::new(warps, entries)).collect() => |lane| {
            home_warps, read_entry: index, members: members[lane], arrive_home_warp: arrive.home_warps[lane],
            commits_right, reads_right: activate_right, reads_low, reads_top, write_enable: mask_write,
            write_entry: new_index, write_keeps: mask_keeps, write_low: mask_low, write_top: mask_top, clear_staged: staged_cleared,
        },
        // By path and CTA:
        /// what its warps gather for,
        branches: Vec<GatheredBranches> = (0..2).map(|_| GatheredBranches::new(config)).collect() => |s| {
            cta, is_first: is_first[s], arrive.cta, arrive.kind, arrive.pc, arrive.low_pc, arrive.top_pc, arrive.rpc, arrive.lpc,
            arrive.data_dependent, arrive.home_warps, arrive.mask, arrive.low, arrive.top, arrive.bypass_low,
            arrive.bypass_top, arrive.consults, arrive.predicts_bypass,
        },
        /// how many have not arrived,
        counts: Vec<WarpCounts> = (0..2).map(|_| WarpCounts::new(ctas, warps, sharing == 1)).collect() => |s| {
            start_cta: cta_start.slot, cta, ahead: no_warps, forming_cta, arrive_cta: arrive.cta,
            gathered: gathered[s].q, activate: path_activates[s], forming: path_forming[s], formed: path_formed[s],
            arrive_valid: path_arrives[s],
        },
        /// whether some have,
        gathered: Vec<Register> = Register::vec(2, ctas),
        /// whether all have, and it waits for the other path.
        held: Vec<Register> = Register::vec(2, ctas),
        // By path and home warp:
        /// of a CTA that has such a path under way,
        running: Vec<Register> = Register::vec(2, warps) => |s| { q: present[s] },
        /// of a CTA of which a warp of such a path has dissolved and waits.
        gathering_home_warps: Vec<Register> = Register::vec(2, warps),
        /// Bit per CTA: the other path has pushed an entry while one was held; or rests where it goes on.
        beneath: Register = Register::new(ctas),
        rested: Register = Register::new(ctas),
        /// Bit per CTA: its barrier has opened.
        released: Register = Register::new(ctas),
        // By CTA: its stack.
        cta_home_warps: Memory = by_cta(warps, 2) => {
            read_address[0]: cta, read_data[0]: home_warps, write_address[0]: cta, read_address[1]: arrive.cta,
            read_data[1]: arrive_home_warps_of_cta,
        },
        /// Bit per CTA: no warp has been launched yet.
        fresh: Register = Register::new(ctas),
        /// By path, the entries that have one.
        stored: Vec<Memory> = (0..2).map(|_| by_cta(entries, 1)).collect() => |s| {
            read_address[0]: cta, read_data[0]: stored_now[s], write_data[0]: next_stored[s], write_address[0]: cta,
        },
        barred: Vec<Memory> = (0..2).map(|_| by_cta(entries, 1)).collect() => |s| {
            read_address[0]: cta, read_data[0]: barred_now[s], write_data[0]: next_barred[s], write_address[0]: cta,
        },
        active_index: Memory = by_cta(d, 1) => {
            read_address[0]: cta, read_data[0]: active, write_enable[0]: replaces, write_address[0]: cta, write_data[0]: new_active,
        },
        ends: ActiveEnds = ActiveEnds::new(ctas, false) => {
            query_cta, query, decoded_cta, decoded, cta, activate: replaces, new_rpc,
        },
        plan: PathPlan = PathPlan::new(warps, entries) => {
            commits, branch, active: ends.active, index: active, other_runs, other_held, other_alive, free: free.any,
            overflows: overflow_valid,
        },
        entries: CtaPathEntries = CtaPathEntries::new(ctas, warps, entries) => {
            cta, index, write_pc: path_moves, new_index, write_new_pc: mask_write, side_index: new_index,
        },
        free: FreeEntry = FreeEntry::new(entries) => { active, used },
        /// Where both paths share the slots: one, else none.
        shared: Vec<SharedSlots> = (0..sharing).map(|_| SharedSlots::new(lanes, warps, ctas)).collect() => |k| {
            compact: kernel.compact, cta, counts_path: counts_path[k], right: activate_right, members,
            compacted_warps: compacted_warps[k], forget: replaces,
        },
        /// By path: CTAs in which one that has waited for room has found it.
        room_first: Vec<PriorityEncoder> = (0..2 * sharing).map(|_| PriorityEncoder::new(ctas)).collect(),
        // The engine.
        /// The engine is on its way down a stack in search of the entry to run.
        walks: StateRegister<Bit>,
        held_cta: Flop = Flop::new(c) => { d: cta },
        /// The right path of the CTA served last has yet to be formed.
        owes_right: StateRegister<Bit>,
        /// Down a stack; above a path are those that the entries passed over were split from: by side.
        walk: Vec<StackWalk> = (0..2).map(|_| StackWalk::new(entries, entries)).collect() => |s| {
            entries: used, step: walks_on, restart: ends_walk, forget: ends_walk, passed: passed[s],
        },
        finishing: Register = Register::new(warps),
        parked: Register = Register::new(warps) => { q: waiting },
        one_cta: Constant = Constant::new(1, ctas),
        one_home_warp: Constant = Constant::new(1, warps),
        all_home_warps: Constant = Constant::new(mask(warps), warps),
        one_entry: Constant = Constant::new(1, entries),
        no_warps: Constant = Constant::new(0, count),
        step: Signal<Local, PathStep>,
        cta: Net<Local> = c,
        cta_bit: Net<Local> = ctas,
        home_warps: Net<Local> = warps,
        home_warp: Net<Local> = warps,
        active: Net<Local> = d,
        index: Net<Local> = d,
        slot: Net<Local> = entries,
        used: Net<Local> = entries,
        complete: Vec<Net<Local>> = Net::vec(2, ctas),
        complete_first: Vec<PriorityEncoder> = (0..2).map(|_| PriorityEncoder::new(ctas)).collect() => |s| { request: complete[s] },
        released_first: PriorityEncoder = PriorityEncoder::new(ctas),
        finishing_first: PriorityEncoder = PriorityEncoder::new(warps) => {
            request: finishing.q, any: finished.valid, index: finished.warp,
        },
        fault_first: PriorityEncoder = PriorityEncoder::new(warps) => { index: fault_home_warp },
        arrive_bit: Net<Local> = ctas,
        arrive_home_warps_of_cta: Net<Local> = warps,
        is_first: Vec<Signal<Local, Bit>> = bit_vec(2),
        path_arrives: Vec<Signal<Local, Bit>> = bit_vec(2),
        path_activates: Vec<Signal<Local, Bit>> = bit_vec(2),
        path_forming: Vec<Signal<Local, Bit>> = bit_vec(2),
        path_formed: Vec<Signal<Local, Bit>> = bit_vec(2),
        forms_right: Signal<Local, Bit>,
        // Commit: the path, and the one beside it.
        commits: Signal<Local, Bit>,
        commits_right: Signal<Local, Bit>,
        here: Vec<Signal<Local, Bit>> = bit_vec(2),
        branch: GatherRecord<Local> = GatherRecord::new(warps, 0),
        any_low: Net<Local> = lanes,
        any_top: Net<Local> = lanes,
        any_live: Net<Local> = lanes,
        any_members: Vec<Net<Local>> = Net::vec(2, lanes),
        /// By path: threads of the entry looked at.
        has_threads: Vec<Signal<Local, Bit>> = bit_vec(2),
        runs_here: Vec<Signal<Local, Bit>> = bit_vec(2),
        held_here: Vec<Signal<Local, Bit>> = bit_vec(2),
        other_runs: Signal<Local, Bit>,
        other_held: Signal<Local, Bit>,
        other_alive: Signal<Local, Bit>,
        // Where both paths share the slots: one of each, else none.
        /// A path that has waited for room is formed: the left one.
        takes_up: Vec<Signal<Local, Bit>> = bit_vec(sharing),
        takes_up_left: Vec<Signal<Local, Bit>> = bit_vec(sharing),
        /// The path that is committed may be formed again at once; the other one waits for room.
        has_room: Vec<Signal<Local, Bit>> = bit_vec(sharing),
        other_owed: Vec<Signal<Local, Bit>> = bit_vec(sharing),
        // Walk, by path of the entry found.
        found_can: Vec<Signal<Local, Bit>> = bit_vec(2),
        found_runs: Vec<Signal<Local, Bit>> = bit_vec(2),
        found_gone: Vec<Signal<Local, Bit>> = bit_vec(2),
        walks_on: Signal<Local, Bit>,
        ends_walk: Signal<Local, Bit>,
        starts: Signal<Local, Bit>,
        activates: Signal<Local, Bit>,
        /// Another entry becomes active, with paths on these sides.
        replaces: Signal<Local, Bit>,
        new_active: Net<Local> = d,
        new_rpc: Net<Local> = 32,
        new_runs: Vec<Signal<Local, Bit>> = bit_vec(2),
        new_index: Net<Local> = d,
        new_slot: Net<Local> = entries,
        mask_write: Vec<Signal<Local, Bit>> = bit_vec(2),
        mask_keeps: Net<Local> = warps,
        mask_low: Vec<Signal<Local, Bit>> = bit_vec(2),
        mask_top: Vec<Signal<Local, Bit>> = bit_vec(2),
        staged_cleared: Vec<Signal<Local, Bit>> = bit_vec(2),
        /// By path: the entry looked at has it no more.
        drops: Vec<Signal<Local, Bit>> = bit_vec(2),
        path_moves: Vec<Signal<Local, Bit>> = bit_vec(2),
        passed: Vec<Net<Local>> = Net::vec(2, entries),
        reads_low: Signal<Local, Bit>,
        reads_top: Signal<Local, Bit>,
        clears_staged: Signal<Local, Bit>,
        stored_now: Vec<Net<Local>> = Net::vec(2, entries),
        kept_stored: Vec<Net<Local>> = Net::vec(2, entries),
        next_stored: Vec<Net<Local>> = Net::vec(2, entries),
        barred_now: Vec<Net<Local>> = Net::vec(2, entries),
        next_barred: Vec<Net<Local>> = Net::vec(2, entries),
        still_finishing: Net<Local> = warps,
        kept_fresh: Net<Local> = ctas,
        gathered_now: Vec<Net<Local>> = Net::vec(2, ctas),
        gathering_now: Vec<Net<Local>> = Net::vec(2, warps),
    }
    sizes { _depth = index_width(entries + 1), _count = count, _ctas = ctas }
    /// The stacks of a core.
    pub fn new(config: &CoreConfig) {
        let (lanes, warps, entries, ctas) = (config.lanes, config.warps, config.stack_depth, config.cta_slots);
        let (w, c, d) = (config.warp_width(), config.slot_width(), index_width(entries));
        let count = index_width(warps + 1);
        let sharing = config.of_shared_slots();
        let by_cta = |width, reads| Memory::new(width, ctas, reads, 1, ReadKind::Asynchronous);
    }
}

impl Logic for CtaPathStack {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module CtaPathStack");
        dff_setup!(self, clock, beneath, rested, released, fresh, walks, owes_right, finishing, parked);

        // A warp arrives.
        self.arrive_bit.next = self.one_cta.val() << self.arrive.cta.val();
        self.path_arrives[0].next = self.arrive.valid.val() & !self.arrive_right.val();
        self.path_arrives[1].next = self.arrive.valid.val() & self.arrive_right.val();
        self.path_forming[0].next = self.forming.val() & !self.forming_right.val();
        self.path_forming[1].next = self.forming.val() & self.forming_right.val();
        for s in 0..self.branches.len() {
            self.branches[s].arrive.valid.next = self.path_arrives[s].val();
            self.is_first[s].next = !(self.gathered[s].q.val() & self.arrive_bit.val()).any();
            self.complete[s].next = self.counts[s].complete.val() & !self.held[s].q.val();
        }

        for k in 0..self.takes_up.len() {
            // Behind what commits: a path that has all its warps back goes on before the other one begins.
            self.takes_up_left[k].next = self.room_first[0].any.val();
            self.takes_up[k].next = (self.room_first[0].any.val() | self.room_first[1].any.val())
                & !self.walks.q.val()
                & !self.owes_right.q.val()
                & !self.forming.val()
                & !self.launch_valid.val()
                & !self.complete_first[0].any.val()
                & !self.complete_first[1].any.val()
                & !self.counts[0].completes.val()
                & !self.counts[1].completes.val();
        }

        // The engine chooses a CTA and what to do for it.
        self.launch_ready.next = false;
        self.step.next = PathStep::Idle;
        self.commits_right.next = false;
        // A barrier opens for a path only after it has been committed.
        self.released_first.request.next =
            self.released.q.val() & !self.counts[0].complete.val() & !self.counts[1].complete.val();
        self.cta.next = self.held_cta.q.val();
        if self.walks.q.val() {
            self.step.next = PathStep::Walk;
        } else if self.owes_right.q.val() {
            if !self.forming.val() {
                self.step.next = PathStep::Form;
            }
            for _k in 0..self.shared.len() {
                // Counted, to be formed when it fits.
                self.step.next = PathStep::Form;
            }
        } else {
            self.launch_ready.next = !self.forming.val();
            // What it commits runs at once, so the compaction unit must be free.
            if self.launch_valid.val() & !self.forming.val() {
                self.step.next = PathStep::Launch;
                self.cta.next = self.launch_cta.val();
            } else if self.complete_first[0].any.val() & !self.forming.val() {
                self.step.next = PathStep::Commit;
                self.cta.next = self.complete_first[0].index.val();
            } else if self.complete_first[1].any.val() & !self.forming.val() {
                self.step.next = PathStep::Commit;
                self.commits_right.next = true;
                self.cta.next = self.complete_first[1].index.val();
            } else if (self.counts[0].completes.val() | self.counts[1].completes.val()) & !self.forming.val() {
                self.step.next = PathStep::Commit;
                self.commits_right.next = self.arrive_right.val();
                self.cta.next = self.arrive.cta.val();
            } else if self.released_first.any.val() {
                self.step.next = PathStep::Release;
                self.cta.next = self.released_first.index.val();
            }
            for k in 0..self.takes_up.len() {
                if self.takes_up[k].val() {
                    self.step.next = PathStep::Form;
                    self.cta.next = self.room_first[1].index.val();
                    if self.takes_up_left[k].val() {
                        self.cta.next = self.room_first[0].index.val();
                    }
                }
            }
        }
        self.cta_bit.next = self.one_cta.val() << self.cta.val();
        self.home_warp.next = self.one_home_warp.val() << self.launch_home_warp.val();
        self.engine_home_warps.next = self.home_warps.val();
        self.used.next = self.stored_now[0].val() | self.stored_now[1].val();
        self.commits.next = self.step.val() == PathStep::Commit;
        self.here[0].next = self.commits.val() & !self.commits_right.val();
        self.here[1].next = self.commits.val() & self.commits_right.val();

        // The entry that it looks at, and the columns.
        self.index.next = self.active.val();
        if self.walks.q.val() {
            self.index.next = self.walk[0].index.val();
        }
        self.slot.next = self.one_entry.val() << self.index.val();
        self.any_low.next = 0.into();
        self.any_top.next = 0.into();
        self.any_live.next = 0.into();
        for lane in 0..self.columns.len() {
            self.any_low.next = self.any_low.val().replace_bit(lane, self.columns[lane].staged_low.val());
            self.any_top.next = self.any_top.val().replace_bit(lane, self.columns[lane].staged_top.val());
            self.any_live.next = self.any_live.val().replace_bit(lane, self.columns[lane].any_live.val());
        }
        for s in 0..self.running.len() {
            self.any_members[s].next = 0.into();
            for lane in 0..self.columns.len() {
                self.any_members[s].next =
                    self.any_members[s].val().replace_bit(lane, self.columns[lane].any_member[s].val());
            }
            self.has_threads[s].next =
                self.any_members[s].val().any() & (self.stored_now[s].val() & self.slot.val()).any();
            self.runs_here[s].next = (self.running[s].q.val() & self.home_warps.val()).any();
            self.held_here[s].next = (self.held[s].q.val() & self.cta_bit.val()).any();
        }

        // Commit: what becomes of the path.
        wire::join(&mut self.branch, &mut self.branches[0].branch);
        self.other_runs.next = self.runs_here[1].val();
        self.other_held.next = self.held_here[1].val();
        self.other_alive.next = self.runs_here[1].val() | self.has_threads[1].val();
        if self.commits_right.val() {
            wire::join(&mut self.branch, &mut self.branches[1].branch);
            self.other_runs.next = self.runs_here[0].val();
            self.other_held.next = self.held_here[0].val();
            self.other_alive.next = self.runs_here[0].val() | self.has_threads[0].val();
        }
        self.plan.low.next = self.any_low.val().any();
        self.plan.top.next = self.any_top.val().any();
        self.plan.other_above.next = (self.beneath.q.val() & self.cta_bit.val()).any();
        for k in 0..self.shared.len() {
            self.has_room[k].next = self.shared[k].fits[0].val();
            self.other_owed[k].next = self.shared[k].owed[1].val();
            if self.commits_right.val() {
                // The left one goes first.
                self.has_room[k].next = self.shared[k].fits[1].val() & !self.shared[k].owed[0].val();
                self.other_owed[k].next = self.shared[k].owed[0].val();
            }
        }

        // Walk: which paths of the entry found run, and which of them are no more.
        for s in 0..self.walk.len() {
            self.found_can[s].next = self.has_threads[s].val()
                & !((self.barred_now[s].val() | self.walk[s].above.val()) & self.slot.val()).any();
            self.found_gone[s].next = !self.has_threads[s].val()
                | (self.found_can[s].val() & (self.entries.pcs[s].val() == self.entries.rpc.val()));
            self.found_runs[s].next = self.found_can[s].val() & !self.found_gone[s].val();
        }
        for s in 0..self.walk.len() {
            self.passed[s].next = 0.into();
            if !self.found_gone[0].val() | !self.found_gone[1].val() {
                self.passed[s].next = self.entries.ancestors[s].val();
            }
        }

        // What changes, unless a step says otherwise.
        self.starts.next = self.step.val() == PathStep::Launch;
        self.activates.next = false;
        self.activate_right.next = false;
        self.activate.pc.next = self.plan.pc.val();
        self.replaces.next = false;
        self.new_active.next = self.free.index.val();
        self.new_rpc.next = self.branch.rpc.val();
        self.ends.new_lpc.next = 1.into();
        self.new_index.next = self.free.index.val();
        self.reads_low.next = false;
        self.reads_top.next = false;
        self.clears_staged.next = self.plan.settles.val();
        self.walks_on.next = false;
        self.ends_walk.next = false;
        self.side_valid.next = false;
        self.side.is_new.next = true;
        self.side.data_dependent.next = self.branch.data_dependent.val();
        self.side.arrived.next = self.plan.arrived.val();
        self.pushed.next = false;
        self.suspended.next = false;
        self.depth.next = 0.into();
        self.entries.write_new.next = false;
        self.entries.new_rpc.next = self.branch.rpc.val();
        self.entries.pc.next = self.plan.pc.val();
        // The side that runs first is on the left, if both run.
        for s in 0..self.stored.len() {
            self.entries.new_pcs[s].next = self.plan.pc.val();
            self.entries.new_sides[s].arrived.next = self.plan.arrived.val();
        }
        if self.plan.both_run.val() {
            self.entries.new_pcs[1].next = self.branch.low_pc.val();
            self.entries.new_sides[1].arrived.next = self.branch.low_arrived.val();
        }
        for s in 0..self.stored.len() {
            self.new_runs[s].next = self.plan.both_run.val() | self.here[s].val();
            self.mask_write[s].next = false;
            self.drops[s].next = false;
            self.path_moves[s].next = false;
            self.entries.write_side[s].next = false;
            self.entries.new_sides[s].is_new.next = false;
            self.entries.new_sides[s].data_dependent.next = self.branch.data_dependent.val();
            self.entries.new_ancestors[s].next = self.entries.ancestors[s].val();
            if self.here[s].val() & !self.plan.reuses.val() {
                self.entries.new_ancestors[s].next = self.entries.ancestors[s].val() | self.slot.val();
            }
        }
        self.mask_top[0].next = self.commits.val() & self.plan.takes_top.val();
        self.mask_top[1].next = self.commits.val() & self.plan.takes_top.val() & !self.plan.both_run.val();
        self.mask_low[0].next = self.commits.val() & !self.mask_top[0].val();
        self.mask_low[1].next = self.commits.val() & !self.mask_top[1].val();
        self.mask_keeps.next = !self.home_warps.val();
        if self.starts.val() {
            self.mask_keeps.next = self.all_home_warps.val();
        }
        self.cta_home_warps.write_enable[0].next = self.starts.val();
        self.cta_home_warps.write_data[0].next = self.home_warps.val() | self.home_warp.val();
        if (self.fresh.q.val() & self.cta_bit.val()).any() {
            self.cta_home_warps.write_data[0].next = self.home_warp.val();
        }
        self.walks.d.next = self.walks.q.val();
        self.owes_right.d.next = self.owes_right.q.val();
        self.still_finishing.next = self.finishing.q.val() & !self.finishing_first.one_hot.val();
        self.finishing.d.next = self.still_finishing.val();
        self.parked.d.next = self.parked.q.val();

        match self.step.val() {
            PathStep::Launch => {
                self.replaces.next = true;
                self.new_active.next = 0.into();
                self.new_rpc.next = 1.into();
                self.new_index.next = 0.into();
                self.mask_write[0].next = true;
                self.entries.write_new.next = true;
                self.entries.new_rpc.next = 1.into();
                for s in 0..self.stored.len() {
                    self.entries.new_ancestors[s].next = 0.into();
                    self.entries.write_side[s].next = true;
                }
                self.depth.next = 1.into();
            }
            PathStep::Form => {
                self.activates.next = true;
                self.activate_right.next = true;
                self.activate.pc.next = self.entries.pcs[1].val();
                self.owes_right.d.next = false;
                self.side_valid.next = self.entries.sides[1].is_new.val();
                wire::join(&mut self.side, &mut self.entries.sides[1]);
                self.new_index.next = self.active.val();
                self.entries.write_side[1].next = true;
                for k in 0..self.takes_up.len() {
                    if self.owes_right.q.val() {
                        self.activates.next = false;
                        self.side_valid.next = false;
                        self.entries.write_side[1].next = false;
                    } else if self.takes_up_left[k].val() {
                        self.activate_right.next = false;
                        self.activate.pc.next = self.entries.pcs[0].val();
                        self.side_valid.next = self.entries.sides[0].is_new.val();
                        wire::join(&mut self.side, &mut self.entries.sides[0]);
                        self.entries.write_side[0].next = true;
                        self.entries.write_side[1].next = false;
                    }
                }
            }
            PathStep::Commit => {
                if self.plan.goes_on.val() {
                    self.new_index.next = self.active.val();
                    self.activates.next = !self.other_held.val();
                    self.activate_right.next = self.commits_right.val();
                    self.side_valid.next = self.plan.narrows.val() & !self.other_held.val();
                    self.reads_low.next = self.plan.narrows.val() & !self.plan.takes_top.val();
                    self.reads_top.next = self.plan.narrows.val() & self.plan.takes_top.val();
                    for s in 0..self.stored.len() {
                        self.path_moves[s].next = self.here[s].val() & !self.plan.narrows.val();
                        self.mask_write[s].next = self.here[s].val() & self.plan.narrows.val();
                        self.entries.write_side[s].next = self.here[s].val() & self.plan.narrows.val();
                        self.entries.new_sides[s].is_new.next = self.other_held.val();
                    }
                    for k in 0..self.has_room.len() {
                        if !self.has_room[k].val() {
                            self.activates.next = false;
                            self.side_valid.next = false;
                            for s in 0..self.stored.len() {
                                self.entries.new_sides[s].is_new.next = true;
                            }
                        }
                    }
                } else if self.plan.stops.val() {
                    if self.branch.kind.val() == 3 {
                        self.entries.pc.next = self.branch.pc.val() + 4;
                    }
                    for s in 0..self.stored.len() {
                        self.path_moves[s].next = self.here[s].val() & (self.branch.kind.val() == 3);
                        self.drops[s].next = self.here[s].val() & (self.branch.kind.val() != 3);
                    }
                    if !self.other_runs.val() {
                        self.walks.d.next = true;
                        for k in 0..self.other_owed.len() {
                            if self.other_owed[k].val() {
                                self.walks.d.next = false;
                            }
                        }
                    }
                } else if self.plan.divides.val() {
                    if self.plan.overwrites.val() {
                        self.new_index.next = self.active.val();
                        self.new_active.next = self.active.val();
                    } else {
                        self.pushed.next = true;
                        self.depth.next = bit_cast_to(self.free.index.val(), self._depth) + 1;
                        self.entries.write_new.next = true;
                    }
                    self.entries.pc.next = self.branch.rpc.val();
                    for s in 0..self.stored.len() {
                        self.mask_write[s].next = self.new_runs[s].val();
                        self.entries.write_side[s].next = self.new_runs[s].val();
                        self.entries.new_sides[s].is_new.next = true;
                        self.path_moves[s].next = self.here[s].val() & self.plan.pushes.val() & !self.plan.reuses.val();
                        self.drops[s].next = self.here[s].val() & self.plan.pushes.val() & self.plan.reuses.val();
                    }
                    if !self.other_held.val() {
                        // Its sides run, left first.
                        self.replaces.next = true;
                        self.suspended.next = self.plan.pushes.val() & (self.rested.q.val() & self.cta_bit.val()).any();
                        for k in 0..self.other_owed.len() {
                            if self.other_owed[k].val() {
                                self.suspended.next = self.plan.pushes.val();
                            }
                        }
                        self.activates.next = true;
                        self.activate_right.next = self.commits_right.val() & !self.plan.both_run.val();
                        self.owes_right.d.next = self.plan.both_run.val();
                        self.reads_low.next = !self.plan.takes_top.val();
                        self.reads_top.next = self.plan.takes_top.val();
                        self.side_valid.next = true;
                        self.entries.new_sides[0].is_new.next = false;
                        self.entries.new_sides[1].is_new.next = self.plan.both_run.val();
                    }
                }
            }
            PathStep::Walk => {
                self.new_active.next = self.index.val();
                self.new_rpc.next = self.entries.rpc.val();
                self.new_index.next = self.index.val();
                if !self.any_live.val().any() {
                    self.ends_walk.next = true;
                    self.finishing.d.next = self.still_finishing.val() | self.home_warps.val();
                } else if !self.walk[0].any.val() {
                    // Nothing may run: all threads wait.
                    self.ends_walk.next = true;
                    self.parked.d.next = self.parked.q.val() | self.home_warps.val();
                } else if self.found_runs[0].val() | self.found_runs[1].val() {
                    if !self.forming.val() {
                        self.ends_walk.next = true;
                        self.replaces.next = true;
                        self.activates.next = true;
                        self.owes_right.d.next = self.found_runs[0].val() & self.found_runs[1].val();
                        for s in 0..self.stored.len() {
                            self.new_runs[s].next = self.found_runs[s].val();
                            self.drops[s].next = self.found_gone[s].val();
                        }
                        self.activate.pc.next = self.entries.pcs[0].val();
                        self.side_valid.next = self.entries.sides[0].is_new.val();
                        wire::join(&mut self.side, &mut self.entries.sides[0]);
                        self.entries.write_side[0].next = self.found_runs[0].val();
                        if !self.found_runs[0].val() {
                            self.activate_right.next = true;
                            self.activate.pc.next = self.entries.pcs[1].val();
                            self.side_valid.next = self.entries.sides[1].is_new.val();
                            wire::join(&mut self.side, &mut self.entries.sides[1]);
                            self.entries.write_side[1].next = true;
                        }
                    }
                } else {
                    self.walks_on.next = true;
                    for s in 0..self.stored.len() {
                        self.drops[s].next = self.found_gone[s].val();
                    }
                }
                if self.ends_walk.val() {
                    self.walks.d.next = false;
                }
            }
            PathStep::Release => {
                self.walks.d.next = true;
                self.parked.d.next = self.parked.q.val() & !self.home_warps.val();
            }
            _ => {}
        }

        // The paths of the entries.
        self.new_slot.next = self.one_entry.val() << self.new_index.val();
        for s in 0..self.stored.len() {
            self.stored[s].write_enable[0].next = true;
            self.barred[s].write_enable[0].next = true;
            self.kept_stored[s].next = self.stored_now[s].val();
            if self.drops[s].val() {
                self.kept_stored[s].next = self.stored_now[s].val() & !self.slot.val();
            }
            self.next_stored[s].next = self.kept_stored[s].val();
            self.next_barred[s].next = self.barred_now[s].val();
            if self.here[s].val() & self.plan.stops.val() & (self.branch.kind.val() == 3) {
                self.next_barred[s].next = self.barred_now[s].val() | self.slot.val();
            }
            if self.mask_write[s].val() {
                self.next_barred[s].next = self.barred_now[s].val() & !self.new_slot.val();
                self.next_stored[s].next = self.kept_stored[s].val() | self.new_slot.val();
            }
            if self.step.val() == PathStep::Release {
                self.next_barred[s].next = 0.into();
            }
        }
        if self.starts.val() {
            self.next_stored[0].next = 1.into();
            self.next_stored[1].next = 0.into();
            self.next_barred[0].next = 0.into();
            self.next_barred[1].next = 0.into();
        }

        // Which paths are under way, and which of them wait.
        self.activate.valid.next = self.activates.val();
        self.activate.cta.next = self.cta.val();
        self.activate.index.next = self.new_active.val();
        self.path_activates[0].next = self.activates.val() & !self.activate_right.val();
        self.path_activates[1].next = self.activates.val() & self.activate_right.val();
        self.forms_right.next = self.forming_right.val();
        if self.activates.val() {
            self.forms_right.next = self.activate_right.val();
        }
        self.path_formed[0].next = self.formed.val() & !self.forms_right.val();
        self.path_formed[1].next = self.formed.val() & self.forms_right.val();
        self.moved.next = 0.into();
        if self.replaces.val() {
            self.moved.next = self.home_warps.val();
        }
        for s in 0..self.running.len() {
            self.running[s].d.next = self.running[s].q.val();
            self.held[s].d.next = self.held[s].q.val();
            if self.plan.settles.val() & self.here[s].val() & !self.activates.val() {
                self.running[s].d.next = self.running[s].q.val() & !self.home_warps.val();
            }
            if self.replaces.val() {
                self.running[s].d.next = self.running[s].q.val() & !self.home_warps.val();
                if self.new_runs[s].val() {
                    self.running[s].d.next = self.running[s].q.val() | self.home_warps.val();
                }
            }
            for _k in 0..self.shared.len() {
                // A path that waits for room has no warps.
                if self.path_activates[s].val() {
                    self.running[s].d.next = self.running[s].q.val() | self.home_warps.val();
                } else if self.replaces.val() {
                    self.running[s].d.next = self.running[s].q.val() & !self.home_warps.val();
                }
            }
            if self.plan.must_wait.val() & self.here[s].val() {
                self.held[s].d.next = self.held[s].q.val() | self.cta_bit.val();
            }
            if self.plan.settles.val() & !self.here[s].val() {
                self.held[s].d.next = self.held[s].q.val() & !self.cta_bit.val();
            }
        }
        if self.starts.val() {
            self.running[0].d.next = self.running[0].q.val() | self.home_warp.val();
            self.running[1].d.next = self.running[1].q.val() & !self.home_warp.val();
        }
        self.beneath.d.next = self.beneath.q.val();
        self.rested.d.next = self.rested.q.val();
        if self.replaces.val() {
            self.beneath.d.next = self.beneath.q.val() & !self.cta_bit.val();
            self.rested.d.next = self.rested.q.val() & !self.cta_bit.val();
        } else if self.other_held.val() & self.plan.divides.val() {
            self.beneath.d.next = self.beneath.q.val() | self.cta_bit.val();
        } else if self.other_held.val() & self.plan.goes_on.val() {
            self.rested.d.next = self.rested.q.val() | self.cta_bit.val();
        }

        // Who gathers: the engine comes after the arrivals, for it may take up a path in the cycle of its last one.
        for s in 0..self.gathered.len() {
            self.gathered_now[s].next = self.gathered[s].q.val();
            self.gathering_now[s].next = self.gathering_home_warps[s].q.val();
            if self.path_arrives[s].val() {
                self.gathered_now[s].next = self.gathered[s].q.val() | self.arrive_bit.val();
                self.gathering_now[s].next = self.gathering_home_warps[s].q.val() | self.arrive_home_warps_of_cta.val();
            }
            self.gathered[s].d.next = self.gathered_now[s].val();
            self.gathering_home_warps[s].d.next = self.gathering_now[s].val();
            if self.plan.settles.val() & self.here[s].val() {
                self.gathered[s].d.next = self.gathered_now[s].val() & !self.cta_bit.val();
            }
            if (self.plan.settles.val() & self.here[s].val() & (self.activates.val() | self.other_runs.val()))
                | self.ends_walk.val()
            {
                self.gathering_home_warps[s].d.next = self.gathering_now[s].val() & !self.home_warps.val();
            }
            for k in 0..self.other_owed.len() {
                if self.plan.settles.val() & self.here[s].val() & self.other_owed[k].val() {
                    self.gathering_home_warps[s].d.next = self.gathering_now[s].val() & !self.home_warps.val();
                }
            }
        }
        self.gathering.next = self.gathering_home_warps[0].q.val() | self.gathering_home_warps[1].q.val();
        self.released.d.next = self.released.q.val() | self.barrier_release.val();
        if self.step.val() == PathStep::Release {
            self.released.d.next = (self.released.q.val() & !self.cta_bit.val()) | self.barrier_release.val();
        }
        self.kept_fresh.next = self.fresh.q.val();
        if self.starts.val() {
            self.kept_fresh.next = self.fresh.q.val() & !self.cta_bit.val();
        }
        self.fresh.d.next = self.kept_fresh.val();
        if self.cta_start.valid.val() {
            self.fresh.d.next = self.kept_fresh.val() | (self.one_cta.val() << self.cta_start.slot.val());
        }
        self.counts[0].start_warps.next = bit_cast_to(self.kernel.warps_per_cta.val(), self._count);
        self.counts[1].start_warps.next = bit_cast_to(self.kernel.warps_per_cta.val(), self._count);
        self.counts[0].start_valid.next = self.cta_start.valid.val();
        self.counts[1].start_valid.next = false;

        self.staged_cleared[0].next = self.clears_staged.val() & !self.commits_right.val();
        self.staged_cleared[1].next = self.clears_staged.val() & self.commits_right.val();
        for lane in 0..self.columns.len() {
            for s in 0..2 {
                self.columns[lane].arrive_low[s].next =
                    self.path_arrives[s].val() & self.arrive.low.val().get_bit(lane);
                self.columns[lane].arrive_top[s].next =
                    self.path_arrives[s].val() & self.arrive.top.val().get_bit(lane);
            }
            self.columns[lane].arrive_exit.next = self.arrive.valid.val()
                & (self.arrive.kind.val() == GatherKind::Exit)
                & self.arrive.mask.val().get_bit(lane);
            self.columns[lane].launch_home_warp.next = 0.into();
            if self.starts.val() {
                self.columns[lane].launch_home_warp.next = self.home_warp.val();
            }
            self.columns[lane].launch_thread.next = self.starts.val() & self.launch_mask.val().get_bit(lane);
        }

        // Where both paths share the slots.
        for ctas in self._ctas..(self._ctas + 1) {
            for k in 0..self.shared.len() {
                self.shared[k].warps_per_cta.next = bit_cast_to(self.kernel.warps_per_cta.val(), self._count);
                // Whenever a path has other threads than before.
                self.counts_path[k].next =
                    self.replaces.val() | self.owes_right.q.val() | (self.plan.goes_on.val() & self.plan.narrows.val());
                self.shared[k].defer[0].next =
                    self.here[0].val() & self.plan.goes_on.val() & !self.other_held.val() & !self.has_room[k].val();
                self.shared[k].defer[1].next = self.owes_right.q.val()
                    | (self.here[1].val() & self.plan.goes_on.val() & !self.other_held.val() & !self.has_room[k].val());
                for s in 0..2 {
                    self.shared[k].form[s].next = self.path_activates[s].val();
                    self.room_first[s].request.next = self.shared[k].can_form[s].val();
                    for c in 0..self._ctas {
                        self.shared[k].left[s * ctas + c].next = self.counts[s].left[c].val();
                    }
                }
            }
        }

        // Faults.
        self.mismatch_valid.next = self.branches[0].mismatch.val() | self.branches[1].mismatch.val();
        self.fault_first.request.next = self.arrive_home_warps_of_cta.val();
        self.fault_pc.next = self.arrive.pc.val();
        if self.overflow_valid.val() {
            self.fault_first.request.next = self.home_warps.val();
            self.fault_pc.next = self.branch.pc.val();
        }
    }
}
