//! Programs that were not written for this core.
use warploom_requirements::met;

use crate::{Ran, contains, file, refused, warploom};

/// Runs an assembler source on the tiny core; `None` without clang.
fn run(name: &str, source: &str, args: &[&str]) -> Option<Ran> {
    if !met(&[("clang and ld.lld", warploom_runtime::toolchain::available())]) {
        return None;
    }
    let (_directory, path) = file(name, source.as_bytes());
    Some(warploom(&[&["run", &path, "--preset", "tiny"], args].concat()))
}

const EXIT: &str = ".insn r 0x0B, 1, 0, x0, x0, x0\n";

#[test]
fn indirect_jumps() {
    let source = format!(
        ".globl _start\n _start: csrr a0, 0xCC0\n la t1, over\n jr t1\n unimp\n\
         over: andi a1, a0, 1\n beqz a1, even\n nop\n even: la t1, f\n jalr t2, 0(t1)\n {EXIT}\
         f: jr t2\n"
    );
    let Some(Ran { status, stdout, .. }) = run("jumps.s", &source, &["--block", "8"]) else { return };
    assert_eq!(status, 0, "{stdout}");
    assert!(!stdout.contains("note"), "{stdout}");
    let source = format!(".globl _start\n _start: csrr a0, 0xCC0\n lw a1, (sp)\n jr a1\n {EXIT}");
    let Some(Ran { stdout, .. }) = run("unknown.s", &source, &["--block", "8"]) else { return };
    contains(
        &stdout,
        &["note: in function `_start`, at 0x8 <_start+0x8> at unknown.s:4: an indirect jump whose targets"],
    );
}

/// As in riscv-tests: code at 0x8000_0000, a word in `tohost` at the end.
const RISCV_TESTS: &str = r#"
#include "value.h"
    .section .text.init, "ax"
    .globl _start
_start:
    la t1, target
    jalr t0, t1, 0
    j fail
target:
    csrr a0, 0xCC0
    la a1, begin_signature
    slli a2, a0, 2
    add a1, a1, a2
    addi a3, a0, VALUE
    sw a3, 0(a1)
    la a5, table
    lw a5, 4(a5)
    jr a5
fail:
    li gp, 2*5+1
    j write_tohost
pass:
    li gp, END
write_tohost:
    sw gp, tohost, t5
    sw zero, tohost+4, t5
    j write_tohost
    .section .rodata
    .align 2
table: .word fail, pass
    .data
    .align 6
begin_signature: .fill 8, 4, 0
end_signature:
    .section .tohost, "aw", @progbits
    .align 6
    .globl tohost
tohost: .dword 0
"#;

/// A source, compiled (flags that begin with -O or -f) and linked (the others) by clang and lld alone; `None` without them.
fn linked(name: &str, source: &str, flags: &[&str]) -> Option<(tempfile::TempDir, String)> {
    if !met(&[("clang and ld.lld", warploom_runtime::toolchain::available())]) {
        return None;
    }
    let (directory, path) = file(name, source.as_bytes());
    let (object, elf) = (directory.path().join("k.o"), directory.path().join("k.elf"));
    std::fs::write(directory.path().join("value.h"), "#define VALUE 7\n").unwrap();
    let target = [
        "--target=riscv32-unknown-elf",
        "-march=rv32ima",
        "-mabi=ilp32",
        "-mno-relax",
        "-O2",
        "-ffreestanding",
        "-Wno-unused-command-line-argument",
        "-Wa,-L",
    ];
    let mut compile = std::process::Command::new("clang");
    let (of_clang, of_lld): (Vec<&str>, Vec<&str>) =
        flags.iter().copied().partition(|flag| ["-O", "-f"].contains(&&flag[..2]));
    compile.args(target).args(of_clang).args(["-c", &path, "-o"]).arg(&object);
    let mut link = std::process::Command::new("ld.lld");
    link.args(of_lld).arg(&object).arg("-o").arg(&elf);
    for mut command in [compile, link] {
        assert!(command.status().expect("it starts").success());
    }
    let path = elf.to_str().unwrap().to_string();
    Some((directory, path))
}

fn on_tiny(elf: &str, args: &[&str]) -> Ran {
    warploom(&[&["run", elf, "--preset", "tiny", "--block", "8"], args].concat())
}

#[test]
fn code_at_0x80000000_and_tohost() {
    let source = RISCV_TESTS.replace("END", "1");
    let Some((directory, elf)) = linked("riscv.S", &source, &["-q", "-Ttext=0x80000000"]) else { return };
    let signature = directory.path().join("signature");
    let dump = format!("begin_signature..end_signature={}", signature.display());
    let Ran { status, stdout, stderr } = on_tiny(&elf, &["--dump", &dump]);
    assert_eq!(status, 0, "{stdout}{stderr}");
    contains(&stdout, &["note: code is 0x80000000 lower", "loop behind a store to tohost", "tohost is 1: passed"]);
    let expected: Vec<u8> = (7..15u32).flat_map(u32::to_le_bytes).collect();
    assert_eq!(std::fs::read(signature).unwrap(), expected);
}

/// lld puts the file's headers into a segment of their own there.
#[test]
fn code_at_0_and_data_where_the_core_has_memory() {
    let source = RISCV_TESTS.replace("END", "1");
    let flags = ["-q", "-Ttext=0", "-Tdata=0x80000000"];
    let Some((directory, elf)) = linked("riscv.S", &source, &flags) else { return };
    let signature = directory.path().join("signature");
    let dump = format!("begin_signature..end_signature={}", signature.display());
    let Ran { status, stdout, stderr } = on_tiny(&elf, &["--dump", &dump]);
    assert_eq!(status, 0, "{stdout}{stderr}");
    let expected: Vec<u8> = (7..15u32).flat_map(u32::to_le_bytes).collect();
    assert_eq!(std::fs::read(signature).unwrap(), expected);
}

#[test]
fn a_test_that_fails_says_which() {
    let source = RISCV_TESTS.replace("END", "11");
    let Some((_directory, elf)) = linked("riscv.S", &source, &["-q", "-Ttext=0x80000000"]) else { return };
    let Ran { status, stdout, .. } = on_tiny(&elf, &[]);
    assert_eq!(status, 1, "{stdout}");
    contains(&stdout, &["FAIL", "tohost is 11: test 5 has failed"]);
}

#[test]
fn code_whose_addresses_lie_in_data_needs_relocation_entries() {
    let source = RISCV_TESTS.replace("END", "1");
    let Some((_directory, elf)) = linked("riscv.S", &source, &["-Ttext=0x80000000"]) else { return };
    refused(&["run", &elf], &["function `target`", "where the code was linked", "--emit-relocs"]);
    // Without a table there is nothing that needs them.
    let source = source.replace("lw a5, 4(a5)", "la a5, pass");
    let Some((_directory, elf)) = linked("riscv.S", &source, &["-Ttext=0x80000000"]) else { return };
    let Ran { status, stdout, stderr } = on_tiny(&elf, &[]);
    assert_eq!(status, 0, "{stdout}{stderr}");
    contains(&stdout, &["tohost is 1: passed"]);
}

const EXITS: &str = r#"
int x[8] = {1, 2, 3, 4, 5, 6, 7, 8};
void _start(void) {
    int t;
    __asm__("csrr %0, 0xCC0" : "=r"(t));
    x[t] += t;
    register int a0 __asm__("a0") = STATUS, a7 __asm__("a7") = CALL;
    __asm__ volatile("ecall" ::"r"(a0), "r"(a7));
    __builtin_unreachable();
}
"#;

fn exits(status: &str, call: &str, flags: &[&str], args: &[&str]) -> Option<Ran> {
    let source = EXITS.replace("STATUS", status).replace("CALL", call);
    linked("exits.c", &source, flags).map(|(_directory, elf)| on_tiny(&elf, args))
}

#[test]
fn linux_style_code_and_exit() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("x");
    let dump = format!("x={}", file.display());
    let Some(Ran { status, stdout, stderr }) = exits("0", "93", &["-q"], &["--dump", &dump]) else { return };
    assert_eq!(status, 0, "{stdout}{stderr}");
    contains(&stdout, &["note: data that was linked below 0x20000000 is 0x80000000 higher", "exit with the status 0"]);
    let expected: Vec<u8> = (0..8u32).flat_map(|t| (2 * t + 1).to_le_bytes()).collect();
    assert_eq!(std::fs::read(file).unwrap(), expected);
    let Some(Ran { status, stdout, .. }) = exits("t == 3 ? 5 : t & 1", "93", &["-q"], &[]) else { return };
    assert_eq!(status, 1, "{stdout}");
    contains(&stdout, &["FAIL", "a thread has ended with the exit status 5 (a0)"]);
    let Some(Ran { status, stdout, .. }) = exits("1", "64", &["-q"], &[]) else { return };
    assert_eq!(status, 3, "{stdout}");
    contains(&stdout, &["ecall with a7 = 64", "only exit (93)"]);
    let Some(Ran { status, stderr, .. }) = exits("0", "93", &[], &[]) else { return };
    assert_eq!(status, 2, "{stderr}");
    contains(&stderr, &["the lui at 0x", "--emit-relocs", "-mcmodel=medany"]);
}

/// A switch with a jump table, in a function with one return.
const SWITCH: &str = r#"
volatile int out[8];
int in[8] = {0, 1, 2, 3, 4, 5, 6, 7};
__attribute__((noinline)) int choose(int x, int y) {
    int result = 0;
    switch (x) {
    case 0: result = y * 3; break;
    case 1: result = y + 7; break;
    case 2: result = y ^ 5; break;
    case 3: result = y << 2; break;
    case 4: result = y / 3; break;
    case 5: result = y - 100; break;
    }
    out[y] = result;
    return result;
}
__attribute__((used)) int work(void) {
    int t;
    __asm__("csrr %0, 0xCC0" : "=r"(t));
    choose(in[3], t);
    return 0;
}
__asm__(".globl _start\n_start: csrr t0, 0xCCF\n lw sp, 32(t0)\n call work\n li a7, 93\n ecall\n");
"#;

#[test]
fn a_jump_table_of_the_compiler() {
    // Without optimisation the index goes through memory, and nothing bounds it.
    for (level, certain) in [("-O2", true), ("-O0", false)] {
        let Some((directory, elf)) = linked("switch.c", SWITCH, &["-q", level]) else { return };
        let out = directory.path().join("out");
        let Ran { status, stdout, stderr } = on_tiny(&elf, &["--dump", &format!("out={}", out.display())]);
        assert_eq!(status, 0, "{stdout}{stderr}");
        let note = "an indirect jump is taken to lead to";
        assert_eq!(!stdout.contains(note), certain, "{level}: {stdout}");
        let expected: Vec<u8> = (0..8u32).flat_map(|t| (t << 2).to_le_bytes()).collect();
        assert_eq!(std::fs::read(out).unwrap(), expected, "{level}");
    }
}

#[test]
fn a_table_of_addresses_is_named() {
    let Some((_directory, elf)) = linked("switch.c", SWITCH, &["-q", "-fPIC"]) else { return };
    refused(&["run", &elf], &["k.elf: it has a table of addresses (.got)", "-fno-pic"]);
}

#[test]
fn what_other_cores_have_is_named() {
    let source = format!(".globl _start\n _start: csrr a0, mhartid\n {EXIT}");
    let Some(Ran { status, stdout, .. }) = run("hart.s", &source, &[]) else { return };
    assert_eq!(status, 3, "{stdout}");
    contains(&stdout, &["illegal instruction 0xf1402573, mhartid", "csrr 0xCC0"]);
}

#[test]
fn assembler_with_the_preprocessor() {
    if !met(&[("clang and ld.lld", warploom_runtime::toolchain::available())]) {
        return;
    }
    let source = format!(
        "#include \"value.h\"\n#define END {EXIT} .globl _start\n _start: li a0, VALUE\n bnez a0, .Lend\n nop\n .Lend: END"
    );
    let (directory, path) = file("k.S", source.as_bytes());
    std::fs::write(directory.path().join("value.h"), "#define VALUE 77\n").unwrap();
    let Ran { status, stdout, stderr } = warploom(&["disasm", &path]);
    assert_eq!(status, 0, "{stderr}");
    contains(&stdout, &["li       a0, 77"]);
    assert_eq!(warploom(&["run", &path, "--preset", "tiny"]).status, 0);
    assert_eq!(warploom(&["build", &path]).status, 0);
}

#[test]
fn local_labels_name_no_code() {
    let source = format!(".globl _start\n _start: nop\n .Llocal: nop\n {EXIT}");
    let Some((_directory, elf)) = linked("k.s", &source, &["--discard-none"]) else { return };
    assert!(std::fs::read(&elf).unwrap().windows(7).any(|name| name == b".Llocal"), "it is in the file");
    let Ran { status, stdout, .. } = warploom(&["disasm", &elf]);
    assert_eq!(status, 0, "{stdout}");
    assert!(!stdout.contains(".L"), "{stdout}");
}

#[test]
fn what_cannot_be_dumped() {
    let source =
        format!(".globl _start\n _start: la t0, first\n {EXIT} .data\n .globl first, last\n first: .word 1\n last:\n");
    for (dump, part) in [
        ("first=f", "name its end, too: first..SYMBOL"),
        ("last..first=f", "is no piece of the program's data"),
        ("first..lost=f", "no variable `lost`"),
        ("firs=f", "no buffer `firs`\n  did you mean first?"),
    ] {
        let Some(Ran { status, stderr, .. }) = run("data.s", &source, &["--dump", dump]) else { return };
        assert_eq!(status, 2, "{stderr}");
        contains(&stderr, &[part]);
    }
}
