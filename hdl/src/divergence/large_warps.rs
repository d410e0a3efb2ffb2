//! Large warps: the reconvergence unit whose threads of several warps share a PC and a stack, and issue in sub-warps.
//!
//! ```text
//!                   +--------------------------------------------------------------------+
//!  launch_* ------->|--> LargeWarpRows: rows -------------------------+                  |
//!                   |       |                                         v                  |
//!                   |       +-> CtaStack {pc, rpc, masks} --------> SubWarpUnit          |---> hold
//!  resolve_* ------>|--[.]--> arrive |                members[L]      ^    |             |---> issue_mask, issue_home_warps[L]
//!  decoded_* ------>|--> +4, ends ----+-> activate --> PC             |    +--> last     |---> issue_last
//!  fetch_warp ----->|         fetch_pc <----------------+             |                  |---> fetchable, fetch_*
//!  issue_* -------->|-------------------------------------------------+                  |---> finished_*, arrive_*, exit_*
//!  release_* ------>|-------------------------------------------------+                  |---> overflow_*, mismatch_valid, waiting
//!                   +--------------------------------------------------------------------+
//! ```
//!
//! A large warp is K warps of a CTA, one below the other, or what is left of it; its number is that of its first. It is what is fetched,
//! waits in the warp buffer and is scheduled; its instruction leaves the buffer with its last sub-warp.
//!
//! Ports: those of [`SpeStack`](super::SpeStack), and
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `kernel_compact` | 1 | sub-warps are of threads of several warps; else a large warp goes row by row |
//! | `kernel_warps_per_cta`, `cta_start_*` | w+1, | the CTAs |
//! | `decoded_kind` | | how the sub-warps of the instruction in DECODE are made, see [`SubWarpUnit`](super::SubWarpUnit) |
//! | `slot_valid`, `slot_control`, `slot_writes_rd` | W | from the warp buffer: it holds an instruction of this large warp, a control instruction, one that writes a register |
//! | `issue_valid`, `issue_warp` | 1, w | a sub-warp of this large warp issues |
//! | `issue_mask`, `issue_home_warps[L]`, `issue_last` | L, w, 1 | the next sub-warp of `issue_warp`, combinational; it is the last of its instruction |
//! | `release_valid`, `release_mask`, `release_home_warps[L]` | 1, L, w | the registers of these threads are written |
//! | `hold` | W | large warps without a sub-warp to issue |
//! | `sub_warp_events` | | for the counters, see [`SubWarpEvents`] |
//!
//! `fetch_mask` is 0: which lanes there are is known when a sub-warp issues.
//!
//! Latency: from the cycle in which the last sub-warp of a branch is resolved to the fetch of what runs next 2, as of a warp without large ones. State: a PC per large
//! warp, whether it may be fetched, that it has come to the end of its entry, that threads of it wait at a barrier; one resolved sub-warp; how far a launch has come.
//!
//! Source: Narasiman 2014, 4.2.
use super::{
    BranchSides, ControlEventRegister, CtaStack, GatherKind, LargeWarpRows, SubWarpKind, SubWarpUnit, ThreadReport,
};
use crate::interface::{
    ControlKind, CtaStart, Decoded, KernelConfiguration, Launch, Resolve, SubWarpEvents, ThreadEvent, WarpEvent,
    WarpFault,
};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct LargeWarps: clock, reset {
        pub kernel: KernelConfiguration<In> = KernelConfiguration::new(config),
        pub cta_start: CtaStart<In> = CtaStart::new(config),
        pub launch: Launch<In> = Launch::of(config),
        pub launch_ready: Signal<Out, Bit>,
        pub fetchable: Net<Out> = warps,
        pub fetch_warp: Net<In> = w,
        pub fetch_pc: Net<Out> = 32,
        pub fetch_mask: Net<Out> = lanes,
        pub decoded: Decoded<In> = Decoded::of(config),
        pub decoded_kind: Signal<In, SubWarpKind>,
        pub slot_valid: Net<In> = warps,
        pub slot_control: Net<In> = warps,
        pub slot_writes_rd: Net<In> = warps,
        pub issue_valid: Signal<In, Bit>,
        pub issue_warp: Net<In> = w,
        pub issue_mask: Net<Out> = lanes,
        pub issue_home_warps: Vec<Net<Out>> = Net::vec(lanes, w),
        pub issue_last: Signal<Out, Bit>,
        pub release_valid: Signal<In, Bit>,
        pub release_mask: Net<In> = lanes,
        pub release_home_warps: Vec<Net<In>> = Net::vec(lanes, w),
        pub hold: Net<Out> = warps,
        pub sub_warp_events: SubWarpEvents<Out> = SubWarpEvents::new(warps),
        pub resolve: Resolve<In> = Resolve::of(config),
        pub barrier_release: Net<In> = warps,
        pub finished: WarpEvent<Out> = WarpEvent::of(config),
        pub arrive: ThreadEvent<Out> = ThreadEvent::of(config),
        pub exit: ThreadEvent<Out> = ThreadEvent::of(config),
        pub waiting: Net<Out> = warps,
        pub overflow: WarpFault<Out> = WarpFault::of(config),
        pub mismatch_valid: Signal<Out, Bit>,
        pub depth: Net<Out> = index_width(entries + 1),

        rows: LargeWarpRows = LargeWarpRows::new(warps) => {
            launch_valid: launches, launch_warp: launch.warp, head: first_row.q, finished: stack.finished,
        },
        stack: CtaStack = CtaStack::new(&stacks) => {
            cta_start.valid: begins, cta_start.slot: launch.warp, launch_valid: offers, launch_cta: first_row.q, launch_home_warp: launch.warp,
            launch_mask: launch.mask, arrive.valid: arrives, arrive.cta: event_warp, arrive.low_pc: sides.second.pc,
            arrive.top_pc: sides.first.pc, arrive.rpc: resolved.q.rpc, arrive.lpc: resolved.q.lpc, arrive.mask: event_mask,
            arrive.low: low_mask, arrive.top: top_mask, query_cta: event_warp, decoded_cta: decoded.warp,
            issue_valid[0]: control_issues, issue_warp[0]: issue_warp, arrive_resolved[0]: resolved_valid.q, finished, waiting,
            overflow_valid: overflow.valid, fault_home_warp: overflow.warp, fault_pc: overflow.pc, mismatch_valid, depth,
        },
        sub_warps: SubWarpUnit = SubWarpUnit::new(lanes, warps) => {
            rows: rows.rows, activate: stack.activate.valid, activate_rows: stack.engine_home_warps,
            members: stack.members, launch_mask: launch.mask, decoded_valid: decoded.valid, decoded_warp: decoded.warp, decoded_kind,
            compact: kernel.compact, issue_valid, issue_warp, release_valid, release_mask, release_home_warps, lanes: issue_mask,
            home_warps: issue_home_warps, last: issue_last, hold, events: sub_warp_events,
        },
        /// The sub-warp resolved in the last cycle.
        resolved_valid: StateRegister<Bit> => { d: resolve.valid },
        resolved_warp: Flop = Flop::new(w) => { d: resolve.warp },
        resolved: ControlEventRegister = ControlEventRegister::new(lanes) => {
            d.kind: resolve.kind, d.taken: resolve.taken, d.mask: resolve.mask, d.target: resolve.target, d.next_pc: resolve.next_pc,
            d.lpc: resolve.annotation.lpc,
        },
        resolved_home_warps: Vec<Flop> = Flop::vec(lanes, w) => |lane| { d: resolve.home_warps[lane] },
        sides: BranchSides = BranchSides::new(lanes, config.taken_first) => { event: resolved.q },
        threads: ThreadReport = ThreadReport::new(lanes, warps) => { warp: resolved_warp.q, mask: resolved.q.mask, exit, arrive },

        // By large warp.
        pcs: Memory = Memory::new(32, warps, 2, 3, ReadKind::Asynchronous) => {
            read_address[0]: fetch_warp, read_address[1]: ended.index, write_address[0]: decoded.warp, write_data[0]: following_pc.q,
            write_enable[1]: stack.activate.valid, write_address[1]: stack.activate.cta, write_data[1]: stack.activate.pc,
            write_enable[2]: begins, write_address[2]: launch.warp, write_data[2]: launch.pc,
        },
        runnable: Register = Register::new(warps),
        /// It ran into the end of its entry.
        reached: Register = Register::new(warps),
        /// Threads of it wait at `bar.sync`. When the barrier opens with the end of its last other thread, a large warp that has just ended is still there.
        at_barrier: Register = Register::new(warps),
        following_pc: Flop = Flop::new(32),
        ended: PriorityEncoder = PriorityEncoder::new(warps),

        // The large warp that is being launched: its first row, how many there are, and how many of its CTA.
        first_row: Flop = Flop::new(w),
        begun: StateRegister<Bit>,
        rows_launched: Register = Register::new(count),
        cta_rows_launched: Register = Register::new(count),
        most_rows: Constant = Constant::new(config.large_warp_rows() as u64, count),
        one_warp: Constant = Constant::new(1, warps),

        head_bit: Net<Local> = warps,
        begins: Signal<Local, Bit>,
        offers: Signal<Local, Bit>,
        launches: Signal<Local, Bit>,
        is_last_row: Signal<Local, Bit>,
        decoded_bit: Net<Local> = warps,
        stops: Signal<Local, Bit>,
        blocked_bit: Net<Local> = warps,
        stop_bit: Net<Local> = warps,
        control_issues: Signal<Local, Bit>,
        arrives: Signal<Local, Bit>,
        event_warp: Net<Local> = w,
        event_mask: Net<Local> = lanes,
        low_mask: Net<Local> = lanes,
        top_mask: Net<Local> = lanes,
        moves: Signal<Local, Bit>,
        runnable_now: Net<Local> = warps,
        activated_bit: Net<Local> = warps,
    }
    /// For a core with large warps.
    pub fn new(config: &CoreConfig) {
        let (lanes, warps, entries) = (config.lanes, config.warps, config.stack_depth);
        let (w, count) = (config.warp_width(), config.warp_width() + 1);
        let stacks = config.by_large_warp();
    }
}

impl Logic for LargeWarps {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module LargeWarps");
        dff_setup!(self, clock, runnable, reached, at_barrier, following_pc);
        dff_setup!(self, clock, first_row, begun, rows_launched, cta_rows_launched);

        // A large warp begins, then its warps are launched one by one; with the last of them it runs.
        self.begins.next = self.launch.valid.val() & !self.begun.q.val();
        self.offers.next = self.launch.valid.val() & self.begun.q.val();
        self.launch_ready.next = self.begun.q.val() & self.stack.launch_ready.val();
        self.launches.next = self.offers.val() & self.stack.launch_ready.val();
        self.is_last_row.next = (self.rows_launched.q.val() + 1 == self.most_rows.val())
            | (self.cta_rows_launched.q.val() + 1 == self.kernel.warps_per_cta.val());
        self.head_bit.next = 0.into();
        self.sub_warps.launch_row.next = 0.into();
        if self.begins.val() {
            self.begun.d.next = true;
            self.first_row.d.next = self.launch.warp.val();
            self.rows_launched.d.next = 0.into();
        }
        if self.launches.val() {
            self.sub_warps.launch_row.next = self.one_warp.val() << self.launch.warp.val();
            self.rows_launched.d.next = self.rows_launched.q.val() + 1;
            self.cta_rows_launched.d.next = self.cta_rows_launched.q.val() + 1;
            if self.is_last_row.val() {
                self.begun.d.next = false;
                self.head_bit.next = self.one_warp.val() << self.first_row.q.val();
            }
        }
        if self.cta_start.valid.val() {
            self.cta_rows_launched.d.next = 0.into();
        }

        // DECODE advances the large warp.
        self.pcs.write_enable[0].next = self.decoded.valid.val() & !self.decoded.control.val();
        self.decoded_bit.next = self.one_warp.val() << self.decoded.warp.val();
        self.stops.next = (self.following_pc.q.val() == self.stack.decoded.rpc.val())
            | (self.following_pc.q.val() == self.stack.decoded.lpc.val());
        self.blocked_bit.next = 0.into();
        self.stop_bit.next = 0.into();
        if self.decoded.valid.val() {
            if self.decoded.control.val() {
                self.blocked_bit.next = self.decoded_bit.val();
            } else if self.stops.val() {
                self.blocked_bit.next = self.decoded_bit.val();
                self.stop_bit.next = self.decoded_bit.val();
            }
        }

        // A sub-warp arrives that was resolved in the last cycle; if there is none, a large warp that has come to the end of its entry.
        self.resolved.d.rpc.next = 1.into();
        if self.resolve.annotation.rpc_valid.val() {
            self.resolved.d.rpc.next = self.resolve.annotation.rpc.val();
        }
        self.ended.request.next = self.reached.q.val() & !self.stack.placing.val();
        self.arrives.next = self.resolved_valid.q.val() | self.ended.any.val();
        self.event_warp.next = self.ended.index.val();
        self.event_mask.next = 0.into();
        self.low_mask.next = 0.into();
        self.top_mask.next = 0.into();
        self.moves.next = true;
        self.stack.arrive.pc.next = self.pcs.read_data[1].val();
        self.reached.d.next = self.reached.q.val() | self.stop_bit.val();
        if self.resolved_valid.q.val() {
            self.event_warp.next = self.resolved_warp.q.val();
            self.event_mask.next = self.resolved.q.mask.val();
            self.moves.next = self.resolved.q.kind.val() == ControlKind::Jump;
            self.stack.arrive.pc.next = self.resolved.q.next_pc.val() - 4;
            if self.resolved.q.kind.val() == ControlKind::Jump {
                self.stack.arrive.pc.next = self.sides.goes_to.val();
            }
            if self.resolved.q.kind.val() == ControlKind::Branch {
                self.top_mask.next = self.sides.first.mask.val();
                self.low_mask.next = self.sides.second.mask.val();
            }
        } else {
            self.reached.d.next = (self.reached.q.val() & !self.ended.one_hot.val()) | self.stop_bit.val();
        }
        self.stack.arrive.kind.next = GatherKind::Branch;
        if self.moves.val() {
            self.stack.arrive.kind.next = GatherKind::Move;
        } else if self.resolved.q.kind.val() == ControlKind::Exit {
            self.stack.arrive.kind.next = GatherKind::Exit;
        } else if self.resolved.q.kind.val() == ControlKind::Barrier {
            self.stack.arrive.kind.next = GatherKind::Barrier;
        }
        for lane in 0..self.resolved_home_warps.len() {
            self.stack.arrive.home_warps[lane].next = self.resolved_home_warps[lane].q.val();
        }
        self.stack.arrive.data_dependent.next = false;
        self.stack.arrive.bypass_low.next = false;
        self.stack.arrive.bypass_top.next = false;
        self.stack.arrive.consults.next = false;
        self.stack.arrive.predicts_bypass.next = false;
        self.stack.forming.next = false;
        self.stack.forming_cta.next = 0.into();
        self.stack.formed.next = false;
        self.threads.exits.next = self.resolved_valid.q.val() & (self.resolved.q.kind.val() == ControlKind::Exit);
        self.threads.arrives.next = self.resolved_valid.q.val() & (self.resolved.q.kind.val() == ControlKind::Barrier);
        self.stack.barrier_release.next = self.barrier_release.val() & self.at_barrier.q.val();
        self.at_barrier.d.next = self.at_barrier.q.val() & !self.barrier_release.val();
        if self.threads.arrives.val() {
            self.at_barrier.d.next = (self.at_barrier.q.val() & !self.barrier_release.val())
                | (self.one_warp.val() << self.resolved_warp.q.val());
        }

        // ISSUE
        self.stack.unissued[0].next = self.slot_valid.val() & self.slot_control.val();
        self.control_issues.next =
            self.issue_valid.val() & (self.slot_control.val() & (self.one_warp.val() << self.issue_warp.val())).any();
        self.sub_warps.issue_writes.next =
            (self.slot_writes_rd.val() & (self.one_warp.val() << self.issue_warp.val())).any();

        // FETCH
        self.activated_bit.next = 0.into();
        if self.stack.activate.valid.val() {
            self.activated_bit.next = self.one_warp.val() << self.stack.activate.cta.val();
        }
        self.runnable_now.next = (self.runnable.q.val() & !self.blocked_bit.val()) | self.head_bit.val();
        self.runnable.d.next = self.runnable_now.val() | self.activated_bit.val();
        self.fetchable.next = self.runnable.q.val();
        self.fetch_pc.next = self.pcs.read_data[0].val();
        self.fetch_mask.next = 0.into();
        self.following_pc.d.next = self.pcs.read_data[0].val() + 4;
    }
}
