# Thread 3 of a CTA loads a word from an address that is not a multiple of four: a trap. Argument: in.
    .globl _start
_start:
    csrr    t0, 0xCCF
    lw      a0, 0(t0)
    csrr    t1, 0xCC0
    addi    t1, t1, -3
    seqz    t1, t1
    add     a0, a0, t1
    lw      a1, 0(a0)
    .insn r 0x0B, 1, 0, x0, x0, x0
