//! The reconvergence unit of the core: the mechanism that the configuration chooses, behind one set of ports.
//!
//! ```text
//!                 +--------------------------------------------+
//!  launch_* ----->|  SpeStack, a stack per warp                |---> fetchable, fetch_*
//!  decoded_* ---->|  or DualPathStack, whose entries hold two  |---> form_*, orphan_*, copy_*, hold, flush
//!  fetch_* ------>|  or WarpSubdivision, with warp-splits      |
//!  resolve_* ---->|  or ThreadBlockCompaction, a stack per CTA |---> finished_*, arrive_*, exit_*, ...
//!                 +--------------------------------------------+
//! ```
//!
//! Ports: those of [`SpeStack`](super::SpeStack), [`DualPathStack`](super::DualPathStack), [`WarpSubdivision`](super::WarpSubdivision) and [`ThreadBlockCompaction`](super::ThreadBlockCompaction), under the
//! same names, vectors by side where a warp may have several paths, except that
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `barrier_release` | W | for the stacks of warps: the warps whose waiting threads may go on |
//! | `cta_release` | C | for the stacks of CTAs: the CTAs of which that is true |
//!
//! What a mechanism does not have is 0. Latency 0, no state of its own: exactly one of its parts exists.
use super::{DualPathStack, SpeStack, ThreadBlockCompaction, WarpSubdivision};
use crate::config::Mechanism;
use crate::interface::ControlKind;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct ReconvergenceUnit: clock, reset {
        pub launch_start: Signal<In, Bit>,
        pub config_compact: Signal<In, Bit>,
        pub config_warps_per_cta: Net<In> = w + 1,
        pub cta_start_valid: Signal<In, Bit>,
        pub cta_start_slot: Net<In> = c,
        pub launch_valid: Signal<In, Bit>,
        pub launch_warp: Net<In> = w,
        pub launch_pc: Net<In> = 32,
        pub launch_mask: Net<In> = lanes,
        pub fetch_warp: Net<In> = path,
        pub fetch_valid: Signal<In, Bit>,
        pub decoded_valid: Signal<In, Bit>,
        pub decoded_warp: Net<In> = path,
        pub decoded_control: Signal<In, Bit>,
        pub slot_valid: Vec<Net<In>> = Net::vec(sides, warps),
        pub resolve_valid: Signal<In, Bit>,
        pub resolve_warp: Net<In> = path,
        pub resolve_kind: Signal<In, ControlKind>,
        pub resolve_taken: Net<In> = lanes,
        pub resolve_mask: Net<In> = lanes,
        pub resolve_target: Net<In> = 32,
        pub resolve_next: Net<In> = 32,
        pub resolve_rpc: Net<In> = 32,
        pub resolve_rpc_valid: Signal<In, Bit>,
        pub resolve_lpc: Net<In> = 32,
        pub resolve_uniform: Signal<In, Bit>,
        pub resolve_short: Signal<In, Bit>,
        pub resolve_data_dependent: Signal<In, Bit>,
        pub warp_slot: Vec<Net<In>> = Net::vec(warps, c),
        pub resolve_rows: Vec<Net<In>> = Net::vec(config.row_ports(), w),
        pub barrier_release: Net<In> = warps,
        pub cta_release: Net<In> = config.cta_slots,
        pub launch_ready: Signal<Out, Bit>,
        pub fetchable: Vec<Net<Out>> = Net::vec(sides, warps),
        pub present: Vec<Net<Out>> = Net::vec(sides, warps),
        pub hold: Vec<Net<Out>> = Net::vec(sides, warps),
        pub flush: Vec<Net<Out>> = Net::vec(sides, warps),
        pub copy_valid: Signal<Out, Bit>,
        pub copy_warp: Net<Out> = w,
        pub fetch_pc: Net<Out> = 32,
        pub fetch_mask: Net<Out> = lanes,
        pub finished_valid: Signal<Out, Bit>,
        pub finished_warp: Net<Out> = w,
        pub arrive_valid: Signal<Out, Bit>,
        pub arrive_warp: Net<Out> = w,
        pub arrive_count: Net<Out> = index_width(lanes + 1),
        pub exit_valid: Signal<Out, Bit>,
        pub exit_warp: Net<Out> = w,
        pub exit_count: Net<Out> = index_width(lanes + 1),
        pub waiting: Net<Out> = warps,
        pub overflow_valid: Signal<Out, Bit>,
        pub overflow_warp: Net<Out> = w,
        pub overflow_pc: Net<Out> = 32,
        pub depth: Net<Out> = index_width(config.stack_depth + 1),
        pub orphan_valid: Signal<Out, Bit>,
        pub orphan_warp: Net<Out> = w,
        pub gathering: Net<Out> = warps,
        pub mismatch_valid: Signal<Out, Bit>,
        pub warp_formed: Signal<Out, Bit>,
        pub consulted: Signal<Out, Bit>,
        pub hit: Signal<Out, Bit>,
        pub pushed: Signal<Out, Bit>,
        pub suspended: Signal<Out, Bit>,
        pub subdivided: Signal<Out, Bit>,
        pub merged: Signal<Out, Bit>,
        pub path_valid: Signal<Out, Bit>,
        pub path_data_dependent: Signal<Out, Bit>,
        pub path_arrived: Net<Out> = index_width(warps + 1),
        pub path_compacted: Net<Out> = index_width(warps + 1),
        pub path_ideal: Net<Out> = index_width(warps + 1),
        pub path_consulted: Net<Out> = index_width(warps + 1),
        pub path_bypassed: Net<Out> = index_width(warps + 1),
        pub form_valid: Signal<Out, Bit>,
        pub form_warp: Net<Out> = w,
        pub form_rows: Vec<Net<Out>> = Net::vec(config.row_ports(), w),

        /// Single path: one, or none.
        per_warp: Vec<SpeStack> = per_warp,
        dual_path: Vec<DualPathStack> = dual_path,
        subdivision: Vec<WarpSubdivision> = subdivision,
        /// TBC, TBC+, CAPRI: one, or none.
        cta_wide: Vec<ThreadBlockCompaction> = cta_wide,
    }
    /// The mechanism of `config`.
    pub fn new(config: &CoreConfig) {
        let (lanes, warps, w, c) = (config.lanes, config.warps, config.warp_width(), config.slot_width());
        let (path, sides) = (config.path_width(), config.sides());
        let (mut per_warp, mut cta_wide) = (vec![], vec![]);
        let (mut dual_path, mut subdivision) = (vec![], vec![]);
        let (entries, taken_first) = (config.stack_depth, config.taken_first);
        match config.mechanism {
            Mechanism::SinglePath => {
                per_warp.push(SpeStack::new(lanes, warps, entries, taken_first, config.likely_convergence));
            }
            Mechanism::DualPath(_) => dual_path.push(DualPathStack::new(lanes, warps, entries, taken_first)),
            Mechanism::Subdivision(_) => {
                subdivision.push(WarpSubdivision::new(lanes, warps, sides, entries, taken_first));
            }
            _ => cta_wide.push(ThreadBlockCompaction::new(config)),
        }
    }
}

impl Logic for ReconvergenceUnit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ReconvergenceUnit");
        for p in 0..self.fetchable.len() {
            self.present[p].next = 0.into();
            self.hold[p].next = 0.into();
            self.flush[p].next = 0.into();
        }
        self.copy_valid.next = false;
        self.copy_warp.next = 0.into();
        self.orphan_valid.next = false;
        self.orphan_warp.next = 0.into();
        self.gathering.next = 0.into();
        self.mismatch_valid.next = false;
        self.warp_formed.next = false;
        self.consulted.next = false;
        self.hit.next = false;
        self.pushed.next = false;
        self.suspended.next = false;
        self.subdivided.next = false;
        self.merged.next = false;
        self.path_valid.next = false;
        self.path_data_dependent.next = false;
        self.path_arrived.next = 0.into();
        self.path_compacted.next = 0.into();
        self.path_ideal.next = 0.into();
        self.path_consulted.next = 0.into();
        self.path_bypassed.next = 0.into();
        for i in 0..self.per_warp.len() {
            self.per_warp[i].launch_valid.next = self.launch_valid.val();
            self.per_warp[i].launch_warp.next = self.launch_warp.val();
            self.per_warp[i].launch_pc.next = self.launch_pc.val();
            self.per_warp[i].launch_mask.next = self.launch_mask.val();
            self.per_warp[i].fetch_warp.next = self.fetch_warp.val();
            self.per_warp[i].decoded_valid.next = self.decoded_valid.val();
            self.per_warp[i].decoded_warp.next = self.decoded_warp.val();
            self.per_warp[i].decoded_control.next = self.decoded_control.val();
            self.per_warp[i].resolve_valid.next = self.resolve_valid.val();
            self.per_warp[i].resolve_warp.next = self.resolve_warp.val();
            self.per_warp[i].resolve_kind.next = self.resolve_kind.val();
            self.per_warp[i].resolve_taken.next = self.resolve_taken.val();
            self.per_warp[i].resolve_mask.next = self.resolve_mask.val();
            self.per_warp[i].resolve_target.next = self.resolve_target.val();
            self.per_warp[i].resolve_next.next = self.resolve_next.val();
            self.per_warp[i].resolve_rpc.next = self.resolve_rpc.val();
            self.per_warp[i].resolve_rpc_valid.next = self.resolve_rpc_valid.val();
            self.per_warp[i].resolve_lpc.next = self.resolve_lpc.val();
            self.per_warp[i].barrier_release.next = self.barrier_release.val();
            self.launch_ready.next = self.per_warp[i].launch_ready.val();
            self.fetchable[0].next = self.per_warp[i].fetchable.val();
            self.fetch_pc.next = self.per_warp[i].fetch_pc.val();
            self.fetch_mask.next = self.per_warp[i].fetch_mask.val();
            self.finished_valid.next = self.per_warp[i].finished_valid.val();
            self.finished_warp.next = self.per_warp[i].finished_warp.val();
            self.arrive_valid.next = self.per_warp[i].arrive_valid.val();
            self.arrive_warp.next = self.per_warp[i].arrive_warp.val();
            self.arrive_count.next = self.per_warp[i].arrive_count.val();
            self.exit_valid.next = self.per_warp[i].exit_valid.val();
            self.exit_warp.next = self.per_warp[i].exit_warp.val();
            self.exit_count.next = self.per_warp[i].exit_count.val();
            self.waiting.next = self.per_warp[i].waiting.val();
            self.overflow_valid.next = self.per_warp[i].overflow_valid.val();
            self.overflow_warp.next = self.per_warp[i].overflow_warp.val();
            self.overflow_pc.next = self.per_warp[i].overflow_pc.val();
            self.depth.next = self.per_warp[i].depth.val();
            // A warp keeps the row it is launched with.
            self.form_valid.next = self.launch_valid.val() & self.per_warp[i].launch_ready.val();
            self.form_warp.next = self.launch_warp.val();
            for r in 0..self.form_rows.len() {
                self.form_rows[r].next = self.launch_warp.val();
            }
        }
        for i in 0..self.dual_path.len() {
            self.dual_path[i].launch_valid.next = self.launch_valid.val();
            self.dual_path[i].launch_warp.next = self.launch_warp.val();
            self.dual_path[i].launch_pc.next = self.launch_pc.val();
            self.dual_path[i].launch_mask.next = self.launch_mask.val();
            self.dual_path[i].fetch_warp.next = self.fetch_warp.val();
            self.dual_path[i].decoded_valid.next = self.decoded_valid.val();
            self.dual_path[i].decoded_warp.next = self.decoded_warp.val();
            self.dual_path[i].decoded_control.next = self.decoded_control.val();
            self.dual_path[i].resolve_valid.next = self.resolve_valid.val();
            self.dual_path[i].resolve_warp.next = self.resolve_warp.val();
            self.dual_path[i].resolve_kind.next = self.resolve_kind.val();
            self.dual_path[i].resolve_taken.next = self.resolve_taken.val();
            self.dual_path[i].resolve_mask.next = self.resolve_mask.val();
            self.dual_path[i].resolve_target.next = self.resolve_target.val();
            self.dual_path[i].resolve_next.next = self.resolve_next.val();
            self.dual_path[i].resolve_rpc.next = self.resolve_rpc.val();
            self.dual_path[i].resolve_rpc_valid.next = self.resolve_rpc_valid.val();
            self.dual_path[i].barrier_release.next = self.barrier_release.val();
            self.launch_ready.next = self.dual_path[i].launch_ready.val();
            for p in 0..self.fetchable.len() {
                self.dual_path[i].slot_valid[p].next = self.slot_valid[p].val();
                self.fetchable[p].next = self.dual_path[i].fetchable[p].val();
                self.present[p].next = self.dual_path[i].present[p].val();
                self.hold[p].next = self.dual_path[i].hold[p].val();
                self.flush[p].next = self.dual_path[i].flush[p].val();
            }
            self.copy_valid.next = self.dual_path[i].copy_valid.val();
            self.copy_warp.next = self.dual_path[i].copy_warp.val();
            self.pushed.next = self.dual_path[i].pushed.val();
            self.suspended.next = self.dual_path[i].suspended.val();
            self.fetch_pc.next = self.dual_path[i].fetch_pc.val();
            self.fetch_mask.next = self.dual_path[i].fetch_mask.val();
            self.finished_valid.next = self.dual_path[i].finished_valid.val();
            self.finished_warp.next = self.dual_path[i].finished_warp.val();
            self.arrive_valid.next = self.dual_path[i].arrive_valid.val();
            self.arrive_warp.next = self.dual_path[i].arrive_warp.val();
            self.arrive_count.next = self.dual_path[i].arrive_count.val();
            self.exit_valid.next = self.dual_path[i].exit_valid.val();
            self.exit_warp.next = self.dual_path[i].exit_warp.val();
            self.exit_count.next = self.dual_path[i].exit_count.val();
            self.waiting.next = self.dual_path[i].waiting.val();
            self.overflow_valid.next = self.dual_path[i].overflow_valid.val();
            self.overflow_warp.next = self.dual_path[i].overflow_warp.val();
            self.overflow_pc.next = self.dual_path[i].overflow_pc.val();
            self.depth.next = self.dual_path[i].depth.val();
            // A warp keeps the row it is launched with.
            self.form_valid.next = self.launch_valid.val() & self.dual_path[i].launch_ready.val();
            self.form_warp.next = self.launch_warp.val();
            for r in 0..self.form_rows.len() {
                self.form_rows[r].next = self.launch_warp.val();
            }
        }
        for i in 0..self.subdivision.len() {
            self.subdivision[i].launch_valid.next = self.launch_valid.val();
            self.subdivision[i].launch_warp.next = self.launch_warp.val();
            self.subdivision[i].launch_pc.next = self.launch_pc.val();
            self.subdivision[i].launch_mask.next = self.launch_mask.val();
            self.subdivision[i].fetch_warp.next = self.fetch_warp.val();
            self.subdivision[i].decoded_valid.next = self.decoded_valid.val();
            self.subdivision[i].decoded_warp.next = self.decoded_warp.val();
            self.subdivision[i].decoded_control.next = self.decoded_control.val();
            self.subdivision[i].resolve_valid.next = self.resolve_valid.val();
            self.subdivision[i].resolve_warp.next = self.resolve_warp.val();
            self.subdivision[i].resolve_kind.next = self.resolve_kind.val();
            self.subdivision[i].resolve_taken.next = self.resolve_taken.val();
            self.subdivision[i].resolve_mask.next = self.resolve_mask.val();
            self.subdivision[i].resolve_target.next = self.resolve_target.val();
            self.subdivision[i].resolve_next.next = self.resolve_next.val();
            self.subdivision[i].resolve_rpc.next = self.resolve_rpc.val();
            self.subdivision[i].resolve_rpc_valid.next = self.resolve_rpc_valid.val();
            self.subdivision[i].barrier_release.next = self.barrier_release.val();
            self.launch_ready.next = self.subdivision[i].launch_ready.val();
            for p in 0..self.fetchable.len() {
                self.subdivision[i].slot_valid[p].next = self.slot_valid[p].val();
                self.fetchable[p].next = self.subdivision[i].fetchable[p].val();
                self.present[p].next = self.subdivision[i].present[p].val();
            }
            self.subdivision[i].fetch_valid.next = self.fetch_valid.val();
            self.subdivision[i].resolve_short.next = self.resolve_short.val();
            self.subdivided.next = self.subdivision[i].subdivided.val();
            self.merged.next = self.subdivision[i].merged.val();
            self.fetch_pc.next = self.subdivision[i].fetch_pc.val();
            self.fetch_mask.next = self.subdivision[i].fetch_mask.val();
            self.finished_valid.next = self.subdivision[i].finished_valid.val();
            self.finished_warp.next = self.subdivision[i].finished_warp.val();
            self.arrive_valid.next = self.subdivision[i].arrive_valid.val();
            self.arrive_warp.next = self.subdivision[i].arrive_warp.val();
            self.arrive_count.next = self.subdivision[i].arrive_count.val();
            self.exit_valid.next = self.subdivision[i].exit_valid.val();
            self.exit_warp.next = self.subdivision[i].exit_warp.val();
            self.exit_count.next = self.subdivision[i].exit_count.val();
            self.waiting.next = self.subdivision[i].waiting.val();
            self.overflow_valid.next = self.subdivision[i].overflow_valid.val();
            self.overflow_warp.next = self.subdivision[i].overflow_warp.val();
            self.overflow_pc.next = self.subdivision[i].overflow_pc.val();
            self.depth.next = self.subdivision[i].depth.val();
            // A warp keeps the row it is launched with.
            self.form_valid.next = self.launch_valid.val() & self.subdivision[i].launch_ready.val();
            self.form_warp.next = self.launch_warp.val();
            for r in 0..self.form_rows.len() {
                self.form_rows[r].next = self.launch_warp.val();
            }
        }
        for i in 0..self.cta_wide.len() {
            self.cta_wide[i].launch_start.next = self.launch_start.val();
            self.cta_wide[i].config_compact.next = self.config_compact.val();
            self.cta_wide[i].config_warps_per_cta.next = self.config_warps_per_cta.val();
            self.cta_wide[i].cta_start_valid.next = self.cta_start_valid.val();
            self.cta_wide[i].cta_start_slot.next = self.cta_start_slot.val();
            self.cta_wide[i].launch_valid.next = self.launch_valid.val();
            self.cta_wide[i].launch_warp.next = self.launch_warp.val();
            self.cta_wide[i].launch_pc.next = self.launch_pc.val();
            self.cta_wide[i].launch_mask.next = self.launch_mask.val();
            self.cta_wide[i].fetch_warp.next = self.fetch_warp.val();
            self.cta_wide[i].decoded_valid.next = self.decoded_valid.val();
            self.cta_wide[i].decoded_warp.next = self.decoded_warp.val();
            self.cta_wide[i].decoded_control.next = self.decoded_control.val();
            self.cta_wide[i].slot_valid.next = self.slot_valid[0].val();
            self.cta_wide[i].resolve_valid.next = self.resolve_valid.val();
            self.cta_wide[i].resolve_warp.next = self.resolve_warp.val();
            self.cta_wide[i].resolve_kind.next = self.resolve_kind.val();
            self.cta_wide[i].resolve_taken.next = self.resolve_taken.val();
            self.cta_wide[i].resolve_mask.next = self.resolve_mask.val();
            self.cta_wide[i].resolve_target.next = self.resolve_target.val();
            self.cta_wide[i].resolve_next.next = self.resolve_next.val();
            self.cta_wide[i].resolve_rpc.next = self.resolve_rpc.val();
            self.cta_wide[i].resolve_rpc_valid.next = self.resolve_rpc_valid.val();
            self.cta_wide[i].resolve_lpc.next = self.resolve_lpc.val();
            self.cta_wide[i].resolve_uniform.next = self.resolve_uniform.val();
            self.cta_wide[i].resolve_data_dependent.next = self.resolve_data_dependent.val();
            self.cta_wide[i].barrier_release.next = self.cta_release.val();
            for k in 0..self.warp_slot.len() {
                self.cta_wide[i].warp_slot[k].next = self.warp_slot[k].val();
            }
            for r in 0..self.resolve_rows.len() {
                self.cta_wide[i].resolve_rows[r].next = self.resolve_rows[r].val();
                self.form_rows[r].next = self.cta_wide[i].form_rows[r].val();
            }
            self.form_valid.next = self.cta_wide[i].form_valid.val();
            self.form_warp.next = self.cta_wide[i].form_warp.val();
            self.launch_ready.next = self.cta_wide[i].launch_ready.val();
            self.fetchable[0].next = self.cta_wide[i].fetchable.val();
            self.fetch_pc.next = self.cta_wide[i].fetch_pc.val();
            self.fetch_mask.next = self.cta_wide[i].fetch_mask.val();
            self.finished_valid.next = self.cta_wide[i].finished_valid.val();
            self.finished_warp.next = self.cta_wide[i].finished_warp.val();
            self.arrive_valid.next = self.cta_wide[i].arrive_valid.val();
            self.arrive_warp.next = self.cta_wide[i].arrive_warp.val();
            self.arrive_count.next = self.cta_wide[i].arrive_count.val();
            self.exit_valid.next = self.cta_wide[i].exit_valid.val();
            self.exit_warp.next = self.cta_wide[i].exit_warp.val();
            self.exit_count.next = self.cta_wide[i].exit_count.val();
            self.waiting.next = self.cta_wide[i].waiting.val();
            self.overflow_valid.next = self.cta_wide[i].overflow_valid.val();
            self.overflow_warp.next = self.cta_wide[i].overflow_warp.val();
            self.overflow_pc.next = self.cta_wide[i].overflow_pc.val();
            self.depth.next = self.cta_wide[i].depth.val();
            self.orphan_valid.next = self.cta_wide[i].orphan_valid.val();
            self.orphan_warp.next = self.cta_wide[i].orphan_warp.val();
            self.gathering.next = self.cta_wide[i].gathering.val();
            self.mismatch_valid.next = self.cta_wide[i].mismatch_valid.val();
            self.warp_formed.next = self.cta_wide[i].warp_formed.val();
            self.consulted.next = self.cta_wide[i].consulted.val();
            self.hit.next = self.cta_wide[i].hit.val();
            self.path_valid.next = self.cta_wide[i].path_valid.val();
            self.path_data_dependent.next = self.cta_wide[i].path_data_dependent.val();
            self.path_arrived.next = self.cta_wide[i].path_arrived.val();
            self.path_compacted.next = self.cta_wide[i].path_compacted.val();
            self.path_ideal.next = self.cta_wide[i].path_ideal.val();
            self.path_consulted.next = self.cta_wide[i].path_consulted.val();
            self.path_bypassed.next = self.cta_wide[i].path_bypassed.val();
        }
    }
}
