# Every arithmetic instruction on the two words of each thread. Arguments: out (26 words per thread), in (2 words).
    .globl _start
_start:
    csrr    t0, 0xCCF
    lw      a0, 0(t0)
    lw      a1, 4(t0)
    csrr    t1, 0xCC3
    csrr    t2, 0xCC6
    mul     t1, t1, t2
    csrr    t2, 0xCC0
    add     t1, t1, t2
    slli    t2, t1, 3
    add     a1, a1, t2
    li      t3, 26 * 4
    mul     t2, t1, t3
    add     a0, a0, t2
    lw      s0, 0(a1)
    lw      s1, 4(a1)
    .macro  both operation
    \operation t4, s0, s1
    sw      t4, 0(a0)
    addi    a0, a0, 4
    .endm
    both    add
    both    sub
    both    sll
    both    slt
    both    sltu
    both    xor
    both    srl
    both    sra
    both    or
    both    and
    both    mul
    both    mulh
    both    mulhsu
    both    mulhu
    both    div
    both    divu
    both    rem
    both    remu
    slli    t4, s0, 31
    sw      t4, 0(a0)
    srai    t4, s0, 31
    sw      t4, 4(a0)
    sltiu   t4, s0, -1
    sw      t4, 8(a0)
    slti    t4, s0, -2048
    sw      t4, 12(a0)
    xori    t4, s0, -1
    sw      t4, 16(a0)
    lui     t4, 0xFFFFF
    add     t4, t4, s0
    sw      t4, 20(a0)
    auipc   t4, 1
    sub     t4, t4, s0
    sw      t4, 24(a0)
    add     t4, x0, x0
    add     x0, s0, s1
    add     t4, t4, x0
    sw      t4, 28(a0)
    .insn r 0x0B, 1, 0, x0, x0, x0
