//! OPERAND: decodes the issued instruction and holds it for EXECUTE.
//!
//! ```text
//!   OPERAND                                  EXECUTE
//!   issue_word ---> Decode ----------[.]---> controls of the lanes and units
//!                     +--> csr_index
//!   issue_* -------------------------[.]---> valid, warp, rows, word, pc, mask, annotation, unit
//!   context_shared_base -------------[.]---> shared_base
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `issue_*` | | the instruction, registered by the issue stage |
//! | `context_shared_base` | 32 | of its warp |
//! | `csr_index` | 4 | OPERAND: for the CSR unit |
//! | `valid` ... `shared_base` | | EXECUTE: the instruction |
//! | `rd` ... `trap` | | EXECUTE: its controls, as [`Decode`](super::Decode) documents them |
//!
//! Latency 1. State: one instruction.
use super::Decode;
use super::operation::{AluOp, BranchCondition, OperandA, OperandB, ResultSource};
use crate::interface::{ControlKind, MemoryOp, TrapCause, Unit};
use crate::prelude::*;

/// See the [module documentation](self).
#[derive(LogicBlock)]
pub struct OperandStage {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub issue_valid: Signal<In, Bit>,
    pub issue_warp: Net<In>,
    pub issue_word: Net<In>,
    pub issue_pc: Net<In>,
    pub issue_mask: Net<In>,
    pub issue_rpc: Net<In>,
    pub issue_rpc_valid: Signal<In, Bit>,
    pub issue_lpc: Net<In>,
    pub issue_uniform: Signal<In, Bit>,
    pub issue_short: Signal<In, Bit>,
    pub issue_data_dependent: Signal<In, Bit>,
    pub issue_rows: Vec<Net<In>>,
    pub issue_unit: Signal<In, Unit>,
    pub context_shared_base: Net<In>,
    pub csr_index: Net<Out>,

    pub valid: Signal<Out, Bit>,
    pub warp: Net<Out>,
    pub word: Net<Out>,
    pub pc: Net<Out>,
    pub mask: Net<Out>,
    pub rpc: Net<Out>,
    pub rpc_valid: Signal<Out, Bit>,
    pub lpc: Net<Out>,
    pub uniform: Signal<Out, Bit>,
    pub short: Signal<Out, Bit>,
    pub data_dependent: Signal<Out, Bit>,
    pub rows: Vec<Net<Out>>,
    pub unit: Signal<Out, Unit>,
    pub shared_base: Net<Out>,
    pub rd: Net<Out>,
    pub writes_rd: Signal<Out, Bit>,
    pub immediate: Net<Out>,
    pub operand_a: Signal<Out, OperandA>,
    pub operand_b: Signal<Out, OperandB>,
    pub alu_op: Signal<Out, AluOp>,
    pub result_source: Signal<Out, ResultSource>,
    pub multiply_high: Signal<Out, Bit>,
    pub multiply_a_signed: Signal<Out, Bit>,
    pub multiply_b_signed: Signal<Out, Bit>,
    pub divide_signed: Signal<Out, Bit>,
    pub divide_remainder: Signal<Out, Bit>,
    pub condition: Signal<Out, BranchCondition>,
    pub control_kind: Signal<Out, ControlKind>,
    pub indirect: Signal<Out, Bit>,
    pub memory_op: Signal<Out, MemoryOp>,
    pub memory_size: Net<Out>,
    pub memory_unsigned: Signal<Out, Bit>,
    pub trap: Signal<Out, TrapCause>,

    decode: Decode,
    valid_held: StateRegister<Bit>,
    warp_held: Flop,
    word_held: Flop,
    pc_held: Flop,
    mask_held: Flop,
    rpc_held: Flop,
    rpc_valid_held: StateRegister<Bit>,
    lpc_held: Vec<Flop>,
    /// {data-dependent, uniform}
    kind_held: Vec<Flop>,
    short_held: Vec<Flop>,
    rows_held: Vec<Flop>,
    unit_held: StateRegister<Unit>,
    shared_base_held: Flop,
    rd_held: Flop,
    writes_rd_held: StateRegister<Bit>,
    immediate_held: Flop,
    operand_a_held: StateRegister<OperandA>,
    operand_b_held: StateRegister<OperandB>,
    alu_op_held: StateRegister<AluOp>,
    result_source_held: StateRegister<ResultSource>,
    multiply_high_held: StateRegister<Bit>,
    multiply_a_signed_held: StateRegister<Bit>,
    multiply_b_signed_held: StateRegister<Bit>,
    divide_signed_held: StateRegister<Bit>,
    divide_remainder_held: StateRegister<Bit>,
    condition_held: StateRegister<BranchCondition>,
    control_kind_held: StateRegister<ControlKind>,
    indirect_held: StateRegister<Bit>,
    memory_op_held: StateRegister<MemoryOp>,
    memory_size_held: Flop,
    memory_unsigned_held: StateRegister<Bit>,
    trap_held: StateRegister<TrapCause>,
}

impl OperandStage {
    /// The operand stage of a core.
    pub fn new(config: &CoreConfig) -> Self {
        let (warp_width, lanes) = (config.warp_width(), config.lanes);
        Self {
            clock: Default::default(),
            reset: Default::default(),
            issue_valid: Default::default(),
            issue_warp: Net::new(config.path_width()),
            issue_word: Net::new(32),
            issue_pc: Net::new(32),
            issue_mask: Net::new(lanes),
            issue_rpc: Net::new(32),
            issue_rpc_valid: Default::default(),
            issue_lpc: Net::new(32),
            issue_uniform: Default::default(),
            issue_short: Default::default(),
            issue_data_dependent: Default::default(),
            issue_rows: Net::vec(config.row_ports(), warp_width),
            issue_unit: Default::default(),
            context_shared_base: Net::new(32),
            csr_index: Net::new(4),
            valid: Default::default(),
            warp: Net::new(config.path_width()),
            word: Net::new(32),
            pc: Net::new(32),
            mask: Net::new(lanes),
            rpc: Net::new(32),
            rpc_valid: Default::default(),
            lpc: Net::new(32),
            uniform: Default::default(),
            short: Default::default(),
            data_dependent: Default::default(),
            rows: Net::vec(config.row_ports(), warp_width),
            unit: Default::default(),
            shared_base: Net::new(32),
            rd: Net::new(5),
            writes_rd: Default::default(),
            immediate: Net::new(32),
            operand_a: Default::default(),
            operand_b: Default::default(),
            alu_op: Default::default(),
            result_source: Default::default(),
            multiply_high: Default::default(),
            multiply_a_signed: Default::default(),
            multiply_b_signed: Default::default(),
            divide_signed: Default::default(),
            divide_remainder: Default::default(),
            condition: Default::default(),
            control_kind: Default::default(),
            indirect: Default::default(),
            memory_op: Default::default(),
            memory_size: Net::new(2),
            memory_unsigned: Default::default(),
            trap: Default::default(),
            decode: Default::default(),
            valid_held: Default::default(),
            warp_held: Flop::new(config.path_width()),
            word_held: Flop::new(32),
            pc_held: Flop::new(32),
            mask_held: Flop::new(lanes),
            rpc_held: Flop::new(32),
            rpc_valid_held: Default::default(),
            lpc_held: Flop::vec(config.likely_convergence as usize, 32),
            kind_held: Flop::vec(config.compacts() as usize, 2),
            short_held: Flop::vec(config.subdivides() as usize, 1),
            rows_held: Flop::vec(config.row_ports(), warp_width),
            unit_held: Default::default(),
            shared_base_held: Flop::new(32),
            rd_held: Flop::new(5),
            writes_rd_held: Default::default(),
            immediate_held: Flop::new(32),
            operand_a_held: Default::default(),
            operand_b_held: Default::default(),
            alu_op_held: Default::default(),
            result_source_held: Default::default(),
            multiply_high_held: Default::default(),
            multiply_a_signed_held: Default::default(),
            multiply_b_signed_held: Default::default(),
            divide_signed_held: Default::default(),
            divide_remainder_held: Default::default(),
            condition_held: Default::default(),
            control_kind_held: Default::default(),
            indirect_held: Default::default(),
            memory_op_held: Default::default(),
            memory_size_held: Flop::new(2),
            memory_unsigned_held: Default::default(),
            trap_held: Default::default(),
        }
    }
}

impl Logic for OperandStage {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module OperandStage");
        self.decode.word.next = self.issue_word.val();
        self.csr_index.next = self.decode.csr_index.val();

        dff_setup!(self, clock, valid_held, warp_held, word_held, pc_held, mask_held, rpc_held);
        dff_setup!(self, clock, rpc_valid_held, unit_held, shared_base_held, rd_held, writes_rd_held, immediate_held);
        dff_setup!(
            self,
            clock,
            operand_a_held,
            operand_b_held,
            alu_op_held,
            result_source_held,
            multiply_high_held,
            multiply_a_signed_held
        );
        dff_setup!(
            self,
            clock,
            multiply_b_signed_held,
            divide_signed_held,
            divide_remainder_held,
            condition_held,
            control_kind_held,
            indirect_held
        );
        dff_setup!(self, clock, memory_op_held, memory_size_held, memory_unsigned_held, trap_held);
        self.valid_held.reset.next = self.reset.val();
        self.rpc_valid_held.reset.next = self.reset.val();
        self.unit_held.reset.next = self.reset.val();
        self.writes_rd_held.reset.next = self.reset.val();
        self.operand_a_held.reset.next = self.reset.val();
        self.operand_b_held.reset.next = self.reset.val();
        self.alu_op_held.reset.next = self.reset.val();
        self.result_source_held.reset.next = self.reset.val();
        self.multiply_high_held.reset.next = self.reset.val();
        self.multiply_a_signed_held.reset.next = self.reset.val();
        self.multiply_b_signed_held.reset.next = self.reset.val();
        self.divide_signed_held.reset.next = self.reset.val();
        self.divide_remainder_held.reset.next = self.reset.val();
        self.condition_held.reset.next = self.reset.val();
        self.control_kind_held.reset.next = self.reset.val();
        self.indirect_held.reset.next = self.reset.val();
        self.memory_op_held.reset.next = self.reset.val();
        self.memory_unsigned_held.reset.next = self.reset.val();
        self.trap_held.reset.next = self.reset.val();

        self.valid_held.d.next = self.issue_valid.val();
        self.warp_held.d.next = self.issue_warp.val();
        self.word_held.d.next = self.issue_word.val();
        self.pc_held.d.next = self.issue_pc.val();
        self.mask_held.d.next = self.issue_mask.val();
        self.rpc_held.d.next = self.issue_rpc.val();
        self.rpc_valid_held.d.next = self.issue_rpc_valid.val();
        self.unit_held.d.next = self.issue_unit.val();
        self.shared_base_held.d.next = self.context_shared_base.val();
        self.rd_held.d.next = self.decode.rd.val();
        self.writes_rd_held.d.next = self.decode.writes_rd.val();
        self.immediate_held.d.next = self.decode.immediate.val();
        self.operand_a_held.d.next = self.decode.operand_a.val();
        self.operand_b_held.d.next = self.decode.operand_b.val();
        self.alu_op_held.d.next = self.decode.alu_op.val();
        self.result_source_held.d.next = self.decode.result_source.val();
        self.multiply_high_held.d.next = self.decode.multiply_high.val();
        self.multiply_a_signed_held.d.next = self.decode.multiply_a_signed.val();
        self.multiply_b_signed_held.d.next = self.decode.multiply_b_signed.val();
        self.divide_signed_held.d.next = self.decode.divide_signed.val();
        self.divide_remainder_held.d.next = self.decode.divide_remainder.val();
        self.condition_held.d.next = self.decode.condition.val();
        self.control_kind_held.d.next = self.decode.control_kind.val();
        self.indirect_held.d.next = self.decode.indirect.val();
        self.memory_op_held.d.next = self.decode.memory_op.val();
        self.memory_size_held.d.next = self.decode.memory_size.val();
        self.memory_unsigned_held.d.next = self.decode.memory_unsigned.val();
        self.trap_held.d.next = self.decode.trap.val();

        self.valid.next = self.valid_held.q.val();
        self.warp.next = self.warp_held.q.val();
        self.word.next = self.word_held.q.val();
        self.pc.next = self.pc_held.q.val();
        self.mask.next = self.mask_held.q.val();
        self.rpc.next = self.rpc_held.q.val();
        self.rpc_valid.next = self.rpc_valid_held.q.val();
        self.unit.next = self.unit_held.q.val();
        self.shared_base.next = self.shared_base_held.q.val();
        self.rd.next = self.rd_held.q.val();
        self.writes_rd.next = self.writes_rd_held.q.val();
        self.immediate.next = self.immediate_held.q.val();
        self.operand_a.next = self.operand_a_held.q.val();
        self.operand_b.next = self.operand_b_held.q.val();
        self.alu_op.next = self.alu_op_held.q.val();
        self.result_source.next = self.result_source_held.q.val();
        self.multiply_high.next = self.multiply_high_held.q.val();
        self.multiply_a_signed.next = self.multiply_a_signed_held.q.val();
        self.multiply_b_signed.next = self.multiply_b_signed_held.q.val();
        self.divide_signed.next = self.divide_signed_held.q.val();
        self.divide_remainder.next = self.divide_remainder_held.q.val();
        self.condition.next = self.condition_held.q.val();
        self.control_kind.next = self.control_kind_held.q.val();
        self.indirect.next = self.indirect_held.q.val();
        self.memory_op.next = self.memory_op_held.q.val();
        self.memory_size.next = self.memory_size_held.q.val();
        self.memory_unsigned.next = self.memory_unsigned_held.q.val();
        self.trap.next = self.trap_held.q.val();

        self.lpc.next = 1.into();
        for i in 0..self.lpc_held.len() {
            self.lpc_held[i].clock.next = self.clock.val();
            self.lpc_held[i].d.next = self.issue_lpc.val();
            self.lpc.next = self.lpc_held[i].q.val();
        }
        self.uniform.next = false;
        self.short.next = false;
        self.data_dependent.next = false;
        for i in 0..self.short_held.len() {
            self.short_held[i].clock.next = self.clock.val();
            self.short_held[i].d.next = bit_cast_to(self.issue_short.val(), 1);
            self.short.next = self.short_held[i].q.val().any();
        }
        for i in 0..self.kind_held.len() {
            self.kind_held[i].clock.next = self.clock.val();
            self.kind_held[i].d.next =
                bit_cast_to(self.issue_uniform.val(), 2) | (bit_cast_to(self.issue_data_dependent.val(), 2) << 1);
            self.uniform.next = self.kind_held[i].q.val().get_bit(0);
            self.data_dependent.next = self.kind_held[i].q.val().get_bit(1);
        }
        for i in 0..self.rows_held.len() {
            self.rows_held[i].clock.next = self.clock.val();
            self.rows_held[i].d.next = self.issue_rows[i].val();
            self.rows[i].next = self.rows_held[i].q.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_follow_the_word_by_a_cycle() {
        let mut stage = OperandStage::new(&CoreConfig::tiny());
        stage.connect_all();
        simulate(&mut stage, 1000);
        stage.issue_valid.next = true;
        stage.issue_warp.next = 2.into();
        stage.issue_word.next = 0xfff0_8193.into(); // addi x3, x1, -1
        stage.issue_mask.next = 0b0110.into();
        stage.issue_unit.next = Unit::Alu;
        assert!(!stage.valid.val());
        tick!(stage);
        stage.issue_valid.next = false;
        stage.issue_word.next = 0xccd0_2173.into(); // csrr x2, warp
        simulate(&mut stage, 1000);
        assert_eq!(stage.csr_index.val(), 0xd, "still in OPERAND");
        assert!(stage.valid.val() && stage.writes_rd.val());
        assert_eq!((stage.rd.val(), stage.immediate.val()), (Word::new(3, 5), Word::new(0xffff_ffff, 32)));
        assert_eq!((stage.warp.val(), stage.mask.val()), (Word::new(2, 2), Word::new(0b0110, 4)));
        assert_eq!((stage.operand_b.val(), stage.trap.val()), (OperandB::Immediate, TrapCause::None));
        tick!(stage);
        assert!(!stage.valid.val());
        assert_eq!(stage.result_source.val(), ResultSource::Csr);
    }
}
