# 20 evicted: the same of a side of a divergence, and it has the branch no more.
# core {"likely_convergence":true,"mechanism":{"Capri":{"entries":2,"history":"Latest"}},"stack_depth":48}
# shape {"grid":[1,1,1],"block":[2,3,1],"spare_words":0}
# memory {"dram_latency":30,"l2_latency":4}
# data 0
    .globl _start
_start:
    .4byte 0xcc0028f3  # 0000: csrr a7, tid.x
    .4byte 0xcc102973  # 0004: csrr s2, tid.y
    .4byte 0xcc6029f3  # 0008: csrr s3, ntid.x
    .4byte 0x03390933  # 000c: mul s2, s2, s3
    .4byte 0x012888b3  # 0010: add a7, a7, s2
    .4byte 0x00000113  # 0014: li sp, 0
    .4byte 0x00088c33  # 0018: add s8, a7, zero
    .4byte 0x004c7c13  # 001c: andi s8, s8, 4
    .4byte 0x000c0663  # 0020: beqz s8, 0x2c
    .4byte 0x00010113  # 0024: mv sp, sp
    .4byte 0x0080006f  # 0028: j 0x30
    .4byte 0x00010113  # 002c: mv sp, sp
    .4byte 0x0000100b  # 0030: exit
