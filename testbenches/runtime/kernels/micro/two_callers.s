# A function called from two places, on both sides of a branch, with a loop that threads go round tid + 1 times. Threads that
# meet in it return to different places; where each has a PC of its own that is no fault. Argument: out. Thread t writes
# (t + 1) * 3, plus 1000 if t is odd.
    .globl _start
_start:
    csrr    t0, 0xCCF
    lw      a0, 0(t0)
    csrr    t1, 0xCC0
    addi    a1, t1, 1
    li      a2, 0
    andi    t2, t1, 1
    beqz    t2, even
    call    triple
    addi    a2, a2, 1000
    j       done
even:
    call    triple
done:
    slli    t2, t1, 2
    add     a0, a0, t2
    sw      a2, 0(a0)
    .insn r 0x0B, 1, 0, x0, x0, x0
    .type triple, @function
triple:
    addi    a2, a2, 3
    addi    a1, a1, -1
    bnez    a1, triple
    ret
