# 17 second path: a warp diverges and bypasses into one side.
# core {"likely_convergence":true,"mechanism":{"Capri":{"entries":2,"history":"Latest"}},"stack_depth":48}
# shape {"grid":[1,1,1],"block":[3,1,1],"spare_words":0}
# memory {"dram_latency":30,"l2_latency":4}
# data 0
    .globl _start
_start:
    .4byte 0xcc0024f3  # 0000: csrr s1, tid.x
    .4byte 0x0034f913  # 0004: andi s2, s1, 3
    .4byte 0x00190913  # 0008: addi s2, s2, 1
    .4byte 0xfff90913  # 000c: addi s2, s2, -1
    .4byte 0xfe091ee3  # 0010: bnez s2, 0xc
    .4byte 0x0000100b  # 0014: exit
