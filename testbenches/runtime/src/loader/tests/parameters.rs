//! The arguments that a kernel reads.
use super::assembler::assemble;

fn parameters(kernel: &str) -> usize {
    let start = "csrr x5, args\nlw x10, 0(x5)\nlw x11, 4(x5)\nlw x12, 8(x5)\nlw x17, 28(x5)\ncall kernel\nexit\n";
    assemble(&format!("{start}kernel:\n{kernel}\n")).0.parameters
}

#[test]
fn the_last_register_that_is_read_counts() {
    assert_eq!(parameters("ret"), 0);
    assert_eq!(parameters("addi x6, x10, 1\nret"), 1);
    assert_eq!(parameters("sw x12, 0(x10)\nret"), 3);
    assert_eq!(parameters("addi x6, x17, 1\nret"), 8);
}

#[test]
fn what_is_written_first_is_none() {
    assert_eq!(parameters("li x12, 3\nsw x12, 0(x10)\nret"), 1);
    // On one path only.
    assert_eq!(parameters("beq x10, x0, end\nli x11, 3\nend:\naddi x6, x11, 1\nret"), 2);
    // In a loop, before it comes around.
    assert_eq!(parameters("loop:\nli x11, 3\naddi x11, x11, 1\nbne x10, x0, loop\nret"), 1);
}

#[test]
fn what_is_handed_on_counts() {
    let inner = "inner:\nadd x6, x10, x11\nret";
    assert_eq!(parameters(&format!("call inner\nret\n{inner}")), 2);
    assert_eq!(parameters(&format!("li x10, 1\nj inner\n{inner}")), 2);
    // A call may have written all of them.
    assert_eq!(parameters("call inner\nsw x12, 0(x10)\nret\ninner:\nret"), 0);
    assert_eq!(parameters("again:\nbeq x10, x0, end\ncall kernel\nend:\nret"), 1, "recursion");
}

#[test]
fn other_start_code_hands_over_nothing() {
    assert_eq!(assemble("call kernel\nexit\nkernel:\nsw x12, 0(x10)\nret").0.parameters, 0);
}
