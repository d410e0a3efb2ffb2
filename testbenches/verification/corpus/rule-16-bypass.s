# 16 bypass: a warp goes ahead into a staged side.
# core {"likely_convergence":true,"mechanism":{"Capri":{"entries":2,"history":"Latest"}},"stack_depth":48}
# shape {"grid":[1,1,1],"block":[1,1,1],"spare_words":0}
# memory {"dram_latency":30,"l2_latency":4}
# data 0
    .globl _start
_start:
    .4byte 0x00100313  # 0000: li t1, 1
    .4byte 0xcc0023f3  # 0004: csrr t2, tid.x
    .4byte 0x00730463  # 0008: beq t1, t2, 0x10
    .4byte 0x0040006f  # 000c: j 0x10
    .4byte 0x0000100b  # 0010: exit
