//! Decodes an instruction word into the controls of the lanes and units.
//!
//! ```text
//!              +--------+---> csr_index                                        CSR unit
//!   word ----->| Decode |---> controls: rd, writes_rd, trap
//!              +--------+       immediate, operand_*, alu_op, result_source    lanes
//!                               {high, a_signed, b_signed}, divide_*           lanes
//!                               condition, control_kind, indirect              lanes, branch unit
//!                               memory_*                                       load/store unit
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `word` | 32 | instruction |
//! | `csr_index` | 4 | CSR number - 0xCC0 |
//! | `controls_rd` | 5 | destination register |
//! | `controls_writes_rd` | 1 | legal, has a result, and `rd` is not x0 |
//! | `controls_immediate` | 32 | sign-extended; 0 for atomics, whose address is `rs1` alone |
//! | `controls_operand_a`, `controls_operand_b`, `controls_alu_op` | enum | what the ALU computes |
//! | `controls_result_source` | `ResultSource` | which one-cycle result is written |
//! | `controls_high` | 1 | the upper half of the product |
//! | `controls_a_signed`, `controls_b_signed` | 1 | signs of the multiplier's operands |
//! | `controls_divide_signed`, `controls_divide_remainder` | 1 | signed division; remainder instead of quotient |
//! | `controls_condition` | `BranchCondition` | when a branch is taken |
//! | `controls_control_kind` | `ControlKind` | branch, jump, exit or barrier |
//! | `controls_indirect` | 1 | `jalr`: the target is `rs1` + immediate |
//! | `controls_memory_op`, `controls_memory_size`, `controls_memory_unsigned` | | access; size 0 byte, 1 half, 2 word |
//! | `controls_orders` | 2 | in a GPU: `rl`, `aq`; both of a `fence` |
//! | `controls_trap` | `TrapCause` | `IllegalInstruction`, `EnvironmentCall`, `Breakpoint` or `None` |
//!
//! Latency 0, no state. RV32IMA and Zicsr reads (RISC-V unprivileged specification, chapter 24) and
//! custom-0; [`DecodeFloat`] and [`DecodeWarp`] are for those cores that have more. The controls are meaningful for the unit the instruction goes to and when `trap` is `None`.
//!
//! Every legal encoding is stated where its opcode is handled, and `legal` starts out false, so an
//! encoding nobody thought of traps. Fields that the specification tells hardware to ignore (`fence`)
//! are ignored, and so are the registers of the custom instructions that do not use them.
use super::float::operation::FloatControls;
use super::immediate::Immediate;
use super::operation::{
    AluOp, BranchCondition, Controls, ImmediateFormat, OperandA, OperandB, ResultSource, WarpControls,
};
use super::{DecodeFloat, DecodeWarp};
use crate::interface::{ControlKind, MemoryOp, TrapCause};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct Decode {
        pub word: Net<In> = 32,
        pub csr_index: Net<Out> = 4,
        pub controls: Controls<Out> = Controls::new(config),
        pub float_controls: Vec<FloatControls<Out>> = (0..config.of_floats()).map(|_| FloatControls::new()).collect(),
        pub warp_controls: Vec<WarpControls<Out>> = (0..config.of_warp_instructions()).map(|_| WarpControls::new()).collect(),

        opcode: Net<Local> = 7,
        funct3: Net<Local> = 3,
        funct5: Net<Local> = 5,
        funct7: Net<Local> = 7,
        rd: Net<Local> = 5,
        rs1: Net<Local> = 5,
        rs2: Net<Local> = 5,
        legal: Signal<Local, Bit>,
        /// The instruction has a result.
        produces: Signal<Local, Bit>,
        /// `funct7` selects the plain operation, or the alternative one (subtract, arithmetic shift).
        plain: Signal<Local, Bit>,
        alternative: Signal<Local, Bit>,
        is_shift: Signal<Local, Bit>,
        /// The operation of `funct3` in register and immediate arithmetic.
        arithmetic: Signal<Local, AluOp>,
        format: Signal<Local, ImmediateFormat>,
        gather: Immediate => { word, format, value: controls.immediate },
        floats: Vec<DecodeFloat> = (0..config.of_floats()).map(|_| DecodeFloat::default()).collect() => |p| {
            word, controls: float_controls[p],
        },
        warp: Vec<DecodeWarp> = (0..config.of_warp_instructions()).map(|_| DecodeWarp::default()).collect() => |p| {
            word, controls: warp_controls[p],
        },
    }
    sizes { _register = config.register_width() }
    /// Of a core.
    pub fn new(config: &CoreConfig) {}
}

impl Logic for Decode {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Decode");
        self.opcode.next = bit_cast_to(self.word.val(), 7);
        self.rd.next = bit_cast_to(self.word.val() >> 7, 5);
        self.controls.rd.next = bit_cast_to(self.rd.val(), self._register);
        self.funct3.next = bit_cast_to(self.word.val() >> 12, 3);
        self.rs1.next = bit_cast_to(self.word.val() >> 15, 5);
        self.rs2.next = bit_cast_to(self.word.val() >> 20, 5);
        self.funct7.next = bit_cast_to(self.word.val() >> 25, 7);
        self.funct5.next = bit_cast_to(self.word.val() >> 27, 5);

        // Fields that need no opcode: only the unit they belong to looks at them.
        self.controls.multiply.high.next = self.funct3.val() != 0;
        self.controls.multiply.a_signed.next = (self.funct3.val() == 1) | (self.funct3.val() == 2);
        self.controls.multiply.b_signed.next = self.funct3.val() == 1;
        self.controls.divide_signed.next = !self.funct3.val().get_bit(0);
        self.controls.divide_remainder.next = self.funct3.val().get_bit(1);
        self.csr_index.next = bit_cast_to(self.word.val() >> 20, 4);
        self.controls.memory_size.next = bit_cast_to(self.funct3.val(), 2);
        self.controls.memory_unsigned.next = self.funct3.val().get_bit(2);
        match self.funct3.val().index() {
            0 => self.controls.condition.next = BranchCondition::Equal,
            1 => self.controls.condition.next = BranchCondition::NotEqual,
            4 => self.controls.condition.next = BranchCondition::Less,
            5 => self.controls.condition.next = BranchCondition::GreaterEqual,
            6 => self.controls.condition.next = BranchCondition::LessUnsigned,
            _ => self.controls.condition.next = BranchCondition::GreaterEqualUnsigned,
        }

        // Arithmetic, shared by the register and the immediate form.
        self.plain.next = self.funct7.val() == 0;
        self.alternative.next = self.funct7.val() == 0x20;
        self.is_shift.next = (self.funct3.val() == 1) | (self.funct3.val() == 5);
        match self.funct3.val().index() {
            0 => self.arithmetic.next = AluOp::Add,
            1 => self.arithmetic.next = AluOp::ShiftLeft,
            2 => self.arithmetic.next = AluOp::Less,
            3 => self.arithmetic.next = AluOp::LessUnsigned,
            4 => self.arithmetic.next = AluOp::Xor,
            5 => self.arithmetic.next = AluOp::ShiftRight,
            6 => self.arithmetic.next = AluOp::Or,
            _ => self.arithmetic.next = AluOp::And,
        }
        if (self.funct3.val() == 5) & self.alternative.val() {
            self.arithmetic.next = AluOp::ShiftRightArithmetic;
        }

        self.legal.next = false;
        self.produces.next = false;
        self.format.next = ImmediateFormat::I;
        self.controls.alu_op.next = AluOp::Add;
        self.controls.operand_a.next = OperandA::Register;
        self.controls.operand_b.next = OperandB::Immediate;
        self.controls.result_source.next = ResultSource::Alu;
        self.controls.control_kind.next = ControlKind::Branch;
        self.controls.indirect.next = false;
        self.controls.memory_op.next = MemoryOp::Load;
        match self.opcode.val().index() {
            // lui
            0x37 => {
                self.legal.next = true;
                self.produces.next = true;
                self.format.next = ImmediateFormat::U;
                self.controls.operand_a.next = OperandA::Zero;
            }
            // auipc
            0x17 => {
                self.legal.next = true;
                self.produces.next = true;
                self.format.next = ImmediateFormat::U;
                self.controls.operand_a.next = OperandA::Pc;
            }
            // jal
            0x6F => {
                self.legal.next = true;
                self.produces.next = true;
                self.format.next = ImmediateFormat::J;
                self.controls.operand_a.next = OperandA::Pc;
                self.controls.operand_b.next = OperandB::Four;
                self.controls.control_kind.next = ControlKind::Jump;
            }
            // jalr
            0x67 => {
                self.legal.next = self.funct3.val() == 0;
                self.produces.next = true;
                self.controls.operand_a.next = OperandA::Pc;
                self.controls.operand_b.next = OperandB::Four;
                self.controls.control_kind.next = ControlKind::Jump;
                self.controls.indirect.next = true;
            }
            // beq, bne, blt, bge, bltu, bgeu
            0x63 => {
                self.legal.next = (self.funct3.val() != 2) & (self.funct3.val() != 3);
                self.format.next = ImmediateFormat::B;
                self.controls.operand_b.next = OperandB::Register;
            }
            // lb, lh, lw, lbu, lhu
            0x03 => {
                self.legal.next = (self.controls.memory_size.val() != 3) & (self.funct3.val() != 6);
                self.produces.next = true;
            }
            // sb, sh, sw
            0x23 => {
                self.legal.next = self.funct3.val() < 3;
                self.format.next = ImmediateFormat::S;
                self.controls.memory_op.next = MemoryOp::Store;
            }
            // addi, slti, sltiu, xori, ori, andi, slli, srli, srai
            0x13 => {
                self.legal.next =
                    !self.is_shift.val() | self.plain.val() | (self.alternative.val() & (self.funct3.val() == 5));
                self.produces.next = true;
                self.controls.alu_op.next = self.arithmetic.val();
            }
            // add, sub, sll, slt, sltu, xor, srl, sra, or, and; mul to remu
            0x33 => {
                self.legal.next = self.plain.val()
                    | (self.funct7.val() == 1)
                    | (self.alternative.val() & ((self.funct3.val() == 0) | (self.funct3.val() == 5)));
                self.produces.next = true;
                self.controls.operand_b.next = OperandB::Register;
                self.controls.alu_op.next = self.arithmetic.val();
                if self.alternative.val() & (self.funct3.val() == 0) {
                    self.controls.alu_op.next = AluOp::Sub;
                }
            }
            // fence, fence.i
            0x0F => {
                self.legal.next = self.funct3.val() < 2;
                self.controls.memory_op.next = MemoryOp::Fence;
            }
            // csrrs, csrrc, csrrsi, csrrci that only read
            0x73 => {
                self.legal.next = self.funct3.val().get_bit(1)
                    & (self.rs1.val() == 0)
                    & (bit_cast_to(self.word.val() >> 24, 8) == 0xCC);
                self.produces.next = true;
                self.controls.result_source.next = ResultSource::Csr;
            }
            // lr.w, sc.w, amo*.w
            0x2F => {
                self.legal.next = self.funct3.val() == 2;
                self.produces.next = true;
                self.format.next = ImmediateFormat::None;
                match self.funct5.val().index() {
                    0x00 => self.controls.memory_op.next = MemoryOp::AtomicAdd,
                    0x01 => self.controls.memory_op.next = MemoryOp::AtomicSwap,
                    0x02 => {
                        self.controls.memory_op.next = MemoryOp::LoadReserved;
                        self.legal.next = (self.funct3.val() == 2) & (self.rs2.val() == 0);
                    }
                    0x03 => self.controls.memory_op.next = MemoryOp::StoreConditional,
                    0x04 => self.controls.memory_op.next = MemoryOp::AtomicXor,
                    0x08 => self.controls.memory_op.next = MemoryOp::AtomicOr,
                    0x0C => self.controls.memory_op.next = MemoryOp::AtomicAnd,
                    0x10 => self.controls.memory_op.next = MemoryOp::AtomicMin,
                    0x14 => self.controls.memory_op.next = MemoryOp::AtomicMax,
                    0x18 => self.controls.memory_op.next = MemoryOp::AtomicMinUnsigned,
                    0x1C => self.controls.memory_op.next = MemoryOp::AtomicMaxUnsigned,
                    _ => self.legal.next = false,
                }
            }
            // bar.sync, exit, ballot
            0x0B => {
                self.legal.next = self.plain.val() & (self.funct3.val() < 3);
                self.produces.next = self.funct3.val() == 2;
                self.controls.result_source.next = ResultSource::Ballot;
                self.controls.control_kind.next = ControlKind::Barrier;
                if self.funct3.val() == 1 {
                    self.controls.control_kind.next = ControlKind::Exit;
                }
            }
            _ => {}
        }

        for p in 0..self.warp.len() {
            if self.warp[p].is_warp.val() {
                self.legal.next = self.warp[p].legal.val();
                self.produces.next = true;
            }
            if self.warp_controls[p].accumulates.val() {
                self.controls.operand_a.next = OperandA::Zero;
                self.controls.memory_op.next = MemoryOp::Store;
            }
        }
        self.controls.writes_rd.next = self.legal.val() & self.produces.val() & (self.rd.val() != 0);
        for p in 0..self.floats.len() {
            if self.floats[p].is_float.val() {
                self.legal.next = self.floats[p].legal.val();
                self.controls.writes_rd.next = self.floats[p].legal.val()
                    & self.floats[p].has_rd.val()
                    & ((self.rd.val() != 0)
                        | self.floats[p].float_rd.val()
                        | self.float_controls[p].raises.val().any());
                if self.floats[p].float_rd.val() {
                    self.controls.rd.next = bit_cast_to(self.rd.val(), self._register) | 32;
                }
                if self.float_controls[p].store.val() {
                    self.format.next = ImmediateFormat::S;
                    self.controls.memory_op.next = MemoryOp::Store;
                }
            }
        }
        for g in 0..self.controls.orders.len() {
            self.controls.orders[g].next = 0.into();
            if self.opcode.val() == 0x2F {
                self.controls.orders[g].next = bit_cast_to(self.funct7.val(), 2);
            }
            if self.controls.memory_op.val() == MemoryOp::Fence {
                self.controls.orders[g].next = 3.into();
            }
        }
        self.controls.trap.next = TrapCause::IllegalInstruction;
        if self.legal.val() {
            self.controls.trap.next = TrapCause::None;
        } else if self.word.val() == 0x0000_0073 {
            self.controls.trap.next = TrapCause::EnvironmentCall;
        } else if self.word.val() == 0x0010_0073 {
            self.controls.trap.next = TrapCause::Breakpoint;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::Predecode;

    fn decode(word: u32) -> Decode {
        let mut decode = Decode::new(&CoreConfig::tiny());
        decode.connect_all();
        decode.word.next = (word as usize).into();
        simulate(&mut decode, 100);
        decode
    }

    fn r_type(opcode: u32, funct3: u32, funct7: u32) -> u32 {
        (funct7 << 25) | (2 << 20) | (1 << 15) | (funct3 << 12) | (3 << 7) | opcode
    }

    fn is_legal(word: u32) -> bool {
        decode(word).controls.trap.val() == TrapCause::None
    }

    /// For each `funct3`, whether the encoding is legal.
    fn legal_functs(opcode: u32, funct7: u32) -> String {
        (0..8).map(|funct3| if is_legal(r_type(opcode, funct3, funct7)) { '1' } else { '.' }).collect()
    }

    #[test]
    fn legal_encodings() {
        for (opcode, funct7, legal) in [
            (0x37, 0x7f, "11111111"), // lui
            (0x17, 0x7f, "11111111"), // auipc
            (0x6f, 0x7f, "11111111"), // jal
            (0x67, 0x7f, "1......."), // jalr
            (0x63, 0x7f, "11..1111"), // branches
            (0x03, 0x7f, "111.11.."), // loads
            (0x23, 0x7f, "111....."), // stores
            (0x13, 0x00, "11111111"), // immediates
            (0x13, 0x20, "1.111111"),
            (0x13, 0x01, "1.111.11"),
            (0x33, 0x00, "11111111"), // registers
            (0x33, 0x20, "1....1.."),
            (0x33, 0x01, "11111111"), // multiply, divide
            (0x33, 0x02, "........"),
            (0x0f, 0x7f, "11......"), // fence, fence.i
            (0x73, 0x00, "........"),
            (0x0b, 0x00, "111....."), // bar.sync, exit, ballot
            (0x0b, 0x01, "........"),
            (0x2f, 0x00, "..1....."), // amoadd.w
            (0x2f, 0x03, "..1....."), // amoadd.w.aqrl
            (0x2f, 0x14, "........"),
            (0x07, 0x00, "........"), // flw
            (0x32, 0x00, "........"), // low bits
            (0x00, 0x00, "........"),
        ] {
            assert_eq!(legal_functs(opcode, funct7), legal, "opcode {opcode:#x} funct7 {funct7:#x}");
        }
        assert!(!is_legal(0));
        assert!(!is_legal(0xffff_ffff));
    }

    #[test]
    fn system_instructions() {
        let csr = |number: u32, rs1: u32, funct3: u32| (number << 20) | (rs1 << 15) | (funct3 << 12) | (3 << 7) | 0x73;
        for (word, trap) in [
            (0x0000_0073, TrapCause::EnvironmentCall),
            (0x0010_0073, TrapCause::Breakpoint),
            (0x3020_0073, TrapCause::IllegalInstruction), // mret
            (0x0000_00f3, TrapCause::IllegalInstruction), // ecall with rd
            (csr(0xcc0, 0, 2), TrapCause::None),          // csrrs, csrrc, csrrsi, csrrci
            (csr(0xcc5, 0, 3), TrapCause::None),
            (csr(0xccf, 0, 6), TrapCause::None),
            (csr(0xccf, 0, 7), TrapCause::None),
            (csr(0xcc0, 0, 1), TrapCause::IllegalInstruction), // csrrw
            (csr(0xcc0, 0, 5), TrapCause::IllegalInstruction),
            (csr(0xcc0, 1, 2), TrapCause::IllegalInstruction), // sets bits
            (csr(0xcc0, 1, 7), TrapCause::IllegalInstruction),
            (csr(0xcd0, 0, 2), TrapCause::IllegalInstruction),
            (csr(0xcbf, 0, 2), TrapCause::IllegalInstruction),
            (csr(0xc00, 0, 2), TrapCause::IllegalInstruction), // cycle
        ] {
            assert_eq!(decode(word).controls.trap.val(), trap, "{word:08x}");
        }
        let decode = decode(csr(0xcc7, 0, 2));
        assert_eq!(decode.csr_index.val(), 7);
        assert_eq!(decode.controls.result_source.val(), ResultSource::Csr);
        assert!(decode.controls.writes_rd.val());
    }

    #[test]
    fn arithmetic() {
        use AluOp::*;
        for (word, alu_op, operand_a, operand_b, immediate) in [
            (0xfff0_8193, Add, OperandA::Register, OperandB::Immediate, 0xffff_ffff), // addi x3, x1, -1
            (0x0020_81b3, Add, OperandA::Register, OperandB::Register, 2),            // add x3, x1, x2
            (0x4020_81b3, Sub, OperandA::Register, OperandB::Register, 0x402),        // sub x3, x1, x2
            (0xc000_8193, Add, OperandA::Register, OperandB::Immediate, 0xffff_fc00), // addi: no subtraction
            (0x4050_d193, ShiftRightArithmetic, OperandA::Register, OperandB::Immediate, 0x405), // srai
            (0x0050_d193, ShiftRight, OperandA::Register, OperandB::Immediate, 5),    // srli
            (0x0050_9193, ShiftLeft, OperandA::Register, OperandB::Immediate, 5),     // slli
            (0xfff0_b193, LessUnsigned, OperandA::Register, OperandB::Immediate, 0xffff_ffff), // sltiu
            (0x1234_51b7, Add, OperandA::Zero, OperandB::Immediate, 0x1234_5000),     // lui
            (0x1234_5197, Add, OperandA::Pc, OperandB::Immediate, 0x1234_5000),       // auipc
            (0x0080_01ef, Add, OperandA::Pc, OperandB::Four, 8),                      // jal
        ] {
            let decode = decode(word);
            assert_eq!(decode.controls.trap.val(), TrapCause::None, "{word:08x}");
            assert_eq!(decode.controls.alu_op.val(), alu_op, "{word:08x}");
            assert_eq!(decode.controls.operand_a.val(), operand_a, "{word:08x}");
            assert_eq!(decode.controls.operand_b.val(), operand_b, "{word:08x}");
            assert_eq!(decode.controls.immediate.val(), immediate, "{word:08x}");
            assert_eq!(decode.controls.rd.val(), 3);
            assert!(decode.controls.writes_rd.val());
        }
        assert!(!decode(0x0020_8033).controls.writes_rd.val(), "add x0, x1, x2");
    }

    #[test]
    fn multiply_and_divide() {
        for (funct3, high, a_signed, b_signed) in
            [(1, true, true, true), (2, true, true, false), (3, true, false, false)]
        {
            let decode = decode(r_type(0x33, funct3, 1));
            let controls = (
                decode.controls.multiply.high.val(),
                decode.controls.multiply.a_signed.val(),
                decode.controls.multiply.b_signed.val(),
            );
            assert_eq!(controls, (high, a_signed, b_signed));
        }
        assert!(!decode(r_type(0x33, 0, 1)).controls.multiply.high.val());
        for (funct3, signed, remainder) in [(4, true, false), (5, false, false), (6, true, true), (7, false, true)] {
            let decode = decode(r_type(0x33, funct3, 1));
            assert_eq!(
                (decode.controls.divide_signed.val(), decode.controls.divide_remainder.val()),
                (signed, remainder)
            );
        }
    }

    #[test]
    fn memory_instructions() {
        use MemoryOp::*;
        for (word, op, size, unsigned, immediate, writes_rd) in [
            (0xffc0_a183, Load, 2, false, 0xffff_fffc, true),   // lw x3, -4(x1)
            (0x0000_8183, Load, 0, false, 0, true),             // lb x3, 0(x1)
            (0x0000_d183, Load, 1, true, 0, true),              // lhu x3, 0(x1)
            (0x0000_a003, Load, 2, false, 0, false),            // lw x0, 0(x1)
            (0xfe20_ae23, Store, 2, false, 0xffff_fffc, false), // sw x2, -4(x1)
            (0x0020_80a3, Store, 0, false, 1, false),           // sb x2, 1(x1)
            (0x1000_a1af, LoadReserved, 2, false, 0, true),
            (0x1820_a1af, StoreConditional, 2, false, 0, true),
            (0x0820_a1af, AtomicSwap, 2, false, 0, true),
            (0x0020_a1af, AtomicAdd, 2, false, 0, true),
            (0x2020_a1af, AtomicXor, 2, false, 0, true),
            (0x6020_a1af, AtomicAnd, 2, false, 0, true),
            (0x4020_a1af, AtomicOr, 2, false, 0, true),
            (0x8020_a1af, AtomicMin, 2, false, 0, true),
            (0xa020_a1af, AtomicMax, 2, false, 0, true),
            (0xc020_a1af, AtomicMinUnsigned, 2, false, 0, true),
            (0xe020_a1af, AtomicMaxUnsigned, 2, false, 0, true),
            (0x0ff0_000f, Fence, 0, false, 0xff, false),
        ] {
            let decode = decode(word);
            assert_eq!(decode.controls.trap.val(), TrapCause::None, "{word:08x}");
            assert_eq!(decode.controls.memory_op.val(), op, "{word:08x}");
            assert_eq!(decode.controls.memory_size.val(), size, "{word:08x}");
            assert_eq!(decode.controls.memory_unsigned.val(), unsigned, "{word:08x}");
            assert_eq!(decode.controls.immediate.val(), immediate, "{word:08x}");
            assert_eq!(decode.controls.writes_rd.val(), writes_rd, "{word:08x}");
        }
        assert!(!is_legal(0x1020_a1af), "lr.w names no rs2");
    }

    #[test]
    fn control_instructions() {
        use ControlKind::*;
        for (word, kind, indirect, writes_rd) in [
            (0x0020_8463, Branch, false, false), // beq x1, x2, 8
            (0x0080_00ef, Jump, false, true),    // jal x1, 8
            (0x0000_8067, Jump, true, false),    // ret
            (0x0000_000b, Barrier, false, false),
            (0x0000_100b, Exit, false, false),
        ] {
            let decode = decode(word);
            assert_eq!(decode.controls.trap.val(), TrapCause::None, "{word:08x}");
            let controls =
                (decode.controls.control_kind.val(), decode.controls.indirect.val(), decode.controls.writes_rd.val());
            assert_eq!(controls, (kind, indirect, writes_rd), "{word:08x}");
        }
        for (funct3, condition) in [
            (0, BranchCondition::Equal),
            (1, BranchCondition::NotEqual),
            (4, BranchCondition::Less),
            (5, BranchCondition::GreaterEqual),
            (6, BranchCondition::LessUnsigned),
            (7, BranchCondition::GreaterEqualUnsigned),
        ] {
            assert_eq!(decode(r_type(0x63, funct3, 0)).controls.condition.val(), condition);
        }
        let ballot = decode(0x0000_a18b);
        assert_eq!(ballot.controls.result_source.val(), ResultSource::Ballot);
        assert!(ballot.controls.writes_rd.val());
    }

    /// A register that the scoreboard marks must be written, or it stays pending for ever; and no other.
    #[test]
    fn agrees_with_the_predecoder_on_destinations() {
        for (floats, warp_instructions) in [(false, false), (true, false), (false, true), (true, true)] {
            let config = CoreConfig { floats, warp_instructions, ..CoreConfig::tiny() };
            let mut predecode = Predecode::new(&config);
            let mut decode = Decode::new(&config);
            predecode.connect_all();
            decode.connect_all();
            for opcode in (3..0x80).step_by(4) {
                for funct in 0..0x400 {
                    for (rd, rs2) in [(0, 0), (3, 0), (0, 1), (3, 1), (3, 3)] {
                        let fields = r_type(opcode, funct & 7, funct >> 3) & !(31 << 7) & !(31 << 20);
                        let word = (fields | (rd << 7) | (rs2 << 20)) as usize;
                        predecode.word.next = word.into();
                        decode.word.next = word.into();
                        simulate(&mut predecode, 100);
                        simulate(&mut decode, 100);
                        if decode.controls.trap.val() == TrapCause::None {
                            assert_eq!(predecode.writes_rd.val(), decode.controls.writes_rd.val(), "{word:08x}");
                        }
                    }
                }
            }
        }
    }
}
