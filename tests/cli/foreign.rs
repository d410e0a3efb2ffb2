//! Programs that were not written for this core.
use warploom_requirements::met;

use crate::{Ran, contains, file, warploom};

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
        &["note: in function `_start`, at 0x8 <_start+0x8> (unknown.s:4): an indirect jump whose targets"],
    );
}
