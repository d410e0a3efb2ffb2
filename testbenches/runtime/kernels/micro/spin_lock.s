# A lock as written for independent threads. In a warp the owner waits at the reconvergence point for the lanes that
# wait for the lock: the SIMT deadlock. One thread after the other (the reference model), it ends. Arguments: lock, count.
    .globl _start
_start:
    csrr    t0, 0xCCF
    lw      a0, 0(t0)
    lw      a1, 4(t0)
    li      t1, 1
acquire:
    amoswap.w t2, t1, (a0)
    bnez    t2, acquire
    lw      t3, 0(a1)
    addi    t3, t3, 1
    sw      t3, 0(a1)
    fence
    amoswap.w x0, x0, (a0)
    .insn r 0x0B, 1, 0, x0, x0, x0
