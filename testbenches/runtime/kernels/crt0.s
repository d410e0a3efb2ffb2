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
