# A loop with two entries, which holds a barrier: even threads enter at the top, odd ones in the middle. Argument: out.
# Every thread passes the barrier three times; thread t writes 300 + its passes through the top.
    .globl _start
_start:
    csrr    t0, 0xCCF
    lw      a0, 0(t0)
    csrr    t1, 0xCC0
    li      a1, 0
    li      a2, 3
    andi    t2, t1, 1
    bnez    t2, middle
top:
    addi    a1, a1, 1
middle:
    .insn r 0x0B, 0, 0, x0, x0, x0
    addi    a1, a1, 100
    addi    a2, a2, -1
    bnez    a2, top
    slli    t1, t1, 2
    add     a0, a0, t1
    sw      a1, 0(a0)
    .insn r 0x0B, 1, 0, x0, x0, x0
