//! The reconvergence unit of the core: the mechanism that the configuration chooses, behind one set of ports.
//!
//! ```text
//!                 +--------------------------------------------+
//!  launch_* ----->|  SpeStack, a stack per warp                |---> fetchable, fetch_*
//!  decoded_* ---->|  or DualPathStack, whose entries hold two  |---> form_*, orphan_*, copy_*, hold, flush
//!                 |  or IndependentThreads, a PC per thread    |
//!  fetch_* ------>|  or WarpSubdivision, with warp-splits      |---> turn_events_*
//!  resolve_* ---->|  or ThreadBlockCompaction, a stack per CTA |---> finished_*, arrive_*, exit_*, ...
//!                 |  or DualPathCompaction, the same with two  |
//!                 |  or DynamicWarpFormation, without a stack  |
//!                 |  or LargeWarps, a stack for several warps  |
//!                 +--------------------------------------------+
//! ```
//!
//! Ports: those of [`SpeStack`](super::SpeStack), [`DualPathStack`](super::DualPathStack), [`WarpSubdivision`](super::WarpSubdivision), [`IndependentThreads`](super::IndependentThreads), [`ThreadBlockCompaction`](super::ThreadBlockCompaction),
//! [`DualPathCompaction`](super::DualPathCompaction), [`LargeWarps`](super::LargeWarps) and [`DynamicWarpFormation`](super::DynamicWarpFormation), under the
//! same names, vectors by side where a warp may have several paths, except that
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `barrier_release` | W | for the stacks of warps: the warps whose waiting threads may go on |
//! | `cta_release` | C | else: the CTAs of which that is true |
//! | `warp_slot[W]`, `home_slots[W]` | c | CTA slot of each warp; where warps are of threads of several CTAs that of each home warp, and the first are 0 |
//!
//! What a mechanism does not have is 0. Latency 0, no state of its own: exactly one of its parts exists.
use super::{
    DualPathCompaction, DualPathStack, DynamicWarpFormation, IndependentThreads, LargeWarps, SpeStack, SubWarpKind,
    ThreadBlockCompaction, WarpSubdivision,
};
use crate::config::Mechanism;
use crate::interface::{
    CompactedPath, CtaStart, Decoded, Formed, GroupEvents, KernelConfiguration, Launch, PoolEvents, Resolve,
    SubWarpEvents, ThreadEvent, TurnEvents, WarpEvent, WarpFault,
};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct ReconvergenceUnit: clock, reset {
        pub launch_start: Signal<In, Bit>,
        pub kernel: KernelConfiguration<In> = KernelConfiguration::new(config),
        pub cta_start: CtaStart<In> = CtaStart::new(config),
        pub launch: Launch<In> = Launch::of(config),
        pub fetch_warp: Net<In> = path,
        pub fetch_valid: Signal<In, Bit>,
        pub decoded: Decoded<In> = Decoded::of(config),
        /// Where threads are regrouped: one, else none.
        pub decoded_join: Vec<Signal<In, Bit>> = bit_vec(config.regroups() as usize),
        /// Where the lanes of an instruction are chosen as it issues: one of each, else none.
        pub issue_valid: Vec<Signal<In, Bit>> = bit_vec(config.of_lanes_at_issue()),
        pub issue_warp: Vec<Net<In>> = Net::vec(config.of_lanes_at_issue(), path),
        pub issue_mask: Vec<Net<Out>> = Net::vec(config.of_lanes_at_issue(), lanes),
        // Where there are large warps: one of each or one by lane, else none.
        pub issue_home_warps: Vec<Net<Out>> = Net::vec(large * lanes, config.warp_width()),
        pub issue_last: Vec<Signal<Out, Bit>> = bit_vec(large),
        pub decoded_kind: Vec<Signal<In, SubWarpKind>> = (0..large).map(|_| Signal::default()).collect(),
        pub slot_control: Vec<Net<In>> = Net::vec(large, warps),
        pub slot_writes_rd: Vec<Net<In>> = Net::vec(large, warps),
        pub release_valid: Vec<Signal<In, Bit>> = bit_vec(large),
        pub release_mask: Vec<Net<In>> = Net::vec(large, lanes),
        pub release_home_warps: Vec<Net<In>> = Net::vec(large * lanes, config.warp_width()),
        pub slot_valid: Vec<Net<In>> = Net::vec(sides, warps),
        /// By side, where paths are drained.
        pub slot_pending: Vec<Net<In>> = Net::vec(if config.drains_paths() { sides } else { 0 }, warps),
        pub resolve: Resolve<In> = Resolve::of(config),
        pub warp_slot: Vec<Net<In>> = Net::vec(warps, c),
        pub home_slots: Vec<Net<In>> = Net::vec(config.where_mixed(warps), c),
        pub barrier_release: Net<In> = warps,
        pub cta_release: Net<In> = config.cta_slots,
        pub launch_ready: Signal<Out, Bit>,
        pub fetchable: Vec<Net<Out>> = Net::vec(sides, warps),
        pub present: Vec<Net<Out>> = Net::vec(config.paths(), warps),
        pub hold: Vec<Net<Out>> = Net::vec(sides, warps),
        pub flush: Vec<Net<Out>> = Net::vec(sides, warps),
        pub copy: WarpEvent<Out> = WarpEvent::of(config),
        pub fetch_pc: Net<Out> = 32,
        pub fetch_mask: Net<Out> = lanes,
        pub finished: WarpEvent<Out> = WarpEvent::of(config),
        pub arrive: ThreadEvent<Out> = ThreadEvent::of(config),
        pub exit: ThreadEvent<Out> = ThreadEvent::of(config),
        /// Where warps are of threads of several CTAs: by CTA, else none.
        pub cta_threads: Vec<Net<Out>> = Net::vec(config.where_mixed(config.cta_slots), index_width(lanes + 1)),
        pub waiting: Net<Out> = warps,
        pub overflow: WarpFault<Out> = WarpFault::of(config),
        pub depth: Net<Out> = index_width(config.stack_depth + 1),
        pub orphan: WarpEvent<Out> = WarpEvent::of(config),
        pub gathering: Net<Out> = warps,
        pub mismatch_valid: Signal<Out, Bit>,
        pub warp_formed: Signal<Out, Bit>,
        pub consulted: Signal<Out, Bit>,
        pub hit: Signal<Out, Bit>,
        pub pushed: Signal<Out, Bit>,
        pub suspended: Signal<Out, Bit>,
        pub subdivided: Signal<Out, Bit>,
        pub merged: Signal<Out, Bit>,
        pub turn_events: Vec<TurnEvents<Out>> = (0..config.takes_turns() as usize).map(|_| TurnEvents::new(lanes)).collect(),
        pub group_events: Vec<GroupEvents<Out>> = (0..config.takes_turns() as usize).map(|_| GroupEvents::new(lanes)).collect(),
        /// Where threads are regrouped: one, else none.
        pub pool_events: Vec<PoolEvents<Out>> = (0..config.regroups() as usize).map(|_| PoolEvents::new(lanes, config.has_warp_barriers() as usize)).collect(),
        /// Where there are large warps: one, else none.
        pub sub_warp_events: Vec<SubWarpEvents<Out>> = (0..large).map(|_| SubWarpEvents::new(warps)).collect(),
        pub path: CompactedPath<Out> = CompactedPath::new(config.warps),
        pub form: Formed<Out> = Formed::new(config),
        pub form_right: Vec<Signal<Out, Bit>> = bit_vec(config.of_cta_paths()),
        pub orphan_right: Vec<Signal<Out, Bit>> = bit_vec(config.of_cta_paths()),
        pub moved: Vec<Net<Out>> = Net::vec(config.of_cta_paths(), warps),
        pub left: Vec<Net<Out>> = Net::vec(config.of_left_paths(sides), warps),
        pub slot_waits: Vec<Net<In>> = Net::vec(config.of_left_paths(sides), warps),
        pub rights: Vec<Net<Out>> = Net::vec(config.of_shared_slots(), warps),

        /// Single path: one, or none.
        per_warp: Vec<SpeStack> = per_warp => |i| {
            launch, decoded, resolve, fetch_warp, barrier_release, launch_ready, fetchable: fetchable[0], fetch_pc,
            fetch_mask, finished, arrive, exit, waiting, overflow, depth,
        },
        dual_path: Vec<DualPathStack> = dual_path => |i| {
            launch, decoded, resolve, fetch_warp, barrier_release, launch_ready, fetchable, fetch_pc, fetch_mask, finished,
            arrive, exit, waiting, overflow, depth, slot_valid,
        },
        subdivision: Vec<WarpSubdivision> = subdivision => |i| {
            launch, decoded, resolve, fetch_warp, barrier_release, launch_ready, fetchable, fetch_pc, fetch_mask, finished,
            arrive, exit, waiting, overflow, depth, slot_valid, fetch_valid,
        },
        independent: Vec<IndependentThreads> = independent => |i| {
            launch, decoded, resolve, fetch_warp, barrier_release, launch_ready, fetchable: fetchable[0], fetch_pc,
            fetch_mask, finished, arrive, exit, waiting,
        },
        /// TBC, TBC+, CAPRI: one, or none.
        cta_wide: Vec<ThreadBlockCompaction> = cta_wide => |i| {
            launch, decoded, resolve, fetch_warp, barrier_release: cta_release, launch_ready, fetchable: fetchable[0],
            fetch_pc, fetch_mask, finished, arrive, exit, waiting, overflow, depth, slot_valid: slot_valid[0],
            launch_start, kernel, cta_start, warp_slot,
        },
        /// DWF, with warp barriers or without: one, or none.
        formation: Vec<DynamicWarpFormation> = formation => |i| {
            launch, decoded, decoded_join: decoded_join[i], issue_valid: issue_valid[i], issue_warp: issue_warp[i], issue_mask: issue_mask[i], resolve,
            fetch_warp, barrier_release: cta_release, launch_ready, fetchable, fetch_pc, fetch_mask, finished, arrive, exit, waiting, slot_valid, slot_pending, slot_waits, left, warp_slot,
            home_slots, cta_threads, pool_events: pool_events[i],
        },
        /// Large warps: one, or none.
        large_warps: Vec<LargeWarps> = large_warps => |i| {
            launch, decoded, decoded_kind: decoded_kind[i], resolve, fetch_warp, barrier_release, launch_ready, fetchable: fetchable[0], fetch_pc,
            fetch_mask, finished, arrive, exit, waiting, overflow, depth, kernel, cta_start, slot_valid: slot_valid[0],
            slot_control: slot_control[i], slot_writes_rd: slot_writes_rd[i], issue_valid: issue_valid[i], issue_warp: issue_warp[i],
            issue_mask: issue_mask[i], issue_home_warps, issue_last: issue_last[i], release_valid: release_valid[i],
            release_mask: release_mask[i], release_home_warps, sub_warp_events: sub_warp_events[i],
        },
        /// TBC, TBC+ with dual paths: one, or none.
        cta_dual_path: Vec<DualPathCompaction> = cta_dual_path => |i| {
            launch, decoded, resolve, fetch_warp, barrier_release: cta_release, launch_ready, fetchable, fetch_pc, fetch_mask,
            finished, arrive, exit, waiting, overflow, depth, slot_valid, kernel, cta_start, warp_slot,
            form_right: form_right[i], orphan_right: orphan_right[i], moved: moved[i],
        },
    }
    /// The mechanism of `config`.
    pub fn new(config: &CoreConfig) {
        let (lanes, warps, c) = (config.lanes, config.warps, config.slot_width());
        let (path, sides) = (config.path_width(), config.sides());
        let (mut per_warp, mut cta_wide) = (vec![], vec![]);
        let (mut dual_path, mut subdivision, mut cta_dual_path) = (vec![], vec![], vec![]);
        let (mut independent, mut formation, mut large_warps) = (vec![], vec![], vec![]);
        let large = config.of_large_warps();
        let (entries, taken_first) = (config.stack_depth, config.taken_first);
        match config.mechanism {
            Mechanism::SinglePath | Mechanism::SchedulableStack(_) => {
                let turns = config.mechanism.traits().turns;
                per_warp.push(SpeStack::new(lanes, warps, entries, taken_first, config.likely_convergence, turns));
            }
            Mechanism::DualPath(_) => dual_path.push(DualPathStack::new(lanes, warps, entries, taken_first)),
            Mechanism::Subdivision(_) => {
                subdivision.push(WarpSubdivision::new(lanes, warps, sides, entries, taken_first));
            }
            Mechanism::IndependentThreads(threads) => {
                independent.push(IndependentThreads::new(lanes, warps, threads.barriers, taken_first, threads.turns));
            }
            Mechanism::Tbc | Mechanism::TbcPlus | Mechanism::Capri(_) => cta_wide.push(ThreadBlockCompaction::new(config)),
            Mechanism::LargeWarps(_) => large_warps.push(LargeWarps::new(config)),
            Mechanism::WarpFormation(how) | Mechanism::WarpBarriers(how) => formation.push(DynamicWarpFormation::new(config, how)),
            Mechanism::TbcDualPath
            | Mechanism::TbcPlusDualPath
            | Mechanism::TbcDualPathConstrained
            | Mechanism::TbcPlusDualPathConstrained => cta_dual_path.push(DualPathCompaction::new(config)),
        }
    }
}

impl Logic for ReconvergenceUnit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ReconvergenceUnit");
        // What a mechanism does not have is 0.
        for p in 0..self.fetchable.len() {
            self.present[p].next = 0.into();
            self.hold[p].next = 0.into();
            self.flush[p].next = 0.into();
        }
        self.copy.valid.next = false;
        self.copy.warp.next = 0.into();
        self.orphan.valid.next = false;
        self.orphan.warp.next = 0.into();
        self.gathering.next = 0.into();
        self.mismatch_valid.next = false;
        self.warp_formed.next = false;
        self.consulted.next = false;
        self.hit.next = false;
        self.pushed.next = false;
        self.suspended.next = false;
        self.subdivided.next = false;
        self.merged.next = false;
        self.path.valid.next = false;
        self.path.data_dependent.next = false;
        self.path.arrived.next = 0.into();
        self.path.compacted.next = 0.into();
        self.path.ideal.next = 0.into();
        self.path.consulted.next = 0.into();
        self.path.bypassed.next = 0.into();

        for i in 0..self.group_events.len() {
            self.group_events[i].full.next = false;
            self.group_events[i].forms.next = false;
            self.group_events[i].merged.next = 0.into();
        }
        for i in 0..self.per_warp.len() {
            wire::join(&mut self.turn_events, &mut self.per_warp[i].turn_events);
        }
        for i in 0..self.dual_path.len() {
            wire::join(&mut self.present, &mut self.dual_path[i].present);
            wire::join(&mut self.hold, &mut self.dual_path[i].hold);
            wire::join(&mut self.flush, &mut self.dual_path[i].flush);
            wire::join(&mut self.copy, &mut self.dual_path[i].copy);
            wire::join(&mut self.pushed, &mut self.dual_path[i].pushed);
            wire::join(&mut self.suspended, &mut self.dual_path[i].suspended);
        }
        for i in 0..self.subdivision.len() {
            wire::join(&mut self.present, &mut self.subdivision[i].present);
            wire::join(&mut self.subdivided, &mut self.subdivision[i].subdivided);
            wire::join(&mut self.merged, &mut self.subdivision[i].merged);
        }

        for i in 0..self.independent.len() {
            // There is no stack.
            self.depth.next = 0.into();
            self.overflow.valid.next = false;
            self.overflow.warp.next = 0.into();
            self.overflow.pc.next = 0.into();
            wire::join(&mut self.turn_events[i], &mut self.independent[i].turn_events);
            wire::join(&mut self.group_events[i], &mut self.independent[i].group_events);
        }

        // A warp keeps the home warp it is launched with, unless warps are formed anew.
        self.form.valid.next = self.launch.valid.val() & self.launch_ready.val();
        self.form.warp.next = self.launch.warp.val();
        for r in 0..self.form.home_warps.len() {
            self.form.home_warps[r].next = self.launch.warp.val();
        }

        for i in 0..self.cta_wide.len() {
            wire::join(&mut self.form, &mut self.cta_wide[i].form);
            wire::join(&mut self.orphan, &mut self.cta_wide[i].orphan);
            wire::join(&mut self.gathering, &mut self.cta_wide[i].gathering);
            wire::join(&mut self.mismatch_valid, &mut self.cta_wide[i].mismatch_valid);
            wire::join(&mut self.warp_formed, &mut self.cta_wide[i].warp_formed);
            wire::join(&mut self.consulted, &mut self.cta_wide[i].consulted);
            wire::join(&mut self.hit, &mut self.cta_wide[i].hit);
            wire::join(&mut self.path, &mut self.cta_wide[i].path);
        }
        for i in 0..self.large_warps.len() {
            wire::join(&mut self.hold[0], &mut self.large_warps[i].hold);
            wire::join(&mut self.mismatch_valid, &mut self.large_warps[i].mismatch_valid);
        }
        for i in 0..self.formation.len() {
            wire::join(&mut self.form, &mut self.formation[i].form);
            wire::join(&mut self.present, &mut self.formation[i].present);
            wire::join(&mut self.hold, &mut self.formation[i].hold);
            wire::join(&mut self.merged, &mut self.formation[i].merged);
            self.overflow.valid.next = false;
            self.overflow.warp.next = 0.into();
            self.overflow.pc.next = 0.into();
            self.depth.next = 0.into();
        }
        for i in 0..self.cta_dual_path.len() {
            wire::join(&mut self.form, &mut self.cta_dual_path[i].form);
            wire::join(&mut self.orphan, &mut self.cta_dual_path[i].orphan);
            wire::join(&mut self.gathering, &mut self.cta_dual_path[i].gathering);
            wire::join(&mut self.mismatch_valid, &mut self.cta_dual_path[i].mismatch_valid);
            wire::join(&mut self.warp_formed, &mut self.cta_dual_path[i].warp_formed);
            wire::join(&mut self.present, &mut self.cta_dual_path[i].present);
            wire::join(&mut self.rights, &mut self.cta_dual_path[i].rights);
            wire::join(&mut self.pushed, &mut self.cta_dual_path[i].pushed);
            wire::join(&mut self.suspended, &mut self.cta_dual_path[i].suspended);
            wire::join(&mut self.path, &mut self.cta_dual_path[i].path);
        }
    }
}
