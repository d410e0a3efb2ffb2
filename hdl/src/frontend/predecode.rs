//! What the scheduler must know of an instruction before it issues.
//!
//! ```text
//!            +-----------+---> fields_rs1, fields_rs2, fields_rd, fields_flags
//!   word --->| Predecode |---> reads_rs1, reads_rs2, writes_rd
//!            |           |---> multiply, divide, memory, control
//!            +-----------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `word` | 32 | instruction |
//! | `predicted` | 1 | where loads may wait for an MSHR before they issue (Vec of one): if it is a load, it is taken to need one |
//! | `fields_rs1`, `fields_rs2`, `fields_rd`; `fields_rs3` with floats | r | its registers |
//! | `reads_rs1`, `reads_rs2` | 1 | it waits for these registers |
//! | `writes_rd` | 1 | it makes `rd` pending; never for x0 |
//! | `multiply`, `divide`, `memory`, `control` | 1 | the unit it occupies; none of them: the ALU |
//! | `fields_flags` | 7; 10 with floats | all of these, and what [`PredecodeFloat`] says, as [`WarpSlot`](super::WarpSlot) keeps them |
//! | `fields_accumulates` with warp instructions | 1 | what [`PredecodeWarp`] says |
//! | `fields_expected` | 1 | it is, and is taken to (Vec of one) |
//!
//! Latency 0. What is no instruction goes to the ALU, which raises the trap when it executes: a word that is
//! fetched but never issues does no harm. The full decoder is [`execute::Decode`](crate::execute).
use super::{PredecodeFloat, PredecodeWarp};
use crate::interface::{PREDECODED_FLAGS, Predecoded};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct Predecode {
        pub word: Net<In> = 32,
        pub predicted: Vec<Net<In>> = Net::vec(config.of_prediction(), 1),
        pub fields: Predecoded<Out> = Predecoded::new(config),
        pub reads_rs1: Signal<Out, Bit>,
        pub reads_rs2: Signal<Out, Bit>,
        pub writes_rd: Signal<Out, Bit>,
        pub multiply: Signal<Out, Bit>,
        pub divide: Signal<Out, Bit>,
        pub memory: Signal<Out, Bit>,
        pub control: Signal<Out, Bit>,

        opcode: Net<Local> = 7,
        funct3: Net<Local> = 3,
        funct7: Net<Local> = 7,
        has_rd: Signal<Local, Bit>,
        rd: Net<Local> = 5,
        floats: Vec<PredecodeFloat> = (0..config.of_floats()).map(|_| PredecodeFloat::default()).collect() => |p| { word },
        warp: Vec<PredecodeWarp> = (0..config.of_warp_instructions()).map(|_| PredecodeWarp::default()).collect() => |p| { word },
    }
    sizes { _register = config.register_width(), _flags = PREDECODED_FLAGS + 3 * config.of_floats() }
    /// Of a core.
    pub fn new(config: &CoreConfig) {}
}

impl Logic for Predecode {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Predecode");
        self.opcode.next = bit_cast_to(self.word.val(), 7);
        self.rd.next = bit_cast_to(self.word.val() >> 7, 5);
        self.fields.rd.next = bit_cast_to(self.rd.val(), self._register);
        self.funct3.next = bit_cast_to(self.word.val() >> 12, 3);
        self.fields.rs1.next = bit_cast_to(bit_cast_to(self.word.val() >> 15, 5), self._register);
        self.fields.rs2.next = bit_cast_to(bit_cast_to(self.word.val() >> 20, 5), self._register);
        self.funct7.next = bit_cast_to(self.word.val() >> 25, 7);

        self.reads_rs1.next = false;
        self.reads_rs2.next = false;
        self.has_rd.next = false;
        self.multiply.next = false;
        self.divide.next = false;
        self.memory.next = false;
        self.control.next = false;
        match self.opcode.val().index() {
            // lui, auipc
            0x37 => self.has_rd.next = true,
            0x17 => self.has_rd.next = true,
            // jal
            0x6f => {
                self.has_rd.next = true;
                self.control.next = true;
            }
            // jalr
            0x67 => {
                self.reads_rs1.next = true;
                self.has_rd.next = true;
                self.control.next = true;
            }
            // branches
            0x63 => {
                self.reads_rs1.next = true;
                self.reads_rs2.next = true;
                self.control.next = true;
            }
            // loads
            0x03 => {
                self.reads_rs1.next = true;
                self.has_rd.next = true;
                self.memory.next = true;
            }
            // stores
            0x23 => {
                self.reads_rs1.next = true;
                self.reads_rs2.next = true;
                self.memory.next = true;
            }
            // arithmetic with an immediate
            0x13 => {
                self.reads_rs1.next = true;
                self.has_rd.next = true;
            }
            // arithmetic on registers
            0x33 => {
                self.reads_rs1.next = true;
                self.reads_rs2.next = true;
                self.has_rd.next = true;
                if self.funct7.val() == 1 {
                    self.divide.next = self.funct3.val().get_bit(2);
                    self.multiply.next = !self.funct3.val().get_bit(2);
                }
            }
            // fence
            0x0f => self.memory.next = true,
            // CSR reads
            0x73 => self.has_rd.next = true,
            // atomics
            0x2f => {
                self.reads_rs1.next = true;
                self.reads_rs2.next = true;
                self.has_rd.next = true;
                self.memory.next = true;
            }
            // custom-0: bar.sync, exit, ballot
            0x0b => {
                if self.funct3.val() == 2 {
                    self.reads_rs1.next = true;
                    self.has_rd.next = true;
                } else {
                    self.control.next = !self.funct3.val().get_bit(2) & !self.funct3.val().get_bit(1);
                }
            }
            _ => {}
        }
        for p in 0..self.warp.len() {
            self.fields.accumulates[p].next = 0.into();
            if self.warp[p].accumulates.val() {
                self.fields.accumulates[p].next = 1.into();
            }
            if self.warp[p].is_warp.val() {
                self.reads_rs1.next = true;
                self.reads_rs2.next = true;
                self.has_rd.next = true;
                self.memory.next = self.warp[p].accumulates.val();
            }
        }
        for r in 0..self.fields.ordered.len() {
            // Stores, atomics, fences, and what is neither a branch nor a jump: bar.sync, exit.
            self.fields.ordered[r].next = 0.into();
            if (self.memory.val() & (self.opcode.val() != 0x03)) | (self.control.val() & (self.opcode.val() == 0x0b)) {
                self.fields.ordered[r].next = 1.into();
            }
        }
        self.writes_rd.next = self.has_rd.val() & self.rd.val().any();
        for p in 0..self.floats.len() {
            if self.floats[p].is_float.val() {
                self.reads_rs1.next = self.floats[p].reads_rs1.val();
                self.reads_rs2.next = self.floats[p].reads_rs2.val();
                self.divide.next = self.floats[p].divide.val();
                self.memory.next = self.floats[p].memory.val();
                for r in 0..self.fields.ordered.len() {
                    self.fields.ordered[r].next = 0.into();
                    if self.opcode.val() == 0x27 {
                        self.fields.ordered[r].next = 1.into();
                    }
                }
                self.writes_rd.next = self.floats[p].has_rd.val()
                    & (self.rd.val().any() | self.floats[p].float_rd.val() | self.floats[p].tracks_x0.val());
                self.fields.rs1.next = self.floats[p].rs1.val();
                self.fields.rs2.next = self.floats[p].rs2.val();
                self.fields.rd.next = self.floats[p].rd.val();
            }
        }
        self.fields.flags.next = bit_cast_to(self.reads_rs1.val(), self._flags)
            | (bit_cast_to(self.reads_rs2.val(), self._flags) << 1)
            | (bit_cast_to(self.writes_rd.val(), self._flags) << 2)
            | (bit_cast_to(self.multiply.val(), self._flags) << 3)
            | (bit_cast_to(self.divide.val(), self._flags) << 4)
            | (bit_cast_to(self.memory.val(), self._flags) << 5)
            | (bit_cast_to(self.control.val(), self._flags) << 6);
        for p in 0..self.floats.len() {
            self.fields.flags.next = self.fields.flags.val() | self.floats[p].flags.val();
            self.fields.rs3[p].next = self.floats[p].rs3.val();
        }
        for p in 0..self.predicted.len() {
            self.fields.expected[p].next = 0.into();
            if self.memory.val() & ((self.opcode.val() == 0x03) | (self.opcode.val() == 0x07)) {
                self.fields.expected[p].next = self.predicted[p].val();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `word  reads writes unit` of one instruction of each kind.
    const KINDS: &str = "
        00c58533 12 d alu       add a0,a1,a2
        02c58533 12 d multiply  mul a0,a1,a2
        02c5c533 12 d divide    div a0,a1,a2
        00158513 1  d alu       addi a0,a1,1
        00000013 1  - alu       nop writes x0
        12345537 -  d alu       lui a0,0x12345
        0005a503 1  d memory    lw a0,0(a1)
        00a5a023 12 - memory    sw a0,0(a1)
        00c5a52f 12 d memory    amoadd.w a0,a2,(a1)
        0ff0000f -  - memory    fence
        00c58463 12 - control   beq a1,a2,8
        0080006f -  - control   j 8
        008000ef -  d control   jal ra,8
        00058067 1  - control   jr a1
        cc002573 -  d alu       csrr a0,tid.x
        0000000b -  - control   bar.sync
        0000100b -  - control   exit
        0005a50b 1  d alu       ballot a0,a1
        00000073 -  - alu       ecall
        00000000 -  - alu       not an instruction";

    /// The same of a core with warp instructions. `cpop` waits for no register by the name of its immediate.
    const WARP_KINDS: &str = "
        60251593 1  d alu       cpop a1,a0
        00c5952b 12 d memory    cond_acc.h a0,a1,a2
        00c5a52b 12 d memory    cond_acc.w a0,a1,a2
        00c5a02b 12 - memory    cond_acc.w x0,a1,a2
        02c5c52b 12 d alu       tree_traverse a0,a1,a2,1
        00c58533 12 d alu       add a0,a1,a2";

    #[test]
    fn knows_each_kind() {
        check(&CoreConfig::tiny(), KINDS);
        let warp_instructions = CoreConfig { warp_instructions: true, ..CoreConfig::tiny() };
        check(&warp_instructions, KINDS);
        check(&warp_instructions, WARP_KINDS);
    }

    fn check(config: &CoreConfig, kinds: &str) {
        let mut predecode = Predecode::new(config);
        predecode.connect_all();
        for line in kinds.trim().lines().map(str::trim) {
            let field = |i: usize| line.split_whitespace().nth(i).unwrap();
            predecode.word.next = usize::from_str_radix(field(0), 16).unwrap().into();
            simulate(&mut predecode, 100);
            let reads = format!(
                "{}{}",
                if predecode.reads_rs1.val() { "1" } else { "" },
                if predecode.reads_rs2.val() { "2" } else { "" }
            );
            assert_eq!(if reads.is_empty() { "-" } else { &reads }, field(1), "{line}");
            assert_eq!(if predecode.writes_rd.val() { "d" } else { "-" }, field(2), "{line}");
            let units = [
                (predecode.multiply.val(), "multiply"),
                (predecode.divide.val(), "divide"),
                (predecode.memory.val(), "memory"),
                (predecode.control.val(), "control"),
            ];
            let unit: Vec<&str> = units.iter().filter(|u| u.0).map(|u| u.1).collect();
            assert_eq!(if unit.is_empty() { "alu".into() } else { unit.join("+") }, field(3), "{line}");
        }
    }
}
