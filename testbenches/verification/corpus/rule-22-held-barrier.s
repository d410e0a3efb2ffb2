# 22 held barrier: the barrier of a warp that was ahead is served, its entry having become active.
# core {"likely_convergence":true,"mechanism":{"Capri":{"entries":2,"history":"Latest"}},"stack_depth":48}
# shape {"grid":[1,1,1],"block":[4,3,1],"spare_words":0}
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
    .4byte 0x00717913  # 0018: andi s2, sp, 7
    .4byte 0x00190913  # 001c: addi s2, s2, 1
    .4byte 0x01288c33  # 0020: add s8, a7, s2
    .4byte 0x001c7c13  # 0024: andi s8, s8, 1
    .4byte 0x020c1863  # 0028: bnez s8, 0x58
    .4byte 0x00010113  # 002c: mv sp, sp
    .4byte 0x0000000b  # 0030: bar.sync
    .4byte 0x01288c33  # 0034: add s8, a7, s2
    .4byte 0x001c7c13  # 0038: andi s8, s8, 1
    .4byte 0x000c0e63  # 003c: beqz s8, 0x58
    .4byte 0x00010113  # 0040: mv sp, sp
    .4byte 0x01288c33  # 0044: add s8, a7, s2
    .4byte 0x001c7c13  # 0048: andi s8, s8, 1
    .4byte 0x000c0463  # 004c: beqz s8, 0x54
    .4byte 0x0000100b  # 0050: exit
    .4byte 0x00010113  # 0054: mv sp, sp
    .4byte 0xfff90913  # 0058: addi s2, s2, -1
    .4byte 0xfc0912e3  # 005c: bnez s2, 0x20
    .4byte 0x0000100b  # 0060: exit
