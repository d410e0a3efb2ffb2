# ITS turn: a turn is over.
# core {"mechanism":{"IndependentThreads":{"barriers":2,"turns":{"quantum":64,"spin":2}}},"permutation":"Balanced","stack_depth":48}
# shape {"grid":[2,1,1],"block":[4,1,1],"spare_words":0,"permuted":true,"floats":false}
# memory {"dram_latency":30,"jitter":{"delay":80,"refuse":80,"seed":7},"l2_latency":4}
# data 0
    .globl _start
_start:
    .4byte 0xcc0028f3  # 0000: csrr a7, tid.x
    .4byte 0xcc302c73  # 0004: csrr s8, ctaid.x
    .4byte 0x00400913  # 0008: li s2, 4
    .4byte 0x032c0c33  # 000c: mul s8, s8, s2
    .4byte 0x018888b3  # 0010: add a7, a7, s8
    .4byte 0x00000113  # 0014: li sp, 0
    .4byte 0x00088693  # 0018: mv a3, a7
    .4byte 0x00117913  # 001c: andi s2, sp, 1
    .4byte 0x00190913  # 0020: addi s2, s2, 1
    .4byte 0x01288c33  # 0024: add s8, a7, s2
    .4byte 0x001c7c13  # 0028: andi s8, s8, 1
    .4byte 0x000c0863  # 002c: beqz s8, 0x3c
    .4byte 0x00010113  # 0030: mv sp, sp
    .4byte 0x0000000b  # 0034: bar.sync
    .4byte 0x0680006f  # 0038: j 0xa0
    .4byte 0x0076f993  # 003c: andi s3, a3, 7
    .4byte 0x00198993  # 0040: addi s3, s3, 1
    .4byte 0x01388c33  # 0044: add s8, a7, s3
    .4byte 0x008c7c13  # 0048: andi s8, s8, 8
    .4byte 0x000c1863  # 004c: bnez s8, 0x5c
    .4byte 0x02210133  # 0050: mul sp, sp, sp
    .4byte 0x0000000b  # 0054: bar.sync
    .4byte 0x0480006f  # 0058: j 0xa0
    .4byte 0x01388c33  # 005c: add s8, a7, s3
    .4byte 0x008c7c13  # 0060: andi s8, s8, 8
    .4byte 0x000c1863  # 0064: bnez s8, 0x74
    .4byte 0x02210133  # 0068: mul sp, sp, sp
    .4byte 0x0000000b  # 006c: bar.sync
    .4byte 0x0300006f  # 0070: j 0xa0
    .4byte 0xfff98993  # 0074: addi s3, s3, -1
    .4byte 0xfc0996e3  # 0078: bnez s3, 0x44
    .4byte 0x01288c33  # 007c: add s8, a7, s2
    .4byte 0x001c7c13  # 0080: andi s8, s8, 1
    .4byte 0x000c0863  # 0084: beqz s8, 0x94
    .4byte 0x00010113  # 0088: mv sp, sp
    .4byte 0x0000000b  # 008c: bar.sync
    .4byte 0x0100006f  # 0090: j 0xa0
    .4byte 0xfff90913  # 0094: addi s2, s2, -1
    .4byte 0xf80916e3  # 0098: bnez s2, 0x24
    .4byte 0x0000000b  # 009c: bar.sync
    .4byte 0x00010033  # 00a0: add zero, sp, zero
    .4byte 0x0000100b  # 00a4: exit
