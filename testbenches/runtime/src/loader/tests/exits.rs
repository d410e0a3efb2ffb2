//! What ends threads of programs that others have written.
use super::assembler::assemble;
use super::*;

const ECALL: u32 = 0x0000_0073;

/// The program with its ends replaced; `tohost` is at the start of global memory.
fn adapted(text: &str) -> Program {
    let (mut program, _) = assemble(text);
    program.notes.clear();
    program.adapt_ends(&Context::default(), Some(GLOBAL_BASE)).unwrap();
    program.analyse(Context::default()).unwrap();
    program
}

#[test]
fn a_call_of_exit_with_the_status_0_is_exit() {
    let program = adapted("li x17, 93\n li x10, 0\n ecall");
    assert_eq!((program.words[2], program.words.len(), program.exit_status), (EXIT, 3, None));
    assert_eq!(program.notes, ["at 0x8: this ecall is exit with the status 0, and ends the thread"]);
}

#[test]
fn another_status_is_left_behind_the_data() {
    let program = adapted("first:\n beq x1, x2, second\n li x17, 93\n ecall\n second:\n li x17, 93\n ecall");
    assert_eq!(program.exit_status, Some(GLOBAL_BASE));
    assert_eq!(program.data, [DataSegment { address: GLOBAL_BASE, bytes: vec![0; 4], size: 4 }]);
    assert_eq!((program.target(8), program.target(16)), (Some(20), Some(20)), "behind the code");
    let stub: Vec<&str> = program.words[5..].iter().map(|&word| decode(word).mnemonic()).collect();
    assert_eq!(stub, ["lui", "addi", "amomaxu.w", "exit"]);
    assert_eq!(points(&program)[0], Some(20), "the sides meet there");
}

#[test]
fn other_calls_stay_traps() {
    let program = adapted("li x17, 64\n ecall");
    assert_eq!((program.words[1], program.calls.get(&4)), (ECALL, Some(&64)));
    // Not certain: another value on one way, a call between, none at all.
    for text in [
        "li x17, 93\n beq x1, x2, call\n li x17, 64\n call:\n ecall",
        "li x17, 93\n call f\n ecall\n f:\n ret",
        "lw x17, 0(x2)\n ecall",
        "ecall",
    ] {
        let program = adapted(text);
        assert!(program.words.contains(&ECALL) && program.notes.is_empty() && program.calls.is_empty(), "{text}");
    }
}

#[test]
fn loops_behind_a_store_to_tohost_end() {
    for text in [
        "lui x5, 524288\n again:\n sw x3, 0(x5)\n sw x0, 4(x5)\n j again",
        "again:\n lui x5, 524288\n sw x3, 0(x5)\n j again",
        "lui x5, 524288\n sw x3, 0(x5)\n nop\n again:\n j again",
    ] {
        let program = adapted(text);
        assert_eq!((program.words.last(), program.tohost), (Some(&EXIT), Some(GLOBAL_BASE)), "{text}");
    }
    for text in [
        // No store, a store elsewhere, one on one way only, another value every time, and a loop that is left.
        "again:\n j again",
        "lui x5, 524289\n again:\n sw x3, 0(x5)\n j again",
        "lui x5, 524288\n beq x1, x2, again\n sw x3, 0(x5)\n again:\n j again",
        "lui x5, 524288\n again:\n addi x3, x3, 1\n sw x3, 0(x5)\n j again",
        "lui x5, 524288\n again:\n sw x3, 0(x5)\n beq x1, x2, end\n j again\n end:\n exit",
    ] {
        let program = adapted(text);
        assert!(program.tohost.is_none() && program.notes.is_empty(), "{text}");
    }
}
