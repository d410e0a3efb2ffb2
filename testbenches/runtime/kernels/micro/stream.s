# Bandwidth: every thread copies one word of each of `trips` groups of four rows. Arguments: in, out, trips.
# A row is one word per thread of the grid.
    .globl _start
_start:
    csrr    t0, 0xCCF
    lw      a0, 0(t0)
    lw      a1, 4(t0)
    lw      a2, 8(t0)
    csrr    t1, 0xCC3
    csrr    t2, 0xCC6
    mul     t1, t1, t2
    csrr    t3, 0xCC0
    add     t1, t1, t3
    slli    t1, t1, 2
    add     a0, a0, t1
    add     a1, a1, t1
    csrr    t3, 0xCC9
    mul     t2, t2, t3
    slli    t2, t2, 2           # bytes of a row
    slli    t3, t2, 1
    add     t4, t3, t2
    slli    t5, t2, 2
loop:
    add     s0, a0, t2
    add     s1, a0, t3
    add     s2, a0, t4
    lw      s3, 0(a0)
    lw      s4, 0(s0)
    lw      s5, 0(s1)
    lw      s6, 0(s2)
    add     s0, a1, t2
    add     s1, a1, t3
    add     s2, a1, t4
    add     a0, a0, t5
    sw      s3, 0(a1)
    sw      s4, 0(s0)
    sw      s5, 0(s1)
    sw      s6, 0(s2)
    add     a1, a1, t5
    addi    a2, a2, -1
    bnez    a2, loop
    .insn r 0x0B, 1, 0, x0, x0, x0
