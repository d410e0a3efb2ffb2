//! Starts the CTAs of a grid on free warps, in order, until the grid is done.
//!
//! ```text
//!                    +---------------+
//!  launch_start ---->|               |---> tid_write_*     thread-id table, once per launch
//!      kernel_* ---->|               |---> cta_start_*     to the barrier unit
//!  launch_ready ---->| CtaDispatcher |---> launch_*        to the reconvergence unit, one warp a cycle
//!    finished_* ---->|               |---> warp_slot, resident, resident_ctas, busy
//!  context_warp ---->|               |---> context_*       who a warp is
//!                    |               |---> homes_*         or its threads
//!                    +---------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `launch_start`, `kernel_*` | | from the host; see [`interface`](crate::interface) |
//! | `kernel_permute` | 1 | with a [`Permutation`](crate::config::Permutation): permute lanes in this launch |
//! | `tid_write_enable[G]`, `tid_write_lane[G]`, `tid_write_warp_in_cta`, `tid_write_{x,y,z}[G]` | 1, l, w, 16 | the ids of a group of G = min(8, L) threads, by physical lane and warp in the CTA |
//! | `tid_write_number[G]` | l | their logical lanes |
//! | `cta_start_valid`, `cta_start_slot`, `cta_start_threads` | 1, c, 16 | a CTA starts, the cycle before its first warp |
//! | `launch_valid`, `launch_ready` | 1 | a warp starts at the edge when both are set |
//! | `launch_warp`, `launch_pc`, `launch_mask` | w, 32, L | that warp, its first PC, its threads (the last warp may be partial) |
//! | `finished_valid`, `finished_warp` | 1, w | a warp has no threads left |
//! | `context_warp` | w | whose context to look up |
//! | `context_slot`, `context_first_warp`, `context_ctaid_{x,y,z}`, `context_shared_base` | c, w, 32, 32 | of its CTA, combinational; the first of its warps |
//! | `warp_slot[W]` | c | CTA slot of each warp; 0 where warps are of threads of several CTAs |
//! | `homes_*` | | there instead: [`HomeCtas`] |
//! | `resident` | W | warps that run |
//! | `resident_ctas` | c + 1 | CTAs that run |
//! | `busy` | 1 | a launch is under way |
//! | `cta_request`, `cta_grant_*` | 1, | in a GPU: a pulse asks for a CTA; the answer, one for each |
//!
//! Latency: a warp starts per cycle, once the tables are filled.
//! CTA slot *s* owns the warps from `s x kernel_warps_per_cta` up. All CTAs of a launch are alike, so a fixed partition wastes nothing
//! and cannot fragment, and the tables (first warp and shared memory of a slot, slot of a warp, thread ids)
//! are filled by counting, once per launch: no multiplier, no divider. One counter goes through the threads of the first group and is then at the
//! first of the next: from there on all go by that stride ([`ThreadCounter`](super::ThreadCounter)), a group a cycle. That costs max(G + threads per CTA / G, W, C) cycles per launch.
//! The fill goes through the lane permutation, so what it leaves behind as the lanes of its last warp is the mask of the last warp; all
//! other warps are full. Nobody else has to know of the permutation (Rhu 2014, 4.3).
//! In a GPU the grid is not counted here: when a slot is free, the core asks for a CTA ([`CtaDistributor`](crate::gpu::CtaDistributor)), until there is none.
//! A CTA starts as soon as every warp of its slot has finished. Fung & Aamodt 2011, 2.2; Rhu 2014, 2.2.
use super::{CtaSlot, ThreadCounter};
use crate::divergence::LanePermutation;
use crate::interface::{
    CtaContext, CtaGrant, CtaStart, HomeCtas, KernelConfiguration, Launch, THREADS_FILLED, ThreadPlace, TidWrite,
    WarpEvent,
};
use crate::prelude::*;

hardware_enum! {
    /// What the dispatcher does.
    pub enum DispatchPhase {
        /// Nothing: no launch.
        Idle,
        /// Fills the tables of this launch.
        Fill,
        /// Looks for a free slot for the next CTA, or waits for the last ones to end.
        Choose,
        /// Starts the warps of the CTA chosen.
        Launch,
    }
}

records! {
    /// Which CTA is in a slot.
    pub struct CtaIdTable {
        /// Coordinates of a CTA.
        CtaId() {
            x: [32],
            y: [32],
            z: [32],
        }
    }
}

module! {
    /// See the [module documentation](self).
    pub struct CtaDispatcher: clock, reset {
        // Host
        pub launch_start: Signal<In, Bit>,
        pub kernel: KernelConfiguration<In> = KernelConfiguration::new(config),
        pub busy: Signal<Out, Bit>,
        // Thread-id table
        pub tid_write: TidWrite<Out> = TidWrite::new(config),
        // Barrier unit
        pub cta_start: CtaStart<Out> = CtaStart::new(config),
        // Reconvergence unit
        pub launch: Launch<Out> = Launch::of(config),
        pub launch_ready: Signal<In, Bit>,
        pub finished: WarpEvent<In> = WarpEvent::of(config),
        // Context of a warp
        pub context_warp: Net<In> = w,
        pub context: CtaContext<Out> = CtaContext::new(config),
        pub warp_slot: Vec<Net<Out>> = Net::vec(warps, c),
        pub homes: HomeCtas<Out> = HomeCtas::new(config),
        pub resident: Net<Out> = warps,
        pub resident_ctas: Net<Out> = c + 1,
        // Of a GPU
        pub cta_request: Vec<Signal<Out, Bit>> = bit_vec(config.of_gpu()),
        pub cta_grant: Vec<CtaGrant<In>> = (0..config.of_gpu()).map(|_| CtaGrant::new()).collect(),

        phase: StateRegister<DispatchPhase>,
        /// In a GPU: a CTA has been asked for; none is left.
        requested: Vec<StateRegister<Bit>> = (0..config.of_gpu()).map(|_| Default::default()).collect(),
        exhausted: Vec<StateRegister<Bit>> = (0..config.of_gpu()).map(|_| Default::default()).collect(),
        /// CTAs of the grid not started yet, as the id of the next one. In a GPU: the one that has been granted, unless `grid_done`.
        next_x: Register = Register::new(32),
        next_y: Register = Register::new(32),
        next_z: Register = Register::new(32),
        grid_done: StateRegister<Bit>,
        /// Fill: thread, warp and slot counted up together, from 0 with every launch.
        fill_thread: Register = Register::new(16) => { reset: launch_start },
        fill_lane: Register = Register::new(config.lane_width()) => { reset: launch_start },
        /// Threads of the first group that have been counted.
        fill_first_group: Register = Register::new(index_width(group + 1)) => { reset: launch_start },
        threads: Vec<ThreadCounter> = (0..group).map(|_| ThreadCounter::default()).collect() => |t| {
            first: stride, step: filling_thread, stride, block_x: kernel.block_x, block_y: kernel.block_y,
            place.x: tid_write.x[t], place.y: tid_write.y[t], place.z: tid_write.z[t],
        },
        permutations: Vec<LanePermutation> = (0..group).map(|_| LanePermutation::new(config.permutation, warps, lanes)).collect() => |t| {
            warp_in_cta: fill_warp.q, lane: tid_write.number[t], enable: kernel.permute, physical: tid_write.lane[t],
        },
        /// Physical lanes of the warp so far; after the fill, of the last one.
        fill_mask: Register = Register::new(lanes),
        fill_warp: Register = Register::new(w) => { reset: launch_start, q: tid_write.warp_in_cta },
        fill_x: Register = Register::new(16) => { reset: launch_start, q: stride.x },
        fill_y: Register = Register::new(16) => { reset: launch_start, q: stride.y },
        fill_z: Register = Register::new(16) => { reset: launch_start, q: stride.z },
        fill_step: Register = Register::new(step) => { reset: launch_start },
        fill_slot: Register = Register::new(c) => { reset: launch_start },
        fill_in_cta: Register = Register::new(w + 1) => { reset: launch_start },
        fill_base: Register = Register::new(32) => { reset: launch_start },
        fill_first: Register = Register::new(w + 1) => { reset: launch_start },
        slot_of_warp: Vec<EnabledRegister> = EnabledRegister::vec(warps, c) => |i| { d: fill_slot.q },
        first_warp: Memory = Memory::new(w, slots, 2 + mixed, 1, ReadKind::Asynchronous) => {
            write_enable[0]: filling_slot, read_address[0]: free_slot.index, read_address[1]: context_mux.selected,
            read_data[1]: context.first_warp,
        },
        shared_base: Memory = Memory::new(32, slots, 1, 1, ReadKind::Asynchronous) => {
            write_enable[0]: filling_slot, write_data[0]: fill_base.q, read_address[0]: context_mux.selected,
            read_data[0]: context.shared_base,
        },
        ctaid: CtaIdTable = CtaIdTable::new(slots, 1 + mixed) => {
            write_enable: starting, write_row: free_slot.index, write.x: next_x.q, write.y: next_y.q, write.z: next_z.q,
            read_row[0]: context_mux.selected, read[0].x: context.ctaid_x, read[0].y: context.ctaid_y,
            read[0].z: context.ctaid_z,
        },
        /// Where warps are of threads of several CTAs: where their shared memory begins, in no more bits than that takes.
        home_bases: Vec<EnabledRegister> = EnabledRegister::vec(mixed, config.shared_width()),
        slots: Vec<CtaSlot> = (0..slots).map(|_| CtaSlot::new(w + 1)).collect() => |s| { warps: kernel.warps_per_cta },
        free_slot: PriorityEncoder = PriorityEncoder::new(slots) => { request: usable, index: cta_start.slot },
        running: Popcount = Popcount::new(slots) => { value: occupied },
        chosen_slot: Register = Register::new(c),
        launching_warp: Register = Register::new(w) => { q: launch.warp },
        launching_left: Register = Register::new(w + 1),
        resident_warps: Register = Register::new(warps) => { q: resident },
        context_mux: IndexedMux = IndexedMux::new(c, warps) => {
            inputs: warp_slot, index: context_warp, selected: context.slot,
        },
        finished_mux: IndexedMux = IndexedMux::new(c, warps) => { inputs: warp_slot, index: finished.warp },
        /// Where warps are of threads of several CTAs, instead: one, else none.
        finished_home: Vec<IndexedMux> = (0..config.where_mixed(1)).map(|_| IndexedMux::new(c, warps)).collect() => |i| {
            inputs: homes.slots, index: finished.warp,
        },

        one_lane: Net<Local> = lanes,
        /// Physical lanes of the warp that is being filled.
        fill_before: Net<Local> = lanes,
        group_mask: Vec<Net<Local>> = Net::vec(group, lanes),
        in_cta: Vec<Signal<Local, Bit>> = bit_vec(group),
        one_warp: Net<Local> = warps,
        last_group: Constant = Constant::new((lanes - group) as u64, config.lane_width()),
        group: Constant = Constant::new(group as u64, 16),
        group_lanes: Constant = Constant::new((group % lanes) as u64, config.lane_width()),
        /// Where the counter of the first group is.
        stride: ThreadPlace<Local> = ThreadPlace::new(),
        counting: Signal<Local, Bit>,
        warps: Constant = Constant::new(warps as u64, step),
        slot_count: Constant = Constant::new(slots as u64, step),
        fill_end: Constant = Constant::new(warps.max(slots) as u64, step),
        all_lanes: Constant = Constant::new(mask(lanes), lanes),
        full_x: Signal<Local, Bit>,
        full_y: Signal<Local, Bit>,
        filling: Signal<Local, Bit>,
        filling_thread: Signal<Local, Bit>,
        filling_warp: Signal<Local, Bit>,
        filling_slot: Signal<Local, Bit>,
        starting: Signal<Local, Bit>,
        launched: Signal<Local, Bit>,
        usable: Net<Local> = slots,
        occupied: Net<Local> = slots,
    }
    sizes { _slot_width = c, _warp_width = w, _shared_width = config.shared_width() }
    /// The dispatcher of a core.
    pub fn new(config: &CoreConfig) {
        let (w, c) = (config.warp_width(), config.slot_width());
        let (warps, lanes, slots) = (config.warps, config.lanes, config.cta_slots);
        let mixed = config.where_mixed(slots);
        let step = index_width(warps.max(slots) + 1);
        let group = lanes.min(THREADS_FILLED);
    }
}

impl Logic for CtaDispatcher {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module CtaDispatcher");
        dff_setup!(self, clock, phase, next_x, next_y, next_z, grid_done, chosen_slot, launching_warp);
        dff_setup!(self, clock, launching_left, resident_warps, fill_mask, fill_first_group);
        dff_setup!(self, clock, fill_thread, fill_lane, fill_warp, fill_x, fill_y, fill_z, fill_step);
        dff_setup!(self, clock, fill_slot, fill_in_cta, fill_base, fill_first);

        self.filling.next = self.phase.q.val() == DispatchPhase::Fill;
        self.busy.next = self.phase.q.val() != DispatchPhase::Idle;

        // Fill: the first group, thread by thread, x fastest.
        self.counting.next = self.filling.val() & (bit_cast_to(self.fill_first_group.q.val(), 16) != self.group.val());
        self.full_x.next = (self.fill_x.q.val() + 1) == self.kernel.block_x.val();
        self.full_y.next = (self.fill_y.q.val() + 1) == self.kernel.block_y.val();
        if self.counting.val() {
            self.fill_first_group.d.next = self.fill_first_group.q.val() + 1;
            self.fill_x.d.next = self.fill_x.q.val() + 1;
            if self.full_x.val() {
                self.fill_x.d.next = 0.into();
                self.fill_y.d.next = self.fill_y.q.val() + 1;
                if self.full_y.val() {
                    self.fill_y.d.next = 0.into();
                    self.fill_z.d.next = self.fill_z.q.val() + 1;
                }
            }
        }

        // Then a group a cycle.
        self.filling_thread.next =
            self.filling.val() & !self.counting.val() & (self.fill_thread.q.val() < self.kernel.threads_per_cta.val());
        self.fill_before.next = self.fill_mask.q.val();
        if self.fill_lane.q.val() == 0 {
            self.fill_before.next = 0.into();
        }
        for t in 0..self.threads.len() {
            self.threads[t].load.next = self.counting.val() & (self.fill_first_group.q.val() == t);
            self.tid_write.number[t].next = self.fill_lane.q.val() + t;
            self.in_cta[t].next = (self.fill_thread.q.val() + t) < self.kernel.threads_per_cta.val();
            self.tid_write.enable[t].next = 0.into();
            if self.filling_thread.val() & self.in_cta[t].val() {
                self.tid_write.enable[t].next = 1.into();
            }
            self.one_lane.next = 1.into();
            self.group_mask[t].next = 0.into();
            if self.in_cta[t].val() {
                self.group_mask[t].next = self.one_lane.val() << self.permutations[t].physical.val();
            }
            self.fill_before.next = self.fill_before.val() | self.group_mask[t].val();
        }
        if self.filling_thread.val() {
            self.fill_mask.d.next = self.fill_before.val();
            self.fill_thread.d.next = self.fill_thread.q.val() + self.group.val();
            self.fill_lane.d.next = self.fill_lane.q.val() + self.group_lanes.val();
            if self.fill_lane.q.val() == self.last_group.val() {
                self.fill_lane.d.next = 0.into();
                self.fill_warp.d.next = self.fill_warp.q.val() + 1;
            }
        }

        // Fill: which slot a warp belongs to; first warp and shared memory of a slot.
        self.filling_warp.next = self.filling.val() & (self.fill_step.q.val() < self.warps.val());
        self.filling_slot.next = self.filling.val() & (self.fill_step.q.val() < self.slot_count.val());
        if self.filling.val() & (self.fill_step.q.val() != self.fill_end.val()) {
            self.fill_step.d.next = self.fill_step.q.val() + 1;
            self.fill_base.d.next = self.fill_base.q.val() + self.kernel.shared_bytes.val();
            self.fill_first.d.next = self.fill_first.q.val() + self.kernel.warps_per_cta.val();
            self.fill_in_cta.d.next = self.fill_in_cta.q.val() + 1;
            if (self.fill_in_cta.q.val() + 1) == self.kernel.warps_per_cta.val() {
                self.fill_in_cta.d.next = 0.into();
                self.fill_slot.d.next = self.fill_slot.q.val() + 1;
            }
        }
        self.first_warp.write_address[0].next = bit_cast_to(self.fill_step.q.val(), self._slot_width);
        self.first_warp.write_data[0].next = bit_cast_to(self.fill_first.q.val(), self._warp_width);
        self.shared_base.write_address[0].next = bit_cast_to(self.fill_step.q.val(), self._slot_width);
        for i in 0..self.slot_of_warp.len() {
            self.slot_of_warp[i].enable.next = self.filling_warp.val() & (self.fill_step.q.val() == i);
            self.warp_slot[i].next = self.slot_of_warp[i].q.val();
        }
        for i in 0..self.homes.slots.len() {
            self.warp_slot[i].next = 0.into();
            self.homes.slots[i].next = self.slot_of_warp[i].q.val();
        }
        for s in 0..self.homes.shared_bases.len() {
            self.first_warp.read_address[s + 2].next = s.into();
            self.ctaid.read_row[s + 1].next = s.into();
            self.homes.first_warps[s].next = self.first_warp.read_data[s + 2].val();
            self.home_bases[s].enable.next = self.filling_slot.val() & (self.fill_step.q.val() == s);
            self.home_bases[s].d.next = bit_cast_to(self.fill_base.q.val(), self._shared_width);
            self.homes.shared_bases[s].next = self.home_bases[s].q.val();
            self.homes.ctaids_x[s].next = self.ctaid.read[s + 1].x.val();
            self.homes.ctaids_y[s].next = self.ctaid.read[s + 1].y.val();
            self.homes.ctaids_z[s].next = self.ctaid.read[s + 1].z.val();
        }

        // Choose: the lowest free slot takes the next CTA.
        self.usable.next = 0.into();
        self.occupied.next = 0.into();
        for s in 0..self.slots.len() {
            self.occupied.next = self.occupied.val().replace_bit(s, self.slots[s].occupied.val());
            if self.kernel.resident_ctas.val() > s {
                self.usable.next = self.usable.val().replace_bit(s, !self.slots[s].occupied.val());
            }
        }
        self.resident_ctas.next = bit_cast_to(self.running.count.val(), self._slot_width + 1);
        self.starting.next =
            (self.phase.q.val() == DispatchPhase::Choose) & !self.grid_done.q.val() & self.free_slot.any.val();
        self.cta_start.valid.next = self.starting.val();
        self.cta_start.threads.next = self.kernel.threads_per_cta.val();
        if self.starting.val() {
            self.phase.d.next = DispatchPhase::Launch;
            self.chosen_slot.d.next = self.free_slot.index.val();
            self.launching_warp.d.next = self.first_warp.read_data[0].val();
            self.launching_left.d.next = self.kernel.warps_per_cta.val();
            self.next_x.d.next = self.next_x.q.val() + 1;
            if (self.next_x.q.val() + 1) == self.kernel.grid_x.val() {
                self.next_x.d.next = 0.into();
                self.next_y.d.next = self.next_y.q.val() + 1;
                if (self.next_y.q.val() + 1) == self.kernel.grid_y.val() {
                    self.next_y.d.next = 0.into();
                    self.next_z.d.next = self.next_z.q.val() + 1;
                    if (self.next_z.q.val() + 1) == self.kernel.grid_z.val() {
                        self.grid_done.d.next = true;
                    }
                }
            }
        }

        // Launch: one warp a cycle.
        self.launch.valid.next = self.phase.q.val() == DispatchPhase::Launch;
        self.launch.pc.next = self.kernel.entry_pc.val();
        self.launch.mask.next = self.all_lanes.val();
        if self.launching_left.q.val() == 1 {
            self.launch.mask.next = self.fill_mask.q.val();
        }
        self.launched.next = self.launch.valid.val() & self.launch_ready.val();
        if self.launched.val() {
            self.launching_warp.d.next = self.launching_warp.q.val() + 1;
            self.launching_left.d.next = self.launching_left.q.val() - 1;
            if self.launching_left.q.val() == 1 {
                self.phase.d.next = DispatchPhase::Choose;
            }
        }

        // Warps come and go.
        self.one_warp.next = 1.into();
        for s in 0..self.slots.len() {
            self.slots[s].start.next = self.starting.val() & (self.free_slot.index.val() == s);
            self.slots[s].finished.next = self.finished.valid.val() & (self.finished_mux.selected.val() == s);
            for i in 0..self.finished_home.len() {
                self.slots[s].finished.next = self.finished.valid.val() & (self.finished_home[i].selected.val() == s);
            }
        }
        if self.finished.valid.val() & !self.launched.val() {
            self.resident_warps.d.next =
                self.resident_warps.q.val() & !(self.one_warp.val() << self.finished.warp.val());
        }
        if !self.finished.valid.val() & self.launched.val() {
            self.resident_warps.d.next =
                self.resident_warps.q.val() | (self.one_warp.val() << self.launching_warp.q.val());
        }
        if self.finished.valid.val() & self.launched.val() {
            self.resident_warps.d.next = (self.resident_warps.q.val()
                & !(self.one_warp.val() << self.finished.warp.val()))
                | (self.one_warp.val() << self.launching_warp.q.val());
        }

        // In a GPU: a CTA is asked for when there is a slot for it.
        for g in 0..self.cta_grant.len() {
            self.cta_request[g].next = (self.phase.q.val() == DispatchPhase::Choose)
                & self.grid_done.q.val()
                & !self.requested[g].q.val()
                & !self.exhausted[g].q.val()
                & self.free_slot.any.val();
            self.requested[g].d.next = self.requested[g].q.val() | self.cta_request[g].val();
            self.exhausted[g].d.next = self.exhausted[g].q.val();
            if self.starting.val() {
                self.grid_done.d.next = true;
            }
            if self.cta_grant[g].valid.val() {
                self.requested[g].d.next = false;
                self.exhausted[g].d.next = self.cta_grant[g].none.val();
                self.grid_done.d.next = self.cta_grant[g].none.val();
                self.next_x.d.next = self.cta_grant[g].x.val();
                self.next_y.d.next = self.cta_grant[g].y.val();
                self.next_z.d.next = self.cta_grant[g].z.val();
            }
        }

        // Phases
        if self.filling.val()
            & !self.counting.val()
            & !self.filling_thread.val()
            & (self.fill_step.q.val() == self.fill_end.val())
        {
            self.phase.d.next = DispatchPhase::Choose;
        }
        if (self.phase.q.val() == DispatchPhase::Choose) & self.grid_done.q.val() & !self.occupied.val().any() {
            self.phase.d.next = DispatchPhase::Idle;
            for g in 0..self.exhausted.len() {
                if !self.exhausted[g].q.val() {
                    self.phase.d.next = DispatchPhase::Choose;
                }
            }
        }
        if self.launch_start.val() {
            self.phase.d.next = DispatchPhase::Fill;
            self.next_x.d.next = 0.into();
            self.next_y.d.next = 0.into();
            self.next_z.d.next = 0.into();
            self.grid_done.d.next = false;
            for g in 0..self.exhausted.len() {
                self.grid_done.d.next = true;
                self.requested[g].d.next = false;
                self.exhausted[g].d.next = false;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Permutation;

    fn edge(dispatcher: &mut CtaDispatcher) {
        for _ in 0..2 {
            dispatcher.clock.next = !dispatcher.clock.val();
            simulate(dispatcher, 1000);
        }
    }

    /// Runs a grid of `grid` CTAs of `block` threads on 4 lanes x 4 warps; every warp runs for `run` cycles.
    /// Returns (warps started as `slot.number mask ctaid`, thread ids written, most CTAs at once).
    fn launch(block: [usize; 3], grid: [usize; 3], run: usize) -> (Vec<String>, Vec<[u64; 3]>, u64) {
        let mut dispatcher = CtaDispatcher::new(&CoreConfig::tiny());
        dispatcher.connect_all();
        let threads: usize = block.iter().product();
        let warps = threads.div_ceil(4);
        dispatcher.kernel.threads_per_cta.next = threads.into();
        dispatcher.kernel.warps_per_cta.next = warps.into();
        dispatcher.kernel.resident_ctas.next = (4 / warps).into();
        dispatcher.kernel.block_x.next = block[0].into();
        dispatcher.kernel.block_y.next = block[1].into();
        dispatcher.kernel.block_z.next = block[2].into();
        dispatcher.kernel.grid_x.next = grid[0].into();
        dispatcher.kernel.grid_y.next = grid[1].into();
        dispatcher.kernel.grid_z.next = grid[2].into();
        dispatcher.kernel.shared_bytes.next = 0x100.into();
        dispatcher.launch_ready.next = true;
        dispatcher.launch_start.next = true;
        simulate(&mut dispatcher, 1000);
        edge(&mut dispatcher);
        dispatcher.launch_start.next = false;
        let (mut started, mut ids, mut most) = (vec![], vec![], 0);
        let mut ends: Vec<Option<usize>> = vec![None; 4];
        for cycle in 0.. {
            assert!(cycle < 2000, "never done");
            let ending = ends.iter().position(|end| end.is_some_and(|end| end <= cycle));
            dispatcher.finished.valid.next = ending.is_some();
            dispatcher.finished.warp.next = ending.unwrap_or(0).into();
            simulate(&mut dispatcher, 1000);
            if let Some(warp) = ending {
                ends[warp] = None;
            }
            for thread in (0..4).filter(|&thread| dispatcher.tid_write.enable[thread].val().any()) {
                let TidWrite { x, y, z, .. } = &dispatcher.tid_write;
                ids.push([x, y, z].map(|coordinate| coordinate[thread].val().value()));
            }
            most = most.max(dispatcher.resident_ctas.val().value());
            if dispatcher.launch.valid.val() {
                let warp = dispatcher.launch.warp.val();
                dispatcher.context_warp.next = warp;
                simulate(&mut dispatcher, 1000);
                assert_eq!(dispatcher.context.slot.val(), dispatcher.warp_slot[warp.index()].val());
                assert_eq!(dispatcher.context.shared_base.val().value(), 0x100 * dispatcher.context.slot.val().value());
                started.push(format!(
                    "{}.{} {:04b} {},{},{}",
                    dispatcher.context.slot.val().value(),
                    (warp - dispatcher.context.first_warp.val()).value(),
                    dispatcher.launch.mask.val().value(),
                    dispatcher.context.ctaid_x.val().value(),
                    dispatcher.context.ctaid_y.val().value(),
                    dispatcher.context.ctaid_z.val().value(),
                ));
                assert!(ends[warp.index()].is_none(), "warp {warp:?} runs already");
                ends[warp.index()] = Some(cycle + run);
            }
            edge(&mut dispatcher);
            if !dispatcher.busy.val() {
                break;
            }
        }
        assert_eq!(dispatcher.resident.val().value(), 0);
        (started, ids, most)
    }

    #[test]
    fn partial_warps_and_two_resident_ctas() {
        let (started, ids, most) = launch([3, 2, 1], [3, 1, 1], 9);
        assert_eq!(
            started,
            [
                "0.0 1111 0,0,0",
                "0.1 0011 0,0,0",
                "1.0 1111 1,0,0",
                "1.1 0011 1,0,0",
                "0.0 1111 2,0,0",
                "0.1 0011 2,0,0"
            ]
        );
        assert_eq!(ids, [[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0], [1, 1, 0], [2, 1, 0]]);
        assert_eq!(most, 2);
    }

    /// Six threads: warp 1 has two, and is the complement of its even partner.
    #[test]
    fn permuted_lanes() {
        for (permute, lanes, last_mask) in [(false, [0, 1, 2, 3, 0, 1], 0b0011), (true, [0, 1, 2, 3, 3, 2], 0b1100)] {
            let config = CoreConfig { permutation: Permutation::Balanced, ..CoreConfig::tiny() };
            let mut dispatcher = CtaDispatcher::new(&config);
            dispatcher.connect_all();
            for (port, value) in [
                (&mut dispatcher.kernel.threads_per_cta, 6usize),
                (&mut dispatcher.kernel.warps_per_cta, 2),
                (&mut dispatcher.kernel.resident_ctas, 2),
                (&mut dispatcher.kernel.block_x, 6),
                (&mut dispatcher.kernel.block_y, 1),
                (&mut dispatcher.kernel.grid_x, 1),
                (&mut dispatcher.kernel.grid_y, 1),
                (&mut dispatcher.kernel.grid_z, 1),
            ] {
                port.next = value.into();
            }
            dispatcher.kernel.permute.next = permute;
            dispatcher.launch_ready.next = true;
            dispatcher.launch_start.next = true;
            simulate(&mut dispatcher, 1000);
            edge(&mut dispatcher);
            dispatcher.launch_start.next = false;
            let (mut filled, mut masks) = (vec![], vec![]);
            for _ in 0..20 {
                simulate(&mut dispatcher, 1000);
                for thread in (0..4).filter(|&thread| dispatcher.tid_write.enable[thread].val().any()) {
                    assert_eq!(dispatcher.tid_write.number[thread].val().index(), filled.len() % 4);
                    filled.push(dispatcher.tid_write.lane[thread].val().index());
                }
                if dispatcher.launch.valid.val() {
                    masks.push(dispatcher.launch.mask.val().index());
                }
                edge(&mut dispatcher);
            }
            assert_eq!((filled, masks), (lanes.to_vec(), vec![0b1111, last_mask]));
        }
    }

    #[test]
    fn a_grid_in_two_dimensions_of_one_thread_each() {
        let (started, ids, most) = launch([1, 1, 1], [2, 3, 1], 40);
        let ctas: Vec<&str> = started.iter().map(|s| s.rsplit(' ').next().unwrap()).collect();
        assert_eq!(ctas, ["0,0,0", "1,0,0", "0,1,0", "1,1,0", "0,2,0", "1,2,0"]);
        assert_eq!((ids.len(), most), (1, 4));
    }

    /// The first group of threads is counted one by one, the others by its stride: both go over in every dimension.
    #[test]
    fn threads_and_ctas_in_three_dimensions() {
        for block in [[1, 1, 4], [1, 2, 3], [2, 1, 5], [2, 2, 4], [3, 1, 2]] {
            for grid in [[1, 1, 3], [1, 2, 2], [2, 1, 2]] {
                let (started, ids, _) = launch(block, grid, 3);
                let places = |size: [usize; 3]| {
                    let all = (0..size.iter().product()).map(move |n: usize| {
                        [n % size[0], n / size[0] % size[1], n / size[0] / size[1]].map(|place| place as u64)
                    });
                    all.collect::<Vec<_>>()
                };
                assert_eq!(ids, places(block), "{block:?}");
                let mut ctas: Vec<String> = started.iter().map(|s| s.rsplit(' ').next().unwrap().to_string()).collect();
                ctas.dedup();
                let expected = places(grid).into_iter().map(|[x, y, z]| format!("{x},{y},{z}"));
                assert_eq!(ctas, expected.collect::<Vec<_>>(), "{grid:?}");
            }
        }
    }

    #[test]
    fn a_cta_that_fills_the_core() {
        let (started, _, most) = launch([16, 1, 1], [2, 1, 1], 5);
        assert_eq!((started.len(), most), (8, 1));
        assert_eq!(started[7], "0.3 1111 1,0,0");
    }
}
