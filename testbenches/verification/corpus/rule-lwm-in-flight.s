# LWM in flight: a sub-warp issues, and threads of its large warp that are in flight are passed over.
# core {"mechanism":{"LargeWarps":{"threads":8}},"permutation":"Balanced","stack_depth":48}
# shape {"grid":[1,1,1],"block":[1,5,1],"spare_words":0,"permuted":true,"floats":false}
# memory {"dram_latency":30,"jitter":{"delay":80,"refuse":80,"seed":7},"l2_latency":4}
# data 0
    .globl _start
_start:
    .4byte 0xcc0028f3  # 0000: csrr a7, tid.x
    .4byte 0xcc102973  # 0004: csrr s2, tid.y
    .4byte 0xcc6029f3  # 0008: csrr s3, ntid.x
    .4byte 0x03390933  # 000c: mul s2, s2, s3
    .4byte 0x012888b3  # 0010: add a7, a7, s2
    .4byte 0x00000113  # 0014: li sp, 0
    .4byte 0xcc302973  # 0018: csrr s2, ctaid.x
    .4byte 0x00197913  # 001c: andi s2, s2, 1
    .4byte 0x00190913  # 0020: addi s2, s2, 1
    .4byte 0x01288c33  # 0024: add s8, a7, s2
    .4byte 0x001c7c13  # 0028: andi s8, s8, 1
    .4byte 0x020c0863  # 002c: beqz s8, 0x5c
    .4byte 0x00010113  # 0030: mv sp, sp
    .4byte 0x0000000b  # 0034: bar.sync
    .4byte 0x01288c33  # 0038: add s8, a7, s2
    .4byte 0x001c7c13  # 003c: andi s8, s8, 1
    .4byte 0x000c0e63  # 0040: beqz s8, 0x5c
    .4byte 0x00010113  # 0044: mv sp, sp
    .4byte 0x01288c33  # 0048: add s8, a7, s2
    .4byte 0x001c7c13  # 004c: andi s8, s8, 1
    .4byte 0x000c0463  # 0050: beqz s8, 0x58
    .4byte 0x0000100b  # 0054: exit
    .4byte 0x00010113  # 0058: mv sp, sp
    .4byte 0xfff90913  # 005c: addi s2, s2, -1
    .4byte 0xfc0912e3  # 0060: bnez s2, 0x24
    .4byte 0x0000100b  # 0064: exit
