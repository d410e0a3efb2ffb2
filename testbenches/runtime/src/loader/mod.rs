//! From an ELF file to what the core loads: instruction words, branch annotations, initial data.
//!
//! The hardware takes what it must know of a branch or jump from a side memory beside the instruction memory:
//! the [`Annotation`]s.
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use object::elf;
use object::read::elf::{ElfFile32, FileHeader, ProgramHeader};
use object::{Endianness, LittleEndian, Object, ObjectSection, ObjectSymbol, SectionFlags, SymbolKind};
use warploom_hdl::config::CoreConfig;
use warploom_sim::tool::Interrupted;

use crate::isa::{Instruction, decode};

mod annotation;
mod blocks;
mod constants;
mod control_flow;
mod exits;
mod indirect;
mod likely_convergence;
pub mod lines;
mod parameters;
mod placement;
mod returns;
pub mod signature;
mod spins;
mod subdivision;
mod values;

pub use annotation::Annotation;
use control_flow::{Context, Function};
use lines::SourceLines;
use placement::Placement;
pub use signature::KernelSignature;
use subdivision::{block_length, is_safe_to_divide};

/// First address of shared memory.
pub const SHARED_BASE: u32 = 0x2000_0000;
/// First address of private memory.
pub const PRIVATE_BASE: u32 = 0x3000_0000;
/// First address of global memory.
pub const GLOBAL_BASE: u32 = 0x8000_0000;
/// Words of arguments that the start code hands over in registers. The argument block at CSR 0xCCF has so many, then the initial
/// stack pointer, then the other arguments. Nobody may write it during a launch.
pub const REGISTER_ARGUMENTS: usize = 8;
/// Words of arguments at most: 1 KiB, which OpenCL 1.2 asks of every device.
pub const MOST_ARGUMENT_WORDS: usize = 256;

/// Place in the argument block of a word of the arguments.
pub fn place_of_argument(word: usize) -> usize {
    if word < REGISTER_ARGUMENTS { word } else { word + 1 }
}

/// A program ready to load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// File or kernel name, for messages.
    pub name: String,
    /// Instruction words from address 0.
    pub words: Vec<u32>,
    /// What the hardware is told about every word.
    pub annotations: Vec<Annotation>,
    /// First addresses of the basic blocks, in order.
    pub blocks: Vec<u32>,
    /// Address of the first instruction.
    pub entry: u32,
    /// The first instruction, by its address, of those that can be reached and that only a core with floats has.
    pub first_float: Option<u32>,
    /// The same of those that only a core with warp instructions has.
    pub first_warp_instruction: Option<u32>,
    /// Initial contents of global memory.
    pub data: Vec<DataSegment>,
    /// Bytes of shared memory that the program places by itself.
    pub shared_bytes: u32,
    /// Words of arguments that it may be given.
    pub argument_words: usize,
    /// Of these, how many a kernel in C reads, as far as registers hold them.
    pub parameters: usize,
    /// Names by address.
    pub symbols: BTreeMap<u32, String>,
    /// Where in the source the instructions come from, as far as the file says.
    pub lines: SourceLines,
    /// Variables, by name: first address and size, as far as the file has it.
    pub variables: BTreeMap<String, (u32, u32)>,
    /// Where the largest exit status of all threads is when they have ended.
    pub exit_status: Option<u32>,
    /// Where they say how they have ended, as in riscv-tests.
    pub tohost: Option<u32>,
    /// a7 of the `ecall`s that are not adapted, where it is known.
    pub calls: BTreeMap<u32, u32>,
    /// What the user should know of how it was read, a sentence each.
    pub notes: Vec<String>,
}

/// A piece of initialised global memory, followed by zeros.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DataSegment {
    /// First address.
    pub address: u32,
    /// Contents.
    pub bytes: Vec<u8>,
    /// Size with the zeros that follow the contents.
    pub size: u32,
}

/// What a device can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// Instruction memory, in words.
    pub instruction_words: usize,
    /// Global memory, in bytes.
    pub global_bytes: usize,
    /// Shared memory of the core, in bytes.
    pub shared_bytes: usize,
}

/// Why a file cannot be loaded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum LoadError {
    #[error("interrupted while the program was analysed")]
    Interrupted(#[from] Interrupted),
    #[error("{file}: not an ELF file this core can read ({bytes} bytes): {reason}")]
    NotElf { file: String, bytes: usize, reason: String },
    #[error("{file}: built for {found}; the core runs 32-bit little-endian RISC-V (--target=riscv32, -march=rv32imaf)")]
    OtherMachine { file: String, found: String },
    #[error("{file}: an object file; link it first (`warploom build` does)")]
    NotLinked { file: String },
    #[error("{file}: truncated: {segment} needs bytes {start} to {end}, the file has {size}")]
    Truncated { file: String, segment: String, start: u64, end: u64, size: usize },
    #[error(
        "{file}: {segment} lies in no region: code is at 0x0, shared memory at {SHARED_BASE:#x}, global memory at {GLOBAL_BASE:#x} (ld -Ttext=0 -Tdata={GLOBAL_BASE:#x})"
    )]
    Misplaced { file: String, segment: String },
    #[error(
        "{file}: the variables of section `{section}` lie in the code, which nobody can write: give it a name that begins with .data or .bss"
    )]
    WritableCode { file: String, section: String },
    #[error(
        "{file}: the lui at {pc:#x} may be of an address or of a number, and data moves: link with --emit-relocs, compile with -mcmodel=medany, or put data at {GLOBAL_BASE:#x} (ld -Tdata)"
    )]
    AddressOrNumber { file: String, pc: u32 },
    #[error("{file}: it has a table of addresses (.got), which is not moved: compile with -fno-pic")]
    TableOfAddresses { file: String },
    #[error("{file}: {segment} initialises shared memory, which has no contents before a launch")]
    InitialisedShared { file: String, segment: String },
    #[error("{file}: the {what} take {needed} {unit}, the device has {available}")]
    TooLarge { file: String, what: &'static str, unit: &'static str, needed: usize, available: usize },
    #[error("{file}: the file has no code at its entry point {entry:#x}")]
    NoEntry { file: String, entry: u32 },
    #[error("{file}: there is no kernel `{kernel}` in it")]
    NoKernel { file: String, kernel: String },
    #[error("{file}: in {function}, at {pc:#x}: {reason}")]
    ControlFlow { file: String, function: String, pc: u32, reason: ControlFlowProblem },
}

/// Control flow for which no reconvergence point can be given.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum ControlFlowProblem {
    #[error(
        "the sides of this branch meet only at the function's returns, which take their address from different registers or are too far apart to be joined; give the function a single return"
    )]
    MeetsAtExit,
    #[error(
        "an instruction of 16 bits, which the core does not have: compile with -march=rv32ima or rv32imaf, without c"
    )]
    Compressed,
    #[error("the target {target:#x} is outside the code or not a multiple of four")]
    BadTarget { target: u32 },
    #[error(
        "the target {target:#x} is where the code was linked, not where it runs: link with --emit-relocs (-q), or with the code at 0 (ld -Ttext=0)"
    )]
    AsLinked { target: u32 },
    #[error("control flow runs past the end of the code")]
    FallsOff,
    #[error("this branch belongs to two functions, in which its sides meet at different points")]
    TwoFunctions,
}

impl Capacity {
    /// Of a core with `global_bytes` of memory.
    pub fn of(config: &CoreConfig, global_bytes: usize) -> Self {
        let CoreConfig { instruction_words, shared_bytes, .. } = *config;
        Self { instruction_words, global_bytes, shared_bytes }
    }
}

impl Program {
    /// No instructions.
    pub fn empty() -> Self {
        Self {
            name: "no program".into(),
            words: Vec::new(),
            annotations: Vec::new(),
            blocks: Vec::new(),
            entry: 0,
            first_float: None,
            first_warp_instruction: None,
            data: Vec::new(),
            shared_bytes: 0,
            argument_words: REGISTER_ARGUMENTS,
            parameters: 0,
            symbols: BTreeMap::new(),
            lines: SourceLines::default(),
            variables: BTreeMap::new(),
            exit_status: None,
            tohost: None,
            calls: BTreeMap::new(),
            notes: Vec::new(),
        }
    }

    /// A program of bare instructions that starts at the first one.
    pub fn from_words(name: &str, words: Vec<u32>) -> Result<Self, LoadError> {
        let mut program = Self { name: name.into(), words, ..Self::empty() };
        program.analyse(Context::default())?;
        Ok(program)
    }

    /// Reads an ELF file; `name` is only for messages. If it has several kernels, the program is the first.
    pub fn from_elf(name: &str, bytes: &[u8]) -> Result<Self, LoadError> {
        let kernels = signature::kernels(bytes);
        Self::read(name, bytes, &kernels, kernels.first().map(|kernel| kernel.name.as_str()))
    }

    /// The same for one of the kernels of a file from OpenCL C.
    pub fn from_elf_kernel(name: &str, bytes: &[u8], kernel: &str) -> Result<Self, LoadError> {
        Self::read(name, bytes, &signature::kernels(bytes), Some(kernel))
    }

    fn read(name: &str, bytes: &[u8], kernels: &[KernelSignature], kernel: Option<&str>) -> Result<Self, LoadError> {
        check_machine(name, bytes)?;
        let not_elf =
            |e: object::Error| LoadError::NotElf { file: name.into(), bytes: bytes.len(), reason: e.to_string() };
        let file = ElfFile32::<Endianness>::parse(bytes).map_err(not_elf)?;
        let placement = Placement::of(&file, bytes);
        let (moved, notes) = placement.moved(name, &file, bytes)?;
        let file = ElfFile32::<Endianness>::parse(&*moved).map_err(not_elf)?;
        let entry = placement.of_code(file.entry() as u32);
        let lines = SourceLines::from_elf(bytes);
        let argument_words = signature::argument_words(&file, kernels, kernel);
        let mut program = Self { name: name.into(), entry, argument_words, notes, lines, ..Self::empty() };
        for section in file.sections() {
            let SectionFlags::Elf { sh_flags } = section.flags() else { continue };
            let variables = u64::from(elf::SHF_WRITE | elf::SHF_ALLOC);
            let is_code = placement.is_as_linked() || sh_flags & u64::from(elf::SHF_EXECINSTR) != 0;
            let is_low = section.size() > 0 && section.address() < u64::from(SHARED_BASE);
            if sh_flags & variables == variables && is_code && is_low {
                let section = section.name().unwrap_or_default().to_string();
                return Err(LoadError::WritableCode { file: name.into(), section });
            }
        }
        let headers = file.elf_header().program_headers(file.endian(), &*moved).map_err(not_elf)?;
        for (index, header) in headers.iter().enumerate() {
            if header.p_type(file.endian()) == elf::PT_LOAD && header.p_memsz(file.endian()) != 0 {
                program.add_segment(index, header, file.endian(), &moved, &placement)?;
            }
        }
        let mut functions = Vec::new();
        for symbol in file.symbols().filter(|symbol| symbol.section_index().is_some()) {
            let (Ok(text), address) = (symbol.name(), placement.of_any(symbol.address() as u32)) else { continue };
            if !text.is_empty() && !text.starts_with('$') && !text.starts_with(".L") {
                if address >= GLOBAL_BASE {
                    program.variables.insert(text.into(), (address, symbol.size() as u32));
                }
                // A function's name wins over a label at the same place.
                if symbol.kind() == SymbolKind::Text {
                    functions.push(address);
                    program.symbols.insert(address, text.into());
                } else {
                    program.symbols.entry(address).or_insert_with(|| text.into());
                }
            }
        }
        functions.retain(|&address| program.word(address).is_some());
        if let Some(kernel) = kernel {
            let no_kernel = || LoadError::NoKernel { file: name.into(), kernel: kernel.into() };
            let (entry, shared) = signature::place(&file, kernel).ok_or_else(no_kernel)?;
            let available = (PRIVATE_BASE - SHARED_BASE) as usize;
            if shared > available as u64 {
                let (what, needed) = ("shared variables", shared as usize);
                return Err(LoadError::TooLarge { file: name.into(), what, unit: "bytes", needed, available });
            }
            (program.entry, program.shared_bytes) = (entry, shared as u32);
            // The other kernels do not run: what they do must not count.
            let others = kernels.iter().filter(|other| other.name != kernel);
            let names: Vec<String> =
                others.flat_map(|other| [other.name.clone(), signature::start_of(&other.name)]).collect();
            functions.retain(|address| !names.contains(&program.symbols[address]));
        }
        if program.word(program.entry).is_none() {
            return Err(LoadError::NoEntry { file: name.into(), entry: file.entry() as u32 });
        }
        let context = Context {
            functions,
            read_only: placement.read_only(&file),
            pointers: placement.pointers(&file),
            moved: placement.moved_code(),
            links: 0,
            compressed: is_compressed(&file),
        };
        let tohost = program.variables.get("tohost").map(|&(address, _)| address);
        program.adapt_ends(&context, tohost)?;
        program.analyse(context)?;
        Ok(program)
    }

    /// Finds blocks and annotations.
    fn analyse(&mut self, context: Context) -> Result<(), LoadError> {
        let context = context.with_links(&self.words);
        let functions = loop {
            let functions = control_flow::functions(self, &context)?;
            let joined = returns::to_join(self, &functions);
            if joined.is_empty() {
                break functions;
            }
            drop(functions);
            self.join_returns(&joined);
        };
        let (annotations, blocks) = (annotation::annotate(self, &functions)?, blocks::starts(&functions));
        let first = |needs: fn(&Instruction) -> bool| {
            let is_one = |pc: &u32| self.word(*pc).is_some_and(|word| needs(&decode(word)));
            functions.iter().flat_map(|function| function.graph.nodes()).filter(is_one).min()
        };
        let first_float = first(Instruction::needs_floats);
        let first_warp_instruction = first(Instruction::needs_warp_instructions);
        let warnings: BTreeSet<(u32, String)> = functions.iter().flat_map(Function::warnings).collect();
        let parameters = parameters::parameters(self, &functions);
        (self.annotations, self.blocks) = (annotations, blocks);
        (self.first_float, self.first_warp_instruction) = (first_float, first_warp_instruction);
        self.parameters = parameters;
        self.notes.extend(warnings.into_iter().map(|(_, warning)| warning));
        Ok(())
    }

    /// Checks that a device can hold the program.
    pub fn check_fits(&self, capacity: &Capacity) -> Result<(), LoadError> {
        let shared = self.shared_bytes as usize;
        for (what, unit, needed, available) in [
            ("instructions", "words", self.words.len(), capacity.instruction_words),
            ("data segments", "bytes", (self.data_end() - GLOBAL_BASE) as usize, capacity.global_bytes),
            ("shared variables", "bytes", shared, capacity.shared_bytes),
        ] {
            if needed > available {
                return Err(LoadError::TooLarge { file: self.name.clone(), what, unit, needed, available });
            }
        }
        Ok(())
    }

    /// Words of arguments that a kernel in C has to be given.
    pub fn least_arguments(&self) -> usize {
        if self.argument_words > REGISTER_ARGUMENTS { self.argument_words } else { self.parameters }
    }

    /// Words of its argument block.
    pub fn argument_block_words(&self) -> usize {
        place_of_argument(self.argument_words.max(REGISTER_ARGUMENTS))
    }

    /// First global address behind the program's data.
    pub fn data_end(&self) -> u32 {
        self.data.iter().map(|segment| segment.address + segment.size).max().unwrap_or(GLOBAL_BASE)
    }

    /// The instruction word at an address.
    pub fn word(&self, pc: u32) -> Option<u32> {
        if pc.is_multiple_of(4) { self.words.get(pc as usize / 4).copied() } else { None }
    }

    /// What the hardware is told about the instruction at index `word`.
    pub fn annotation(&self, word: usize) -> Annotation {
        self.annotations[word]
    }

    /// A PC as people read it: `0x48 <kernel+0x14>`.
    pub fn place(&self, pc: u32) -> Place<'_> {
        Place { program: self, pc }
    }

    /// The same with the line of the source, where it is known: `0x48 <kernel+0x14> at abs.c:7`.
    pub fn source_place(&self, pc: u32) -> String {
        let place = self.place(pc);
        self.lines.line(pc).map_or_else(|| place.to_string(), |(file, line)| format!("{place} at {file}:{line}"))
    }

    fn add_segment(
        &mut self,
        index: usize,
        header: &elf::ProgramHeader32<Endianness>,
        endian: Endianness,
        file: &[u8],
        placement: &Placement,
    ) -> Result<(), LoadError> {
        let (start, size) = (u64::from(header.p_offset(endian)), u64::from(header.p_filesz(endian)));
        let (linked, memory) = (header.p_vaddr(endian), header.p_memsz(endian));
        if placement.has_headers_only(start, linked, memory) {
            return Ok(());
        }
        let has_code = placement.has_code(linked, memory);
        let address = if has_code { placement.of_code(linked) } else { placement.of_data(linked) };
        let segment = || format!("segment {index} (address {linked:#x}, {memory} bytes)");
        let name = || self.name.clone();
        let Some(bytes) = file.get(start as usize..(start + size) as usize) else {
            let (segment, end) = (segment(), start + size);
            return Err(LoadError::Truncated { file: name(), segment, start, end, size: file.len() });
        };
        let end = u64::from(address) + u64::from(memory);
        let misplaced = || LoadError::Misplaced { file: name(), segment: segment() };
        if size > u64::from(memory) {
            return Err(misplaced());
        }
        if end <= u64::from(SHARED_BASE) {
            let (first, last) = (address as usize / 4, (end as usize).div_ceil(4));
            if !address.is_multiple_of(4) || last > MOST_WORDS {
                return Err(misplaced());
            }
            self.words.resize(self.words.len().max(last), 0);
            for (word, chunk) in self.words[first..].iter_mut().zip(bytes.chunks(4)) {
                let mut padded = [0; 4];
                padded[..chunk.len()].copy_from_slice(chunk);
                *word = u32::from_le_bytes(padded);
            }
            // Constants may lie in it.
            let address = placement.of_data(linked);
            let end = u64::from(address) + u64::from(memory);
            if has_code && !placement.is_as_linked() && address >= GLOBAL_BASE && end < 1 << 32 {
                self.data.push(DataSegment { address, bytes: bytes.to_vec(), size: memory });
            }
        } else if address >= SHARED_BASE && end <= u64::from(PRIVATE_BASE) {
            if bytes.iter().any(|&byte| byte != 0) {
                return Err(LoadError::InitialisedShared { file: name(), segment: segment() });
            }
            self.shared_bytes = self.shared_bytes.max((end - u64::from(SHARED_BASE)) as u32);
        } else if address >= GLOBAL_BASE && end < 1 << 32 {
            self.data.push(DataSegment { address, bytes: bytes.to_vec(), size: memory });
        } else {
            return Err(misplaced());
        }
        Ok(())
    }
}

/// The compiler was allowed to use instructions of 16 bits.
fn is_compressed(file: &ElfFile32<Endianness>) -> bool {
    file.elf_header().e_flags(file.endian()) & elf::EF_RISCV_RVC != 0
}

/// Bound on the code, so that a stray address cannot make the loader ask for gigabytes.
const MOST_WORDS: usize = 1 << 22;

/// Reads the identification and the machine by hand: `object` says less about a file for another machine.
fn check_machine(name: &str, bytes: &[u8]) -> Result<(), LoadError> {
    let file = || name.to_string();
    let not_elf =
        |reason: &str| LoadError::NotElf { file: name.to_string(), bytes: bytes.len(), reason: reason.to_string() };
    if !bytes.starts_with(b"\x7fELF") {
        return Err(not_elf("it does not start with the ELF magic number"));
    }
    let Some(header) = bytes.get(..20) else {
        return Err(not_elf("truncated in its first header"));
    };
    let class = if header[4] == elf::ELFCLASS32 { "32-bit" } else { "64-bit" };
    let order = if header[5] == elf::ELFDATA2LSB { "little-endian" } else { "big-endian" };
    let half = |at: usize| {
        let pair = [header[at], header[at + 1]];
        if header[5] == elf::ELFDATA2LSB { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) }
    };
    let machine = match half(18) {
        elf::EM_RISCV => "RISC-V".to_string(),
        elf::EM_X86_64 => "x86-64".to_string(),
        elf::EM_386 => "x86".to_string(),
        elf::EM_AARCH64 => "AArch64".to_string(),
        elf::EM_ARM => "Arm".to_string(),
        other => format!("ELF machine {other}"),
    };
    if (class, order, machine.as_str()) != ("32-bit", "little-endian", "RISC-V") {
        return Err(LoadError::OtherMachine { file: file(), found: format!("{class} {order} {machine}") });
    }
    let Ok((header, _)) = object::pod::from_bytes::<elf::FileHeader32<LittleEndian>>(bytes) else {
        return Err(not_elf("truncated in its first header"));
    };
    if header.e_type(LittleEndian) == elf::ET_REL {
        return Err(LoadError::NotLinked { file: file() });
    }
    let start = u64::from(header.e_phoff(LittleEndian));
    let end = start + u64::from(header.e_phnum(LittleEndian)) * u64::from(header.e_phentsize(LittleEndian));
    if end > bytes.len() as u64 {
        let segment = "the table of segments".to_string();
        return Err(LoadError::Truncated { file: file(), segment, start, end, size: bytes.len() });
    }
    Ok(())
}

/// See [`Program::place`].
pub struct Place<'a> {
    program: &'a Program,
    pc: u32,
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.pc)?;
        // The last function does not go on behind the code, nor does it where variables are.
        let end = 4 * self.program.words.len() as u32;
        let is_code = |(start, _): &(&u32, &String)| self.pc < end && **start < end;
        match self.program.symbols.range(..=self.pc).next_back().filter(is_code) {
            Some((&start, name)) if start == self.pc => write!(f, " <{name}>"),
            Some((&start, name)) => write!(f, " <{name}+{:#x}>", self.pc - start),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
