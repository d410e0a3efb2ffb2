# All threads run in a circle: no end.
    .globl _start
_start:
    j       _start
