# Divergence at every level: which way a thread goes depends on each bit of a mixed number. Arguments: out, trips.
    .globl _start
_start:
    csrr    t0, 0xCCF
    lw      a0, 0(t0)
    lw      a1, 4(t0)
    csrr    t1, 0xCC3
    csrr    t2, 0xCC6
    mul     t1, t1, t2
    csrr    t2, 0xCC0
    add     t1, t1, t2
    slli    t2, t1, 2
    add     a0, a0, t2
    li      a3, 0x9E3779B1
    mul     a2, t1, a3          # a2 = mixed, a4 = result
    li      a4, 0
loop:
    andi    t3, a2, 1
    beqz    t3, even
    addi    a4, a4, 7
    andi    t3, a2, 2
    beqz    t3, odd_low
    slli    a4, a4, 1
    j       odd_join
odd_low:
    xori    a4, a4, 0x155
odd_join:
    addi    a4, a4, 1
    j       join
even:
    andi    t3, a2, 4
    beqz    t3, even_low
    andi    t4, a2, 24
inner:                          # up to 24 trips
    addi    a4, a4, 3
    addi    t4, t4, -8
    bgtz    t4, inner
    j       join
even_low:
    sub     a4, a4, a2
join:
    srli    t3, a2, 3
    slli    t4, a2, 29
    or      a2, t3, t4
    add     a2, a2, a4
    addi    a1, a1, -1
    bnez    a1, loop
    sw      a4, 0(a0)
    .insn r 0x0B, 1, 0, x0, x0, x0
