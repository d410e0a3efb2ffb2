use super::*;
use crate::kernels::{KERNELS, binaries, micro};

mod annotations;
mod assembler;
mod exits;
mod indirect;
mod parameters;
mod placement;
mod returns;
mod spins;

/// A linked RISC-V program with one executable segment at 0, as small as an ELF file can be.
fn elf_of(words: &[u32]) -> Vec<u8> {
    let mut file = vec![0x7F, b'E', b'L', b'F', 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let halves = |file: &mut Vec<u8>, values: &[u16]| values.iter().for_each(|v| file.extend(v.to_le_bytes()));
    let longs = |file: &mut Vec<u8>, values: &[u32]| values.iter().for_each(|v| file.extend(v.to_le_bytes()));
    halves(&mut file, &[elf::ET_EXEC, elf::EM_RISCV]);
    longs(&mut file, &[1, 0, 52, 0, 0]); // version, entry, program headers, section headers, flags
    halves(&mut file, &[52, 32, 1, 40, 0, 0]);
    let size = words.len() as u32 * 4;
    longs(&mut file, &[elf::PT_LOAD, 84, 0, 0, size, size, 5, 4]);
    longs(&mut file, words);
    file
}

fn load(words: &[u32]) -> Result<Program, LoadError> {
    Program::from_words("test.elf", words.to_vec())
}

fn message(bytes: &[u8]) -> String {
    Program::from_elf("test.elf", bytes).unwrap_err().to_string()
}

const EXIT: u32 = 0x0000_100B;
const NOP: u32 = 0x0000_0013;
const RET: u32 = 0x0000_8067;

/// `beq x1, x2, offset`.
fn branch(offset: u32) -> u32 {
    0x0020_8063
        | (offset >> 1 & 15) << 8
        | (offset >> 5 & 63) << 25
        | (offset >> 11 & 1) << 7
        | (offset >> 12 & 1) << 31
}

/// The reconvergence point of every word.
fn points(program: &Program) -> Vec<Option<u32>> {
    program.annotations.iter().map(|annotation| annotation.rpc).collect()
}

/// `jal rd, offset`, forward.
fn jump(rd: u32, offset: u32) -> u32 {
    0x6F | rd << 7 | (offset >> 1 & 0x3FF) << 21
}

#[test]
fn every_shipped_program_loads() {
    for binary in binaries() {
        let program = binary.program();
        assert!(!program.words.is_empty(), "{}", binary.source);
    }
    let program = KERNELS.iter().find(|kernel| kernel.name() == "reduction").unwrap().binary().program();
    assert!(program.symbols.values().any(|name| name == "barrier"));
    assert_eq!(program.place(program.entry).to_string(), "0x0 <_start>");
    assert_eq!(program.place(4).to_string(), "0x4 <_start+0x4>");
}

#[test]
fn branches_meet_at_their_post_dominator() {
    // if-else:  0 branch -> 12;  4 nop;  8 jump -> 16;  12 nop;  16 exit
    let program = load(&[branch(12), NOP, jump(0, 8), NOP, EXIT]).unwrap();
    assert_eq!(points(&program), [Some(16), None, None, None, None]);
    // loop:  0 nop;  4 branch -> 0;  8 exit
    let program = load(&[NOP, branch(-4i32 as u32), EXIT]).unwrap();
    assert_eq!(points(&program), [None, Some(8), None]);
}

#[test]
fn sides_that_end_apart_have_no_point() {
    // 0 branch -> 8;  4 exit;  8 exit
    assert_eq!(points(&load(&[branch(8), EXIT, EXIT]).unwrap()), [None; 3]);
    // One side never ends: 0 branch -> 8;  4 jump -> 4;  8 exit: the other side alone counts.
    assert_eq!(points(&load(&[branch(8), jump(0, 0), EXIT]).unwrap())[0], Some(8));
}

#[test]
fn a_branch_in_a_function_meets_inside_it() {
    // 0 call 8;  4 exit;  8 branch -> 16;  12 nop;  16 ret
    let program = load(&[jump(1, 8), EXIT, branch(8), NOP, RET]).unwrap();
    assert_eq!(points(&program)[2], Some(16));
    // A side that ends its thread does not count: 8 branch -> 20;  12 nop;  16 ret;  20 exit
    let program = load(&[jump(1, 8), EXIT, branch(12), NOP, RET, EXIT]).unwrap();
    assert_eq!(points(&program)[2], Some(12));
}

#[test]
fn other_control_flow_without_a_meaning_is_refused() {
    let reason = |words: &[u32]| match load(words).unwrap_err() {
        LoadError::ControlFlow { reason, pc, .. } => (reason, pc),
        other => panic!("{other}"),
    };
    assert_eq!(reason(&[jump(0, 400)]), (ControlFlowProblem::BadTarget { target: 400 }, 0));
    assert_eq!(reason(&[jump(0, 6), NOP, EXIT]), (ControlFlowProblem::BadTarget { target: 6 }, 0));
    assert_eq!(reason(&[NOP]), (ControlFlowProblem::FallsOff, 0));
}

#[test]
fn an_irreducible_loop_has_points() {
    let program = micro::find("irreducible").unwrap().binary.program();
    let branches: Vec<u32> = points(&program).into_iter().flatten().collect();
    let middle = *program.symbols.iter().find(|(_, name)| *name == "middle").unwrap().0;
    assert_eq!(branches, [middle, middle + 16]);
}

#[test]
fn other_files_are_refused() {
    let good = elf_of(&[EXIT]);
    assert_eq!(
        message(b"#!/bin/sh"),
        "test.elf: not an ELF file this core can read (9 bytes): it does not start with the ELF magic number"
    );
    let change = |at: usize, value: u8| {
        let mut file = good.clone();
        file[at] = value;
        message(&file)
    };
    assert!(
        change(18, 62).contains("built for 32-bit little-endian x86-64; the core runs 32-bit little-endian RISC-V")
    );
    assert!(change(4, 2).contains("64-bit little-endian RISC-V"));
    assert!(change(5, 2).contains("32-bit big-endian"));
    assert!(change(16, 1).contains("an object file; link it first"));
}

#[test]
fn a_truncated_file_is_refused_at_every_length() {
    let good = elf_of(&[NOP, NOP, EXIT]);
    for length in 0..good.len() {
        let error = Program::from_elf("test.elf", &good[..length]).unwrap_err();
        assert!(matches!(error, LoadError::NotElf { .. } | LoadError::Truncated { .. }), "{length}: {error}");
    }
    assert_eq!(
        message(&good[..90]),
        "test.elf: truncated: segment 0 (address 0x0, 12 bytes) needs bytes 84 to 96, the file has 90"
    );
    assert!(Program::from_elf("test.elf", &good).is_ok());
}

#[test]
fn segments_elsewhere_are_refused() {
    let at = |address: u32| {
        let mut file = elf_of(&[EXIT]);
        file[60..64].copy_from_slice(&address.to_le_bytes());
        message(&file)
    };
    let at_private = at(PRIVATE_BASE);
    assert!(at_private.contains("segment 0 (address 0x30000000, 4 bytes) lies in no region"), "{at_private}");
    assert!(at_private.contains("ld -Ttext=0"), "{at_private}");
    assert!(at(0xFFFF_FFFE).contains("lies in no region"));
    assert!(at(SHARED_BASE).contains("initialises shared memory"));
    assert!(at(GLOBAL_BASE).contains("no code at its entry point 0x0"));
}

#[test]
fn a_program_must_fit_the_device() {
    let program = load(&[NOP, NOP, EXIT]).unwrap();
    let capacity = Capacity { instruction_words: 2, global_bytes: 0, shared_bytes: 0 };
    let error = program.check_fits(&capacity).unwrap_err();
    assert_eq!(error.to_string(), "test.elf: the instructions take 3 words, the device has 2");
    assert_eq!(program.check_fits(&Capacity { instruction_words: 3, ..capacity }), Ok(()));
}
