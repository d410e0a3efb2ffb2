# 22 held barrier: the barrier of a warp that was ahead is served, its entry having become active.
# core {"likely_convergence":true,"mechanism":{"Capri":{"entries":2,"history":"Latest"}},"stack_depth":48}
# shape {"grid":[1,1,1],"block":[1,5,1],"spare_words":0}
# memory {"dram_latency":30,"l2_latency":4}
# data 0
    .globl _start
_start:
    .4byte 0xcc0028f3  # 0000: csrr a7, tid.x
    .4byte 0xcc102973  # 0004: csrr s2, tid.y
    .4byte 0xcc6029f3  # 0008: csrr s3, ntid.x
    .4byte 0x03390933  # 000c: mul s2, s2, s3
    .4byte 0x012888b3  # 0010: add a7, a7, s2
    .4byte 0x00088113  # 0014: mv sp, a7
    .4byte 0xcc302973  # 0018: csrr s2, ctaid.x
    .4byte 0x00197913  # 001c: andi s2, s2, 1
    .4byte 0x00190913  # 0020: addi s2, s2, 1
    .4byte 0x00010663  # 0024: beqz sp, 0x30
    .4byte 0x0000000b  # 0028: bar.sync
    .4byte 0x0100006f  # 002c: j 0x3c
    .4byte 0xfff90913  # 0030: addi s2, s2, -1
    .4byte 0xfe0918e3  # 0034: bnez s2, 0x24
    .4byte 0x0000000b  # 0038: bar.sync
    .4byte 0x0000100b  # 003c: exit
