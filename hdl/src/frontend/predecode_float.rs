//! What the scheduler must know of a float instruction before it issues: the part of [`Predecode`](super::Predecode) for RV32F.
//!
//! ```text
//!            +---------------+---> is_float
//!   word --->| PredecodeFloat|---> reads_rs1, reads_rs2, has_rd, tracks_x0, float_rd
//!            |               |---> rs1, rs2, rs3, rd, flags
//!            +---------------+---> divide, memory
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `word` | 32 | instruction |
//! | `is_float` | 1 | an opcode of RV32F, or a CSR of its own; else nothing below counts but `flags` |
//! | `reads_rs1`, `reads_rs2`, `has_rd` | 1 | it has these registers |
//! | `rs1`, `rs2`, `rs3`, `rd` | 6 | their numbers: floats from 32 on |
//! | `float_rd` | 1 | its result is a float |
//! | `tracks_x0` | 1 | it makes x0 pending if that is its `rd`: it changes `fcsr` when its result arrives |
//! | `flags` | 10 | above [`PREDECODED_FLAGS`] zeros: it reads `rs3`; it occupies [`FloatMultiplyAdd`](crate::execute::float::FloatMultiplyAdd); it reads or writes `fcsr`, or is `exit`, after which nothing may raise a flag any more: every register of the thread must have arrived |
//! | `divide`, `memory` | 1 | it occupies a divider, the load/store unit; if no unit at all, the ALU |
//!
//! Latency 0. What is no legal instruction may look like one here: it traps when it executes.
use crate::interface::PREDECODED_FLAGS;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct PredecodeFloat {
        pub word: Net<In> = 32,
        pub is_float: Signal<Out, Bit>,
        pub reads_rs1: Signal<Out, Bit>,
        pub reads_rs2: Signal<Out, Bit>,
        pub has_rd: Signal<Out, Bit>,
        pub rs1: Net<Out> = 6,
        pub rs2: Net<Out> = 6,
        pub rs3: Net<Out> = 6,
        pub rd: Net<Out> = 6,
        pub flags: Net<Out> = PREDECODED_FLAGS + 3,
        pub float_rd: Signal<Out, Bit>,
        pub tracks_x0: Signal<Out, Bit>,
        pub divide: Signal<Out, Bit>,
        pub memory: Signal<Out, Bit>,

        opcode: Net<Local> = 7,
        funct3: Net<Local> = 3,
        funct5: Net<Local> = 5,
        csr: Net<Local> = 12,
        float_rs1: Signal<Local, Bit>,
        reads_rs3: Signal<Local, Bit>,
        waits_for_all: Signal<Local, Bit>,
        pipeline: Signal<Local, Bit>,
        /// fmadd.s, fmsub.s, fnmsub.s, fnmadd.s.
        fused: Signal<Local, Bit>,
    }
}

impl Logic for PredecodeFloat {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module PredecodeFloat");
        self.opcode.next = bit_cast_to(self.word.val(), 7);
        self.funct3.next = bit_cast_to(self.word.val() >> 12, 3);
        self.funct5.next = bit_cast_to(self.word.val() >> 27, 5);
        self.csr.next = bit_cast_to(self.word.val() >> 20, 12);
        self.fused.next = (self.opcode.val() & 0x73) == 0x43;

        self.is_float.next = true;
        self.reads_rs1.next = true;
        self.reads_rs2.next = false;
        self.reads_rs3.next = false;
        self.has_rd.next = true;
        self.float_rs1.next = false;
        self.float_rd.next = true;
        self.tracks_x0.next = false;
        self.waits_for_all.next = false;
        self.pipeline.next = false;
        self.divide.next = false;
        self.memory.next = false;
        match self.opcode.val().index() {
            // flw
            0x07 => self.memory.next = true,
            // fsw
            0x27 => {
                self.reads_rs2.next = true;
                self.has_rd.next = false;
                self.memory.next = true;
            }
            0x53 => {
                self.float_rs1.next = true;
                match self.funct5.val().index() {
                    // fdiv.s
                    0x03 => {
                        self.reads_rs2.next = true;
                        self.divide.next = true;
                    }
                    // fsqrt.s
                    0x0b => self.divide.next = true,
                    // fsgnj.s and its kin
                    0x04 => self.reads_rs2.next = true,
                    // fmin.s, fmax.s
                    0x05 => self.reads_rs2.next = true,
                    // feq.s, flt.s, fle.s
                    0x14 => {
                        self.reads_rs2.next = true;
                        self.float_rd.next = false;
                        self.tracks_x0.next = true;
                    }
                    // fcvt.w.s, fcvt.wu.s
                    0x18 => {
                        self.float_rd.next = false;
                        self.tracks_x0.next = true;
                        self.pipeline.next = true;
                    }
                    // fcvt.s.w, fcvt.s.wu
                    0x1a => {
                        self.float_rs1.next = false;
                        self.pipeline.next = true;
                    }
                    // fmv.x.w, fclass.s
                    0x1c => self.float_rd.next = false,
                    // fmv.w.x
                    0x1e => self.float_rs1.next = false,
                    // fadd.s, fsub.s, fmul.s
                    _ => {
                        self.reads_rs2.next = true;
                        self.pipeline.next = true;
                    }
                }
            }
            // fflags, frm, fcsr; what has 0 for the kind of its access is ebreak
            0x73 => {
                self.is_float.next = (bit_cast_to(self.funct3.val(), 2) != 0)
                    & ((self.csr.val() == 1) | (self.csr.val() == 2) | (self.csr.val() == 3));
                self.reads_rs1.next = !self.word.val().get_bit(14);
                self.float_rd.next = false;
                self.tracks_x0.next = true;
                self.waits_for_all.next = self.is_float.val();
            }
            // exit
            0x0b => {
                self.is_float.next = false;
                self.waits_for_all.next = self.funct3.val() == 1;
            }
            _ => {
                self.is_float.next = self.fused.val();
                self.reads_rs2.next = true;
                self.reads_rs3.next = self.fused.val();
                self.float_rs1.next = true;
                self.pipeline.next = self.fused.val();
            }
        }

        self.rs1.next =
            bit_cast_to(bit_cast_to(self.word.val() >> 15, 5), 6) | (bit_cast_to(self.float_rs1.val(), 6) << 5);
        self.rs2.next = bit_cast_to(bit_cast_to(self.word.val() >> 20, 5), 6) | 32;
        self.rs3.next = bit_cast_to(bit_cast_to(self.word.val() >> 27, 5), 6) | 32;
        self.rd.next =
            bit_cast_to(bit_cast_to(self.word.val() >> 7, 5), 6) | (bit_cast_to(self.float_rd.val(), 6) << 5);
        self.flags.next = (bit_cast_to(self.reads_rs3.val(), PREDECODED_FLAGS + 3) << 7)
            | (bit_cast_to(self.pipeline.val(), PREDECODED_FLAGS + 3) << 8)
            | (bit_cast_to(self.waits_for_all.val(), PREDECODED_FLAGS + 3) << 9);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `word  reads rd unit` of one instruction of each kind, float registers in capitals; then `0` if it tracks x0, `w` if it waits for all.
    const KINDS: &str = "
        0005a507 1   D memory   -   flw fa0,0(a1)
        00a5a027 1B  - memory   -   fsw fa0,0(a1)
        68c5f543 ABC D pipeline -   fmadd.s fa0,fa1,fa2,fa3
        68c5f547 ABC D pipeline -   fmsub.s fa0,fa1,fa2,fa3
        68c5f54b ABC D pipeline -   fnmsub.s fa0,fa1,fa2,fa3
        68c5f54f ABC D pipeline -   fnmadd.s fa0,fa1,fa2,fa3
        00c5f553 AB  D pipeline -   fadd.s fa0,fa1,fa2
        08c5f553 AB  D pipeline -   fsub.s fa0,fa1,fa2
        10c5f553 AB  D pipeline -   fmul.s fa0,fa1,fa2
        18c5f553 AB  D divide   -   fdiv.s fa0,fa1,fa2
        5805f553 A   D divide   -   fsqrt.s fa0,fa1
        20c58553 AB  D alu      -   fsgnj.s fa0,fa1,fa2
        28c58553 AB  D alu      -   fmin.s fa0,fa1,fa2
        a0c58553 AB  d alu      0   fle.s a0,fa1,fa2
        c005f553 A   d pipeline 0   fcvt.w.s a0,fa1
        d005f553 1   D pipeline -   fcvt.s.w fa0,a1
        e0058553 A   d alu      -   fmv.x.w a0,fa1
        e0059553 A   d alu      -   fclass.s a0,fa1
        f0058553 1   D alu      -   fmv.w.x fa0,a1
        00159573 1   d alu      0w  csrrw a0,fflags,a1
        0020a573 1   d alu      0w  csrrs a0,frm,ra
        00305573 -   d alu      0w  csrrwi a0,fcsr,0";

    fn flag(predecode: &PredecodeFloat, bit: usize) -> bool {
        predecode.flags.val().get_bit(bit)
    }

    #[test]
    fn knows_each_kind() {
        let mut predecode = PredecodeFloat::default();
        predecode.connect_all();
        for line in KINDS.trim().lines().map(str::trim) {
            let field = |i: usize| line.split_whitespace().nth(i).unwrap();
            predecode.word.next = usize::from_str_radix(field(0), 16).unwrap().into();
            simulate(&mut predecode, 100);
            assert!(predecode.is_float.val(), "{line}");
            let choice = |present: bool, float: bool, [upper, lower]: [&'static str; 2]| match (present, float) {
                (false, _) => "",
                (true, true) => upper,
                (true, false) => lower,
            };
            let reads = [
                choice(predecode.reads_rs1.val(), predecode.rs1.val().get_bit(5), ["A", "1"]),
                choice(predecode.reads_rs2.val(), predecode.rs2.val().get_bit(5), ["B", "2"]),
                choice(flag(&predecode, 7), predecode.rs3.val().get_bit(5), ["C", "3"]),
            ]
            .concat();
            assert_eq!(if reads.is_empty() { "-" } else { &reads }, field(1), "{line}");
            let rd = choice(predecode.has_rd.val(), predecode.float_rd.val(), ["D", "d"]);
            assert_eq!(if rd.is_empty() { "-" } else { rd }, field(2), "{line}");
            let units = [
                (flag(&predecode, 8), "pipeline"),
                (predecode.divide.val(), "divide"),
                (predecode.memory.val(), "memory"),
            ];
            let unit: Vec<&str> = units.iter().filter(|u| u.0).map(|u| u.1).collect();
            assert_eq!(if unit.is_empty() { "alu".into() } else { unit.join("+") }, field(3), "{line}");
            let waits = [(predecode.tracks_x0.val(), "0"), (flag(&predecode, 9), "w")];
            let waits: String = waits.iter().filter(|w| w.0).map(|w| w.1).collect();
            assert_eq!(if waits.is_empty() { "-" } else { &waits }, field(4), "{line}");
        }
    }

    #[test]
    fn knows_what_is_none() {
        let mut predecode = PredecodeFloat::default();
        predecode.connect_all();
        for word in [0x00c5_8533, 0x0005_a503, 0x00a5_a023, 0xcc00_2573, 0x0000_0073, 0x0010_0073, 0x0000_000b] {
            predecode.word.next = Word::from(word);
            simulate(&mut predecode, 100);
            assert!(!predecode.is_float.val(), "{word:#x}");
            assert!(!predecode.flags.val().any(), "{word:#x}");
        }
    }

    #[test]
    fn exit_waits_for_flags() {
        let mut predecode = PredecodeFloat::default();
        predecode.connect_all();
        predecode.word.next = Word::from(0x0000_100b_usize);
        simulate(&mut predecode, 100);
        assert!(!predecode.is_float.val() && flag(&predecode, 9));
    }
}
