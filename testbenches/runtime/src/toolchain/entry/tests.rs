use super::*;

/// A module with a kernel of these instructions, after some other function.
fn module(body: &str) -> String {
    format!(
        "\t.text\nother:\n\tsw\ts0, 8(sp)\n\tret\n\t.size\tother, .Lfunc_end0-other\n\
         \t.globl\tkernel\n\t.type\tkernel,@function\nkernel:\n{body}.Lfunc_end1:\n\t.size\tkernel, .Lfunc_end1-kernel\n"
    )
}

/// What is left of a kernel of these instructions, separated by `;` (so no instruction has one), without its rest.
fn left(body: &str) -> String {
    let lines = |text: &str| text.split(';').map(|line| format!("{}\n", line.trim())).collect::<String>();
    let treated = without_saves(&module(&lines(body)), &["kernel"]);
    let (head, rest) = treated.split_once("\nkernel:\n").expect("a kernel");
    assert!(head.contains("\tsw\ts0, 8(sp)\n"), "the function before it is as it was");
    let (body, end) = rest.split_once(".Lfunc_end1:\n").expect("an end");
    assert_eq!(end, "\t.size\tkernel, .Lfunc_end1-kernel\n");
    body.trim_end().replace('\n', "; ")
}

#[track_caller]
fn unchanged(body: &str) {
    assert_eq!(left(body), body);
}

const SAVE: &str = "addi sp, sp, -16; sw ra, 12(sp); sw s0, 8(sp)";
const RELOAD: &str = "lw ra, 12(sp); lw s0, 8(sp); addi sp, sp, 16; ret";
const WITH_RA: &str = "lw ra, 12(sp); addi sp, sp, 16; ret";

#[test]
fn a_save_and_its_reload() {
    assert_eq!(
        left(&format!("{SAVE}; mv s0, a0; call barrier; sw zero, 0(s0); {RELOAD}")),
        format!("addi sp, sp, -16; sw ra, 12(sp); mv s0, a0; call barrier; sw zero, 0(s0); {WITH_RA}")
    );
}

#[test]
fn an_empty_frame_goes_as_well() {
    assert_eq!(
        left(
            "addi sp, sp, -16; sw s0, 12(sp); sw s1, 8(sp); mv s0, a0; mv s1, s0; lw s0, 12(sp); lw s1, 8(sp); addi sp, sp, 16; ret"
        ),
        "mv s0, a0; mv s1, s0; ret"
    );
    unchanged("addi sp, sp, -16; mv a0, sp; sw zero, 0(a0); addi sp, sp, 16; ret");
    unchanged("addi sp, sp, -16; #APP; .word 19; #NO_APP; addi sp, sp, 16; ret");
}

#[test]
fn a_return_on_every_side() {
    assert_eq!(
        left(&format!("{SAVE}; mv s0, a0; beqz a1, .LBB0_2; call barrier; sw s0, 0(s0); {RELOAD}; .LBB0_2:; {RELOAD}")),
        format!(
            "addi sp, sp, -16; sw ra, 12(sp); mv s0, a0; beqz a1, .LBB0_2; call barrier; sw s0, 0(s0); {WITH_RA}; \
             .LBB0_2:; {WITH_RA}"
        )
    );
}

/// Shrink-wrapped: saved where it is needed first, behind a way that leaves.
#[test]
fn a_prologue_that_is_not_at_the_entry() {
    assert_eq!(
        left(&format!("beqz a1, .LBB0_2; {SAVE}; mv s0, a0; call barrier; sw s0, 0(s0); {RELOAD}; .LBB0_2:; ret")),
        format!(
            "beqz a1, .LBB0_2; addi sp, sp, -16; sw ra, 12(sp); mv s0, a0; call barrier; sw s0, 0(s0); {WITH_RA}; \
             .LBB0_2:; ret"
        )
    );
}

/// The other way to write it: the kernel's end stands before code that jumps back to it.
#[test]
fn a_return_in_the_middle() {
    assert_eq!(
        left(&format!("{SAVE}; mv s0, a0; .LBB0_1:; bnez s0, .LBB0_3; {RELOAD}; .LBB0_3:; addi s0, s0, -1; j .LBB0_1")),
        format!(
            "addi sp, sp, -16; sw ra, 12(sp); mv s0, a0; .LBB0_1:; bnez s0, .LBB0_3; {WITH_RA}; .LBB0_3:; \
             addi s0, s0, -1; j .LBB0_1"
        )
    );
}

#[test]
fn a_kernel_that_does_not_return() {
    assert_eq!(
        left("addi sp, sp, -16; sw s0, 12(sp); mv s0, a0; .LBB0_1:; sw s0, 0(s0); j .LBB0_1"),
        "mv s0, a0; .LBB0_1:; sw s0, 0(s0); j .LBB0_1"
    );
    assert_eq!(
        left("addi sp, sp, -16; sw ra, 12(sp); sw s0, 8(sp); mv s0, a0; call abort"),
        "addi sp, sp, -16; sw ra, 12(sp); mv s0, a0; call abort"
    );
}

/// s0 is a register as any other, also where it addresses the frame; the compiler may call it fp, or x8.
#[test]
fn a_frame_pointer() {
    assert_eq!(
        left(
            "addi sp, sp, -32; sw ra, 28(sp); sw s0, 24(sp); sw s1, 20(sp); addi s0, sp, 32; sub s1, sp, a0; mv sp, s1; \
              sw a0, -16(s0); addi sp, s0, -32; lw ra, 28(sp); lw s0, 24(sp); lw s1, 20(sp); addi sp, sp, 32; ret"
        ),
        "addi sp, sp, -32; sw ra, 28(sp); addi s0, sp, 32; sub s1, sp, a0; mv sp, s1; sw a0, -16(s0); addi sp, s0, -32; \
         lw ra, 28(sp); addi sp, sp, 32; ret"
    );
    unchanged("addi sp, sp, -32; addi fp, sp, 32; sw s0, 24(sp); lw s0, 24(sp); add a0, x8, a0; addi sp, sp, 32; ret");
}

#[test]
fn spills_stay() {
    // What the kernel computed, stored and read back.
    unchanged(
        "addi sp, sp, -16; mv s0, a0; sw s0, 8(sp); call barrier; lw s0, 8(sp); sw s0, 0(s0); addi sp, sp, 16; ret",
    );
    // In the slot of a save, read into another register, and by a loop that comes back.
    assert_eq!(
        left(
            "addi sp, sp, -16; sw s0, 8(sp); .LBB0_1:; mv s0, a0; sw s0, 8(sp); lw a1, 8(sp); bnez a1, .LBB0_1; \
              lw s0, 8(sp); addi sp, sp, 16; ret"
        ),
        "addi sp, sp, -16; .LBB0_1:; mv s0, a0; sw s0, 8(sp); lw a1, 8(sp); bnez a1, .LBB0_1; addi sp, sp, 16; ret"
    );
    unchanged(
        "addi sp, sp, -16; .LBB0_1:; sw s0, 8(sp); lw s0, 8(sp); addi a0, a0, -1; bnez a0, .LBB0_1; addi sp, sp, 16; ret",
    );
    // Not the stack's, and not a register that calls keep.
    unchanged("sw s0, 0(a0); ret");
    unchanged(
        "addi sp, sp, -16; sw ra, 12(sp); sw t0, 8(sp); sw a0, 4(sp); lw t0, 8(sp); lw ra, 12(sp); addi sp, sp, 16; ret",
    );
}

#[test]
fn control_flow_that_is_not_in_the_text() {
    for jump in ["jr a0", "j elsewhere", "jal zero, .LBB0_1", "jalr zero, 0(a0)", "call .LBB0_1", "beqz a0, 8", "c.j 8"]
    {
        unchanged(&format!("{SAVE}; .LBB0_1:; mv s0, a0; {jump}; {RELOAD}"));
    }
    let macros = format!("\t.macro nothing\n\t.endm\n{}", module("\tsw\ts0, 8(sp)\n\tret\n"));
    assert_eq!(without_saves(&macros, &["kernel"]), macros);
    let cut = "kernel:\n\tsw\ts0, 8(sp)\n\tret\n";
    assert_eq!(without_saves(cut, &["kernel", "none"]), cut);
}

#[test]
fn inline_assembly() {
    // What it names, it may write.
    assert_eq!(
        left(&format!(
            "{SAVE}; #APP; .Ltmp0:; addi s0, s0, -1; bnez s0, .Ltmp0; .insn r 11, 2, 0, s1, s1, zero; #NO_APP; {RELOAD}"
        )),
        format!(
            "addi sp, sp, -16; sw ra, 12(sp); #APP; .Ltmp0:; addi s0, s0, -1; bnez s0, .Ltmp0; \
             .insn r 11, 2, 0, s1, s1, zero; #NO_APP; {WITH_RA}"
        )
    );
    // It may write what it does not name.
    for hidden in [".word 19", ".insn 4, 0x13", "call custom"] {
        unchanged(&format!("#APP; {hidden}; #NO_APP; sw s3, 8(sp); ret"));
        unchanged(&format!("lw s3, 8(sp); #APP; {hidden}; #NO_APP; ret"));
    }
    // It is as the user wants it.
    unchanged("#APP; sw s0, 8(sp); lw s0, 8(sp); #NO_APP; ret");
    // A call of the compiler's keeps all of s0 to s11.
    assert_eq!(left("call other; sw s3, 8(sp); jalr a0; lw s3, 8(sp); ret"), "call other; jalr a0; ret");
}

#[test]
fn what_debuggers_are_told() {
    assert_eq!(
        left(
            "addi sp, sp, -16; .cfi_def_cfa_offset 16; sw ra, 12(sp); sw s0, 8(sp); .cfi_offset ra, -4; .cfi_offset s0, -8; \
              .loc 0 7 5 is_stmt 0 # a.c:7:5; mv s0, a0; lw ra, 12(sp); lw s0, 8(sp); addi sp, sp, 16; ret"
        ),
        "addi sp, sp, -16; .cfi_def_cfa_offset 16; sw ra, 12(sp); .cfi_offset ra, -4; .loc 0 7 5 is_stmt 0 # a.c:7:5; mv s0, a0; \
         lw ra, 12(sp); addi sp, sp, 16; ret"
    );
    assert_eq!(
        left(
            "addi sp, sp, -16; .cfi_def_cfa_offset 16; sw s0, 12(sp); .cfi_offset s0, -4; mv s0, a0; lw s0, 12(sp); \
              addi sp, sp, 16; ret"
        ),
        "mv s0, a0; ret"
    );
}

/// A function that is called keeps its caller's registers, whatever else it is.
#[test]
fn kernels_that_are_named() {
    let kernel =
        module("\taddi\tsp, sp, -16\n\tsw\ts0, 8(sp)\n\tmv\ts0, a0\n\tlw\ts0, 8(sp)\n\taddi\tsp, sp, 16\n\tret\n");
    let names = |line: &str| without_saves(&format!("{kernel}{line}\n"), &["kernel"]).contains("sw\ts0, 8(sp)\n\tmv");
    for line in [
        "\tcall\tkernel",
        "\t.word\tkernel",
        "\t.word\tkernel+4",
        "\t.set\tcopy, kernel",
        "\tlui\ta0, %hi(kernel)",
        "\tj\tkernel",
    ] {
        assert!(names(line), "{line}");
    }
    for line in [
        "\tcall\tkernel_two",
        "\t.asciz\t\"kernel\"",
        "\t.file\t\"kernel\"",
        "\tnop # kernel",
        "\tkernel a0, a1, a2",
        "\t.addrsig_sym kernel",
    ] {
        assert!(!names(line), "{line}");
    }
    let two = format!("{kernel}{}\tcall\tkernel\n", kernel.replace("kernel", "second").replace("other", "another"));
    let treated = without_saves(&two, &["kernel", "second"]);
    assert_eq!(treated.matches("sw\ts0, 8(sp)\n\tmv").count(), 1, "the second only");
}
