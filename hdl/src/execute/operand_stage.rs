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
use crate::interface::{ControlKind, CtaContext, Issued, MemoryOp, TrapCause, Unit};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct OperandStage: clock, reset {
        pub issue: Issued<In> = Issued::new(config),
        pub context: CtaContext<In> = CtaContext::new(config),
        pub csr_index: Net<Out> = 4,

        pub valid: Signal<Out, Bit>,
        pub warp: Net<Out> = config.path_width(),
        pub word: Net<Out> = 32,
        pub pc: Net<Out> = 32,
        pub mask: Net<Out> = lanes,
        pub rpc: Net<Out> = 32,
        pub rpc_valid: Signal<Out, Bit>,
        pub lpc: Net<Out> = 32,
        pub uniform: Signal<Out, Bit>,
        pub short: Signal<Out, Bit>,
        pub data_dependent: Signal<Out, Bit>,
        pub rows: Vec<Net<Out>> = Net::vec(config.row_ports(), warp_width),
        pub unit: Signal<Out, Unit>,
        pub shared_base: Net<Out> = 32,
        pub rd: Net<Out> = 5,
        pub writes_rd: Signal<Out, Bit>,
        pub immediate: Net<Out> = 32,
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
        pub memory_size: Net<Out> = 2,
        pub memory_unsigned: Signal<Out, Bit>,
        pub trap: Signal<Out, TrapCause>,

        decode: Decode,
        valid_held: StateRegister<Bit>,
        warp_held: Flop = Flop::new(config.path_width()),
        word_held: Flop = Flop::new(32),
        pc_held: Flop = Flop::new(32),
        mask_held: Flop = Flop::new(lanes),
        rpc_held: Flop = Flop::new(32),
        rpc_valid_held: StateRegister<Bit>,
        lpc_held: Vec<Flop> = Flop::vec(config.likely_convergence as usize, 32),
        /// {data-dependent, uniform}
        kind_held: Vec<Flop> = Flop::vec(config.compacts() as usize, 2),
        short_held: Vec<Flop> = Flop::vec(config.subdivides() as usize, 1),
        rows_held: Vec<Flop> = Flop::vec(config.row_ports(), warp_width),
        unit_held: StateRegister<Unit>,
        shared_base_held: Flop = Flop::new(32),
        rd_held: Flop = Flop::new(5),
        writes_rd_held: StateRegister<Bit>,
        immediate_held: Flop = Flop::new(32),
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
        memory_size_held: Flop = Flop::new(2),
        memory_unsigned_held: StateRegister<Bit>,
        trap_held: StateRegister<TrapCause>,
    }
    /// The operand stage of a core.
    pub fn new(config: &CoreConfig) {
        let (warp_width, lanes) = (config.warp_width(), config.lanes);
    }
}

impl Logic for OperandStage {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module OperandStage");
        self.decode.word.next = self.issue.instruction.word.val();
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

        self.valid_held.d.next = self.issue.valid.val();
        self.warp_held.d.next = self.issue.warp.val();
        self.word_held.d.next = self.issue.instruction.word.val();
        self.pc_held.d.next = self.issue.instruction.pc.val();
        self.mask_held.d.next = self.issue.instruction.mask.val();
        self.rpc_held.d.next = self.issue.instruction.annotation.rpc.val();
        self.rpc_valid_held.d.next = self.issue.instruction.annotation.rpc_valid.val();
        self.unit_held.d.next = self.issue.unit.val();
        self.shared_base_held.d.next = self.context.shared_base.val();
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
            self.lpc_held[i].d.next = self.issue.instruction.annotation.lpc.val();
            self.lpc.next = self.lpc_held[i].q.val();
        }
        self.uniform.next = false;
        self.short.next = false;
        self.data_dependent.next = false;
        for i in 0..self.short_held.len() {
            self.short_held[i].d.next = bit_cast_to(self.issue.instruction.annotation.short.val(), 1);
            self.short.next = self.short_held[i].q.val().any();
        }
        for i in 0..self.kind_held.len() {
            self.kind_held[i].d.next = bit_cast_to(self.issue.instruction.annotation.uniform.val(), 2)
                | (bit_cast_to(self.issue.instruction.annotation.data_dependent.val(), 2) << 1);
            self.uniform.next = self.kind_held[i].q.val().get_bit(0);
            self.data_dependent.next = self.kind_held[i].q.val().get_bit(1);
        }
        for i in 0..self.rows_held.len() {
            self.rows_held[i].d.next = self.issue.rows[i].val();
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
        stage.issue.valid.next = true;
        stage.issue.warp.next = 2.into();
        stage.issue.instruction.word.next = 0xfff0_8193.into(); // addi x3, x1, -1
        stage.issue.instruction.mask.next = 0b0110.into();
        stage.issue.unit.next = Unit::Alu;
        assert!(!stage.valid.val());
        tick!(stage);
        stage.issue.valid.next = false;
        stage.issue.instruction.word.next = 0xccd0_2173.into(); // csrr x2, warp
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
