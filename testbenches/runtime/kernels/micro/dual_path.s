# Rhu 2014, Fig 3.5: dependences across paths. Thread t % 4 = 0 goes through B, 1 through D, 2 and 3 through E. Register rN of
# the figure is sN here. Arguments: out (r1, r4, r5, r8 of each thread), data (r0 of all threads, r1 of all, r7 of all).
    .globl _start
_start:
    csrr    t0, 0xCCF
    lw      a0, 0(t0)
    lw      a1, 4(t0)
    csrr    t1, 0xCC3
    csrr    t2, 0xCC6
    csrr    t3, 0xCC9
    mul     t1, t1, t2
    mul     t3, t3, t2
    csrr    t2, 0xCC0
    add     t1, t1, t2          # t1 = number of the thread, t3 = number of threads
    slli    t2, t1, 4
    add     a0, a0, t2
    slli    t2, t1, 2
    slli    t3, t3, 2
    add     a1, a1, t2
    add     a2, a1, t3
    add     a3, a2, t3
    li      s1, 100
    li      s2, 20
    li      s3, 30
    li      s4, 4
    li      s5, 5
    li      s7, 7
    andi    t1, t1, 3
    li      t2, 1
A:
    lw      s0, 0(a1)
    beqz    t1, B
C:
    add     s5, s0, s2
    beq     t1, t2, D
E:
    sub     s4, s1, s3
    j       F
D:
    add     s4, s1, s3
F:
    lw      s7, 0(a3)
    j       G
B:
    lw      s1, 0(a2)
G:
    add     s8, s1, s7
    sw      s1, 0(a0)
    sw      s4, 4(a0)
    sw      s5, 8(a0)
    sw      s8, 12(a0)
    .insn r 0x0B, 1, 0, x0, x0, x0
