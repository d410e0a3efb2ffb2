# Loads and stores of every size in global, shared and private memory, and every atomic, on words that no other thread
# touches. Arguments: out (32 words per thread), in (1 word per thread). Shared memory: 4 words per thread.
    .globl _start
_start:
    csrr    t0, 0xCCF
    lw      a0, 0(t0)
    lw      a1, 4(t0)
    lw      sp, 32(t0)
    csrr    t1, 0xCC3
    csrr    t2, 0xCC6
    mul     t1, t1, t2
    csrr    t2, 0xCC0
    add     t1, t1, t2
    slli    t3, t1, 2
    add     a1, a1, t3
    slli    t3, t1, 7
    add     a0, a0, t3
    li      a2, 0x20000000
    slli    t3, t2, 4
    add     a2, a2, t3
    addi    a3, sp, -16
    lw      s0, 0(a1)
    .macro  sizes base, at          # stores at base, results at a0 + at, ...
    sw      s0, 0(\base)
    sw      s0, 4(\base)
    sw      s0, 8(\base)
    sb      s0, 5(\base)
    sh      s0, 10(\base)
    lb      t4, 3(\base)
    sw      t4, \at(a0)
    lbu     t4, 3(\base)
    sw      t4, \at+4(a0)
    lh      t4, 2(\base)
    sw      t4, \at+8(a0)
    lhu     t4, 2(\base)
    sw      t4, \at+12(a0)
    lw      t4, 4(\base)
    sw      t4, \at+16(a0)
    lw      t4, 8(\base)
    sw      t4, \at+20(a0)
    .endm
    addi    a4, a0, 96
    sizes   a4, 0
    sizes   a2, 24
    sizes   a3, 48
    addi    a5, a0, 72              # a word for the atomics, their old values summed in s2
    li      s2, 0
    li      s1, 0x80000001
    sw      s0, 0(a5)
    .macro  atomic operation
    \operation t4, s1, (a5)
    slli    s2, s2, 1
    add     s2, s2, t4
    .endm
    atomic  amoadd.w
    atomic  amoxor.w
    atomic  amomin.w
    atomic  amoor.w
    atomic  amomax.w
    atomic  amoand.w
    atomic  amominu.w
    atomic  amoadd.w
    atomic  amomaxu.w
    sw      s2, 4(a0)               # a plain store and an atomic to one line
    atomic  amoswap.w
    sw      s2, 76(a0)
    sw      s2, 0(a2)               # the same in shared memory
    mv      a5, a2
    atomic  amoadd.w
    atomic  amomaxu.w
    atomic  amoswap.w
    lw      t4, 0(a2)
    add     s2, s2, t4
    sw      s2, 80(a0)
    fence
    lr.w    t4, (a5)
    addi    t4, t4, 1
    sc.w    t5, x0, (a2)            # may fail: many threads share the reservation
    sw      x0, 84(a0)
    .insn r 0x0B, 1, 0, x0, x0, x0
