# Thread 3 of a CTA stores through a null pointer: a trap. Argument: out.
    .globl _start
_start:
    csrr    t0, 0xCCF
    lw      a0, 0(t0)
    csrr    t1, 0xCC0
    addi    t1, t1, -3
    snez    t1, t1
    mul     a0, a0, t1
    sw      t1, 0(a0)
    .insn r 0x0B, 1, 0, x0, x0, x0
