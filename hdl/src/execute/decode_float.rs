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
        self.controls.root.next = false;
        self.controls.csr.next = FloatCsr::None;
        self.controls.raises.next = 0.into();
        self.controls.replaces.next = 0.into();
        self.controls.comparison.next = FloatComparison::Equal;
        match self.opcode.val().index() {
            // flw
            0x07 => self.legal.next = self.funct3.val() == 2,
            // fsw
            0x27 => {
                self.legal.next = self.funct3.val() == 2;
                self.has_rd.next = false;
                self.controls.store.next = true;
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
                        self.controls.root.next = true;
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
                        match self.funct3.val().index() {
                            0 => self.controls.comparison.next = FloatComparison::LessOrEqual,
                            1 => self.controls.comparison.next = FloatComparison::Less,
                            _ => {}
                        }
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
            self.controls.operation.next = FloatOperation::Add;
            self.controls.result.next = FloatResult::None;
            self.controls.csr.next = FloatCsr::None;
            self.controls.raises.next = 0.into();
        }
        if self.uses_rounding.val() & !self.rounds.val() {
            self.legal.next = false;
        }
        self.controls.rounding.next = 0.into();
        if self.uses_rounding.val() {
            self.controls.rounding.next = self.funct3.val();
        }
        self.controls.dynamic.next = self.uses_rounding.val() & (self.funct3.val() == 7);

        // csrrs and csrrc of x0, or of 0, only read.
        self.controls.csr_immediate.next = self.rs1.val();
        self.controls.csr_is_immediate.next = self.funct3.val().get_bit(2);
        self.controls.csr_sets.next = bit_cast_to(self.funct3.val(), 2) == 2;
        self.controls.csr_clears.next = bit_cast_to(self.funct3.val(), 2) == 3;
        self.controls.csr_writes.next = (bit_cast_to(self.funct3.val(), 2) == 1) | self.rs1.val().any();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `word  rd operand flags | result and what it computes`, with `D` or `d` for a float or integer result, `F` or `i` for a float or integer
    /// operand of the float lanes, `r` if it raises flags, `R` if it replaces them, `y` if it rounds as the thread says.
    const INSTRUCTIONS: &str = "
        0005a507 D - -  | None                             flw fa0,0(a1)
        00a5a027 - - -  | None                             fsw fa0,0(a1)
        68c58543 D F r  | Pipeline MultiplyAdd             fmadd.s fa0,fa1,fa2,fa3,rne
        68c5f547 D F ry | Pipeline MultiplySubtract        fmsub.s fa0,fa1,fa2,fa3
        68c5954b D F r  | Pipeline NegatedMultiplySubtract fnmsub.s fa0,fa1,fa2,fa3,rtz
        68c5f54f D F ry | Pipeline NegatedMultiplyAdd      fnmadd.s fa0,fa1,fa2,fa3
        00c5f553 D F ry | Pipeline Add                     fadd.s fa0,fa1,fa2
        08c5f553 D F ry | Pipeline Subtract                fsub.s fa0,fa1,fa2
        10c5f553 D F ry | Pipeline Multiply                fmul.s fa0,fa1,fa2
        18c5f553 D F ry | Divide quotient                  fdiv.s fa0,fa1,fa2
        5805f553 D F ry | Divide root                      fsqrt.s fa0,fa1
        20c58553 D F r  | Comparison CopySign              fsgnj.s fa0,fa1,fa2
        20c59553 D F r  | Comparison CopyInvertedSign      fsgnjn.s fa0,fa1,fa2
        20c5a553 D F r  | Comparison MultiplySigns         fsgnjx.s fa0,fa1,fa2
        28c58553 D F r  | Comparison Minimum               fmin.s fa0,fa1,fa2
        28c59553 D F r  | Comparison Maximum               fmax.s fa0,fa1,fa2
        a0c58553 d F r  | Comparison LessOrEqual           fle.s a0,fa1,fa2
        a0c59553 d F r  | Comparison Less                  flt.s a0,fa1,fa2
        a0c5a553 d F r  | Comparison Equal                 feq.s a0,fa1,fa2
        c005f553 d F ry | Pipeline ToInteger               fcvt.w.s a0,fa1
        c015f553 d F ry | Pipeline ToUnsigned              fcvt.wu.s a0,fa1
        d005f553 D i ry | Pipeline FromInteger             fcvt.s.w fa0,a1
        d015f553 D i ry | Pipeline FromUnsigned            fcvt.s.wu fa0,a1
        e0058553 d F -  | Comparison Move                  fmv.x.w a0,fa1
        e0059553 d F -  | Comparison Classify              fclass.s a0,fa1
        f0058553 D i r  | Comparison Move                  fmv.w.x fa0,a1
        00159573 d - rR | Status Flags writes              csrrw a0,fflags,a1
        0020a573 d - rR | Status Rounding sets writes      csrrs a0,frm,ra
        00302573 d - rR | Status Both sets                 csrrs a0,fcsr,x0
        0030f573 d - rR | Status Both 1 clears writes      csrrci a0,fcsr,1
        0011d573 d - rR | Status Flags 3 writes            csrrwi a0,fflags,3";

    fn decoded(decode: &DecodeFloat) -> String {
        let DecodeFloat { controls, has_rd, float_rd, .. } = decode;
        let choice = |bit: bool, [yes, no]: [&'static str; 2]| if bit { yes } else { no };
        let rd = if has_rd.val() { choice(float_rd.val(), ["D", "d"]) } else { "-" };
        let marks: String =
            [(controls.raises.val().any(), 'r'), (controls.replaces.val().any(), 'R'), (controls.dynamic.val(), 'y')]
                .into_iter()
                .filter_map(|(bit, mark)| bit.then_some(mark))
                .collect();
        let marks = if marks.is_empty() { "-" } else { &marks };
        let result = controls.result.val();
        let what = match result {
            FloatResult::None => vec![],
            FloatResult::Pipeline => vec![format!("{:?}", controls.operation.val())],
            FloatResult::Divide => vec![choice(controls.root.val(), ["root", "quotient"]).to_string()],
            FloatResult::Comparison => vec![format!("{:?}", controls.comparison.val())],
            FloatResult::Status => {
                let immediate =
                    controls.csr_is_immediate.val().then(|| controls.csr_immediate.val().value().to_string());
                let ways = [
                    (controls.csr_sets.val(), "sets"),
                    (controls.csr_clears.val(), "clears"),
                    (controls.csr_writes.val(), "writes"),
                ];
                let ways = ways.into_iter().filter(|(does, _)| *does).map(|(_, way)| way.to_string());
                [format!("{:?}", controls.csr.val())].into_iter().chain(immediate).chain(ways).collect()
            }
        };
        let operand = match result {
            FloatResult::None | FloatResult::Status => "-",
            _ => choice(controls.float_a.val(), ["F", "i"]),
        };
        [vec![rd.into(), operand.into(), marks.into(), "|".into(), format!("{result:?}")], what].concat().join(" ")
    }

    #[test]
    fn decodes_each_instruction() {
        let mut decode = DecodeFloat::default();
        decode.connect_all();
        for line in INSTRUCTIONS.trim().lines().map(str::trim) {
            let (word, rest) = line.split_once(' ').unwrap();
            let words: Vec<&str> = rest.split_whitespace().collect();
            decode.word.next = usize::from_str_radix(word, 16).unwrap().into();
            simulate(&mut decode, 100);
            assert!(decode.is_float.val() && decode.legal.val(), "{line}");
            // The assembly is two words.
            assert_eq!(decoded(&decode), words[..words.len() - 2].join(" "), "{line}");
            assert_eq!(decode.controls.store.val(), line.contains("fsw"), "{line}");
            let has_csr = decode.controls.csr.val() != FloatCsr::None;
            assert_eq!(has_csr, decode.controls.result.val() == FloatResult::Status, "{line}");
        }
    }

    /// Operands of floats are read only for floats, so nothing changes in their lanes.
    #[test]
    fn float_lanes_rest_while_others_compute() {
        let mut decode = DecodeFloat::default();
        decode.connect_all();
        // add, sub, mulhu, lw, flw, sw, beq, csrrw of another CSR: every opcode that is none of the lanes', and every funct3.
        for word in (0..0x1000).map(|i: usize| (i >> 3 & 0x1ff) << 23 | (i & 7) << 12 | 0x33).chain([
            0x0005_a503,
            0x0005_a507,
            0x00a5_a023,
            0x00b5_0463,
            0x0005_9573,
            0x0015_9573,
        ]) {
            decode.word.next = word.into();
            simulate(&mut decode, 100);
            let controls = &decode.controls;
            let lanes = (controls.operation.val(), controls.comparison.val(), controls.rounding.val().index());
            assert_eq!(lanes, (FloatOperation::Add, FloatComparison::Equal, 0), "{word:08x}");
            assert!(controls.float_a.val() && !controls.root.val() && !controls.dynamic.val(), "{word:08x}");
        }
    }

    #[test]
    fn knows_what_is_illegal_and_what_is_not_its_own() {
        let mut decode = DecodeFloat::default();
        decode.connect_all();
        // Double precision, rounding modes 5 and 6, other widths, no such operation, a second operand where there is none.
        for word in [
            0x02c5_f553usize,
            0x00c5_d553,
            0x00c5_e553,
            0x68c5_d543,
            0x6ac5_8543,
            0x0005_b507,
            0x00a5_b027,
            0x20c5_b553,
            0x28c5_a553,
            0xa0c5_b553,
            0xc025_8553,
            0xd025_8553,
            0xe015_8553,
            0xe005_a553,
            0xf005_9553,
            0xf015_8553,
            0x5815_8553,
            0x4000_0053,
        ] {
            decode.word.next = word.into();
            simulate(&mut decode, 100);
            assert!(decode.is_float.val() && !decode.legal.val(), "{word:08x}");
        }
        // ebreak, csrrs of another CSR, add.
        for word in [0x0010_0073usize, 0xcc00_2573, 0x00c5_8533] {
            decode.word.next = word.into();
            simulate(&mut decode, 100);
            let controls = &decode.controls;
            assert!(!decode.is_float.val() && !controls.raises.val().any() && !controls.dynamic.val(), "{word:08x}");
            assert_eq!((controls.result.val(), controls.csr.val()), (FloatResult::None, FloatCsr::None), "{word:08x}");
        }
    }
}
