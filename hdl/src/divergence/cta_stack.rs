//! The CTA-wide reconvergence stack: one per resident CTA, all served by one engine.
//!
//! ```text
//!                       +----------------------------------------------------------+
//!  arrive_* ----------->|--> GatheredBranches {kind, pcs, rpc, lpc} ---------+     |
//!  formed ------------->|--> WarpCounts: complete -------------------+       |     |
//!  or issue_* --------->|--> or SubWarpCounts                        |       |     |
//!                       |                                            v       v     |
//!  launch_* ----------->|------------------------------------->  engine, one step  |---> activate_*, members[L], formable[L]
//!  launch_ready <-------|                                        a cycle: Launch,  |---> retag_*
//!  release ------------>|------------------------------------->  Commit, Place,    |---> evaluate_*
//!                       |                                        Walk, Release     |---> finished_*, overflow_*
//!  query_*, decoded_* ->|--> ActiveEnds <-----------------------+   |             |
//!                       |        CtaEntries, StackWalk <-------------+             |
//!                       |        ThreadColumn x L: masks, staged sides, live <-----|
//!                       +----------------------------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `cta_start_valid`, `cta_start_slot` | 1, c | this CTA starts; its `kernel_warps_per_cta` warps follow |
//! | `launch_valid`, `launch_ready`, `launch_cta`, `launch_home_warp`, `launch_mask` | 1, 1, c, w, L | one of them starts |
//! | `arrive` | | a warp of the active entry reaches the end of what the entry runs, see [`Arrival`] |
//! | `query_cta`, `query_rpc`, `query_lpc`; `decoded_...` | c, 32, 32 | where the active entry of a CTA ends |
//! | `barrier_release` | C | CTAs whose barrier opens |
//! | `forming`, `forming_cta`, `formed` | 1, c, 1 | the compaction unit is at work for this CTA; it has formed a warp |
//! | `issue_*`, `unissued`, `arrive_resolved` | | where the "CTAs" are large warps (Vec of one), instead: see [`SubWarpCounts`](super::SubWarpCounts) |
//! | `engine_home_warps` | W | home warps of the CTA that the engine works on |
//! | `activate_valid`, `activate_cta`, `activate_index`, `activate_pc` | 1, c, d, 32 | an entry becomes active; its warps run here |
//! | `members[L]`, `formable[L]` | W | its threads; those not in a warp already |
//! | `retag_valid`, `retag_top`, `retag_index` | 1, 1, d | warps that run ahead in this staged side now belong to this entry |
//! | `evaluate` | | with `activate_valid`: the entry is a side of a branch that runs for the first time, see [`Evaluation`] |
//! | `finished_valid`, `finished_warp` | 1, w | a home warp has no threads left |
//! | `waiting`, `gathering` | W | home warps of CTAs that are all at a barrier; of which a warp has dissolved and waits for others, or for the engine |
//! | `overflow_valid`, `mismatch_valid`, `fault_home_warp`, `fault_pc` | 1, 1, w, 32 | no free entry for the branch; warps of one entry came to different ends |
//! | `depth` | d+ | entries up to and including the one just pushed, else 0 |
//!
//! Latency: commit and activation in the cycle of the last warp's arrival, if the engine and the compaction unit are free, the warp does not run ahead and
//! its entry is the highest; then the sides of a branch are pushed below the one that runs, a cycle each, in which no warp of the CTA arrives.
//! Else a cycle for the commit, one for each side, and one for every entry dropped, passed over or activated. Arrivals are taken in every cycle.
//!
//! State per CTA: WCnt, the gathered branch with its staged sides, entries {PC, RPC, WCnt, ancestors, adequacy counts, [LPC, LPos]}, a bit each for in use, at
//! `bar.sync`, linked. The CTA-wide masks lie in [`ThreadColumn`](super::ThreadColumn)s, common to all CTAs.
//!
//! Source: Fung & Aamodt 2011, 3.1-3.2 and 4; Rhu 2014, 4.1-4.2. Where they are silent: sides gather in a staging pair and are pushed when WCnt is 0, empty
//! ones never; a branch that reconverges where its entry ends reuses the entry's slot; a side that starts at the RPC is not pushed;
//! entries at `bar.sync` yield to the highest entry below with none of their threads, and a likely-convergence entry waits for whoever may still merge into it.
//!
//! Why ancestors. An entry's threads lie in no other entry but those it was split from, so "shares no thread with an entry above" is "is
//! no ancestor of a non-empty entry above": a bit vector per entry instead of a second set of columns.
use super::{
    Activation, ActiveEnds, Arrival, BranchPlan, CtaEntries, EnginePhase, EngineStep, EntryEnd, Evaluation, GatherKind,
    GatheredBranches, Retag, StackWalk, SubWarpCounts, ThreadColumn, WarpCounts,
};
use crate::interface::{CtaStart, KernelConfiguration, WarpEvent};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct CtaStack: clock, reset {
        pub kernel: KernelConfiguration<In> = KernelConfiguration::new(config),
        pub cta_start: CtaStart<In> = CtaStart::new(config),
        pub launch_valid: Signal<In, Bit>,
        pub launch_ready: Signal<Out, Bit>,
        pub launch_cta: Net<In> = c,
        pub launch_home_warp: Net<In> = w,
        pub launch_mask: Net<In> = lanes,
        pub arrive: Arrival<In> = Arrival::new(config),
        /// By home warp: the sides of its CTA are being pushed below the one that runs, and nobody arrives.
        pub placing: Net<Out> = warps,
        pub query_cta: Net<In> = c,
        pub query: EntryEnd<Out> = EntryEnd::new(),
        pub decoded_cta: Net<In> = c,
        pub decoded: EntryEnd<Out> = EntryEnd::new(),
        pub barrier_release: Net<In> = ctas,
        pub forming: Signal<In, Bit>,
        pub forming_cta: Net<In> = c,
        pub formed: Signal<In, Bit>,
        // Where the "CTAs" are large warps, instead of these three: one of each, else none.
        pub issue_valid: Vec<Signal<In, Bit>> = bit_vec(large),
        pub issue_warp: Vec<Net<In>> = Net::vec(large, c),
        pub unissued: Vec<Net<In>> = Net::vec(large, ctas),
        pub arrive_resolved: Vec<Signal<In, Bit>> = bit_vec(large),
        pub engine_home_warps: Net<Out> = warps,
        pub activate: Activation<Out> = Activation::new(config),
        pub members: Vec<Net<Out>> = Net::vec(lanes, warps),
        pub formable: Vec<Net<Out>> = Net::vec(lanes, warps),
        pub retag: Retag<Out> = Retag::new(entries),
        pub evaluate: Evaluation<Out> = Evaluation::new(warps),
        pub finished: WarpEvent<Out> = WarpEvent::of(config),
        pub waiting: Net<Out> = warps,
        pub gathering: Net<Out> = warps,
        pub overflow_valid: Signal<Out, Bit>,
        pub mismatch_valid: Signal<Out, Bit>,
        pub fault_home_warp: Net<Out> = w,
        pub fault_pc: Net<Out> = 32,
        pub depth: Net<Out> = index_width(entries + 1),

        columns: Vec<ThreadColumn> = (0..lanes).map(|_| ThreadColumn::new(warps, entries)).collect() => |lane| {
            home_warps, read_entry: index, current: members[lane], formable: formable[lane], arrive_home_warp: arrive.home_warps[lane],
            read_low: reads_low, read_top: reads_top, write_enable: mask_write, write_entry: mask_entry, write_keeps: mask_keeps,
            write_members: mask_members, clear_staged: clears_staged, activate: activates,
        },

        /// By CTA: what its warps gather for, and how many of the active entry have not arrived.
        branches: GatheredBranches = GatheredBranches::new(config) => { cta, arrive, mismatch: mismatch_valid },
        /// Where warps are formed: one, else none.
        counts: Vec<WarpCounts> = (large..1).map(|_| WarpCounts::new(ctas, warps, false)).collect() => |i| {
            start_valid: cta_start.valid, start_cta: cta_start.slot, activate: activates, cta,
            ahead: ahead, forming, forming_cta, formed, arrive_valid: arrive.valid,
            arrive_cta: arrive.cta, gathered: gathered.q, complete, completes,
        },
        /// Where the "CTAs" are large warps, instead: one, else none.
        sub_warps: Vec<SubWarpCounts> = (0..large).map(|_| SubWarpCounts::new(ctas)).collect() => |i| {
            issue_valid: issue_valid[i], issue_warp: issue_warp[i], unissued: unissued[i], arrive_valid: arrive.valid,
            arrive_warp: arrive.cta, arrive_resolved: arrive_resolved[i], gathered: gathered.q, complete, completes,
        },
        /// Bit per CTA: some warp has arrived.
        gathered: Register = Register::new(ctas),
        /// By home warp: of a CTA of which a warp has dissolved and waits.
        gathering_home_warps: Register = Register::new(warps) => { q: gathering },
        /// Bit per CTA: its barrier has opened.
        released: Register = Register::new(ctas),

        // By CTA: its stack.
        cta_home_warps: Memory = by_cta(warps, 2) => {
            read_address[0]: cta, read_data[0]: home_warps, write_address[0]: cta, read_address[1]: arrive.cta,
            read_data[1]: arrive_home_warps_of_cta,
        },
        /// Bit per CTA: no warp has been launched yet.
        fresh: Register = Register::new(ctas),
        in_use: Memory = by_cta(entries, 1) => {
            read_address[0]: cta, write_data[0]: next_in_use, write_address[0]: cta,
        },
        barred: Memory = by_cta(entries, 1) => { read_address[0]: cta, write_address[0]: cta },
        active_index: Memory = by_cta(d, 1) => { read_address[0]: cta, write_address[0]: cta },
        ends: ActiveEnds = ActiveEnds::new(ctas, config.likely_convergence) => {
            query_cta, query, decoded_cta, decoded, cta,
        },
        plan: BranchPlan = BranchPlan::new(warps, entries, config.likely_convergence as usize) => {
            branch: branches.branch, lpc: branches.lpc, active: ends.active, index: active_index.read_data[0],
        },

        /// By {CTA, index}: its entries, without their threads.
        entries: CtaEntries = CtaEntries::new(ctas, warps, entries, config.likely_convergence) => {
            cta, index, new_state.branch: branches.branch.pc, new_state.consulted: branches.branch.consulted,
            new_state.bypassed: branches.branch.bypassed, new_state.unevaluated: unevaluated, write_index,
            new_linked: next_linked, new_lpc: side_lpc.q, new_lpos: side_lpos.q,
        },

        // The engine.
        phase: StateRegister<EnginePhase>,
        held_cta: Flop = Flop::new(c) => { d: cta },
        todo: Flop = Flop::new(3),
        /// The side placed last runs already.
        started: StateRegister<Bit>,
        placing_home_warps: Register = Register::new(warps) => { q: placing },
        above: Flop = Flop::new(entries),
        side_linked: Flop = Flop::new(1),
        side_lpc: Flop = Flop::new(32),
        side_lpos: Flop = Flop::new(d),
        side_ancestors: Flop = Flop::new(entries),
        /// Down a stack; above an entry are those that the entries passed over were split from.
        walk: StackWalk = StackWalk::new(entries, entries),
        awaiting: Register = Register::new(entries),
        /// The highest entry that only waits for merging threads, once there is one.
        found_waiting: Register = Register::new(1),
        waiting_index: Flop = Flop::new(d),
        giving_up: Register = Register::new(1),
        finishing: Register = Register::new(warps),
        parked: Register = Register::new(warps) => { q: waiting },

        one_cta: Constant = Constant::new(1, ctas),
        one_home_warp: Constant = Constant::new(1, warps),
        one_entry: Constant = Constant::new(1, entries),
        all_entries: Constant = Constant::new(mask(entries), entries),
        all_home_warps: Constant = Constant::new(mask(warps), warps),

        step: Signal<Local, EngineStep>,
        cta: Net<Local> = c,
        cta_bit: Net<Local> = ctas,
        home_warps: Net<Local> = warps,
        home_warp: Net<Local> = warps,
        index: Net<Local> = d,
        slot: Net<Local> = entries,
        complete_first: PriorityEncoder = PriorityEncoder::new(ctas) => { request: complete },
        /// By CTA: all that its entry waits for has arrived; what arrives now is the last of it.
        complete: Net<Local> = ctas,
        completes: Signal<Local, Bit>,
        released_first: PriorityEncoder = PriorityEncoder::new(ctas),
        finishing_first: PriorityEncoder = PriorityEncoder::new(warps) => {
            request: finishing.q, any: finished.valid, index: finished.warp,
        },
        fault_first: PriorityEncoder = PriorityEncoder::new(warps) => { index: fault_home_warp },
        hole: PriorityEncoder = PriorityEncoder::new(entries),

        arrive_bit: Net<Local> = ctas,
        arrive_home_warps_of_cta: Net<Local> = warps,

        any_low: Net<Local> = lanes,
        any_top: Net<Local> = lanes,
        any_live: Net<Local> = lanes,
        any_member: Net<Local> = lanes,
        commits: Signal<Local, Bit>,
        is_highest: Signal<Local, Bit>,
        /// Nothing is left of the active entry, and the next one may run.
        leaves: Signal<Local, Bit>,
        /// The entry that is committed is left, and none of its threads lives.
        is_empty: Signal<Local, Bit>,
        splits_now: Signal<Local, Bit>,
        reads_low: Signal<Local, Bit>,
        reads_top: Signal<Local, Bit>,
        place_rest: Net<Local> = 3,
        ahead: Net<Local> = count,
        active_bit: Net<Local> = entries,
        awaits_merge: Signal<Local, Bit>,
        is_blocked: Signal<Local, Bit>,
        runs_anyway: Signal<Local, Bit>,
        runs: Signal<Local, Bit>,
        drops: Signal<Local, Bit>,
        merges: Signal<Local, Bit>,
        passes: Signal<Local, Bit>,
        activates: Signal<Local, Bit>,
        ends_walk: Signal<Local, Bit>,
        write_index: Net<Local> = d,
        next_in_use: Net<Local> = entries,
        next_linked: Net<Local> = entries,
        clears_staged: Signal<Local, Bit>,
        mask_write: Signal<Local, Bit>,
        mask_entry: Net<Local> = d,
        mask_keeps: Net<Local> = warps,
        mask_members: Signal<Local, Bit>,
        unevaluated: Signal<Local, Bit>,
        starts: Signal<Local, Bit>,
        still_finishing: Net<Local> = warps,
        kept_fresh: Net<Local> = ctas,
        gathered_now: Net<Local> = ctas,
        gathering_now: Net<Local> = warps,
    }
    sizes { _depth = index_width(entries + 1), _count = count }
    /// The stacks of a core.
    pub fn new(config: &CoreConfig) {
        let (lanes, warps, entries, ctas) = (config.lanes, config.warps, config.stack_depth, config.cta_slots);
        let (w, c, d) = (config.warp_width(), config.slot_width(), index_width(entries));
        let (count, large) = (index_width(warps + 1), config.of_large_warps());
        let by_cta = |width, reads| Memory::new(width, ctas, reads, 1, ReadKind::Asynchronous);
    }
}

impl Logic for CtaStack {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module CtaStack");
        dff_setup!(self, clock, gathered, gathering_home_warps, released, fresh, phase, todo, above);
        dff_setup!(self, clock, side_linked, side_lpc, side_lpos, side_ancestors, finishing, parked);
        dff_setup!(self, clock, awaiting, found_waiting, waiting_index, giving_up, started, placing_home_warps);

        // The engine chooses a CTA and what to do for it.
        self.launch_ready.next = false;
        self.step.next = EngineStep::Idle;
        // A barrier opens for an entry only after it has been committed.
        self.released_first.request.next = self.released.q.val() & !self.complete.val();
        self.cta.next = self.held_cta.q.val();
        match self.phase.q.val() {
            EnginePhase::Walking => self.step.next = EngineStep::Walk,
            EnginePhase::Placing => {
                if self.todo.q.val().get_bit(0) {
                    self.step.next = EngineStep::PlaceLink;
                } else if self.todo.q.val().get_bit(1) {
                    self.step.next = EngineStep::PlaceLow;
                } else {
                    self.step.next = EngineStep::PlaceTop;
                }
            }
            _ => {
                self.launch_ready.next = !self.forming.val();
                // What it commits runs at once, so the compaction unit must be free.
                if self.launch_valid.val() & !self.forming.val() {
                    self.step.next = EngineStep::Launch;
                    self.cta.next = self.launch_cta.val();
                } else if self.complete_first.any.val() & !self.forming.val() {
                    self.step.next = EngineStep::Commit;
                    self.cta.next = self.complete_first.index.val();
                } else if self.completes.val()
                    & !self.forming.val()
                    & !self.arrive.bypass_low.val()
                    & !self.arrive.bypass_top.val()
                {
                    self.step.next = EngineStep::Commit;
                    self.cta.next = self.arrive.cta.val();
                } else if self.released_first.any.val() {
                    self.step.next = EngineStep::Release;
                    self.cta.next = self.released_first.index.val();
                }
            }
        }
        self.cta_bit.next = self.one_cta.val() << self.cta.val();
        self.home_warp.next = self.one_home_warp.val() << self.launch_home_warp.val();
        self.engine_home_warps.next = self.home_warps.val();

        // The columns.
        self.any_low.next = 0.into();
        self.any_top.next = 0.into();
        self.any_live.next = 0.into();
        self.any_member.next = 0.into();
        for lane in 0..self.columns.len() {
            self.any_low.next = self.any_low.val().replace_bit(lane, self.columns[lane].staged_low.val());
            self.any_top.next = self.any_top.val().replace_bit(lane, self.columns[lane].staged_top.val());
            self.any_live.next = self.any_live.val().replace_bit(lane, self.columns[lane].any_live.val());
            self.any_member.next = self.any_member.val().replace_bit(lane, self.columns[lane].any_member.val());
        }

        // Commit: what becomes of the entry. Unless others wait above it, what runs next runs at once.
        self.commits.next = self.step.val() == EngineStep::Commit;
        self.plan.low.next = self.any_low.val().any();
        self.plan.top.next = self.any_top.val().any();
        self.active_bit.next = self.one_entry.val() << self.active_index.read_data[0].val();
        self.is_highest.next = !(self.in_use.read_data[0].val()
            & ((self.all_entries.val() << self.active_index.read_data[0].val()) << 1))
            .any();
        self.leaves.next = self.commits.val() & self.is_highest.val() & self.plan.ends.val();
        self.is_empty.next = self.leaves.val() & !self.any_live.val().any();
        self.splits_now.next = self.commits.val() & self.plan.splits.val();
        self.reads_low.next =
            (self.splits_now.val() & !self.plan.takes_top.val()) | (self.step.val() == EngineStep::PlaceLow);
        self.reads_top.next =
            (self.splits_now.val() & self.plan.takes_top.val()) | (self.step.val() == EngineStep::PlaceTop);

        // The entry that it looks at.
        self.walk.entries.next = self.in_use.read_data[0].val();
        if self.leaves.val() {
            self.walk.entries.next = self.in_use.read_data[0].val() & !self.active_bit.val();
        }
        self.index.next = self.active_index.read_data[0].val();
        if (self.phase.q.val() == EnginePhase::Walking) | self.leaves.val() {
            self.index.next = self.walk.index.val();
        }
        self.slot.next = self.one_entry.val() << self.index.val();
        self.hole.request.next = !self.in_use.read_data[0].val() & self.above.q.val();
        self.place_rest.next = self.todo.q.val() & (self.todo.q.val() - 1);

        // Walk: what the entry is to the engine.
        self.awaits_merge.next = (self.awaiting.q.val() & self.slot.val()).any();
        self.is_blocked.next = ((self.barred.read_data[0].val() | self.walk.above.val()) & self.slot.val()).any();
        self.runs_anyway.next = self.giving_up.q.val().any() & (self.waiting_index.q.val() == self.index.val());
        self.runs.next =
            (self.any_member.val().any() & !self.is_blocked.val() & !self.awaits_merge.val()) | self.runs_anyway.val();

        // What becomes active, if anything does.
        self.ahead.next = self.entries.state.ahead.val();
        self.activate.pc.next = self.entries.state.pc.val();
        self.activate.index.next = self.index.val();
        self.evaluate.pc.next = self.entries.state.branch.val();
        self.evaluate.divergent.next = self.entries.state.divergent.val();
        self.evaluate.data_dependent.next = self.entries.state.data_dependent.val();
        self.evaluate.arrived.next = self.entries.state.arrived.val();
        self.evaluate.consulted.next = self.entries.state.consulted.val();
        self.evaluate.bypassed.next = self.entries.state.bypassed.val();
        wire::join(&mut self.entries.rpc, &mut self.ends.new_rpc);
        wire::join(&mut self.entries.lpc, &mut self.ends.new_lpc);

        // What changes, unless a step says otherwise.
        self.walk.step.next = false;
        self.walk.passed.next = 0.into();
        self.walk.restart.next = false;
        self.walk.forget.next = false;
        self.drops.next = false;
        self.merges.next = false;
        self.passes.next = false;
        self.activates.next = false;
        self.ends_walk.next = false;
        self.entries.write_origin.next = false;
        self.entries.write_state.next = false;
        self.clears_staged.next = false;
        self.write_index.next = self.index.val();
        self.mask_write.next = false;
        self.mask_entry.next = self.index.val();
        self.mask_keeps.next = !self.home_warps.val();
        self.mask_members.next = false;
        self.retag.valid.next = false;
        self.retag.top.next = false;
        self.retag.index.next = self.index.val();
        self.overflow_valid.next = false;
        self.depth.next = 0.into();
        self.next_in_use.next = self.in_use.read_data[0].val();
        self.next_linked.next = self.entries.linked.val();
        self.barred.write_enable[0].next = false;
        self.barred.write_data[0].next = self.barred.read_data[0].val() | self.slot.val();
        self.cta_home_warps.write_enable[0].next = false;
        self.cta_home_warps.write_data[0].next = self.home_warps.val() | self.home_warp.val();
        self.entries.new_rpc.next = self.branches.branch.rpc.val();
        self.entries.new_ancestors.next = self.side_ancestors.q.val();
        self.entries.new_state.pc.next = self.branches.branch.pc.val();
        self.entries.new_state.ahead.next = 0.into();
        self.unevaluated.next = false;
        self.entries.new_state.divergent.next = false;
        self.entries.new_state.arrived.next = self.branches.branch.low_arrived.val();
        self.still_finishing.next = self.finishing.q.val() & !self.finishing_first.one_hot.val();
        self.finishing.d.next = self.still_finishing.val();

        match self.step.val() {
            EngineStep::Launch => {
                self.cta_home_warps.write_enable[0].next = true;
                if (self.fresh.q.val() & self.cta_bit.val()).any() {
                    self.cta_home_warps.write_data[0].next = self.home_warp.val();
                }
                self.write_index.next = 0.into();
                self.entries.write_origin.next = true;
                self.entries.new_rpc.next = 1.into();
                self.entries.new_ancestors.next = 0.into();
                self.next_in_use.next = 1.into();
                self.next_linked.next = 0.into();
                self.barred.write_enable[0].next = true;
                self.barred.write_data[0].next = 0.into();
                self.mask_write.next = true;
                self.mask_entry.next = 0.into();
                self.mask_keeps.next = self.all_home_warps.val();
                self.depth.next = 1.into();
            }
            EngineStep::Commit => {
                self.phase.d.next = EnginePhase::Walking;
                self.started.d.next = false;
                if !self.leaves.val() {
                    self.ahead.next = self.plan.ahead.val();
                    self.activate.pc.next = self.plan.pc.val();
                    self.evaluate.pc.next = self.branches.branch.pc.val();
                    self.evaluate.divergent.next = self.plan.splits.val();
                    self.evaluate.data_dependent.next = self.branches.branch.data_dependent.val();
                    self.evaluate.arrived.next = self.plan.arrived.val();
                    self.evaluate.consulted.next = self.branches.branch.consulted.val();
                    self.evaluate.bypassed.next = self.branches.branch.bypassed.val();
                    self.activates.next = self.is_highest.val() & self.plan.goes_on.val();
                } else {
                    self.next_in_use.next = self.in_use.read_data[0].val() & !self.active_bit.val();
                    self.activates.next = self.runs.val()
                        & (self.entries.state.pc.val() != self.entries.rpc.val())
                        & (self.entries.state.pc.val() != self.entries.lpc.val());
                }
                if self.is_empty.val() {
                    self.next_in_use.next = 0.into();
                    self.finishing.d.next = self.still_finishing.val() | self.home_warps.val();
                }
                if self.activates.val() | self.is_empty.val() {
                    self.phase.d.next = EnginePhase::Free;
                    self.ends_walk.next = true;
                }
                match self.branches.branch.kind.val().index() {
                    0 => {
                        if self.plan.splits.val() {
                            self.phase.d.next = EnginePhase::Placing;
                            self.side_ancestors.d.next = self.entries.ancestors.val();
                            self.activate.index.next = self.plan.first_index.val();
                            self.retag.index.next = self.plan.first_index.val();
                            self.ends.new_rpc.next = self.branches.branch.rpc.val();
                            self.ends.new_lpc.next = self.plan.side_lpc.val();
                            if self.activates.val() {
                                self.started.d.next = true;
                                self.retag.valid.next = true;
                                self.retag.top.next = self.plan.takes_top.val();
                                self.placing_home_warps.d.next = self.home_warps.val();
                            }
                            if self.plan.reuses.val() {
                                self.next_in_use.next = self.in_use.read_data[0].val() & !self.slot.val();
                                self.above.d.next = self.all_entries.val() << self.index.val();
                                self.side_linked.d.next = bit_cast_to(self.entries.is_linked.val(), 1);
                                self.side_lpc.d.next = self.entries.lpc.val();
                                self.side_lpos.d.next = self.entries.lpos.val();
                            } else {
                                // The entry itself continues where its sides meet.
                                self.entries.write_state.next = true;
                                self.entries.new_state.pc.next = self.branches.branch.rpc.val();
                                self.above.d.next = (self.all_entries.val() << self.index.val()) << 1;
                                self.side_linked.d.next = 0.into();
                                self.side_ancestors.d.next = self.entries.ancestors.val() | self.slot.val();
                            }
                            self.todo.d.next = self.plan.places.val();
                            if !self.plan.places.val().any() {
                                self.phase.d.next = EnginePhase::Walking;
                                self.clears_staged.next = true;
                            }
                        } else {
                            // All go the same way: the entry goes with them.
                            self.entries.write_state.next = !self.leaves.val();
                            self.unevaluated.next = !self.activates.val();
                            self.clears_staged.next = true;
                            self.retag.valid.next = true;
                            self.retag.index.next = self.active_index.read_data[0].val();
                            self.retag.top.next = self.plan.takes_top.val();
                            self.entries.new_state.pc.next = self.plan.pc.val();
                            self.entries.new_state.ahead.next = self.plan.ahead.val();
                            self.entries.new_state.arrived.next = self.plan.arrived.val();
                        }
                    }
                    1 => self.entries.write_state.next = !self.leaves.val(),
                    3 => {
                        self.entries.write_state.next = true;
                        self.entries.new_state.pc.next = self.branches.branch.pc.val() + 4;
                        self.barred.write_enable[0].next = true;
                    }
                    _ => {}
                }
            }
            EngineStep::PlaceLink => {
                self.entries.new_state.pc.next = self.branches.lpc.val();
                self.side_linked.d.next = 1.into();
                self.side_lpc.d.next = self.branches.lpc.val();
                self.side_lpos.d.next = self.hole.index.val();
            }
            EngineStep::PlaceLow => {
                self.mask_members.next = true;
                self.retag.valid.next = true;
                self.unevaluated.next = true;
                self.entries.new_state.divergent.next = true;
                self.entries.new_state.pc.next = self.branches.branch.low_pc.val();
                self.entries.new_state.ahead.next = self.branches.branch.low_ahead.val();
            }
            EngineStep::PlaceTop => {
                self.mask_members.next = true;
                self.retag.valid.next = true;
                self.retag.top.next = true;
                self.unevaluated.next = true;
                self.entries.new_state.divergent.next = true;
                self.entries.new_state.pc.next = self.branches.branch.top_pc.val();
                self.entries.new_state.ahead.next = self.branches.branch.top_ahead.val();
                self.entries.new_state.arrived.next = self.branches.branch.top_arrived.val();
            }
            EngineStep::Walk => {
                if !self.any_live.val().any() {
                    self.ends_walk.next = true;
                    self.next_in_use.next = 0.into();
                    self.finishing.d.next = self.still_finishing.val() | self.home_warps.val();
                } else if !self.walk.any.val() {
                    // Nothing may run: either an entry that waits for threads which cannot come, or a barrier.
                    if self.found_waiting.q.val().any() {
                        self.giving_up.d.next = 1.into();
                        self.walk.restart.next = true;
                    } else {
                        self.ends_walk.next = true;
                        self.parked.d.next = self.parked.q.val() | self.home_warps.val();
                    }
                } else if self.runs.val() {
                    if self.entries.state.pc.val() == self.entries.rpc.val() {
                        self.drops.next = true;
                    } else if self.entries.state.pc.val() == self.entries.lpc.val() {
                        self.drops.next = true;
                        self.merges.next = true;
                    } else if !self.forming.val() {
                        self.activates.next = true;
                        self.ends_walk.next = true;
                    }
                } else if self.giving_up.q.val().any() {
                    self.walk.step.next = true;
                    if self.entries.is_linked.val() & (self.entries.lpos.val() == self.waiting_index.q.val()) {
                        self.next_linked.next = self.entries.linked.val() & !self.slot.val();
                    }
                } else if self.any_member.val().any() {
                    self.passes.next = true;
                    self.walk.passed.next = self.entries.ancestors.val();
                    if !self.is_blocked.val() & !self.found_waiting.q.val().any() {
                        self.found_waiting.d.next = 1.into();
                        self.waiting_index.d.next = self.index.val();
                    }
                } else if self.awaits_merge.val() {
                    self.passes.next = true;
                } else {
                    self.drops.next = true;
                }
                if self.passes.val() {
                    self.awaiting.d.next = self.awaiting.q.val() | self.entries.lpos_slot.val();
                    self.walk.step.next = true;
                }
                if self.drops.val() {
                    self.next_in_use.next = self.in_use.read_data[0].val() & !self.slot.val();
                    self.walk.step.next = true;
                }
                if self.merges.val() {
                    self.mask_write.next = true;
                    self.mask_entry.next = self.entries.lpos.val();
                    self.mask_keeps.next = self.all_home_warps.val();
                    self.mask_members.next = true;
                }
                if self.ends_walk.val() {
                    self.phase.d.next = EnginePhase::Free;
                    self.walk.restart.next = true;
                    self.walk.forget.next = true;
                    self.awaiting.d.next = 0.into();
                    self.found_waiting.d.next = 0.into();
                    self.giving_up.d.next = 0.into();
                }
            }
            EngineStep::Release => {
                self.phase.d.next = EnginePhase::Walking;
                self.barred.write_enable[0].next = true;
                self.barred.write_data[0].next = 0.into();
                self.parked.d.next = self.parked.q.val() & !self.home_warps.val();
            }
            _ => {}
        }
        if self.phase.q.val() == EnginePhase::Placing {
            self.write_index.next = self.hole.index.val();
            self.retag.index.next = self.hole.index.val();
            self.mask_entry.next = self.hole.index.val();
            if self.hole.any.val() {
                self.entries.write_origin.next = true;
                self.entries.write_state.next = true;
                self.mask_write.next = true;
                self.depth.next = bit_cast_to(self.hole.index.val(), self._depth) + 1;
                self.next_in_use.next = self.in_use.read_data[0].val() | self.hole.one_hot.val();
                self.next_linked.next = self.entries.linked.val() & !self.hole.one_hot.val();
                if self.side_linked.q.val().any() {
                    self.next_linked.next = self.entries.linked.val() | self.hole.one_hot.val();
                }
                self.barred.write_enable[0].next = true;
                self.barred.write_data[0].next = self.barred.read_data[0].val() & !self.hole.one_hot.val();
                self.above.d.next = (self.all_entries.val() << self.hole.index.val()) << 1;
                self.todo.d.next = self.place_rest.val();
                if !self.place_rest.val().any() {
                    self.phase.d.next = EnginePhase::Walking;
                    self.clears_staged.next = true;
                    self.placing_home_warps.d.next = 0.into();
                    if self.started.q.val() {
                        self.phase.d.next = EnginePhase::Free;
                        self.unevaluated.next = false;
                    }
                }
            } else {
                self.overflow_valid.next = true;
                self.retag.valid.next = false;
            }
        }
        self.entries.new_state.data_dependent.next = self.unevaluated.val() & self.branches.branch.data_dependent.val();

        self.in_use.write_enable[0].next = true;

        // The active entry.
        self.starts.next = self.step.val() == EngineStep::Launch;
        self.active_index.write_enable[0].next = self.activates.val() | self.starts.val();
        self.active_index.write_data[0].next = self.activate.index.val();
        self.ends.activate.next = self.activates.val() | self.starts.val();
        if self.starts.val() {
            self.active_index.write_data[0].next = 0.into();
            self.ends.new_rpc.next = 1.into();
            self.ends.new_lpc.next = 1.into();
        }
        self.activate.valid.next = self.activates.val();
        self.activate.cta.next = self.cta.val();
        self.evaluate.valid.next = self.activates.val() & self.entries.state.unevaluated.val();
        if self.commits.val() & !self.leaves.val() {
            self.evaluate.valid.next = self.activates.val() & (self.branches.branch.kind.val() == 0);
        }

        // A warp arrives.
        self.arrive_bit.next = self.one_cta.val() << self.arrive.cta.val();
        self.branches.is_first.next = !(self.gathered.q.val() & self.arrive_bit.val()).any();
        self.fault_first.request.next = self.arrive_home_warps_of_cta.val();
        self.fault_pc.next = self.arrive.pc.val();
        if self.overflow_valid.val() {
            self.fault_first.request.next = self.home_warps.val();
            self.fault_pc.next = self.branches.branch.pc.val();
        }

        // Who gathers, who may go on, how many are still to come.
        // The engine comes after the arrivals: it may take up a CTA in the cycle of its last one.
        self.gathered_now.next = self.gathered.q.val();
        self.gathering_now.next = self.gathering_home_warps.q.val();
        if self.arrive.valid.val() {
            self.gathered_now.next = self.gathered.q.val() | self.arrive_bit.val();
            if !self.arrive.bypass_low.val() & !self.arrive.bypass_top.val() {
                self.gathering_now.next = self.gathering_home_warps.q.val() | self.arrive_home_warps_of_cta.val();
            }
        }
        self.gathered.d.next = self.gathered_now.val();
        self.gathering_home_warps.d.next = self.gathering_now.val();
        if self.commits.val() {
            self.gathered.d.next = self.gathered_now.val() & !self.cta_bit.val();
        }
        if self.ends_walk.val() {
            self.gathering_home_warps.d.next = self.gathering_now.val() & !self.home_warps.val();
        }
        self.released.d.next = self.released.q.val() | self.barrier_release.val();
        if self.step.val() == EngineStep::Release {
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
        for i in 0..self.counts.len() {
            self.counts[i].start_warps.next = bit_cast_to(self.kernel.warps_per_cta.val(), self._count);
        }

        for lane in 0..self.columns.len() {
            self.columns[lane].arrive_low.next = self.arrive.valid.val() & self.arrive.low.val().get_bit(lane);
            self.columns[lane].arrive_top.next = self.arrive.valid.val() & self.arrive.top.val().get_bit(lane);
            self.columns[lane].arrive_bypasses.next = self.arrive.valid.val()
                & ((self.arrive.bypass_low.val() & self.arrive.low.val().get_bit(lane))
                    | (self.arrive.bypass_top.val() & self.arrive.top.val().get_bit(lane)));
            self.columns[lane].arrive_exit.next = self.arrive.valid.val()
                & (self.arrive.kind.val() == GatherKind::Exit)
                & self.arrive.mask.val().get_bit(lane);
            self.columns[lane].launch_home_warp.next = 0.into();
            if self.starts.val() {
                self.columns[lane].launch_home_warp.next = self.home_warp.val();
            }
            self.columns[lane].launch_thread.next = self.starts.val() & self.launch_mask.val().get_bit(lane);
        }
    }
}
