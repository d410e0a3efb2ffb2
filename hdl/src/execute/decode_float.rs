//! Decodes a float instruction: the part of [`Decode`](super::Decode) for RV32F.
//!
//! ```text
//!              +-------------+---> is_float, legal, has_rd, float_rd
//!   word ----->| DecodeFloat |
//!              +-------------+---> controls: operation, comparison, root, rounding, csr...    float lanes
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `word` | 32 | instruction |
//! | `is_float` | 1 | an opcode of RV32F, or a CSR of its own; else there is no result, and nothing below counts |
//! | `legal` | 1 | there is such an instruction, but for a rounding mode that only the thread's `frm` tells |
//! | `has_rd`, `float_rd` | 1 | it has a result, for a float register |
//! | `controls_*` | | to the float lanes and their status, as [`FloatControls`] says |
//!
//! Latency 0, no state. RISC-V unprivileged specification, chapters 20 and 35. `fmt` is that of single precision, or the instruction is illegal.
use super::float::operation::{FloatComparison, FloatControls, FloatCsr, FloatOperation, FloatResult};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct DecodeFloat {
        pub word: Net<In> = 32,
        pub is_float: Signal<Out, Bit>,
        pub legal: Signal<Out, Bit>,
        pub has_rd: Signal<Out, Bit>,
        pub float_rd: Signal<Out, Bit>,
        pub controls: FloatControls<Out> = FloatControls::new(),

        opcode: Net<Local> = 7,
        funct3: Net<Local> = 3,
        funct5: Net<Local> = 5,
        rs1: Net<Local> = 5,
        rs2: Net<Local> = 5,
        csr: Net<Local> = 12,
        is_single: Signal<Local, Bit>,
        /// `funct3` is a rounding mode, or asks for the thread's.
        rounds: Signal<Local, Bit>,
        uses_rounding: Signal<Local, Bit>,
        fused: Signal<Local, Bit>,
    }
}

impl Logic for DecodeFloat {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module DecodeFloat");
        self.opcode.next = bit_cast_to(self.word.val(), 7);
        self.funct3.next = bit_cast_to(self.word.val() >> 12, 3);
        self.rs1.next = bit_cast_to(self.word.val() >> 15, 5);
        self.rs2.next = bit_cast_to(self.word.val() >> 20, 5);
        self.csr.next = bit_cast_to(self.word.val() >> 20, 12);
        self.funct5.next = bit_cast_to(self.word.val() >> 27, 5);
        self.is_single.next = bit_cast_to(self.word.val() >> 25, 2) == 0;
        self.rounds.next = (self.funct3.val() != 5) & (self.funct3.val() != 6);
        self.fused.next = (self.opcode.val() & 0x73) == 0x43;

        self.is_float.next = true;
        self.legal.next = self.is_single.val();
        self.has_rd.next = true;
        self.float_rd.next = true;
        self.controls.store.next = false;
        self.uses_rounding.next = false;
        self.controls.float_a.next = true;
        self.controls.result.next = FloatResult::None;
        self.controls.operation.next = FloatOperation::Add;
        self.controls.root.next = self.funct5.val().get_bit(3);
        self.controls.csr.next = FloatCsr::None;
        self.controls.raises.next = 0.into();
        self.controls.replaces.next = 0.into();
        match self.funct3.val().index() {
            0 => self.controls.comparison.next = FloatComparison::LessOrEqual,
            1 => self.controls.comparison.next = FloatComparison::Less,
            _ => self.controls.comparison.next = FloatComparison::Equal,
        }
        match self.opcode.val().index() {
            // flw
            0x07 => {
                self.legal.next = self.funct3.val() == 2;
                self.controls.float_a.next = false;
            }
            // fsw
            0x27 => {
                self.legal.next = self.funct3.val() == 2;
                self.has_rd.next = false;
                self.controls.store.next = true;
                self.controls.float_a.next = false;
            }
            0x53 => {
                self.controls.raises.next = 1.into();
                match self.funct5.val().index() {
                    // fadd.s, fsub.s, fmul.s
                    0x00 => {
                        self.uses_rounding.next = true;
                        self.controls.result.next = FloatResult::Pipeline;
                    }
                    0x01 => {
                        self.uses_rounding.next = true;
                        self.controls.result.next = FloatResult::Pipeline;
                        self.controls.operation.next = FloatOperation::Subtract;
                    }
                    0x02 => {
                        self.uses_rounding.next = true;
                        self.controls.result.next = FloatResult::Pipeline;
                        self.controls.operation.next = FloatOperation::Multiply;
                    }
                    // fdiv.s
                    0x03 => {
                        self.uses_rounding.next = true;
                        self.controls.result.next = FloatResult::Divide;
                    }
                    // fsqrt.s
                    0x0b => {
                        self.legal.next = self.is_single.val() & (self.rs2.val() == 0);
                        self.uses_rounding.next = true;
                        self.controls.result.next = FloatResult::Divide;
                    }
                    // fsgnj.s, fsgnjn.s, fsgnjx.s
                    0x04 => {
                        self.legal.next = self.is_single.val() & (self.funct3.val() < 3);
                        self.controls.result.next = FloatResult::Comparison;
                        match self.funct3.val().index() {
                            0 => self.controls.comparison.next = FloatComparison::CopySign,
                            1 => self.controls.comparison.next = FloatComparison::CopyInvertedSign,
                            _ => self.controls.comparison.next = FloatComparison::MultiplySigns,
                        }
                    }
                    // fmin.s, fmax.s
                    0x05 => {
                        self.legal.next = self.is_single.val() & (self.funct3.val() < 2);
                        self.controls.result.next = FloatResult::Comparison;
                        self.controls.comparison.next = FloatComparison::Minimum;
                        if self.funct3.val() == 1 {
                            self.controls.comparison.next = FloatComparison::Maximum;
                        }
                    }
                    // fle.s, flt.s, feq.s
                    0x14 => {
                        self.legal.next = self.is_single.val() & (self.funct3.val() < 3);
                        self.float_rd.next = false;
                        self.controls.result.next = FloatResult::Comparison;
                    }
                    // fcvt.w.s, fcvt.wu.s
                    0x18 => {
                        self.legal.next = self.is_single.val() & (self.rs2.val() < 2);
                        self.float_rd.next = false;
                        self.uses_rounding.next = true;
                        self.controls.result.next = FloatResult::Pipeline;
                        self.controls.operation.next = FloatOperation::ToInteger;
                        if self.rs2.val().get_bit(0) {
                            self.controls.operation.next = FloatOperation::ToUnsigned;
                        }
                    }
                    // fcvt.s.w, fcvt.s.wu
                    0x1a => {
                        self.legal.next = self.is_single.val() & (self.rs2.val() < 2);
                        self.uses_rounding.next = true;
                        self.controls.float_a.next = false;
                        self.controls.result.next = FloatResult::Pipeline;
                        self.controls.operation.next = FloatOperation::FromInteger;
                        if self.rs2.val().get_bit(0) {
                            self.controls.operation.next = FloatOperation::FromUnsigned;
                        }
                    }
                    // fmv.x.w, fclass.s
                    0x1c => {
                        self.legal.next = self.is_single.val() & (self.rs2.val() == 0) & (self.funct3.val() < 2);
                        self.float_rd.next = false;
                        self.controls.raises.next = 0.into();
                        self.controls.result.next = FloatResult::Comparison;
                        self.controls.comparison.next = FloatComparison::Move;
                        if self.funct3.val() == 1 {
                            self.controls.comparison.next = FloatComparison::Classify;
                        }
                    }
                    // fmv.w.x
                    0x1e => {
                        self.legal.next = self.is_single.val() & (self.rs2.val() == 0) & (self.funct3.val() == 0);
                        self.controls.float_a.next = false;
                        self.controls.result.next = FloatResult::Comparison;
                        self.controls.comparison.next = FloatComparison::Move;
                    }
                    _ => self.legal.next = false,
                }
            }
            // csrrw, csrrs, csrrc and their immediate forms of fflags, frm, fcsr
            0x73 => {
                self.is_float.next = bit_cast_to(self.funct3.val(), 2) != 0;
                self.legal.next = true;
                self.float_rd.next = false;
                self.controls.float_a.next = false;
                self.controls.result.next = FloatResult::Status;
                self.controls.raises.next = 1.into();
                self.controls.replaces.next = 1.into();
                match self.csr.val().index() {
                    1 => self.controls.csr.next = FloatCsr::Flags,
                    2 => self.controls.csr.next = FloatCsr::Rounding,
                    3 => self.controls.csr.next = FloatCsr::Both,
                    _ => self.is_float.next = false,
                }
            }
            // fmadd.s, fmsub.s, fnmsub.s, fnmadd.s
            _ => {
                self.is_float.next = self.fused.val();
                self.uses_rounding.next = true;
                self.controls.raises.next = 1.into();
                self.controls.result.next = FloatResult::Pipeline;
                match bit_cast_to(self.word.val() >> 2, 2).index() {
                    0 => self.controls.operation.next = FloatOperation::MultiplyAdd,
                    1 => self.controls.operation.next = FloatOperation::MultiplySubtract,
                    2 => self.controls.operation.next = FloatOperation::NegatedMultiplySubtract,
                    _ => self.controls.operation.next = FloatOperation::NegatedMultiplyAdd,
                }
            }
        }
        if !self.is_float.val() {
            self.uses_rounding.next = false;
            self.controls.result.next = FloatResult::None;
            self.controls.csr.next = FloatCsr::None;
            self.controls.raises.next = 0.into();
        }
        if self.uses_rounding.val() & !self.rounds.val() {
            self.legal.next = false;
        }
        self.controls.rounding.next = self.funct3.val();
        self.controls.dynamic.next = self.uses_rounding.val() & (self.funct3.val() == 7);

        // csrrs and csrrc of x0, or of 0, only read.
        self.controls.csr_immediate.next = self.rs1.val();
        self.controls.csr_is_immediate.next = self.funct3.val().get_bit(2);
        self.controls.csr_sets.next = bit_cast_to(self.funct3.val(), 2) == 2;
        self.controls.csr_clears.next = bit_cast_to(self.funct3.val(), 2) == 3;
        self.controls.csr_writes.next = (bit_cast_to(self.funct3.val(), 2) == 1) | self.rs1.val().any();
    }
}
