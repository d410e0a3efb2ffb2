# Ballots with all lanes, in each side of a branch, and in a loop that lanes leave one by one. Argument: out, three
# words per thread.
    .globl _start
_start:
    csrr    t0, 0xCCF
    lw      a0, 0(t0)
    csrr    t1, 0xCC3
    csrr    t2, 0xCC6
    mul     t1, t1, t2
    csrr    t2, 0xCC0
    add     t1, t1, t2
    slli    t2, t1, 3
    slli    t3, t1, 2
    add     t2, t2, t3
    add     a0, a0, t2
    csrr    t3, 0xCCC
    andi    t4, t3, 3
    .insn r 0x0B, 2, 0, a1, t4, x0
    andi    t5, t3, 1
    beqz    t5, even
    .insn r 0x0B, 2, 0, a2, t5, x0
    j       join
even:
    srli    t6, t3, 1
    .insn r 0x0B, 2, 0, a2, t6, x0
join:
    li      a3, 0
    andi    t4, t3, 3
loop:
    .insn r 0x0B, 2, 0, t5, t3, x0
    add     a3, a3, t5
    addi    t4, t4, -1
    bgez    t4, loop
    sw      a1, 0(a0)
    sw      a2, 4(a0)
    sw      a3, 8(a0)
    .insn r 0x0B, 1, 0, x0, x0, x0
