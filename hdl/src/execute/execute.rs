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
//! Ports, by group; widths and meaning are those of docs/developer/microarchitecture.md.
//!
//! | group | when | meaning |
//! |---|---|---|
//! | `issue_*` | OPERAND | the instruction, registered by the issue stage |
//! | `context_warp` out; `context_{warp_in_cta,ctaid_*,shared_base}` in | OPERAND | the CTA of its warp |
//! | `config_*` | | launch configuration |
//! | `tid_write_*` | | fills the thread-id table |
//! | `resolve_*` | EXECUTE | a control instruction takes effect |
//! | `memory_*` | EXECUTE | a memory instruction enters the load/store unit's queue |
//! | `load_*` in; `load_ready` out | | loaded lanes, to be written back |
//! | `release_*`, `divide_done`, `elastic_blocked` | EXECUTE | to the scoreboard and the issue stage |
//! | `writeback_*` | WRITEBACK | what the register file writes, also for checking at retirement |
//! | `execute_trap_*` | EXECUTE | illegal instruction, `ecall`, `ebreak`, misaligned target, divergent indirect jump |
//!
//! Latency, from the cycle of `issue_valid` to the register file being written (at the end of the
//! cycle): ALU, CSR, ballot and links 2; multiplications 4; divisions 35 at least.
//! The units listen to the predecoded `issue_unit`, the lanes to the decoded controls; both read the same
//! word. A trapping instruction has no other effect: it writes, jumps and accesses nothing. Its
//! `execute_trap_value` is the instruction word, or the target of a jump that cannot be taken (for a
//! divergent one, that of the lowest active lane; `execute_trap_lane` is the first that disagrees).
use super::{BranchUnit, CsrUnit, DivideControl, Lane, MultiplyControl, OperandStage, RegisterFile, Writeback};
use crate::interface::{ControlKind, MemoryOp, TrapCause, Unit};
use crate::prelude::*;

/// See the [module documentation](self).
#[derive(LogicBlock)]
pub struct Execute {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,

    pub issue_valid: Signal<In, Bit>,
    pub issue_warp: Net<In>,
    pub issue_word: Net<In>,
    pub issue_pc: Net<In>,
    pub issue_mask: Net<In>,
    pub issue_rpc: Net<In>,
    pub issue_rpc_valid: Signal<In, Bit>,
    pub issue_unit: Signal<In, Unit>,

    pub context_warp: Net<Out>,
    pub context_warp_in_cta: Net<In>,
    pub context_ctaid_x: Net<In>,
    pub context_ctaid_y: Net<In>,
    pub context_ctaid_z: Net<In>,
    pub context_shared_base: Net<In>,

    pub config_grid_x: Net<In>,
    pub config_grid_y: Net<In>,
    pub config_grid_z: Net<In>,
    pub config_block_x: Net<In>,
    pub config_block_y: Net<In>,
    pub config_block_z: Net<In>,
    pub config_arguments: Net<In>,

    pub tid_write_enable: Signal<In, Bit>,
    pub tid_write_lane: Net<In>,
    pub tid_write_row: Net<In>,
    pub tid_write_x: Net<In>,
    pub tid_write_y: Net<In>,
    pub tid_write_z: Net<In>,

    pub load_valid: Signal<In, Bit>,
    pub load_warp: Net<In>,
    pub load_rd: Net<In>,
    pub load_mask: Net<In>,
    pub load_last: Signal<In, Bit>,
    pub load_data: Vec<Net<In>>,
    pub load_ready: Signal<Out, Bit>,

    pub resolve_valid: Signal<Out, Bit>,
    pub resolve_warp: Net<Out>,
    pub resolve_kind: Signal<Out, ControlKind>,
    pub resolve_taken: Net<Out>,
    pub resolve_mask: Net<Out>,
    pub resolve_target: Net<Out>,
    pub resolve_next: Net<Out>,
    pub resolve_rpc: Net<Out>,
    pub resolve_rpc_valid: Signal<Out, Bit>,

    pub memory_valid: Signal<Out, Bit>,
    pub memory_warp: Net<Out>,
    pub memory_op: Signal<Out, MemoryOp>,
    pub memory_size: Net<Out>,
    pub memory_unsigned: Signal<Out, Bit>,
    pub memory_rd: Net<Out>,
    pub memory_mask: Net<Out>,
    pub memory_pc: Net<Out>,
    pub memory_shared_base: Net<Out>,
    pub memory_address: Vec<Net<Out>>,
    pub memory_data: Vec<Net<Out>>,

    pub release_valid: Signal<Out, Bit>,
    pub release_warp: Net<Out>,
    pub release_rd: Net<Out>,
    pub divide_done: Signal<Out, Bit>,
    pub elastic_blocked: Signal<Out, Bit>,

    pub writeback_valid: Signal<Out, Bit>,
    pub writeback_warp: Net<Out>,
    pub writeback_rd: Net<Out>,
    pub writeback_mask: Net<Out>,
    pub writeback_data: Vec<Net<Out>>,

    pub execute_trap_valid: Signal<Out, Bit>,
    pub execute_trap_cause: Signal<Out, TrapCause>,
    pub execute_trap_warp: Net<Out>,
    pub execute_trap_lane: Net<Out>,
    pub execute_trap_pc: Net<Out>,
    pub execute_trap_value: Net<Out>,

    stage: OperandStage,
    registers: RegisterFile,
    csrs: CsrUnit,
    lanes: Vec<Lane>,
    branch: BranchUnit,
    multiply: MultiplyControl,
    divide: DivideControl,
    writeback: Writeback,
    /// The lane a trap is blamed on.
    trap_lane: PriorityEncoder,
    /// A legal instruction is in EXECUTE (a control instruction may still trap).
    legal: Signal<Local, Bit>,
    condition_met: Net<Local>,
    nonzero: Net<Local>,
    ballot: Net<Local>,
    trap_cause: Signal<Local, TrapCause>,
    trapping: Signal<Local, Bit>,
    /// The result exists in EXECUTE.
    one_cycle: Signal<Local, Bit>,
}

impl Execute {
    /// The execution units of a core.
    pub fn new(config: &CoreConfig) -> Self {
        let (warps, lanes, warp) = (config.warps, config.lanes, config.warp_width());
        Self {
            clock: Default::default(),
            reset: Default::default(),
            issue_valid: Default::default(),
            issue_warp: Net::new(warp),
            issue_word: Net::new(32),
            issue_pc: Net::new(32),
            issue_mask: Net::new(lanes),
            issue_rpc: Net::new(32),
            issue_rpc_valid: Default::default(),
            issue_unit: Default::default(),
            context_warp: Net::new(warp),
            context_warp_in_cta: Net::new(warp),
            context_ctaid_x: Net::new(32),
            context_ctaid_y: Net::new(32),
            context_ctaid_z: Net::new(32),
            context_shared_base: Net::new(32),
            config_grid_x: Net::new(32),
            config_grid_y: Net::new(32),
            config_grid_z: Net::new(32),
            config_block_x: Net::new(16),
            config_block_y: Net::new(16),
            config_block_z: Net::new(16),
            config_arguments: Net::new(32),
            tid_write_enable: Default::default(),
            tid_write_lane: Net::new(config.lane_width()),
            tid_write_row: Net::new(warp),
            tid_write_x: Net::new(16),
            tid_write_y: Net::new(16),
            tid_write_z: Net::new(16),
            load_valid: Default::default(),
            load_warp: Net::new(warp),
            load_rd: Net::new(5),
            load_mask: Net::new(lanes),
            load_last: Default::default(),
            load_data: Net::vec(lanes, 32),
            load_ready: Default::default(),
            resolve_valid: Default::default(),
            resolve_warp: Net::new(warp),
            resolve_kind: Default::default(),
            resolve_taken: Net::new(lanes),
            resolve_mask: Net::new(lanes),
            resolve_target: Net::new(32),
            resolve_next: Net::new(32),
            resolve_rpc: Net::new(32),
            resolve_rpc_valid: Default::default(),
            memory_valid: Default::default(),
            memory_warp: Net::new(warp),
            memory_op: Default::default(),
            memory_size: Net::new(2),
            memory_unsigned: Default::default(),
            memory_rd: Net::new(5),
            memory_mask: Net::new(lanes),
            memory_pc: Net::new(32),
            memory_shared_base: Net::new(32),
            memory_address: Net::vec(lanes, 32),
            memory_data: Net::vec(lanes, 32),
            release_valid: Default::default(),
            release_warp: Net::new(warp),
            release_rd: Net::new(5),
            divide_done: Default::default(),
            elastic_blocked: Default::default(),
            writeback_valid: Default::default(),
            writeback_warp: Net::new(warp),
            writeback_rd: Net::new(5),
            writeback_mask: Net::new(lanes),
            writeback_data: Net::vec(lanes, 32),
            execute_trap_valid: Default::default(),
            execute_trap_cause: Default::default(),
            execute_trap_warp: Net::new(warp),
            execute_trap_lane: Net::new(config.lane_width()),
            execute_trap_pc: Net::new(32),
            execute_trap_value: Net::new(32),
            stage: OperandStage::new(warps, lanes),
            registers: RegisterFile::new(warps, lanes),
            csrs: CsrUnit::new(warps, lanes),
            lanes: (0..lanes).map(|_| Lane::default()).collect(),
            branch: BranchUnit::new(lanes),
            multiply: MultiplyControl::new(warps, lanes),
            divide: DivideControl::new(warps, lanes),
            writeback: Writeback::new(warps, lanes),
            trap_lane: PriorityEncoder::new(lanes),
            legal: Default::default(),
            condition_met: Net::new(lanes),
            nonzero: Net::new(lanes),
            ballot: Net::new(lanes),
            trap_cause: Default::default(),
            trapping: Default::default(),
            one_cycle: Default::default(),
        }
    }
}

impl Logic for Execute {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Execute");
        // OPERAND
        self.stage.clock.next = self.clock.val();
        self.stage.reset.next = self.reset.val();
        self.stage.issue_valid.next = self.issue_valid.val();
        self.stage.issue_warp.next = self.issue_warp.val();
        self.stage.issue_word.next = self.issue_word.val();
        self.stage.issue_pc.next = self.issue_pc.val();
        self.stage.issue_mask.next = self.issue_mask.val();
        self.stage.issue_rpc.next = self.issue_rpc.val();
        self.stage.issue_rpc_valid.next = self.issue_rpc_valid.val();
        self.stage.issue_unit.next = self.issue_unit.val();
        self.stage.context_shared_base.next = self.context_shared_base.val();

        self.registers.clock.next = self.clock.val();
        self.registers.read_enable.next = self.issue_valid.val();
        self.registers.read_warp.next = self.issue_warp.val();
        self.registers.rs1.next = bit_cast_to(self.issue_word.val() >> 15, 5);
        self.registers.rs2.next = bit_cast_to(self.issue_word.val() >> 20, 5);

        self.context_warp.next = self.issue_warp.val();
        self.csrs.clock.next = self.clock.val();
        self.csrs.reset.next = self.reset.val();
        self.csrs.csr_index.next = self.stage.csr_index.val();
        self.csrs.context_warp_in_cta.next = self.context_warp_in_cta.val();
        self.csrs.context_ctaid_x.next = self.context_ctaid_x.val();
        self.csrs.context_ctaid_y.next = self.context_ctaid_y.val();
        self.csrs.context_ctaid_z.next = self.context_ctaid_z.val();
        self.csrs.config_grid_x.next = self.config_grid_x.val();
        self.csrs.config_grid_y.next = self.config_grid_y.val();
        self.csrs.config_grid_z.next = self.config_grid_z.val();
        self.csrs.config_block_x.next = self.config_block_x.val();
        self.csrs.config_block_y.next = self.config_block_y.val();
        self.csrs.config_block_z.next = self.config_block_z.val();
        self.csrs.config_arguments.next = self.config_arguments.val();
        self.csrs.tid_write_enable.next = self.tid_write_enable.val();
        self.csrs.tid_write_lane.next = self.tid_write_lane.val();
        self.csrs.tid_write_row.next = self.tid_write_row.val();
        self.csrs.tid_write_x.next = self.tid_write_x.val();
        self.csrs.tid_write_y.next = self.tid_write_y.val();
        self.csrs.tid_write_z.next = self.tid_write_z.val();

        // EXECUTE: the lanes
        self.legal.next = self.stage.valid.val() & (self.stage.trap.val() == TrapCause::None);
        self.condition_met.next = 0.into();
        self.nonzero.next = 0.into();
        for lane in 0..self.lanes.len() {
            self.lanes[lane].clock.next = self.clock.val();
            self.lanes[lane].rs1.next = self.registers.rs1_data[lane].val();
            self.lanes[lane].rs2.next = self.registers.rs2_data[lane].val();
            self.lanes[lane].pc.next = self.stage.pc.val();
            self.lanes[lane].immediate.next = self.stage.immediate.val();
            self.lanes[lane].csr.next = self.csrs.values[lane].val();
            self.lanes[lane].operand_a.next = self.stage.operand_a.val();
            self.lanes[lane].operand_b.next = self.stage.operand_b.val();
            self.lanes[lane].alu_op.next = self.stage.alu_op.val();
            self.lanes[lane].result_source.next = self.stage.result_source.val();
            self.lanes[lane].condition.next = self.stage.condition.val();
            self.lanes[lane].multiply_a_signed.next = self.multiply.a_signed.val();
            self.lanes[lane].multiply_b_signed.next = self.multiply.b_signed.val();
            self.lanes[lane].multiply_high.next = self.multiply.high.val();
            self.lanes[lane].divide_load.next = self.legal.val() & (self.stage.unit.val() == Unit::Divide);
            self.lanes[lane].divide_signed.next = self.stage.divide_signed.val();
            self.lanes[lane].divide_step.next = self.divide.step.val();
            self.lanes[lane].divide_remainder.next = self.divide.remainder.val();
            self.condition_met.next = self.condition_met.val().replace_bit(lane, self.lanes[lane].taken.val());
            self.nonzero.next = self.nonzero.val().replace_bit(lane, self.lanes[lane].nonzero.val());
        }
        self.ballot.next = self.nonzero.val() & self.stage.mask.val();
        for lane in 0..self.lanes.len() {
            self.lanes[lane].ballot.next = bit_cast_to(self.ballot.val(), 32);
        }

        // Control instructions
        self.branch.valid.next = self.legal.val() & (self.stage.unit.val() == Unit::Control);
        self.branch.kind.next = self.stage.control_kind.val();
        self.branch.indirect.next = self.stage.indirect.val();
        self.branch.active.next = self.stage.mask.val();
        self.branch.condition_met.next = self.condition_met.val();
        for lane in 0..self.lanes.len() {
            self.branch.addresses[lane].next = self.lanes[lane].address.val();
        }
        self.branch.pc.next = self.stage.pc.val();
        self.branch.immediate.next = self.stage.immediate.val();
        self.resolve_valid.next = self.branch.resolve_valid.val();
        self.resolve_warp.next = self.stage.warp.val();
        self.resolve_kind.next = self.stage.control_kind.val();
        self.resolve_taken.next = self.branch.resolve_taken.val();
        self.resolve_mask.next = self.stage.mask.val();
        self.resolve_target.next = self.branch.resolve_target.val();
        self.resolve_next.next = self.branch.resolve_next.val();
        self.resolve_rpc.next = self.stage.rpc.val();
        self.resolve_rpc_valid.next = self.stage.rpc_valid.val();

        // Traps
        self.trap_cause.next = self.stage.trap.val();
        self.trap_lane.request.next = self.stage.mask.val();
        self.execute_trap_value.next = self.stage.word.val();
        if self.branch.trap.val() != TrapCause::None {
            self.trap_cause.next = self.branch.trap.val();
            self.trap_lane.request.next = self.branch.trap_lanes.val();
            self.execute_trap_value.next = self.branch.resolve_target.val();
        }
        self.trapping.next = self.stage.valid.val() & (self.trap_cause.val() != TrapCause::None);
        self.execute_trap_valid.next = self.trapping.val();
        self.execute_trap_cause.next = self.trap_cause.val();
        self.execute_trap_warp.next = self.stage.warp.val();
        self.execute_trap_lane.next = self.trap_lane.index.val();
        self.execute_trap_pc.next = self.stage.pc.val();

        // Memory instructions
        self.memory_valid.next = self.legal.val() & (self.stage.unit.val() == Unit::Memory);
        self.memory_warp.next = self.stage.warp.val();
        self.memory_op.next = self.stage.memory_op.val();
        self.memory_size.next = self.stage.memory_size.val();
        self.memory_unsigned.next = self.stage.memory_unsigned.val();
        self.memory_rd.next = self.stage.rd.val();
        self.memory_mask.next = self.stage.mask.val();
        self.memory_pc.next = self.stage.pc.val();
        self.memory_shared_base.next = self.stage.shared_base.val();
        for lane in 0..self.lanes.len() {
            self.memory_address[lane].next = self.lanes[lane].address.val();
            self.memory_data[lane].next = self.registers.rs2_data[lane].val();
        }

        // Long operations
        self.multiply.clock.next = self.clock.val();
        self.multiply.reset.next = self.reset.val();
        self.multiply.start.next =
            self.stage.valid.val() & self.stage.writes_rd.val() & (self.stage.unit.val() == Unit::Multiply);
        self.multiply.start_high.next = self.stage.multiply_high.val();
        self.multiply.start_a_signed.next = self.stage.multiply_a_signed.val();
        self.multiply.start_b_signed.next = self.stage.multiply_b_signed.val();
        self.multiply.start_warp.next = self.stage.warp.val();
        self.multiply.start_rd.next = self.stage.rd.val();
        self.multiply.start_mask.next = self.stage.mask.val();
        self.divide.clock.next = self.clock.val();
        self.divide.reset.next = self.reset.val();
        self.divide.start.next = self.legal.val() & (self.stage.unit.val() == Unit::Divide);
        self.divide.start_remainder.next = self.stage.divide_remainder.val();
        self.divide.start_warp.next = self.stage.warp.val();
        self.divide.start_rd.next = self.stage.rd.val();
        self.divide.start_mask.next = self.stage.mask.val();
        self.divide.accept.next = self.writeback.divide_done.val();

        // Write-back
        self.one_cycle.next = (self.stage.unit.val() == Unit::Alu) | (self.stage.unit.val() == Unit::Control);
        self.writeback.clock.next = self.clock.val();
        self.writeback.reset.next = self.reset.val();
        self.writeback.result_valid.next =
            self.stage.valid.val() & self.stage.writes_rd.val() & self.one_cycle.val() & !self.trapping.val();
        self.writeback.result_warp.next = self.stage.warp.val();
        self.writeback.result_rd.next = self.stage.rd.val();
        self.writeback.result_mask.next = self.stage.mask.val();
        self.writeback.multiply_valid.next = self.multiply.result_valid.val();
        self.writeback.multiply_warp.next = self.multiply.result_warp.val();
        self.writeback.multiply_rd.next = self.multiply.result_rd.val();
        self.writeback.multiply_mask.next = self.multiply.result_mask.val();
        self.writeback.divide_valid.next = self.divide.done.val();
        self.writeback.divide_warp.next = self.divide.result_warp.val();
        self.writeback.divide_rd.next = self.divide.result_rd.val();
        self.writeback.divide_mask.next = self.divide.result_mask.val();
        self.writeback.load_valid.next = self.load_valid.val();
        self.writeback.load_warp.next = self.load_warp.val();
        self.writeback.load_rd.next = self.load_rd.val();
        self.writeback.load_mask.next = self.load_mask.val();
        self.writeback.load_last.next = self.load_last.val();
        for lane in 0..self.lanes.len() {
            self.writeback.result_data[lane].next = self.lanes[lane].result.val();
            self.writeback.multiply_data[lane].next = self.lanes[lane].multiply_result.val();
            self.writeback.divide_data[lane].next = self.lanes[lane].divide_result.val();
            self.writeback.load_data[lane].next = self.load_data[lane].val();
        }
        self.load_ready.next = self.writeback.load_ready.val();
        self.elastic_blocked.next = self.writeback.elastic_blocked.val();
        self.divide_done.next = self.writeback.divide_done.val();
        self.release_valid.next = self.writeback.release_valid.val();
        self.release_warp.next = self.writeback.release_warp.val();
        self.release_rd.next = self.writeback.release_rd.val();

        // WRITEBACK
        self.registers.write_enable.next = self.writeback.writeback_valid.val();
        self.registers.write_warp.next = self.writeback.writeback_warp.val();
        self.registers.rd.next = self.writeback.writeback_rd.val();
        self.registers.write_mask.next = self.writeback.writeback_mask.val();
        self.writeback_valid.next = self.writeback.writeback_valid.val();
        self.writeback_warp.next = self.writeback.writeback_warp.val();
        self.writeback_rd.next = self.writeback.writeback_rd.val();
        self.writeback_mask.next = self.writeback.writeback_mask.val();
        for lane in 0..self.lanes.len() {
            self.registers.write_data[lane].next = self.writeback.writeback_data[lane].val();
            self.writeback_data[lane].next = self.writeback.writeback_data[lane].val();
        }
    }
}
