# Entry of every C kernel: stack and arguments from the block at CSR 0xCCF, then `kernel`, then exit.
# The block holds eight words of arguments and the initial stack pointer, the top of the private window, then the other words.
# A kernel does not keep s0 to s11 (toolchain/entry): nothing may live in them over the call.
    .section .text.start, "ax", @progbits
    .globl _start
    .type _start, @function
_start:
    csrr    t0, 0xCCF
    lw      sp, 32(t0)
    lw      a0, 0(t0)
    lw      a1, 4(t0)
    lw      a2, 8(t0)
    lw      a3, 12(t0)
    lw      a4, 16(t0)
    lw      a5, 20(t0)
    lw      a6, 24(t0)
    lw      a7, 28(t0)
    call    kernel
    .insn r 0x0B, 1, 0, x0, x0, x0      # exit
    .size _start, . - _start

    .section .text.barrier, "ax", @progbits
    .globl barrier
    .type barrier, @function
barrier:
    .insn r 0x0B, 0, 0, x0, x0, x0      # bar.sync
    ret
    .size barrier, . - barrier

    .section .text.ballot, "ax", @progbits
    .globl ballot
    .type ballot, @function
ballot:
    .insn r 0x0B, 2, 0, a0, a0, x0      # ballot a0, a0
    ret
    .size ballot, . - ballot

# Below: what warploom.h has of warp instructions. Functions, so that the compiler keeps each call single.
    .section .text.warploom_cond_acc, "ax", @progbits
    .globl warploom_cond_acc
    .type warploom_cond_acc, @function
warploom_cond_acc:
    snez    a1, a1
    or      a0, a0, a1
    .insn r 0x2B, 2, 0, a0, a0, a2      # cond_acc.w a0, a0, a2
    ret
    .size warploom_cond_acc, . - warploom_cond_acc

    .section .text.warploom_cond_acc_h, "ax", @progbits
    .globl warploom_cond_acc_h
    .type warploom_cond_acc_h, @function
warploom_cond_acc_h:
    snez    a1, a1
    or      a0, a0, a1
    .insn r 0x2B, 1, 0, a0, a0, a2      # cond_acc.h a0, a0, a2
    ret
    .size warploom_cond_acc_h, . - warploom_cond_acc_h

    .irp    shift, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    .section .text.warploom_tree_traverse_\shift, "ax", @progbits
    .globl warploom_tree_traverse_\shift
    .type warploom_tree_traverse_\shift, @function
warploom_tree_traverse_\shift:
    .insn r 0x2B, 4, \shift, a0, a0, a1 # tree_traverse a0, a0, a1, shift
    ret
    .size warploom_tree_traverse_\shift, . - warploom_tree_traverse_\shift
    .endr
