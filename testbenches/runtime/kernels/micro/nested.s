# Thirty nested if-else whose deep side is taken: each level leaves one thread behind, and two entries on the
# reconvergence stack. Argument: out. Thread t writes 2t + 1, or 60 from thread 30 on: levels down, joins up.
    .altmacro
    .macro down level
    li      t2, \level
    bgtu    t1, t2, deep\level
    addi    a1, a1, 0
    j       join\level
deep\level:
    addi    a1, a1, 1
    .endm
    .macro up level
join\level:
    addi    a1, a1, 1
    .endm
    .globl _start
_start:
    csrr    t0, 0xCCF
    lw      a0, 0(t0)
    csrr    t1, 0xCC0
    li      a1, 0
    .set i, 0
    .rept 30
    down    %i
    .set i, i + 1
    .endr
    .rept 30
    .set i, i - 1
    up      %i
    .endr
    slli    t1, t1, 2
    add     a0, a0, t1
    sw      a1, 0(a0)
    .insn r 0x0B, 1, 0, x0, x0, x0
