# Every thread recurses without end until its stack leaves the private window: a trap.
    .globl _start
_start:
    csrr    t0, 0xCCF
    lw      sp, 32(t0)
    call    deeper
    .insn r 0x0B, 1, 0, x0, x0, x0
    .type deeper, @function
deeper:
    addi    sp, sp, -16
    sw      ra, 12(sp)
    call    deeper
    lw      ra, 12(sp)
    addi    sp, sp, 16
    ret
