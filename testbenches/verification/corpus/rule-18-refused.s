# 18 refused: a warp that may bypass gathers, since its side starts at a convergence point.
# core {"likely_convergence":true,"mechanism":{"Capri":{"entries":2,"history":"Latest"}},"stack_depth":48}
# shape {"grid":[3,1,1],"block":[3,2,1],"spare_words":0}
# memory {"dram_latency":30,"l2_latency":4}
# data 0
    .globl _start
_start:
    .4byte 0xcc0028f3  # 0000: csrr a7, tid.x
    .4byte 0xcc102973  # 0004: csrr s2, tid.y
    .4byte 0xcc6029f3  # 0008: csrr s3, ntid.x
    .4byte 0x03390933  # 000c: mul s2, s2, s3
    .4byte 0x012888b3  # 0010: add a7, a7, s2
    .4byte 0xcc302c73  # 0014: csrr s8, ctaid.x
    .4byte 0x00600913  # 0018: li s2, 6
    .4byte 0x032c0c33  # 001c: mul s8, s8, s2
    .4byte 0x018888b3  # 0020: add a7, a7, s8
    .4byte 0x00000113  # 0024: li sp, 0
    .4byte 0xcc302973  # 0028: csrr s2, ctaid.x
    .4byte 0x00197913  # 002c: andi s2, s2, 1
    .4byte 0x00190913  # 0030: addi s2, s2, 1
    .4byte 0x01288c33  # 0034: add s8, a7, s2
    .4byte 0x001c7c13  # 0038: andi s8, s8, 1
    .4byte 0x020c0863  # 003c: beqz s8, 0x6c
    .4byte 0x00010113  # 0040: mv sp, sp
    .4byte 0x0000000b  # 0044: bar.sync
    .4byte 0x01288c33  # 0048: add s8, a7, s2
    .4byte 0x001c7c13  # 004c: andi s8, s8, 1
    .4byte 0x000c0e63  # 0050: beqz s8, 0x6c
    .4byte 0x00010113  # 0054: mv sp, sp
    .4byte 0x01288c33  # 0058: add s8, a7, s2
    .4byte 0x001c7c13  # 005c: andi s8, s8, 1
    .4byte 0x000c0463  # 0060: beqz s8, 0x68
    .4byte 0x0000100b  # 0064: exit
    .4byte 0x00010113  # 0068: mv sp, sp
    .4byte 0xfff90913  # 006c: addi s2, s2, -1
    .4byte 0xfc0912e3  # 0070: bnez s2, 0x34
    .4byte 0x0000100b  # 0074: exit
