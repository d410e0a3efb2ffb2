# Every thread adds 1 to one counter with lr.w and sc.w, again until it succeeds. Argument: counter.
    .globl _start
_start:
    csrr    t0, 0xCCF
    lw      a0, 0(t0)
again:
    lr.w    t1, (a0)
    addi    t1, t1, 1
    sc.w    t2, t1, (a0)
    bnez    t2, again
    .insn r 0x0B, 1, 0, x0, x0, x0
