# The third thread of each warp meets a word that is no instruction: a trap.
    .globl _start
_start:
    csrr    t0, 0xCCC
    li      t1, 2
    bne     t0, t1, fine
    .word   0xFFFFFFFF
fine:
    .insn r 0x0B, 1, 0, x0, x0, x0
