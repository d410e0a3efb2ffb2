# Latency: every thread follows a chain of addresses, one load after the other. Arguments: out, in, trips.
# `in` has an address for each thread of the grid; the one reached goes to its word of `out`.
    .globl _start
_start:
    csrr    t0, 0xCCF
    lw      a0, 0(t0)
    lw      a1, 4(t0)
    lw      a2, 8(t0)
    csrr    t1, 0xCC3
    csrr    t2, 0xCC6
    mul     t1, t1, t2
    csrr    t2, 0xCC0
    add     t1, t1, t2
    slli    t1, t1, 2
    add     a0, a0, t1
    add     a1, a1, t1
    lw      a3, 0(a1)
loop:
    lw      a3, 0(a3)
    addi    a2, a2, -1
    bnez    a2, loop
    sw      a3, 0(a0)
    .insn r 0x0B, 1, 0, x0, x0, x0
