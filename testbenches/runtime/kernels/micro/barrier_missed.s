# Thread 0 never reaches the barrier that all others wait at: no end.
    .globl _start
_start:
    csrr    t0, 0xCC0
spin:
    beqz    t0, spin
    .insn r 0x0B, 0, 0, x0, x0, x0
    .insn r 0x0B, 1, 0, x0, x0, x0
