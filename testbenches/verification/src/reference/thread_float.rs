//! What a thread does with floats.
use warploom_hdl::interface::TrapCause;
use warploom_runtime::isa::float::{FloatCsr, FloatRounding, Operand, Update};
use warploom_runtime::isa::{FloatInstruction, Register, Size};

use super::float::{Outcome, Single};
use super::thread::{Fault, Memory, Thread, word};

/// `frm` and `fflags` of a thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct FloatStatus {
    mode: u8,
    flags: u8,
}

impl FloatStatus {
    fn mode(self) -> Option<FloatRounding> {
        use FloatRounding::*;
        [NearestEven, TowardsZero, Down, Up, NearestAway].get(usize::from(self.mode)).copied()
    }

    fn read(self, csr: FloatCsr) -> u8 {
        match csr {
            FloatCsr::None => 0,
            FloatCsr::Flags => self.flags,
            FloatCsr::Rounding => self.mode,
            FloatCsr::Both => self.mode << 5 | self.flags,
        }
    }

    fn write(&mut self, csr: FloatCsr, value: u8) {
        match csr {
            FloatCsr::None => {}
            FloatCsr::Flags => self.flags = value & 31,
            FloatCsr::Rounding => self.mode = value & 7,
            FloatCsr::Both => *self = Self { mode: value >> 5, flags: value & 31 },
        }
    }
}

impl Thread {
    pub(super) fn execute_float(&mut self, instruction: FloatInstruction, memory: &mut Memory) -> Result<(), Fault> {
        match instruction {
            FloatInstruction::Load { rd, rs1, offset } => {
                let address = self.read(rs1).wrapping_add_signed(offset);
                let value = word(self.access(memory, address, Size::Word)?);
                self.write(rd, value);
            }
            FloatInstruction::Store { rs1, rs2, offset } => {
                let address = self.read(rs1).wrapping_add_signed(offset);
                let value = self.read(rs2).to_le_bytes();
                self.access(memory, address, Size::Word)?.copy_from_slice(&value);
                self.break_reservation(memory, address);
            }
            FloatInstruction::Arithmetic { op, rounding, rd, sources } => {
                let rounding = self.rounding(rounding)?;
                let operands = sources.map(|source| source.map_or(0, |register| self.read(register).into()));
                self.finish(rd, Single::multiply_add(op, rounding, operands));
            }
            FloatInstruction::Divide { rounding, rd, rs1, rs2 } => {
                let rounding = self.rounding(rounding)?;
                let operands = [rs1, rs2].map(|register| self.read(register).into());
                self.finish(rd, Single::divide(rounding, operands));
            }
            FloatInstruction::SquareRoot { rounding, rd, rs1 } => {
                let rounding = self.rounding(rounding)?;
                self.finish(rd, Single::square_root(rounding, self.read(rs1).into()));
            }
            FloatInstruction::Compare { op, rd, rs1, rs2 } => {
                let operands = [Some(rs1), rs2].map(|source| source.map_or(0, |register| self.read(register).into()));
                self.finish(rd, Single::compare(op, operands));
            }
            FloatInstruction::Status { csr, update, operand, rd } => {
                let operand = match operand {
                    Operand::Register(register) => self.read(register) as u8,
                    Operand::Immediate(number) => number as u8,
                };
                let before = self.status.read(csr);
                let after = match update {
                    Update::Write => operand,
                    Update::Set => before | operand,
                    Update::Clear => before & !operand,
                };
                self.status.write(csr, after);
                self.write(rd, before.into());
            }
        }
        Ok(())
    }

    /// That of the instruction, or the thread's.
    fn rounding(&self, of_instruction: Option<FloatRounding>) -> Result<FloatRounding, Fault> {
        of_instruction.or(self.status.mode()).ok_or((TrapCause::IllegalInstruction, 0))
    }

    fn finish(&mut self, rd: Register, Outcome { result, flags }: Outcome) {
        self.status.flags |= flags;
        self.write(rd, result as u32);
    }
}
