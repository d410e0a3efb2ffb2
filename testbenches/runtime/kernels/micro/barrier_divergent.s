# A barrier in each side of a divergent branch: odd and even threads wait in different places. Argument: out.
# Thread t writes t + 1 to shared memory, waits, and writes out its neighbour's value (t xor 1).
    .globl _start
_start:
    csrr    t0, 0xCCF
    lw      a0, 0(t0)
    csrr    t1, 0xCC0
    li      t2, 0x20000000
    slli    t3, t1, 2
    add     t3, t2, t3          # own word
    addi    t4, t1, 1
    andi    t5, t1, 1
    beqz    t5, even
    sw      t4, 0(t3)
    .insn r 0x0B, 0, 0, x0, x0, x0
    lw      a1, -4(t3)
    j       join
even:
    sw      t4, 0(t3)
    .insn r 0x0B, 0, 0, x0, x0, x0
    lw      a1, 4(t3)
join:
    csrr    t5, 0xCC3
    csrr    t6, 0xCC6
    mul     t5, t5, t6
    add     t5, t5, t1
    slli    t5, t5, 2
    add     a0, a0, t5
    sw      a1, 0(a0)
    .insn r 0x0B, 1, 0, x0, x0, x0
