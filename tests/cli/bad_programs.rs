//! Files that the core cannot run, and programs that the hardware or the watchdog stops.
use std::fs;

use crate::{Ran, command, contains, elf, file, ran, refused, warploom};

const NOP: u32 = 0x0000_0013;
const EXIT: u32 = 0x0000_100b;

/// A RISC-V executable with this code at address 0 and nothing else.
fn executable(words: &[u32]) -> Vec<u8> {
    let size = 4 * words.len() as u32;
    let halves = [2u16, 243].map(u16::to_le_bytes).concat();
    let header = [1u32, 0, 52, 0, 0].map(u32::to_le_bytes).concat();
    let counts = [52u16, 32, 1, 40, 0, 0].map(u16::to_le_bytes).concat();
    let segment = [1u32, 84, 0, 0, size, size, 5, 4].map(u32::to_le_bytes).concat();
    let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    [b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0".to_vec(), halves, header, counts, segment, code].concat()
}

/// A micro-kernel on the tiny core that the hardware or the watchdog stops: status 3, and all of `parts` in the report.
#[track_caller]
fn stopped(micro: &str, args: &[&str], parts: &[&str]) {
    let Ran { status, stdout, stderr } = warploom(&[&["run", &elf(micro), "--preset", "tiny"], args].concat());
    assert_eq!((status, stderr.as_str()), (3, ""), "{stdout}");
    assert!(stdout.starts_with("STOPPED"), "{stdout}");
    contains(&stdout, parts);
}

// Files that the core cannot run.

#[test]
fn a_source_file_that_is_not_there() {
    refused(&["run", "kernel.c"], &["kernel.c: No such file"]);
    refused(&["build", "kernel.rs"], &["kernel.rs", ".c", ".s"]);
}

#[test]
fn names_that_are_no_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let directory = tempfile::tempdir().unwrap();
    let name = OsStr::from_bytes(b"n\xff.elf");
    std::fs::copy(elf("rhu_4_1"), directory.path().join(name)).unwrap();
    let run = |arguments: &[&OsStr]| {
        let mut command = command(&[]);
        ran(command.args(arguments).current_dir(directory.path()).output().unwrap())
    };
    let text = |text: &'static str| OsStr::new(text);
    let Ran { status, stdout, stderr } = run(&[text("run"), name, text("--preset"), text("tiny")]);
    assert_eq!((status, stdout.as_str()), (2, ""));
    assert_eq!(
        stderr,
        "error: the argument \"n\\xFF.elf\" is no text in UTF-8: name the file by another name, as of a link\n"
    );
    // What is no text may be a file that is written.
    let picture = OsStr::from_bytes(b"p\xff.svg");
    let args = ["picture", "rhu_4_1", "--preset", "tiny", "--to", "99", "-o"].map(text);
    assert_eq!(run(&[&args[..], &[picture]].concat()).status, 0);
    assert!(directory.path().join(picture).exists());
    let html = OsStr::from_bytes(b"c\xff.html");
    let args = ["compare", "gcd", "--preset", "tiny", "--size", "smoke", "--mechanisms", "spe", "--html"].map(text);
    assert_eq!(run(&[&args[..], &[html]].concat()).status, 0);
    assert!(directory.path().join(html).exists());
}

#[test]
fn an_elf_that_is_not_there() {
    refused(&["run", "nowhere/kernel.elf"], &["cannot read nowhere/kernel.elf", "No such file"]);
}

#[test]
fn an_elf_for_another_machine() {
    let mut bytes = executable(&[EXIT]);
    bytes[18] = 62;
    let (_directory, path) = file("other.elf", &bytes);
    refused(&["run", &path], &["other.elf", "x86-64", "32-bit little-endian RISC-V"]);
}

#[test]
fn a_truncated_elf() {
    let whole = executable(&[NOP, NOP, NOP, EXIT]);
    for size in [whole.len() - 4, 70, 30, 17] {
        let (_directory, path) = file("short.elf", &whole[..size]);
        refused(&["run", &path], &["short.elf", "truncated"]);
    }
}

#[test]
fn not_an_elf() {
    let (_directory, path) = file("text.elf", b"not an ELF file\n");
    refused(&["run", &path], &["text.elf", "not an ELF file", "magic number"]);
}

#[test]
fn code_larger_than_the_instruction_memory() {
    let mut words = vec![NOP; 4096];
    words.push(EXIT);
    let (_directory, path) = file("large.elf", &executable(&words));
    refused(&["run", &path, "--preset", "tiny"], &["large.elf", "instructions", "4097 words", "4096"]);
}

#[test]
fn a_branch_whose_sides_return_by_different_registers() {
    // call f; exit; f: beq a0, x0, +8; ret; jr t0
    let (_directory, path) = file("returns.elf", &executable(&[0x0080_00ef, EXIT, 0x0005_0463, 0x8067, 0x0002_8067]));
    refused(&["run", &path], &["returns.elf", "at 0x8", "meet only at the function's returns", "single return"]);
}

#[test]
fn instructions_of_16_bits() {
    let mut bytes = executable(&[NOP, 0x4501_4501, EXIT]);
    bytes[36] = 1;
    let (_directory, path) = file("short.elf", &bytes);
    refused(&["run", &path], &["short.elf", "at 0x4", "16 bits", "-march=rv32ima", "without c"]);
}

// What the hardware stops.

#[test]
fn an_illegal_instruction() {
    stopped("illegal", &[], &["illegal instruction 0xffffffff", "0xc <_start+0xc>", "warp 0, lane 2"]);
}

#[test]
fn an_unmapped_access() {
    stopped(
        "unmapped",
        &["--arg", "zeros:4"],
        &["access to 0x0", "null pointer", "0x18 <_start+0x18>", "warp 0, lane 3"],
    );
}

#[test]
fn a_misaligned_access() {
    let parts = ["misaligned access to 0x80000041", "0x18 <_start+0x18>", "warp 0, lane 3"];
    stopped("misaligned", &["--arg", "zeros:4"], &parts);
}

#[test]
fn a_full_reconvergence_stack() {
    let args = ["--stack-depth", "2", "--arg", "zeros:4"];
    stopped("nested", &args, &["reconvergence stack is full", "<", "warp 0\n"]);
}

#[test]
fn a_full_stack_of_a_thread() {
    stopped("recursion", &[], &["the thread's stack is full", "<deeper+0x4>", "warp 0, lane 0"]);
}

// What the watchdog stops: it names the warps, where they are, and what they wait for.

#[test]
fn a_barrier_that_some_thread_never_reaches() {
    let parts = ["no end after 5000 cycles", "warp 0, last at 0x4 <spin>", "warp 3", "waits at a barrier"];
    stopped("barrier_missed", &["--block", "16", "--max-cycles", "5000"], &parts);
}

#[test]
fn an_infinite_loop() {
    let parts = ["no end after 5000 cycles", "warp 0, last at 0x0 <_start>: runs 4 thread(s)"];
    stopped("infinite_loop", &["--max-cycles", "5000"], &parts);
}

#[test]
fn a_spin_lock_deadlock() {
    let args = ["--arg", "zeros:1", "--arg", "zeros:1", "--max-cycles", "5000"];
    stopped("spin_lock", &args, &["no end after 5000 cycles", "warp 0", "<acquire", "runs 3 thread(s)", "1 other"]);
}

/// Before a simulator of that core is compiled.
#[test]
fn a_program_that_the_core_has_no_room_for() {
    let cache = tempfile::tempdir().unwrap();
    let args = ["run", "gcd", "--preset", "tiny", "--instruction-words", "16"];
    let output = command(&args).env("WARPLOOM_CACHE", cache.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    contains(&String::from_utf8(output.stderr).unwrap(), &["the instructions take ", "the device has 16"]);
    assert_eq!(fs::read_dir(cache.path()).unwrap().count(), 0);
}

#[test]
fn silence() {
    let args = ["run", "vecadd", "--preset", "tiny", "--size", "smoke", "--watchdog", "50"];
    let Ran { status, stdout, .. } = warploom(&args);
    assert_eq!(status, 3, "{stdout}");
    contains(&stdout, &["deadlock: no instruction issued for 50 cycles", "warp 3", "waits for a", "<_start"]);
    let Ran { status, stdout, .. } =
        warploom(&["run", "vecadd", "--preset", "tiny", "--size", "smoke", "--watchdog", "1"]);
    assert_eq!(status, 3, "{stdout}");
    contains(&stdout, &["no instruction issued for 1 cycles", "no warp is in the core"]);
}
