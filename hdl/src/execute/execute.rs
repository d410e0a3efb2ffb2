//! From the issued instruction to its write-back: OPERAND, EXECUTE, WRITEBACK.
//!
//! ```text
//!   OPERAND              EXECUTE                                      WRITEBACK
//!             +---------------+   +----------+
//!   issue_* ->| OperandStage  |-->|          |--> result, multiply, divide --+
//!             +---------------+   |          |                               v
//!             +---------------+   |          |                +-----------------------+
//!          +->| RegisterFile  |-->| Lane x L |     load_* --->| Writeback             |--> writeback_*
//!          |  +---------------+   |          |                +-----------------------+        |
//!          |  +---------------+   |          |                   +-> release_*, divide_done    |
//!   context_*>| CsrUnit       |-->|          |--> memory_*                                     |
//!          |  +---------------+   |          |    +------------+                               |
//!          |                      |          |--->| BranchUnit |--> resolve_*, execute_trap_*  |
//!          |                      +----------+    +------------+                               |
//!          +-----------------------------------------------------------------------------------+
//! ```
//!
//! A [`ResultPipe`] is between the lanes and write-back for results, and one for products.
//!
//! Ports, by group; widths and meaning are those of [`interface`](crate::interface).
//!
//! | group | when | meaning |
//! |---|---|---|
//! | `issue_*` | OPERAND | the instruction, registered by the issue stage |
//! | `context_warp` out; `context_{slot,first_warp,ctaid_*,shared_base}` in | OPERAND | the CTA of its warp |
//! | `homes_*` | OPERAND | where warps are of threads of several CTAs, instead: those of its threads |
//! | `kernel_*` | | launch configuration |
//! | `tid_write_*` | | fills the thread-id table |
//! | `resolve_*` | EXECUTE | a control instruction takes effect |
//! | `memory_*` | EXECUTE | a memory instruction enters the load/store unit's queue |
//! | `memory_unused` with warp instructions | EXECUTE | one that has its place in that queue needs none |
//! | `load_*` in; `load_ready` out | | loads, to be written back |
//! | `check_*` | | where loads are issued again (Vec of one): what the load/store unit has looked at, see [`Look`] |
//! | `release_*`, `divide_done`, `elastic_blocked` | EXECUTE | to the scoreboard and the issue stage |
//! | `writeback_*` | WRITEBACK | what the register file writes, also for checking at retirement |
//! | `idle` | | no quotient is under way, nor a result in a pipe |
//! | `execute_trap_*` | EXECUTE | illegal instruction, `ecall`, `ebreak`, misaligned target, divergent indirect jump |
//!
//! The blocks compute; what is decided here: which unit starts (the one that `issue_unit` names, on a legal instruction only), which lanes form the
//! ballot, who traps first (the decoder before the branch unit) and on which lane, and that a result leaves in one cycle unless its instruction traps.
//!
//! Latency, from the cycle of `issue_valid` to the register file being written (at the end of the
//! cycle): ALU, CSR, ballot and links 1 + `alu_latency`, by default 2; multiplications 1 + `multiply_latency`, by default 4; divisions
//! 32 / `divide_bits` + 3 at least, by default 11. Branches resolve and memory instructions leave in EXECUTE, however long an ALU takes.
//! The units listen to the predecoded `issue_unit`, the lanes to the decoded controls; both read the same
//! word. A trapping instruction has no other effect: it writes, jumps and accesses nothing. Its
//! `execute_trap_value` is the instruction word, or the target of a jump that cannot be taken (for a
//! divergent one, that of the lowest active lane; `execute_trap_lane` is the first that disagrees,
//! `execute_trap_home_warp` the home warp of its thread). `*_home_warps` accompany the instruction to every place that must know whose
//! registers, thread ids or private memory it uses.
use super::float::operation::FloatResult;
use super::float::{DIVIDE_BITS, FloatDivideControl, FloatFormat, FloatLane, FloatPipelineControl, FloatStatus};
use super::{
    BranchUnit, CsrUnit, DivideControl, Lane, MultiplyControl, OperandStage, RegisterFile, ResultPipe, WarpVote,
    Writeback,
};
use crate::config::least_float_latency;
use crate::interface::{
    CtaContext, HomeCtas, Issued, KernelConfiguration, LaneResult, Launch, Look, MemoryAccess, RegisterEvent, Resolve,
    TidWrite, Trap, TrapCause, Unit,
};
use crate::prelude::*;
use crate::replay::LookTable;

module! {
    /// See the [module documentation](self).
    pub struct Execute: clock, reset {
        pub issue: Issued<In> = Issued::new(config),

        pub context_warp: Net<Out> = warp,
        pub context: CtaContext<In> = CtaContext::new(config),
        pub homes: HomeCtas<In> = HomeCtas::new(config),

        pub kernel: KernelConfiguration<In> = KernelConfiguration::new(config),

        pub tid_write: TidWrite<In> = TidWrite::new(config),

        pub load: LaneResult<In> = LaneResult::new(config),
        pub load_ready: Signal<Out, Bit>,
        /// Where loads are issued again: from the load/store unit, what it has looked at.
        pub check: Vec<Look<In>> = (0..config.of_replay()).map(|_| Look::new(config)).collect(),

        pub resolve: Resolve<Out> = Resolve::of(config),

        pub memory: MemoryAccess<Out> = MemoryAccess::new(config),
        pub memory_unused: Vec<Signal<Out, Bit>> = bit_vec(config.of_warp_instructions()),

        pub release: RegisterEvent<Out> = RegisterEvent::of(config),
        pub release_mask: Net<Out> = lanes,
        /// Where there are large warps: by lane, else none.
        pub release_home_warps: Vec<Net<Out>> = Net::vec(lanes * config.of_large_warps(), warp),
        pub divide_done: Signal<Out, Bit>,
        pub elastic_blocked: Signal<Out, Bit>,
        pub idle: Signal<Out, Bit>,

        pub writeback: LaneResult<Out> = LaneResult::new(config),

        pub execute_trap: Trap<Out> = Trap::new(config),

        /// With floats: a warp starts.
        pub launch: Vec<Launch<In>> = (0..floats).map(|_| Launch::of(config)).collect(),

        stage: OperandStage = OperandStage::new(config) => {
            issue, context, homes, issued.instruction.pc: execute_trap.pc, issued.warp: memory.warp, issued.home_warps: memory.home_warps, issued.buffer_slot: memory.buffer_slot, issued.again: memory.again, issued.credit: memory.credit,
            controls.memory_op: memory.op, controls.memory_size: memory.size, controls.memory_unsigned: memory.unsigned, controls.orders: memory.orders,
            controls.rd: memory.rd, slot: memory.slot,
            shared_base: memory.shared_base, held_slots: memory.slots,
        },
        registers: RegisterFile = RegisterFile::new(config) => {
            read_enable: issue.valid, read_home_warps: issue.home_warps, write: writeback_stage.writeback,
        },
        csrs: CsrUnit = CsrUnit::new(config) => {
            csr_index: stage.csr_index, home_warps: issue.home_warps, context, homes, lane_slots: stage.lane_slots,
            held_slots: memory.slots, kernel, tid_write,
        },
        lanes: Vec<Lane> = (0..lanes).map(|_| Lane::new(config)).collect() => |lane| {
            rs1: registers.rs1_data[lane], rs2: registers.rs2_data[lane], csr: csrs.values[lane],
            pc: stage.issued.instruction.pc, controls: stage.controls, warp_controls: stage.warp_controls, multiply_start: multiplies, multiply_kind: multiply.kind,
            divide_drive: divide.drive, address: memory.address[lane],
        },
        vote: Vec<WarpVote> = (0..config.of_warp_instructions()).map(|_| WarpVote::new(config)).collect() => |p| {
            controls: stage.warp_controls[p], mask: stage.issued.instruction.mask, home_warps: stage.issued.home_warps,
            rs1: registers.rs1_data, rs2: registers.rs2_data,
        },
        branch: BranchUnit = BranchUnit::new(config) => {
            controls: stage.controls, issued: stage.issued, condition_met, resolve,
        },
        multiply: MultiplyControl = MultiplyControl::new(config) => {
            start: multiplies, start_kind: stage.controls.multiply, destination: stage.destination,
        },
        divide: DivideControl = DivideControl::new(config, 32 / config.divide_bits) => {
            start_remainder: stage.controls.divide_remainder, destination: stage.destination,
            accept: writeback_stage.divide_done,
        },
        float_lanes: Vec<FloatLane> = (0..lanes * floats).map(|_| FloatLane::default()).collect() => |lane| {
            rs1: registers.rs1_data[lane], float_rs1: registers.float_rs1[lane], float_rs2: registers.float_rs2[lane],
            float_rs3: registers.float_rs3[lane],
        },
        float_status: Vec<FloatStatus> = (0..floats).map(|_| FloatStatus::new(config)).collect() => |p| {
            home_warps: stage.issued.home_warps, controls: stage.float_controls[p], valid: legal,
            mask: stage.issued.instruction.mask, rs1: registers.rs1_data, write: writeback_stage.writeback, launch: launch[p],
        },
        float_pipeline: Vec<FloatPipelineControl> = (0..floats).map(|_| FloatPipelineControl::new(config)).collect() => |p| {
            destination: stage.destination,
        },
        float_divide: Vec<FloatDivideControl> = (0..floats).map(|_| FloatDivideControl::new(config, FloatFormat::SINGLE, DIVIDE_BITS)).collect() => |p| {
            start_root: stage.float_controls[p].root, destination: stage.destination, accept: writeback_stage.divide_done,
        },
        float_pipe: Vec<ResultPipe> = (0..floats).map(|_| ResultPipe::new(config, config.float_latency - least_float_latency())).collect() => |p| {
            entering.valid: float_pipeline[p].result_valid, entering.destination: float_pipeline[p].result,
        },
        result_pipe: ResultPipe = ResultPipe::new(config, config.alu_latency - 1),
        /// Two cycles are spent in the multiplier.
        product_pipe: ResultPipe = ResultPipe::new(config, config.multiply_latency - 3) => {
            entering.valid: multiply.result_valid, entering.destination: multiply.result,
        },
        writeback_stage: Writeback = Writeback::new(config) => {
            result: result_pipe.leaving, multiply: product_pipe.leaving, load,
            is_last_look, load_ready, elastic_blocked, divide_done, release, release_mask, release_home_warps, writeback,
        },
        is_last_look: Vec<Signal<Local, Bit>> = bit_vec(config.of_replay()),
        /// Where loads are issued again: when the last of their data is written.
        looks: Vec<LookTable> = (0..config.of_replay()).map(|_| LookTable::new(config.warps, 1 << config.register_width(), lanes)).collect() => |r| {
            check_valid: check[r].valid, check_warp: check[r].warp, check_rd: check[r].rd, check_first: check[r].first,
            back_valid: writeback_stage.back[r].valid, back_warp: writeback_stage.back[r].warp,
            back_rd: writeback_stage.back[r].rd, releases: is_last_look[r],
        },
        /// The lane a trap is blamed on.
        trap_lane: PriorityEncoder = PriorityEncoder::new(lanes) => { index: execute_trap.lane },
        /// A legal instruction is in EXECUTE (a control instruction may still trap).
        legal: Signal<Local, Bit>,
        condition_met: Net<Local> = lanes,
        nonzero: Net<Local> = lanes,
        ballot: Net<Local> = lanes,
        trap_cause: Signal<Local, TrapCause>,
        trapping: Signal<Local, Bit>,
        /// A multiplication with a destination is in EXECUTE.
        multiplies: Signal<Local, Bit>,
        /// The result exists in EXECUTE.
        one_cycle: Signal<Local, Bit>,
        /// Lanes whose thread has no rounding mode, of an instruction that asks for it.
        unrounded: Net<Local> = lanes,
        float_divides: Signal<Local, Bit>,
    }
    sizes { _warp_width = warp, _divergent_jumps = config.jumps_diverge() as usize, _register_address = index_width(32 * config.warps) }
    /// The execution units of a core.
    pub fn new(config: &CoreConfig) {
        let (lanes, warp, floats) = (config.lanes, config.warp_width(), config.of_floats());
    }
}

impl Logic for Execute {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Execute");

        for r in 0..self.looks.len() {
            self.looks[r].check_took.next = self.check[r].done.val().any();
            self.looks[r].check_done.next = !(self.check[r].mask.val() & !self.check[r].done.val()).any();
        }

        self.registers.rs1.next = bit_cast_to(self.issue.instruction.word.val() >> 15, 5);
        self.registers.rs2.next = bit_cast_to(self.issue.instruction.word.val() >> 20, 5);

        self.context_warp.next = bit_cast_to(self.issue.warp.val(), self._warp_width);

        // EXECUTE: the lanes
        self.legal.next = self.stage.issued.valid.val() & (self.stage.controls.trap.val() == TrapCause::None);
        self.condition_met.next = 0.into();
        self.nonzero.next = 0.into();
        for lane in 0..self.lanes.len() {
            self.condition_met.next = self.condition_met.val().replace_bit(lane, self.lanes[lane].taken.val());
            self.nonzero.next = self.nonzero.val().replace_bit(lane, self.lanes[lane].nonzero.val());
        }
        self.ballot.next = self.nonzero.val() & self.stage.issued.instruction.mask.val();
        for lane in 0..self.lanes.len() {
            self.lanes[lane].ballot.next = bit_cast_to(self.ballot.val(), 32);
            self.branch.addresses[lane].next = self.lanes[lane].address.val();
            self.result_pipe.entering.data[lane].next = self.lanes[lane].result.val();
            self.product_pipe.entering.data[lane].next = self.lanes[lane].multiply_result.val();
            self.writeback_stage.divide.data[lane].next = self.lanes[lane].divide_result.val();
            self.memory.data[lane].next = self.registers.rs2_data[lane].val();
        }

        for p in 0..self.vote.len() {
            for lane in 0..self.lanes.len() {
                self.lanes[lane].addend[p].next = self.vote[p].addend.val();
                self.lanes[lane].offset[p].next = self.vote[p].offset[lane].val();
            }
        }

        // Control instructions
        self.branch.valid.next = self.legal.val() & (self.stage.issued.unit.val() == Unit::Control);

        // Traps
        self.trap_cause.next = self.stage.controls.trap.val();
        self.trap_lane.request.next = self.stage.issued.instruction.mask.val();
        self.execute_trap.value.next = self.stage.issued.instruction.word.val();
        if self.branch.trap.val() != TrapCause::None {
            self.trap_cause.next = self.branch.trap.val();
            self.trap_lane.request.next = self.branch.trap_lanes.val();
            self.execute_trap.value.next = self.branch.resolve.target.val();
        }
        self.unrounded.next = 0.into();
        for p in 0..self.float_status.len() {
            self.unrounded.next = self.float_status[p].illegal.val() & self.stage.issued.instruction.mask.val();
            if self.legal.val() & self.unrounded.val().any() {
                self.trap_cause.next = TrapCause::IllegalInstruction;
                self.trap_lane.request.next = self.unrounded.val();
            }
        }
        for p in 0..self.vote.len() {
            if self.legal.val() & self.vote[p].foreign.val().any() {
                self.trap_cause.next = TrapCause::IllegalInstruction;
                self.trap_lane.request.next = self.vote[p].foreign.val();
            }
        }
        self.trapping.next = self.stage.issued.valid.val() & (self.trap_cause.val() != TrapCause::None);
        self.execute_trap.valid.next = self.trapping.val();
        self.execute_trap.cause.next = self.trap_cause.val();
        self.execute_trap.warp.next = bit_cast_to(self.stage.issued.warp.val(), self._warp_width);
        self.execute_trap.home_warp.next = self.stage.issued.home_warps[0].val();
        for i in 0..self.issue.home_warps.len() {
            if self.trap_lane.one_hot.val().get_bit(i) {
                self.execute_trap.home_warp.next = self.stage.issued.home_warps[i].val();
            }
        }

        // Memory instructions
        self.memory.valid.next = self.legal.val() & (self.stage.issued.unit.val() == Unit::Memory);
        self.memory.mask.next = self.stage.issued.instruction.mask.val();
        self.memory.pc.next = self.stage.issued.instruction.pc.val();
        for p in 0..self.vote.len() {
            self.memory_unused[p].next = false;
            if self.stage.warp_controls[p].accumulates.val() {
                // Lanes that store nothing are none of the load/store unit's, nor is an instruction without others.
                self.memory.mask.next = self.vote[p].storing.val();
                self.memory.valid.next =
                    self.stage.issued.valid.val() & self.vote[p].storing.val().any() & !self.trapping.val();
                self.memory_unused[p].next = self.stage.issued.valid.val() & !self.vote[p].storing.val().any();
            }
        }

        // Long operations
        self.multiplies.next = self.stage.issued.valid.val()
            & self.stage.controls.writes_rd.val()
            & (self.stage.issued.unit.val() == Unit::Multiply);
        self.divide.start.next = self.legal.val() & (self.stage.issued.unit.val() == Unit::Divide);
        self.writeback_stage.divide.valid.next = self.divide.done.val();
        wire::join(&mut self.divide.result, &mut self.writeback_stage.divide.destination);
        self.float_divides.next = false;
        for p in 0..self.float_status.len() {
            self.float_divides.next = self.stage.float_controls[p].result.val() == FloatResult::Divide;
            self.divide.start.next =
                self.legal.val() & (self.stage.issued.unit.val() == Unit::Divide) & !self.float_divides.val();
            self.float_divide[p].start.next = self.legal.val() & self.float_divides.val() & !self.trapping.val();
            self.float_pipeline[p].start.next = self.legal.val()
                & (self.stage.float_controls[p].result.val() == FloatResult::Pipeline)
                & !self.trapping.val();
            if self.float_divide[p].done.val() {
                self.writeback_stage.divide.valid.next = true;
                wire::join(&mut self.float_divide[p].result, &mut self.writeback_stage.divide.destination);
            }
            wire::join(&mut self.float_pipe[p].leaving, &mut self.writeback_stage.float[p]);
            for lane in 0..self.float_lanes.len() {
                wire::join(&mut self.stage.float_controls[p], &mut self.float_lanes[lane].controls);
                wire::join(&mut self.float_divide[p].drive, &mut self.float_lanes[lane].divide_drive);
                self.float_lanes[lane].rounding.next = self.float_status[p].rounding[lane].val();
                if self.stage.float_controls[p].store.val() {
                    self.memory.data[lane].next = self.registers.float_rs2[lane].val();
                }

                // What is there in EXECUTE
                self.result_pipe.entering.flags[lane].next = 0.into();
                if self.stage.float_controls[p].result.val() == FloatResult::Comparison {
                    self.result_pipe.entering.data[lane].next = self.float_lanes[lane].comparison.val();
                    self.result_pipe.entering.flags[lane].next = self.float_lanes[lane].comparison_flags.val();
                }
                if self.stage.float_controls[p].result.val() == FloatResult::Status {
                    self.result_pipe.entering.data[lane].next = self.float_status[p].value[lane].val();
                    self.result_pipe.entering.flags[lane].next = self.float_status[p].next_flags[lane].val();
                }
                self.product_pipe.entering.flags[lane].next = 0.into();
                self.float_pipe[p].entering.data[lane].next = self.float_lanes[lane].pipeline_result.val();
                self.float_pipe[p].entering.flags[lane].next = self.float_lanes[lane].pipeline_flags.val();
                self.writeback_stage.divide.flags[lane].next = 0.into();
                if self.float_divide[p].done.val() {
                    self.writeback_stage.divide.data[lane].next = self.float_lanes[lane].divide_result.val();
                    self.writeback_stage.divide.flags[lane].next = self.float_lanes[lane].divide_flags.val();
                }
            }
            self.registers.rs3[p].next = bit_cast_to(self.issue.instruction.word.val() >> 27, self._register_address);
            // Fused operations, all others of the float lanes, and fsw.
            self.registers.float_read_enable[p].next = self.issue.valid.val()
                & ((bit_cast_to(self.issue.instruction.word.val() >> 5, 2) == 2)
                    | (bit_cast_to(self.issue.instruction.word.val(), 7) == 0x27));
        }

        // Write-back
        wire::join(&mut self.stage.destination, &mut self.result_pipe.entering.destination);
        for _once in 0..self._divergent_jumps {
            // Lanes that do not take a jump come to it again, with the address that it may overwrite.
            if self.stage.controls.indirect.val() {
                self.result_pipe.entering.destination.mask.next = self.branch.resolve.taken.val();
            }
        }
        self.one_cycle.next =
            (self.stage.issued.unit.val() == Unit::Alu) | (self.stage.issued.unit.val() == Unit::Control);
        for p in 0..self.vote.len() {
            if self.stage.warp_controls[p].accumulates.val() {
                self.one_cycle.next = true;
            }
        }
        self.result_pipe.entering.valid.next = self.stage.issued.valid.val()
            & self.stage.controls.writes_rd.val()
            & self.one_cycle.val()
            & !self.trapping.val();
        self.idle.next = self.result_pipe.empty.val()
            & self.product_pipe.empty.val()
            & !self.divide.drive.step.val()
            & !self.divide.done.val();
        for p in 0..self.float_status.len() {
            if !self.float_pipeline[p].empty.val()
                | !self.float_pipe[p].empty.val()
                | self.float_divide[p].drive.adjust.val()
                | self.float_divide[p].drive.step.val()
                | self.float_divide[p].done.val()
            {
                self.idle.next = false;
            }
        }
    }
}

#[cfg(test)]
mod tests;
