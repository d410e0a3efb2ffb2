# Throughput of the ALU: a loop of 30 additions, a decrement and a branch. Arguments: out, trips.
    .globl _start
_start:
    csrr    t0, 0xCCF
    lw      a0, 0(t0)
    lw      a1, 4(t0)
    csrr    t1, 0xCC3
    csrr    t2, 0xCC6
    mul     t1, t1, t2
    csrr    t2, 0xCC0
    add     t1, t1, t2          # t1 = number of the thread
    mv      a2, t1
    mv      a3, t1
loop:
    .rept 15
    addi    a2, a2, 1
    addi    a3, a3, 3
    .endr
    addi    a1, a1, -1
    bnez    a1, loop
    add     a2, a2, a3
    slli    t1, t1, 2
    add     a0, a0, t1
    sw      a2, 0(a0)
    .insn r 0x0B, 1, 0, x0, x0, x0
