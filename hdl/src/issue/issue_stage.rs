//! ISSUE: finds the warps whose next instruction can start, picks one, and hands it to the OPERAND stage.
//!
//! ```text
//!                         +-------------------------------------------------------+
//!  slot_*, write_* ------>| HazardUnit --> ready --> PathSelection <-> WarpScheduler |---> issue_take, issue_select
//!  selected_* ----------->|                  ^                                      |---> issue_*   (OPERAND stage)
//!  memory_credit_return ->| credits, divider, |                                     |---> ready_any, blocked_any, issue_paths
//!  divide_done ---------->| write-back slots -+                                     |
//!  elastic_blocked ------>|                                                         |
//!  release_* ------------>|                                                         |
//!  hold, present, copy_* >|                                                         |
//!                         +---------------------------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `slot_*` | | from the warp buffer, see [`WarpBuffer`](crate::frontend::WarpBuffer) |
//! | `selected_*` | | from the warp buffer: the instruction of `issue_select` |
//! | `selected_slot`, `selected_again` | s, 1 | where loads are issued again (Vec of one): its place in its warp's buffer; it has issued before |
//! | `loads`, `check_*` | W, | where loads are issued again (Vec of one): warps with loads that are not done; what the load/store unit has looked at, see [`Look`] |
//! | `needs`, `mshr_*` | W, | where loads may wait for an MSHR before they issue (Vec of one): the instructions of these warps are taken to need one; what becomes of MSHRs, see [`MshrEvents`] |
//! | `golden` | 1 | there: all others' memory instructions wait for one load |
//! | `credit` | c | where loads may wait for an MSHR before they issue (Vec of one): MSHRs that are neither taken nor promised, see [`CreditTracker`] |
//! | `blocked`, `restricted` | 1 | where hazards are counted (Vec of one): nothing issues, and something is refused for want of a place before the load/store unit; a load waits for the promise of an MSHR |
//! | `memory_credit_return` | 1 | the load/store unit has freed an entry of its queue |
//! | `credit_unused` with warp instructions | 1 | an instruction in EXECUTE leaves its entry of that queue to others |
//! | `divide_done` | 1 | the divider has delivered its result |
//! | `elastic_blocked` | 1 | a finished divide or load found no write-back slot: leave one free |
//! | `release_valid`, `release_warp`, `release_rd`, `release_mask` | 1, p, 5, L | the result of these lanes takes its write-back slot |
//! | `write_valid`, `write_warp`, `write_mask` | 1, p, L | DECODE: an instruction of these lanes enters the buffer of this path |
//! | `hold[P]` | W | by side: the instruction of this path must not issue, from the reconvergence unit |
//! | `present[P]` | W | by side: this path lives; of warps of a CTA whose paths share the slots, by path of the CTA |
//! | `copy_valid`, `copy_warp` | 1, w | the threads of this warp may change sides |
//! | `orphan_valid`, `orphan_warp` | 1, w | threads leave this warp slot |
//! | `orphan_right`, `moved` | 1, W | with dual paths on the CTA-wide stack: it is one of the right side; the threads of these warps may change sides |
//! | `left[P]` | W | where threads leave a path with registers pending: the slots that they leave |
//! | `rights` | W | where these paths share the slots (Vec of one): in this slot is a warp of the right path |
//! | `launch_valid`, `launch_warp` | 1, w | a warp starts (age for the scheduler) |
//! | `cta_start_valid`, `cta_start_slot`, `warp_slot[W]` | 1, c, c | a CTA starts; the CTA slot of each warp |
//! | `halt` | 1 | issue nothing more |
//! | `issue_take`, `issue_select` | 1, p | this path's instruction leaves the buffer this cycle |
//! | `issue_valid`, `issue_warp`, `issue_word`, `issue_pc`, `issue_mask`, `issue_unit` | 1, p, 32, 32, L, Unit | OPERAND stage, one cycle later |
//! | `issue_rpc`, `issue_rpc_valid`, `issue_lpc`, `issue_uniform`, `issue_subdividable`, `issue_spin`, `issue_data_dependent` | 32, 1, 32, 1, 1, 1, 1 | the same: its annotation |
//! | `issue_home_warps[R]` | w | the same: the home warps of its threads |
//! | `issue_buffer_slot`, `issue_again` | s, 1 | where loads are issued again (Vec of one): the same |
//! | `ready_any` | 1 | an instruction issues |
//! | `blocked_any` | 1 | some instruction without hazards is refused by its unit |
//! | `issue_paths` | 1 to P | paths of that warp that live or have an instruction in their buffer |
//! | `slot_open` | 1 | an instruction may issue in this cycle |
//! | `pending[P]` | W | by side, where threads leave a path only when it has no register pending: it has some |
//! | `waits[P]` | W | by side, where threads leave a path with results outstanding: its instruction waits for a register |
//! | `hazards` | W | warps whose instruction, of any side, waits for a register |
//!
//! Latency 1. Nothing issues between two issue slots ([`IssueInterval`]), nor a warp too soon after its last instruction ([`WarpInterval`]).
//! Write-back slots: an ALU result is written back two cycles after issue, a product four, or later where the core is built so
//! ([`CoreConfig::alu_latency`], [`CoreConfig::multiply_latency`]); [`WritebackSlots`] says who would find the slot taken. Everything of unknown latency
//! (divider, loads) takes what is free, and after a refusal some later writers are held back so that it cannot starve.
use super::{CtaPriority, HazardUnit, IssueInterval, PathSelection, WarpInterval, WarpScheduler, WritebackSlots};
use crate::config::{self, DualPathVariant, Mechanism};
use crate::frontend::PredecodeFloat;
use crate::interface::{
    CtaStart, Decoded, Instruction, Issued, IssuedRegister, Launch, Look, MshrEvents, RegisterEvent, Slots, Unit,
    WarpEvent,
};
use crate::prelude::*;
use crate::replay::{CreditTracker, GoldenLoad};

/// A load that has been looked at so often in vain is waited for, see [`GoldenLoad`].
const GOLDEN_AFTER: usize = 64;

module! {
    /// See the [module documentation](self).
    pub struct IssueStage: clock, reset {
        pub halt: Signal<In, Bit>,
        // From the warp buffer
        pub slot: Vec<Slots<In>> = (0..sides).map(|_| Slots::new(config)).collect(),
        pub selected: Instruction<In> = Instruction::new(config),
        pub selected_home_warps: Vec<Net<In>> = Net::vec(config.home_warps(), w),
        /// Where loads are issued again: its place in the warp buffer.
        pub selected_slot: Vec<Net<In>> = Net::vec(config.of_replay(), config.buffer_slot_width()),
        /// There: it is not issued for the first time.
        pub selected_again: Vec<Net<In>> = Net::vec(config.of_replay(), 1),
        /// There, one each: warps with loads that are not done; from the load/store unit, what it has looked at.
        pub loads: Vec<Net<In>> = Net::vec(config.of_replay(), warps),
        pub check: Vec<Look<In>> = (0..config.of_replay()).map(|_| Look::new(config)).collect(),
        /// Where loads may wait for an MSHR before they issue, one each: by warp, its instruction is taken to need one; what becomes of MSHRs.
        pub needs: Vec<Net<In>> = Net::vec(config.of_prediction(), warps),
        pub mshr: Vec<MshrEvents<In>> = (0..config.of_prediction()).map(|_| MshrEvents::new(config)).collect(),
        /// To counters: all others wait for one load.
        pub golden: Vec<Signal<Out, Bit>> = bit_vec(config.of_replay()),
        /// To counters, where hazards are: nothing issues, for want of a place before the load/store unit, or of the promise of an MSHR.
        pub blocked: Vec<Signal<Out, Bit>> = bit_vec(config.of_hazards()),
        pub restricted: Vec<Signal<Out, Bit>> = bit_vec(config.of_hazards()),
        /// Where loads may wait for an MSHR, the credits for them.
        pub credit: Vec<Net<Out>> = Net::vec(config.of_prediction(), config.credit_width()),
        // From the units
        pub memory_credit_return: Signal<In, Bit>,
        pub credit_unused: Vec<Signal<In, Bit>> = bit_vec(config.of_warp_instructions()),
        pub divide_done: Signal<In, Bit>,
        pub elastic_blocked: Signal<In, Bit>,
        pub release: RegisterEvent<In> = RegisterEvent::of(config),
        pub release_mask: Net<In> = config.lanes,
        pub orphan: WarpEvent<In> = WarpEvent::of(config),
        // From DECODE
        pub write: Decoded<In> = Decoded::of(config),
        // From the reconvergence unit
        pub copy: WarpEvent<In> = WarpEvent::of(config),
        pub orphan_right: Vec<Signal<In, Bit>> = bit_vec(config.of_cta_paths()),
        pub moved: Vec<Net<In>> = Net::vec(config.of_cta_paths(), warps),
        pub left: Vec<Net<In>> = Net::vec(config.of_left_paths(sides), warps),
        pub rights: Vec<Net<In>> = Net::vec(config.of_shared_slots(), warps),
        pub hold: Vec<Net<In>> = Net::vec(sides, warps),
        pub present: Vec<Net<In>> = Net::vec(paths, warps),
        // From CTA dispatch
        pub launch: Launch<In> = Launch::of(config),
        pub cta_start: CtaStart<In> = CtaStart::new(config),
        pub warp_slot: Vec<Net<In>> = Net::vec(warps, config.slot_width()),
        // To the warp buffer
        pub issue_take: Signal<Out, Bit>,
        pub issue_select: Net<Out> = path,
        // To OPERAND
        pub issue: Issued<Out> = Issued::new(config),
        // To counters and watchdog
        pub ready_any: Signal<Out, Bit>,
        pub blocked_any: Signal<Out, Bit>,
        pub slot_open: Signal<Out, Bit>,
        pub hazards: Net<Out> = warps,
        /// By side, where paths are drained.
        pub pending: Vec<Net<Out>> = Net::vec(if config.drains_paths() { sides } else { 0 }, warps),
        /// By side, where threads leave paths with results outstanding.
        pub waits: Vec<Net<Out>> = Net::vec(config.of_left_paths(sides), warps),
        pub issue_paths: Net<Out> = index_width(paths + 1),

        interval: IssueInterval = IssueInterval::new(config.issue_interval) => { slot: slot_open },
        /// One, or none if a warp may issue in every slot.
        warp_interval: Vec<WarpInterval> = (config.warp_interval > 1).then(|| WarpInterval::new(warps, config.warp_interval)).into_iter().collect() => |i| {
            slot: slot_open, issued,
        },
        hazard_unit: HazardUnit = HazardUnit::new(config) => {
            slot, warp_slot, write, set.warp: selection.path, set_mask: selected.mask, copy, release, release_mask, orphan, orphan_right, moved,
            rights, left, pending,
        },
        selection: PathSelection = PathSelection::new(warps, sides, constrained) => {
            grant: scheduler.grant, warp: scheduler.index, accept: take, path: issue_select,
        },
        scheduler: WarpScheduler = WarpScheduler::new(config, stall_period) => {
            candidates: candidate_warps, launch_valid: launch.valid, launch_warp: launch.warp, accept: take,
        },
        /// One, unless all CTAs are alike.
        cta_priority: Vec<CtaPriority> = (config.cta_priority != config::CtaPriority::None).then(|| CtaPriority::new(config)).into_iter().collect() => |p| {
            ready: selection.warps, cta_start, warp_slot,
        },
        /// Free entries of the load/store unit's queue. With [`MemoryPath::Stalling`](config::MemoryPath::Stalling), free slots of the operand collector: whatever issues goes through one, in the cycle in which its operands are read, and a memory instruction stays there until the load/store unit takes it.
        credits: Register = Register::with_initial(index_width(config.memory_queue + 1), config.memory_queue as u64),
        divide_in_flight: StateRegister<Bit>,
        writeback_slots: WritebackSlots = WritebackSlots::new(config.alu_latency, config.multiply_latency, float_latency) => {
            take_multiply, elastic_blocked,
        },
        /// Of the instruction that issues.
        floats: Vec<PredecodeFloat> = (0..config.of_floats()).map(|_| PredecodeFloat::default()).collect() => |p| { word: selected.word },
        operand: IssuedRegister = IssuedRegister::new(config) => {
            d.valid: take, d.warp: selection.path, d.instruction: selected, d.home_warps: selected_home_warps, d.buffer_slot: selected_slot, d.again: selected_again, d.credit: credited, q: issue,
        },

        tracker: Vec<CreditTracker> = (0..config.of_prediction()).map(|_| CreditTracker::new(config.mshrs, config.loads_promised())).collect() => |p| {
            credit: credit[p], takes: mshr[p].taken, frees: mshr[p].freed, returns: mshr[p].returned,
        },
        credited: Vec<Net<Local>> = Net::vec(config.of_prediction(), 1),
        golden_load: Vec<GoldenLoad> = (0..config.of_replay()).map(|_| GoldenLoad::new(warps, config.warp_buffer, GOLDEN_AFTER)).collect() => |r| {
            under_way: loads[r], check_valid: check[r].valid, check_warp: check[r].warp, check_slot: check[r].buffer_slot,
            golden: golden[r],
        },

        // By side
        candidates: Vec<Net<Local>> = Net::vec(sides, warps),
        refused: Vec<Net<Local>> = Net::vec(sides, warps),
        short_writers: Vec<Net<Local>> = Net::vec(sides, warps),
        candidate_warps: Net<Local> = warps,
        /// Warps that have issued too recently.
        resting: Net<Local> = warps,
        /// The warp that issues, one-hot.
        issued: Net<Local> = warps,
        grants_writer: Signal<Local, Bit>,
        grants_memory: Signal<Local, Bit>,
        grants_divide: Signal<Local, Bit>,
        grants_multiply: Signal<Local, Bit>,
        grants_control: Signal<Local, Bit>,
        grants_float: Signal<Local, Bit>,
        /// Its result comes as soon as the ALU's.
        grants_accumulation: Vec<Signal<Local, Bit>> = bit_vec(config.of_warp_instructions()),
        live_paths: Net<Local> = paths,
        path_count: Popcount = Popcount::new(paths) => { value: live_paths, count: issue_paths },
        take: Signal<Local, Bit>,
        take_memory: Signal<Local, Bit>,
        take_divide: Signal<Local, Bit>,
        take_multiply: Signal<Local, Bit>,
    }
    sizes { _register = config.register_width(), _shared_paths = if config.of_shared_slots() == 1 { paths } else { 0 }, _large = config.of_large_warps(), _credits = (config.mshr_tracker == config::MshrTracker::Credit) as usize, _stalling = config.of_stalling() }
    /// The issue stage of a core.
    pub fn new(config: &CoreConfig) {
        let (w, path, sides, paths) = (config.warp_width(), config.path_width(), config.sides(), config.paths());
        let warps = config.warps;
        let float_latency = config.floats.then_some(config.float_latency);
        // A warp whose instructions depend on one another has none in the cycles between.
        let stall_period = (config.alu_latency + 2).max(8).next_power_of_two();
        let constrained = config.mechanism == Mechanism::DualPath(DualPathVariant::Constrained);
    }
}

impl Logic for IssueStage {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module IssueStage");
        dff_setup!(self, clock, credits, divide_in_flight);

        for r in 0..self.golden_load.len() {
            self.golden_load[r].check_took.next = self.check[r].done.val().any();
        }

        // Which paths have no hazard, and which of them their unit refuses.
        self.resting.next = 0.into();
        for i in 0..self.warp_interval.len() {
            self.resting.next = self.warp_interval[i].resting.val();
        }
        self.hazards.next = 0.into();
        self.candidate_warps.next = 0.into();
        self.blocked_any.next = false;
        for h in 0..self.blocked.len() {
            self.blocked[h].next = false;
            self.restricted[h].next = false;
        }
        for p in 0..self.waits.len() {
            self.waits[p].next = self.hazard_unit.hazard[p].val();
        }
        for p in 0..self.slot.len() {
            self.candidates[p].next = self.slot[p].valid.val()
                & !self.hazard_unit.hazard[p].val()
                & !self.hold[p].val()
                & !self.resting.val();
            self.candidate_warps.next = self.candidate_warps.val() | self.candidates[p].val();
            self.hazards.next = self.hazards.val() | (self.slot[p].valid.val() & self.hazard_unit.hazard[p].val());
            for _i in 0..self._large {
                self.hazards.next = self.slot[p].valid.val() & self.hold[p].val();
            }

            self.short_writers[p].next = self.slot[p].writes_rd.val()
                & !self.slot[p].multiply.val()
                & !self.slot[p].divide.val()
                & !self.slot[p].memory.val();
            for f in 0..self.floats.len() {
                self.short_writers[p].next = self.short_writers[p].val() & !self.slot[p].float[f].val();
            }
            for w in 0..self.grants_accumulation.len() {
                self.short_writers[p].next =
                    self.short_writers[p].val() | (self.slot[p].writes_rd.val() & self.slot[p].accumulates[w].val());
            }
            self.refused[p].next = 0.into();
            for f in 0..self.floats.len() {
                if self.writeback_slots.refuse_float[f].val() {
                    self.refused[p].next = self.slot[p].float[f].val();
                }
            }
            if self.writeback_slots.refuse_result.val() {
                self.refused[p].next = self.refused[p].val() | self.short_writers[p].val();
            }
            if self.writeback_slots.refuse_product.val() {
                self.refused[p].next = self.refused[p].val() | self.slot[p].multiply.val();
            }
            if self.divide_in_flight.q.val() {
                self.refused[p].next = self.refused[p].val() | self.slot[p].divide.val();
            }
            if self.credits.q.val() == 0 {
                self.refused[p].next = self.refused[p].val() | self.slot[p].memory.val();
                for _s in 0..self._stalling {
                    self.refused[p].next = self.slot[p].valid.val();
                }
                for h in 0..self.blocked.len() {
                    self.blocked[h].next =
                        self.blocked[h].val() | (self.candidates[p].val() & self.slot[p].memory.val()).any();
                    for _s in 0..self._stalling {
                        self.blocked[h].next = self.blocked[h].val() | self.candidates[p].val().any();
                    }
                }
            }
            for t in 0..self.tracker.len() {
                if !self.tracker[t].any.val() {
                    self.refused[p].next = self.refused[p].val() | self.needs[t].val();
                    for h in 0..self.restricted.len() {
                        self.restricted[h].next =
                            self.restricted[h].val() | (self.candidates[p].val() & self.needs[t].val()).any();
                    }
                }
            }
            for r in 0..self.golden_load.len() {
                self.refused[p].next =
                    self.refused[p].val() | (self.slot[p].memory.val() & self.golden_load[r].withheld.val());
            }
            self.blocked_any.next = self.blocked_any.val() | (self.candidates[p].val() & self.refused[p].val()).any();
            self.selection.ready[p].next = self.candidates[p].val() & !self.refused[p].val();
            self.selection.present[p].next = self.present[p].val() | self.slot[p].valid.val();
        }

        // Which warp issues, and from which of its sides.
        self.scheduler.ready.next = self.selection.warps.val();
        for i in 0..self.scheduler.warp_slot.len() {
            self.scheduler.warp_slot[i].next = self.warp_slot[i].val();
        }
        for p in 0..self.cta_priority.len() {
            self.scheduler.ready.next = self.cta_priority[p].preferred.val();
        }
        self.take.next = self.scheduler.any.val() & self.slot_open.val() & !self.halt.val();
        for h in 0..self.blocked.len() {
            self.blocked[h].next = self.blocked[h].val() & self.slot_open.val() & !self.take.val();
            self.restricted[h].next = self.restricted[h].val() & self.slot_open.val() & !self.take.val();
        }
        self.issued.next = 0.into();
        if self.take.val() {
            self.issued.next = self.scheduler.grant.val();
        }
        for t in 0..self.tracker.len() {
            self.credited[t].next = 0.into();
            for _c in 0..self._credits {
                if (self.issued.val() & self.needs[t].val()).any() {
                    self.credited[t].next = 1.into();
                }
            }
            self.tracker[t].issues.next = self.credited[t].val().any();
        }
        self.grants_writer.next = false;
        self.grants_memory.next = false;
        self.grants_divide.next = false;
        self.grants_multiply.next = false;
        self.grants_control.next = false;
        self.grants_float.next = false;
        for w in 0..self.grants_accumulation.len() {
            self.grants_accumulation[w].next = false;
        }
        self.live_paths.next = 0.into();
        for p in 0..self.slot.len() {
            self.grants_writer.next =
                self.grants_writer.val() | (self.selection.granted[p].val() & self.slot[p].writes_rd.val()).any();
            self.grants_memory.next =
                self.grants_memory.val() | (self.selection.granted[p].val() & self.slot[p].memory.val()).any();
            self.grants_divide.next =
                self.grants_divide.val() | (self.selection.granted[p].val() & self.slot[p].divide.val()).any();
            self.grants_multiply.next =
                self.grants_multiply.val() | (self.selection.granted[p].val() & self.slot[p].multiply.val()).any();
            self.grants_control.next =
                self.grants_control.val() | (self.selection.granted[p].val() & self.slot[p].control.val()).any();
            for f in 0..self.floats.len() {
                self.grants_float.next =
                    self.grants_float.val() | (self.selection.granted[p].val() & self.slot[p].float[f].val()).any();
            }
            for w in 0..self.grants_accumulation.len() {
                self.grants_accumulation[w].next = self.grants_accumulation[w].val()
                    | (self.selection.granted[p].val() & self.slot[p].accumulates[w].val()).any();
            }
            self.live_paths.next = self.live_paths.val().replace_bit(
                p,
                (self.scheduler.grant.val() & (self.present[p].val() | self.slot[p].valid.val())).any(),
            );
        }
        for p in 0..self._shared_paths {
            self.live_paths.next =
                self.live_paths.val().replace_bit(p, (self.scheduler.grant.val() & self.present[p].val()).any());
        }
        self.selection.long_latency.next =
            self.grants_divide.val() | (self.grants_memory.val() & self.grants_writer.val());
        for w in 0..self.grants_accumulation.len() {
            self.selection.long_latency.next = self.grants_divide.val()
                | (self.grants_memory.val() & self.grants_writer.val() & !self.grants_accumulation[w].val());
        }
        self.issue_take.next = self.take.val();
        self.ready_any.next = self.take.val();

        // What it occupies.
        self.take_memory.next = self.take.val() & self.grants_memory.val();
        self.take_divide.next = self.take.val() & self.grants_divide.val();
        self.take_multiply.next = self.take.val() & self.grants_multiply.val();
        self.hazard_unit.set.valid.next = self.take.val() & self.grants_writer.val();
        self.hazard_unit.set.rd.next = bit_cast_to(bit_cast_to(self.selected.word.val() >> 7, 5), self._register);
        for f in 0..self.floats.len() {
            self.writeback_slots.take_float[f].next = self.take.val() & self.grants_float.val();
            if self.floats[f].is_float.val() & self.floats[f].float_rd.val() {
                self.hazard_unit.set.rd.next =
                    bit_cast_to(bit_cast_to(self.selected.word.val() >> 7, 5), self._register) | 32;
            }
        }
        if self.divide_done.val() {
            self.divide_in_flight.d.next = false;
        }
        if self.take_divide.val() {
            self.divide_in_flight.d.next = true;
        }
        if self.take_memory.val() & !self.memory_credit_return.val() {
            self.credits.d.next = self.credits.q.val() - 1;
        }
        if !self.take_memory.val() & self.memory_credit_return.val() {
            self.credits.d.next = self.credits.q.val() + 1;
        }
        for w in 0..self.credit_unused.len() {
            if self.credit_unused[w].val() {
                self.credits.d.next = self.credits.q.val() + 1;
                if self.take_memory.val() & !self.memory_credit_return.val() {
                    self.credits.d.next = self.credits.q.val();
                }
                if !self.take_memory.val() & self.memory_credit_return.val() {
                    // Of a queue of one entry the width has no 2; nor do two come back there.
                    self.credits.d.next = self.credits.q.val() + 1 + 1;
                }
            }
        }

        // OPERAND
        self.operand.d.unit.next = Unit::Alu;
        if self.take_multiply.val() {
            self.operand.d.unit.next = Unit::Multiply;
        }
        if self.take_divide.val() {
            self.operand.d.unit.next = Unit::Divide;
        }
        if self.take_memory.val() {
            self.operand.d.unit.next = Unit::Memory;
        }
        if self.grants_control.val() {
            self.operand.d.unit.next = Unit::Control;
        }
        for _f in 0..self.floats.len() {
            if self.grants_float.val() {
                self.operand.d.unit.next = Unit::Float;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An issue stage, and the side on which its warps run.
    struct Bench(IssueStage, usize);

    impl Bench {
        fn new() -> Self {
            Self::with(Mechanism::SinglePath, 0)
        }

        fn with(mechanism: Mechanism, side: usize) -> Self {
            Self::of(&CoreConfig { mechanism, ..CoreConfig::tiny() }, side)
        }

        fn of(config: &CoreConfig, side: usize) -> Self {
            let mut stage = IssueStage::new(&CoreConfig { memory_queue: 2, ..config.clone() });
            stage.connect_all();
            simulate(&mut stage, 1000);
            Self(stage, side)
        }

        /// Warps with an instruction, by kind: a = ALU writing x1, m = multiply, d = divide, l = load, s = store, c = conditional store with a result, - = none; warp 0 first.
        fn slots(&mut self, kinds: &str) {
            let bits = |wanted: &str| {
                let set = kinds.bytes().enumerate().filter(|(_, k)| wanted.as_bytes().contains(k));
                Word::from(set.fold(0usize, |mask, (i, _)| mask | (1 << i)))
            };
            let side = self.1;
            let slot = &mut self.0.slot[side];
            slot.valid.next = bits("amdlsc");
            slot.writes_rd.next = bits("amdlc");
            slot.multiply.next = bits("m");
            slot.divide.next = bits("d");
            slot.memory.next = bits("lsc");
            if let Some(accumulates) = slot.accumulates.first_mut() {
                accumulates.next = bits("c");
            }
            for port in self.0.slot.iter_mut().flat_map(|slot| &mut slot.rd) {
                port.next = 1.into();
            }
            self.0.selected.word.next = (1 << 7).into();
            simulate(&mut self.0, 1000);
        }

        fn issued(&mut self) -> String {
            let seen = match (self.0.issue_take.val(), self.0.issue_select.val().index()) {
                (true, path) => path.checked_sub(self.1 << 2).expect("a path of its side").to_string(),
                (false, _) => "-".into(),
            };
            for _ in 0..2 {
                self.0.clock.next = !self.0.clock.val();
                simulate(&mut self.0, 1000);
            }
            seen
        }
    }

    /// `slots | issued`, one line a cycle; nothing is released, so a register stays pending.
    #[test]
    fn units_refuse_and_the_scoreboard_holds() {
        let script = "
            mm-- | 0
            -ma- | 1   multiplies follow one another
            --a- | -   the slot two cycles after the first multiply is taken
            --ad | 3   and the second's; a divide has none yet
            --a- | 2
            --a- | -   x1 of warp 2 is pending";
        let dual = Mechanism::DualPath(DualPathVariant::Full);
        for mut bench in [Bench::new(), Bench::with(dual, 0), Bench::with(dual, 1)] {
            for line in script.trim().lines().map(str::trim) {
                bench.slots(line.split_whitespace().next().unwrap());
                assert_eq!(bench.issued(), line.split_whitespace().nth(2).unwrap(), "side {}: {line}", bench.1);
            }
        }
    }

    /// An ALU result comes four cycles after EXECUTE, a product six.
    #[test]
    fn slow_units_have_slots_of_their_own() {
        let slow = CoreConfig { alu_latency: 4, multiply_latency: 6, ..CoreConfig::tiny() };
        let mut bench = Bench::of(&slow, 0);
        let script = "
            m--- - | 0
            -a-- - | 1   its slot comes before the product's
            --a- - | -   this one would have the product's
            --a- b | -   a load waits: a slot is left free
            --a- b | 2   which is enough for three cycles";
        for line in script.trim().lines().map(str::trim) {
            let field = |i: usize| line.split_whitespace().nth(i).unwrap();
            bench.0.elastic_blocked.next = field(1) == "b";
            bench.slots(field(0));
            assert_eq!(bench.issued(), field(3), "{line}");
        }
    }

    #[test]
    fn credits_and_the_divider_are_counted() {
        let mut bench = Bench::new();
        let script = "
            ss-- - | 0
            -s-- - | 1   second and last credit
            s--- - | -
            s--- c | -   a credit comes back
            s--- - | 0
            dd-- - | 1
            d--- - | -   one divide at a time
            d--- v | -
            d--- - | 0";
        for line in script.trim().lines().map(str::trim) {
            let field = |i: usize| line.split_whitespace().nth(i).unwrap();
            bench.0.memory_credit_return.next = field(1) == "c";
            bench.0.divide_done.next = field(1) == "v";
            bench.slots(field(0));
            assert_eq!(bench.issued(), field(3), "{line}");
        }
    }

    /// The slots that memory instructions wait in are everybody's.
    #[test]
    fn a_full_collector_stops_all() {
        let stalling = CoreConfig { memory_path: config::MemoryPath::Stalling, ..CoreConfig::tiny() };
        let mut bench = Bench::of(&stalling, 0);
        let script = "
            ss-- - | 0
            -sa- - | 1   second and last slot
            --am - | -
            --as - | -
            --a- c | -   a slot is free again
            --a- - | 2   for a cycle, in which no other is taken
            ---s - | 3
            ---m - | -";
        for line in script.trim().lines().map(str::trim) {
            let field = |i: usize| line.split_whitespace().nth(i).unwrap();
            bench.0.memory_credit_return.next = field(1) == "c";
            bench.slots(field(0));
            assert_eq!(bench.issued(), field(3), "{line}");
        }
    }

    /// Every load is taken to need one of two MSHRs.
    #[test]
    fn loads_wait_for_the_promise_of_an_mshr() {
        let config = CoreConfig {
            memory_path: config::MemoryPath::Stalling,
            hazard_prediction: config::HazardPrediction::Every,
            mshrs: 2,
            ..CoreConfig::tiny()
        };
        let mut bench = Bench::of(&config, 0);
        let script = "
            ll-- - | 0
            -la- - | 1   second and last promise
            l-a- - | 2
            l--- r | -   one comes back
            l--- t | 0   one is taken that was not promised, as by an atomic
            l--- r | -   which another makes up for
            l--- f | -
            l--- - | 0
            sl-- - | 0   a store needs none
            -l-- b | -   what was promised is taken
            -l-- - | -";
        for line in script.trim().lines().map(str::trim) {
            let field = |i: usize| line.split_whitespace().nth(i).unwrap();
            // What takes a place in the queue leaves it at once.
            let memory = field(3).parse::<usize>().is_ok_and(|warp| b"ls".contains(&field(0).as_bytes()[warp]));
            bench.0.memory_credit_return.next = memory;
            bench.0.mshr[0].taken.next = "tb".contains(field(1));
            bench.0.mshr[0].returned.next = "rb".contains(field(1));
            bench.0.mshr[0].freed.next = field(1) == "f";
            let loads = field(0).bytes().enumerate().filter(|(_, kind)| *kind == b'l');
            bench.0.needs[0].next = loads.fold(0usize, |mask, (warp, _)| mask | 1 << warp).into();
            bench.slots(field(0));
            // No register keeps them.
            bench.0.slot[0].writes_rd.next = 0.into();
            simulate(&mut bench.0, 1000);
            assert_eq!(bench.issued(), field(3), "{line}");
        }
    }

    /// They take a credit, which two may give back at once, and the write-back slot of an ALU's result.
    #[test]
    fn conditional_stores_take_a_place_of_each() {
        let mut bench = Bench::of(&CoreConfig { warp_instructions: true, ..CoreConfig::tiny() }, 0);
        let script = "
            cs-- -- | 0
            -s-- -- | 1   second and last credit
            --c- -- | -
            --c- -u | -   one in EXECUTE does not need its own
            --c- -- | 2
            ---c cu | -   two come back
            ---s -- | 3
            ---s c- | 3   one taken, one returned
            ---s -u | 3   the same
            ---s -- | 3
            ---s -- | -
            ---- cu | -
            -m-- -- | 1
            ---- -- | -
            ---c -- | -   the slot of the product
            ---c -- | 3";
        for line in script.trim().lines().map(str::trim) {
            let field = |i: usize| line.split_whitespace().nth(i).unwrap();
            bench.0.memory_credit_return.next = field(1).contains('c');
            bench.0.credit_unused[0].next = field(1).contains('u');
            bench.slots(field(0));
            assert_eq!(bench.issued(), field(3), "{line}");
        }
    }

    #[test]
    fn a_blocked_result_gets_its_slot_and_halt_stops_all() {
        let mut bench = Bench::new();
        bench.0.elastic_blocked.next = true;
        bench.slots("am-s");
        assert_eq!(bench.issued(), "3", "only what writes nothing");
        bench.0.elastic_blocked.next = false;
        bench.0.halt.next = true;
        bench.slots("a---");
        assert_eq!(bench.issued(), "-");
    }

    /// A slot in two cycles, and each warp in every second of them.
    #[test]
    fn slots_and_warps_have_their_intervals() {
        let config = CoreConfig { issue_interval: 2, warp_interval: 2, ..CoreConfig::tiny() };
        let mut bench = Bench::of(&config, 0);
        bench.0.memory_credit_return.next = true;
        for line in [
            "s--- 0", "s--- -", "s--- -", "s--- -", "s--- 0", "ss-- -", "ss-- 1", "ss-- -", "ss-- 0", "---- -",
            "s--- -", "s--- -", "s--- 0",
        ] {
            let (slots, issued) = line.split_once(' ').unwrap();
            bench.slots(slots);
            assert_eq!(bench.issued(), issued, "{line}");
        }
    }
}
