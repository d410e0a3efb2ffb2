# Who waits for whom behind misses. Warps of four threads, from the first barrier on: some load from lines that are not there, four of them in a
# trip; some from lines that are, four times in a trip; the others add, four times in a trip, and may load one line before. Argument: where ten words
# are: address of the former, warps that load from there, trips, bytes from line to line; address of the latter, warps, trips, bytes from lane to lane; trips of the
# others, address that they load from before, or 0.
    .globl _start
_start:
    csrr    t0, 0xCCF
    lw      t0, 0(t0)
    lw      a0, 0(t0)
    lw      a1, 4(t0)
    lw      a2, 8(t0)
    lw      a3, 12(t0)
    lw      a4, 16(t0)
    lw      a5, 20(t0)
    lw      a6, 24(t0)
    lw      a7, 28(t0)
    lw      s0, 32(t0)
    lw      s1, 36(t0)
    csrr    t1, 0xCC0
    srli    t1, t1, 2           # warp
    csrr    t2, 0xCCC           # lane
    slli    t3, t2, 2
    mul     t5, t2, a7
    add     a4, a4, t5
    lw      t6, 0(a4)           # now they are
    mul     t4, t1, a2
    slli    t4, t4, 2
    mul     t4, t4, a3
    add     a0, a0, t4
    add     a0, a0, t3
    mv      t6, t6
    .insn r 0x0B, 0, 0, x0, x0, x0
begin:
    blt     t1, a1, miss
    sub     t1, t1, a1
    blt     t1, a5, hit
    beqz    s1, plus
    add     s1, s1, t3
    lw      s2, 0(s1)
plus:
    addi    t2, t2, 1
    addi    t3, t3, 1
    addi    t4, t4, 1
    addi    t5, t5, 1
    addi    s0, s0, -1
    bgtz    s0, plus
added:
    .insn r 0x0B, 1, 0, x0, x0, x0
hit:
    lw      s3, 0(a4)
    lw      s4, 0(a4)
    lw      s5, 0(a4)
    lw      s6, 0(a4)
    addi    a6, a6, -1
    bgtz    a6, hit
    mv      s3, s3
    mv      s4, s4
    mv      s5, s5
    mv      s6, s6
have_hit:
    .insn r 0x0B, 1, 0, x0, x0, x0
miss:
    add     t4, a0, a3
    add     t5, t4, a3
    add     t6, t5, a3
    lw      s3, 0(a0)
    lw      s4, 0(t4)
    lw      s5, 0(t5)
    lw      s6, 0(t6)
    add     a0, t6, a3
    addi    a2, a2, -1
    bgtz    a2, miss
    mv      s3, s3
    mv      s4, s4
    mv      s5, s5
    mv      s6, s6
have_missed:
    .insn r 0x0B, 1, 0, x0, x0, x0
