//! One thread: registers, PC, private memory, and the execution of an instruction.
use warploom_hdl::interface::TrapCause;
use warploom_runtime::host::{GlobalMemory, Signature};
use warploom_runtime::isa::{Csr, Instruction, Register, Size, WarpInstruction};
use warploom_runtime::loader::{GLOBAL_BASE, PRIVATE_BASE, SHARED_BASE};

use super::arithmetic::{alu, atomic, taken};
use super::replay::Replay;
use super::thread_float::FloatStatus;

/// Where the thread is, for its CSRs.
pub struct Context {
    /// In the grid.
    pub number: usize,
    pub tid: [u32; 3],
    pub ctaid: [u32; 3],
    pub ntid: [u32; 3],
    pub nctaid: [u32; 3],
    pub lane: u32,
    pub warp: u32,
    pub arguments: u32,
}

/// What the thread shares with others.
pub struct Memory<'a> {
    pub global: &'a mut GlobalMemory,
    pub shared: &'a mut [u8],
    /// Thread and word of the last `lr.w`.
    pub reservation: &'a mut Option<([u32; 3], u32)>,
    /// Atomics whose results are given.
    pub replay: Option<&'a mut Replay>,
}

/// Whether a thread goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Running,
    /// At a barrier; the PC is behind it.
    Waiting,
    /// At a ballot; the PC is on it.
    Voting {
        rd: Register,
        value: u32,
    },
    /// At an instruction that the warp executes together; the PC is on it.
    Acting(WarpInstruction),
    Exited,
}

/// A trap's cause and value.
pub type Fault = (TrapCause, u32);

pub struct Thread {
    pub pc: u32,
    pub state: State,
    pub executed: u64,
    pub signature: Signature,
    /// Every PC, if they are recorded.
    pub pcs: Option<Vec<u32>>,
    record: bool,
    /// Registers that the signature leaves out.
    ignored: u64,
    /// Integers, and floats.
    registers: [u32; 64],
    pub(super) status: FloatStatus,
    private: Vec<u8>,
    context: Context,
}

impl Thread {
    pub fn new(entry: u32, private_bytes: usize, record: bool, ignored: u64, context: Context) -> Self {
        Self {
            pc: entry,
            state: State::Running,
            executed: 0,
            signature: Signature::default(),
            pcs: record.then(Vec::new),
            record,
            ignored,
            registers: [0; 64],
            status: FloatStatus::default(),
            private: vec![0; private_bytes],
            context,
        }
    }

    /// Runs until the thread waits, ends or traps, at most `quantum` instructions.
    pub fn run(&mut self, code: &[Instruction], memory: &mut Memory, quantum: u64) -> Result<(), Fault> {
        let end = self.executed + quantum;
        while self.state == State::Running && self.executed < end {
            let Some(&instruction) = code.get(self.pc as usize / 4) else {
                return Err((TrapCause::FetchFault, self.pc));
            };
            if let Some(pcs) = &mut self.pcs {
                pcs.push(self.pc);
            }
            self.pc = self.execute(instruction, memory)?;
            self.executed += 1;
        }
        Ok(())
    }

    /// Ends the ballot or the instruction at which the thread waits for its warp.
    pub fn answer(&mut self, result: u32) {
        let rd = match self.state {
            State::Voting { rd, .. }
            | State::Acting(WarpInstruction::Accumulate { rd, .. } | WarpInstruction::Traverse { rd, .. }) => rd,
            _ => return,
        };
        self.write(rd, result);
        self.pc += 4;
        self.state = State::Running;
    }

    pub(super) fn read(&self, register: Register) -> u32 {
        self.registers[usize::from(register)]
    }

    pub(super) fn write(&mut self, register: Register, value: u32) {
        if register != 0 {
            self.registers[usize::from(register)] = value;
            if self.record && self.ignored >> register & 1 == 0 {
                self.signature.write(register, value);
            }
        }
    }

    /// Executes one instruction and returns the next PC.
    fn execute(&mut self, instruction: Instruction, memory: &mut Memory) -> Result<u32, Fault> {
        let next = self.pc.wrapping_add(4);
        match instruction {
            Instruction::LoadUpper { rd, value } => self.write(rd, value),
            Instruction::AddUpperToPc { rd, value } => self.write(rd, self.pc.wrapping_add(value)),
            Instruction::JumpAndLink { rd, offset } => {
                let target = aligned_target(self.pc.wrapping_add_signed(offset))?;
                self.write(rd, next);
                return Ok(target);
            }
            Instruction::JumpAndLinkRegister { rd, rs1, offset } => {
                let target = aligned_target(self.read(rs1).wrapping_add_signed(offset) & !1)?;
                self.write(rd, next);
                return Ok(target);
            }
            Instruction::Branch { condition, rs1, rs2, offset } => {
                if taken(condition, self.read(rs1), self.read(rs2)) {
                    return aligned_target(self.pc.wrapping_add_signed(offset));
                }
            }
            Instruction::Load { size, signed, rd, rs1, offset } => {
                let address = self.read(rs1).wrapping_add_signed(offset);
                let bytes = self.access(memory, address, size)?;
                let value = match (size, signed) {
                    (Size::Byte, true) => bytes[0] as i8 as u32,
                    (Size::Byte, false) => u32::from(bytes[0]),
                    (Size::Half, true) => i16::from_le_bytes([bytes[0], bytes[1]]) as u32,
                    (Size::Half, false) => u32::from(u16::from_le_bytes([bytes[0], bytes[1]])),
                    (Size::Word, _) => word(bytes),
                };
                self.write(rd, value);
            }
            Instruction::Store { size, rs1, rs2, offset } => {
                let address = self.read(rs1).wrapping_add_signed(offset);
                let value = self.read(rs2).to_le_bytes();
                let bytes = self.access(memory, address, size)?;
                bytes.copy_from_slice(&value[..size as usize]);
                self.break_reservation(memory, address);
            }
            Instruction::Immediate { op, rd, rs1, value } => self.write(rd, alu(op, self.read(rs1), value)),
            Instruction::Registers { op, rd, rs1, rs2 } => self.write(rd, alu(op, self.read(rs1), self.read(rs2))),
            Instruction::Fence => {}
            Instruction::EnvironmentCall => return Err((TrapCause::EnvironmentCall, 0x73)),
            Instruction::Breakpoint => return Err((TrapCause::Breakpoint, 0x0010_0073)),
            Instruction::ReadCsr { rd, csr } => self.write(rd, self.csr(csr)),
            Instruction::LoadReserved { rd, rs1 } => {
                let address = self.read(rs1);
                let value = word(self.access(memory, address, Size::Word)?);
                self.write(rd, value);
                *memory.reservation = Some((self.context.tid, address));
            }
            Instruction::StoreConditional { rd, rs1, rs2 } => {
                let (address, value) = (self.read(rs1), self.read(rs2));
                self.access(memory, address, Size::Word)?;
                let reserved = *memory.reservation == Some((self.context.tid, address));
                self.drop_reservation(memory);
                if reserved {
                    self.access(memory, address, Size::Word)?.copy_from_slice(&value.to_le_bytes());
                }
                self.write(rd, (!reserved).into());
            }
            Instruction::Atomic { op, rd, rs1, rs2 } => {
                let (address, operand) = (self.read(rs1), self.read(rs2));
                if let Some(replay) = memory.replay.as_mut().filter(|replay| replay.register == rd) {
                    let old = replay.next(self.context.number, address, op, operand);
                    self.write(rd, old);
                    return Ok(next);
                }
                let bytes = self.access(memory, address, Size::Word)?;
                let old = word(bytes);
                bytes.copy_from_slice(&atomic(op, old, operand).to_le_bytes());
                self.break_reservation(memory, address);
                self.write(rd, old);
            }
            Instruction::Barrier => self.state = State::Waiting,
            Instruction::Exit => {
                self.drop_reservation(memory);
                self.state = State::Exited;
            }
            Instruction::Ballot { rd, rs1 } => {
                self.state = State::Voting { rd, value: self.read(rs1) };
                return Ok(self.pc);
            }
            Instruction::Float(instruction) => self.execute_float(instruction, memory)?,
            Instruction::Warp(WarpInstruction::Population { rd, rs1 }) => {
                self.write(rd, self.read(rs1).count_ones());
            }
            Instruction::Warp(instruction) => {
                self.state = State::Acting(instruction);
                return Ok(self.pc);
            }
            Instruction::Illegal => return Err((TrapCause::IllegalInstruction, 0)),
        }
        Ok(next)
    }

    /// The bytes of an access, if it is aligned and mapped.
    pub(super) fn access<'b>(
        &'b mut self,
        memory: &'b mut Memory,
        address: u32,
        size: Size,
    ) -> Result<&'b mut [u8], Fault> {
        let count = size as usize;
        if !(address as usize).is_multiple_of(count) {
            return Err((TrapCause::MisalignedAccess, address));
        }
        let window = |bytes: &'b mut [u8], base: u32| {
            let start = (address - base) as usize;
            bytes.get_mut(start..start + count)
        };
        let bytes = match address {
            GLOBAL_BASE.. => memory.global.slice_mut(address, count),
            PRIVATE_BASE.. => window(&mut self.private, PRIVATE_BASE),
            SHARED_BASE.. => window(memory.shared, SHARED_BASE),
            _ => None,
        };
        bytes.ok_or((TrapCause::UnmappedAccess, address))
    }

    /// It has a reservation no more.
    fn drop_reservation(&self, memory: &mut Memory) {
        if memory.reservation.is_some_and(|(tid, _)| tid == self.context.tid) {
            *memory.reservation = None;
        }
    }

    /// A store takes the reservation of its word from another thread; private words are out of its reach.
    pub(super) fn break_reservation(&self, memory: &mut Memory, address: u32) {
        let private = (PRIVATE_BASE..GLOBAL_BASE).contains(&address);
        if memory.reservation.is_some_and(|(tid, word)| tid != self.context.tid && word == address & !3 && !private) {
            *memory.reservation = None;
        }
    }

    fn csr(&self, csr: Csr) -> u32 {
        match csr {
            Csr::Tid(axis) => self.context.tid[axis],
            Csr::Ctaid(axis) => self.context.ctaid[axis],
            Csr::Ntid(axis) => self.context.ntid[axis],
            Csr::Nctaid(axis) => self.context.nctaid[axis],
            Csr::Lane => self.context.lane,
            Csr::Warp => self.context.warp,
            Csr::Core => 0,
            Csr::Arguments => self.context.arguments,
        }
    }
}

fn aligned_target(target: u32) -> Result<u32, Fault> {
    if target.is_multiple_of(4) { Ok(target) } else { Err((TrapCause::MisalignedTarget, target)) }
}

pub(super) fn word(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(bytes.try_into().expect("four bytes"))
}
