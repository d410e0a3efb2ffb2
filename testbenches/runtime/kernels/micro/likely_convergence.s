# Fung & Aamodt 2011, Example 2: a loop that some threads leave by a break. Arguments: data, result, K, out.
# Thread t looks at K words of data from t * K on: at 0 it writes 7 into result, at 1 it leaves; out[t] is where it ended.
# The branches of A and C reconverge at F; most threads meet at E before.
    .globl _start
_start:
    csrr    t0, 0xCCF
    lw      a0, 0(t0)
    lw      a1, 4(t0)
    lw      a2, 8(t0)
    lw      a3, 12(t0)
    csrr    t1, 0xCC0
    mul     t2, t1, a2
    slli    t2, t2, 2
    add     a0, a0, t2
    add     a1, a1, t2
    li      t3, 0
    li      t4, 1
    li      t5, 7
A:
    lw      t6, 0(a0)
    bnez    t6, C
B:
    sw      t5, 0(a1)
    j       E
C:
    bne     t6, t4, E
D:
    j       F
E:
    addi    t3, t3, 1
    addi    a0, a0, 4
    addi    a1, a1, 4
    bne     t3, a2, A
F:
    slli    t1, t1, 2
    add     a3, a3, t1
    sw      t3, 0(a3)
    .insn r 0x0B, 1, 0, x0, x0, x0
