//! Programs that are linked elsewhere than the core has memory.
//!
//! The core fetches from 0, and reads and writes global memory from 0x8000_0000; nothing can be read where it fetches.
//! So a program that others have linked is moved when it is loaded:
//!
//! - Code from 64 KB on is fetched from its own page on: 0x8000_0054 at 0x54. Branches, jumps and calls are relative, and stay.
//! - What a segment with code holds is also there as data, since constants may lie in it.
//! - Data below 0x2000_0000 is [`GLOBAL_BASE`] higher: 0x1_2000 at 0x8001_2000. Data in global memory stays.
//!
//! All moves are by whole pages of 4 KB. So an address that two instructions compute changes in the first one only, an
//! `auipc` or a `lui`. Relocation entries (`--emit-relocs`) say which are addresses, of code or of data. Without them, what
//! an `auipc` computes is an address, and the sections say of what; a `lui` may be of a number as well, and then the program is refused.
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use object::read::elf::{ElfFile32, FileHeader, ProgramHeader};
use object::{
    Endianness, Object, ObjectSection, ObjectSymbol, RelocationFlags, RelocationTarget, SectionFlags, SectionIndex, elf,
};

use super::{GLOBAL_BASE, LoadError, SHARED_BASE};
use crate::isa::{AluOp, FloatInstruction, Instruction, Register, decode};

/// Code below this stays where it is.
const FAR: u32 = 0x1_0000;
const PAGE: u32 = 0x1000;
/// Behind private memory.
const PRIVATE_END: u32 = 0x4000_0000;

/// Where the parts of a program go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Placement {
    /// How much lower code is than where it was linked.
    lower: u32,
    /// Data below shared memory moves.
    low_data: bool,
    /// Where code was linked.
    code: Vec<Range<u64>>,
    /// All that is loaded, as it was linked.
    loaded: Vec<Range<u64>>,
    /// All sections that are loaded.
    sections: Vec<Range<u64>>,
    /// Where the linker has put the global pointer.
    global_pointer: Option<u32>,
}

/// A word that has to change, by the address it was linked at, and by how much.
type Changes = BTreeMap<u32, u32>;

impl Placement {
    /// Of an ELF file.
    pub fn of(file: &ElfFile32<Endianness>, bytes: &[u8]) -> Self {
        let mut placement = Self::default();
        let has = |section: &object::read::elf::ElfSection32<_>, flags: u32| matches!(section.flags(), SectionFlags::Elf { sh_flags } if sh_flags & u64::from(flags) == u64::from(flags));
        for section in file.sections().filter(|section| section.size() > 0 && has(section, elf::SHF_ALLOC)) {
            let range = section.address()..section.address() + section.size();
            placement.sections.push(range.clone());
            if has(&section, elf::SHF_EXECINSTR) {
                placement.code.push(range);
            } else if section.address() < u64::from(SHARED_BASE) {
                placement.low_data = true;
            }
        }
        let endian = file.endian();
        for header in file.elf_header().program_headers(endian, bytes).unwrap_or_default() {
            if header.p_type(endian) != elf::PT_LOAD || header.p_memsz(endian) == 0 {
                continue;
            }
            let start = u64::from(header.p_vaddr(endian));
            let range = start..start + u64::from(header.p_memsz(endian));
            placement.loaded.push(range.clone());
            // Of a file without sections, all that may be run is code.
            if header.p_flags(endian) & elf::PF_X != 0 && file.sections().next().is_none() {
                placement.code.push(range);
            }
        }
        let first = placement.code.iter().map(|range| range.start as u32).min().unwrap_or(0);
        let is_elsewhere = first >= FAR && !(SHARED_BASE..PRIVATE_END).contains(&first);
        placement.lower = if is_elsewhere { first / PAGE * PAGE } else { 0 };
        let pointer = file.symbols().find(|symbol| symbol.name() == Ok("__global_pointer$"));
        placement.global_pointer = pointer.map(|symbol| symbol.address() as u32);
        placement
    }

    /// Nothing moves.
    pub fn is_as_linked(&self) -> bool {
        self.lower == 0 && !self.low_data
    }

    /// Whether code was linked to this address.
    fn is_code(&self, address: u32) -> bool {
        self.code.iter().any(|range| range.contains(&u64::from(address)))
    }

    /// Where code was linked that does not run there.
    pub fn moved_code(&self) -> Vec<Range<u32>> {
        let ranges = self.code.iter().filter(|_| self.lower != 0);
        ranges.map(|range| range.start as u32..range.end as u32).collect()
    }

    /// Where code at this address goes.
    pub fn of_code(&self, address: u32) -> u32 {
        address.wrapping_sub(self.lower)
    }

    /// Where data at this address goes.
    pub fn of_data(&self, address: u32) -> u32 {
        if address < SHARED_BASE && !self.is_as_linked() { address + GLOBAL_BASE } else { address }
    }

    /// Where something at this address goes.
    pub fn of_any(&self, address: u32) -> u32 {
        if self.is_code(address) { self.of_code(address) } else { self.of_data(address) }
    }

    /// Whether there is nothing in a segment from the start of the file but the file's own headers. lld makes one of its own for them where `-Ttext`
    /// has moved the code away.
    pub fn has_headers_only(&self, offset: u64, address: u32, size: u32) -> bool {
        let end = u64::from(address) + u64::from(size);
        let is_in = |range: &Range<u64>| range.start < end && u64::from(address) < range.end;
        offset == 0 && !self.sections.is_empty() && !self.sections.iter().any(is_in)
    }

    /// Whether there is code in a segment.
    pub fn has_code(&self, address: u32, size: u32) -> bool {
        let end = u64::from(address) + u64::from(size);
        self.is_as_linked() || self.code.iter().any(|range| range.start < end && u64::from(address) < range.end)
    }

    /// What the user should know.
    fn notes(&self) -> Vec<String> {
        let code = format!("code is {:#x} lower than it was linked: 0x0 is {:#x}", self.lower, self.lower);
        let data = format!("data that was linked below {SHARED_BASE:#x} is {GLOBAL_BASE:#x} higher, in global memory");
        [(self.lower != 0, code), (self.low_data, data)]
            .into_iter()
            .filter(|(holds, _)| *holds)
            .map(|(_, note)| note)
            .collect()
    }

    /// Where the sections lie that nobody writes.
    pub fn read_only(&self, file: &ElfFile32<Endianness>) -> Vec<Range<u32>> {
        let [alloc, write] = [elf::SHF_ALLOC, elf::SHF_WRITE].map(u64::from);
        let is_constant =
            |flags| matches!(flags, SectionFlags::Elf { sh_flags } if sh_flags & (alloc | write) == alloc);
        let range = |start: u64, size: u64| {
            let start = self.of_data(start as u32);
            start..start.saturating_add(size as u32)
        };
        let sections = file.sections().filter(|section| is_constant(section.flags()));
        sections.map(|section| range(section.address(), section.size())).collect()
    }

    /// The file with addresses that are right where everything goes, and what the user should know.
    pub fn moved<'a>(
        &self,
        name: &str,
        file: &ElfFile32<Endianness>,
        bytes: &'a [u8],
    ) -> Result<(Cow<'a, [u8]>, Vec<String>), LoadError> {
        if self.is_as_linked() {
            return Ok((bytes.into(), vec![]));
        }
        let (endian, mut moved) = (file.endian(), bytes.to_vec());
        let by_relocations = self.by_relocations(file);
        if relocated(file).iter().any(|relocated| relocated.kind == elf::R_RISCV_GOT_HI20) {
            return Err(LoadError::TableOfAddresses { file: name.into() });
        }
        let mut pointers = 0;
        for header in file.elf_header().program_headers(endian, bytes).unwrap_or_default() {
            let (offset, size) = (header.p_offset(endian) as usize, header.p_filesz(endian) as usize);
            let start = header.p_vaddr(endian);
            let Some(segment) = offset.checked_add(size).and_then(|end| moved.get_mut(offset..end)) else { continue };
            if header.p_type(endian) != elf::PT_LOAD {
                continue;
            }
            let found;
            let changes = match &by_relocations {
                Some(changes) => changes,
                None => {
                    let words: Vec<u32> = segment.chunks_exact(4).map(word).collect();
                    let ambiguous = |pc| LoadError::AddressOrNumber { file: name.into(), pc };
                    let is_pointer = |&(index, &word): &(usize, &u32)| {
                        let place = start.wrapping_add(4 * index as u32);
                        !self.is_code(place) && self.is_loaded(word) && self.of_any(word) != word
                    };
                    pointers += words.iter().enumerate().filter(is_pointer).count();
                    found = self.by_instructions(start, &words).map_err(ambiguous)?;
                    &found
                }
            };
            for (&place, by) in changes.range(start..) {
                let at = (place - start) as usize;
                let Some(bytes) = segment.get_mut(at..at.saturating_add(4)) else { break };
                let changed = word(bytes).wrapping_add(*by);
                bytes.copy_from_slice(&changed.to_le_bytes());
            }
        }
        let mut notes = self.notes();
        if pointers > 0 {
            notes.push(format!(
                "{pointers} words of data may be addresses, and are as they were linked; with --emit-relocs (-q) they would move, too"
            ));
        }
        Ok((moved.into(), notes))
    }

    fn is_loaded(&self, address: u32) -> bool {
        self.loaded.iter().any(|range| range.contains(&u64::from(address))) || self.global_pointer == Some(address)
    }

    /// By how much an absolute address changes.
    fn change(&self, address: u32, is_code: bool) -> u32 {
        if is_code { self.lower.wrapping_neg() } else { self.of_data(address).wrapping_sub(address) }
    }

    /// The words that change, as relocation entries have it; `None` if there are none.
    fn by_relocations(&self, file: &ElfFile32<Endianness>) -> Option<Changes> {
        let relocated = relocated(file);
        let change = |relocated: &Relocated| {
            let Relocated { place, kind, address, is_code, is_number } = *relocated;
            // The global pointer may be a number to the linker.
            let stays = is_number && self.global_pointer != Some(address);
            let by = if stays { 0 } else { self.change(address, is_code) };
            match kind {
                elf::R_RISCV_32 | elf::R_RISCV_HI20 => Some((place, by)),
                elf::R_RISCV_PCREL_HI20 => Some((place, by.wrapping_add(self.lower))),
                _ => None,
            }
        };
        (!relocated.is_empty()).then(|| relocated.iter().filter_map(change).collect())
    }

    /// Instructions whose addresses lie in data, as relocation entries have it.
    pub fn pointers(&self, file: &ElfFile32<Endianness>) -> Vec<u32> {
        let is_pointer =
            |relocated: &Relocated| relocated.is_code && matches!(relocated.kind, elf::R_RISCV_32 | elf::R_RISCV_ADD32);
        relocated(file).iter().filter(|relocated| is_pointer(relocated)).map(|to| self.of_code(to.address)).collect()
    }

    /// The same without relocation entries, from the instructions at `start`; or the `lui` that may be an address or a number.
    fn by_instructions(&self, start: u32, words: &[u32]) -> Result<Changes, u32> {
        let mut changes = Changes::new();
        for (index, &word) in words.iter().enumerate() {
            let pc = start.wrapping_add(4 * index as u32);
            if !self.is_code(pc) {
                continue;
            }
            let (rd, value, relative) = match decode(word) {
                Instruction::AddUpperToPc { rd, value } => (rd, pc.wrapping_add(value), true),
                Instruction::LoadUpper { rd, value } => (rd, value, false),
                _ => continue,
            };
            let Some(usage) = first_use(rd, &words[index + 1..]) else { continue };
            let (address, is_code) = match usage {
                Usage::Jump(offset) => (value.wrapping_add_signed(offset), true),
                Usage::Access(offset) => (value.wrapping_add_signed(offset), false),
                Usage::Add(offset) => {
                    let address = value.wrapping_add(offset);
                    (address, self.is_code(address) && self.global_pointer != Some(address))
                }
            };
            let by = self.change(address, is_code);
            if relative {
                if !is_code && self.is_loaded(address) || matches!(usage, Usage::Access(_)) {
                    changes.insert(pc, by.wrapping_add(self.lower));
                }
                continue;
            }
            let is_address = match usage {
                Usage::Jump(_) => self.is_code(address),
                Usage::Access(_) => self.is_loaded(address),
                Usage::Add(_) => false,
            };
            if is_address {
                changes.insert(pc, by);
            } else if address < SHARED_BASE && by != 0 && self.is_loaded(address) {
                return Err(pc);
            }
        }
        Ok(changes)
    }
}

/// A relocation entry.
struct Relocated {
    /// What it is of, as it was linked.
    place: u32,
    /// `R_RISCV_...`.
    kind: u32,
    /// What is meant there.
    address: u32,
    /// That is code.
    is_code: bool,
    /// It is a number, or nowhere: then it is compared with 0.
    is_number: bool,
}

/// The relocation entries that are left in a linked file, of what is loaded.
fn relocated(file: &ElfFile32<Endianness>) -> Vec<Relocated> {
    let alloc = u64::from(elf::SHF_ALLOC);
    let is_loaded = |flags| matches!(flags, SectionFlags::Elf { sh_flags } if sh_flags & alloc != 0);
    let read = |(place, relocation): (u64, object::Relocation)| {
        let RelocationTarget::Symbol(symbol) = relocation.target() else { return None };
        let RelocationFlags::Elf { r_type } = relocation.flags() else { return None };
        let symbol = file.symbol_by_index(symbol).ok()?;
        let section = symbol.section_index();
        Some(Relocated {
            // In linked files it is a whole address.
            place: place as u32,
            kind: r_type,
            address: (symbol.address() as i64).wrapping_add(relocation.addend()) as u32,
            is_code: section.is_some_and(|section| is_executable(file, section)),
            is_number: section.is_none(),
        })
    };
    let sections = file.sections().filter(|section| is_loaded(section.flags()));
    sections.flat_map(|section| section.relocations().filter_map(read).collect::<Vec<_>>()).collect()
}

fn word(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte))
}

fn is_executable(file: &ElfFile32<Endianness>, section: SectionIndex) -> bool {
    let flags = file.section_by_index(section).map(|section| section.flags());
    matches!(flags, Ok(SectionFlags::Elf { sh_flags }) if sh_flags & u64::from(elf::SHF_EXECINSTR) != 0)
}

/// What the upper part of an address is used for.
#[derive(Clone, Copy)]
enum Usage {
    Jump(i32),
    Access(i32),
    Add(u32),
}

/// The first use of a register, until something else is written to it.
fn first_use(register: Register, words: &[u32]) -> Option<Usage> {
    for &word in words {
        let instruction = decode(word);
        match instruction {
            Instruction::JumpAndLinkRegister { rs1, offset, .. } if rs1 == register => {
                return Some(Usage::Jump(offset));
            }
            Instruction::Immediate { op: AluOp::Add, rs1, value, .. } if rs1 == register => {
                return Some(Usage::Add(value));
            }
            Instruction::Load { rs1, offset, .. } | Instruction::Store { rs1, offset, .. } if rs1 == register => {
                return Some(Usage::Access(offset));
            }
            Instruction::Float(
                FloatInstruction::Load { rs1, offset, .. } | FloatInstruction::Store { rs1, offset, .. },
            ) if rs1 == register => return Some(Usage::Access(offset)),
            Instruction::Atomic { rs1, .. }
            | Instruction::LoadReserved { rs1, .. }
            | Instruction::StoreConditional { rs1, .. }
                if rs1 == register =>
            {
                return Some(Usage::Access(0));
            }
            _ if instruction.sources().contains(&Some(register)) => return Some(Usage::Add(0)),
            _ if instruction.destination() == Some(register) => return None,
            _ => {}
        }
    }
    None
}
