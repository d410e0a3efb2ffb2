# Rhu 2014, Fig 4.1: a CTA of 3 warps of 4 threads, 0 to B. A branches to B (threads 7 and A) and C (the others), C to D and E, which
# meet in F; B and F meet in G. Who goes from C to D (3, 5, 6, 8) is our choice: lanes that compact. No arguments, no results.
    .globl _start
_start:
A:
    csrr    t0, 0xCC0
    li      t1, 0x480
    srl     t1, t1, t0
    andi    t1, t1, 1
    bnez    t1, B
C:
    li      t2, 0x168
    srl     t2, t2, t0
    andi    t2, t2, 1
    bnez    t2, D
E:
    addi    t3, t0, 1
    addi    t4, t0, 2
    j       F
D:
    addi    t3, t0, 3
    addi    t4, t0, 4
F:
    addi    t5, t0, 5
    addi    t6, t0, 6
    j       G
B:
    addi    t3, t0, 7
    addi    t4, t0, 8
G:
    addi    t5, t0, 9
    addi    t6, t0, 10
    .insn r 0x0B, 1, 0, x0, x0, x0
