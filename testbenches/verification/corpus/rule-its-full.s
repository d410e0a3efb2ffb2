# ITS full: threads that diverge find no convergence barrier.
# core {"mechanism":{"IndependentThreads":{"barriers":2,"turns":{"quantum":64,"spin":2}}},"permutation":"Balanced","stack_depth":48}
# shape {"grid":[3,1,1],"block":[3,1,1],"spare_words":1,"permuted":true,"floats":false}
# memory {"dram_latency":30,"jitter":{"delay":80,"refuse":80,"seed":7},"l2_latency":4}
# data 0
    .globl _start
_start:
    .4byte 0xcc0028f3  # 0000: csrr a7, tid.x
    .4byte 0xcc302c73  # 0004: csrr s8, ctaid.x
    .4byte 0x00300913  # 0008: li s2, 3
    .4byte 0x032c0c33  # 000c: mul s8, s8, s2
    .4byte 0x018888b3  # 0010: add a7, a7, s8
    .4byte 0xccf02df3  # 0014: csrr s11, arguments
    .4byte 0x004dac83  # 0018: lw s9, 4(s11)
    .4byte 0x00000113  # 001c: li sp, 0
    .4byte 0x00000193  # 0020: li gp, 0
    .4byte 0x000003b7  # 0024: lui t2, 0x0
    .4byte 0x011383b3  # 0028: add t2, t2, a7
    .4byte 0x000005b7  # 002c: lui a1, 0x0
    .4byte 0x011585b3  # 0030: add a1, a1, a7
    .4byte 0x0073f913  # 0034: andi s2, t2, 7
    .4byte 0x00190913  # 0038: addi s2, s2, 1
    .4byte 0x01288c33  # 003c: add s8, a7, s2
    .4byte 0x004c7c13  # 0040: andi s8, s8, 4
    .4byte 0x000c0863  # 0044: beqz s8, 0x54
    .4byte 0x00038113  # 0048: mv sp, t2
    .4byte 0x0000000b  # 004c: bar.sync
    .4byte 0x0740006f  # 0050: j 0xc4
    .4byte 0x01288c33  # 0054: add s8, a7, s2
    .4byte 0x004c7c13  # 0058: andi s8, s8, 4
    .4byte 0x040c0e63  # 005c: beqz s8, 0xb8
    .4byte 0x0015f993  # 0060: andi s3, a1, 1
    .4byte 0x00198993  # 0064: addi s3, s3, 1
    .4byte 0x01388c33  # 0068: add s8, a7, s3
    .4byte 0x001c7c13  # 006c: andi s8, s8, 1
    .4byte 0x000c0863  # 0070: beqz s8, 0x80
    .4byte 0x00010113  # 0074: mv sp, sp
    .4byte 0x0000000b  # 0078: bar.sync
    .4byte 0x0480006f  # 007c: j 0xc4
    .4byte 0x01388c33  # 0080: add s8, a7, s3
    .4byte 0x001c7c13  # 0084: andi s8, s8, 1
    .4byte 0x000c0863  # 0088: beqz s8, 0x98
    .4byte 0x00311133  # 008c: sll sp, sp, gp
    .4byte 0x0000000b  # 0090: bar.sync
    .4byte 0x0300006f  # 0094: j 0xc4
    .4byte 0xfff98993  # 0098: addi s3, s3, -1
    .4byte 0xfc0996e3  # 009c: bnez s3, 0x68
    .4byte 0x01288c33  # 00a0: add s8, a7, s2
    .4byte 0x001c7c13  # 00a4: andi s8, s8, 1
    .4byte 0x000c0863  # 00a8: beqz s8, 0xb8
    .4byte 0x00010113  # 00ac: mv sp, sp
    .4byte 0x0000000b  # 00b0: bar.sync
    .4byte 0x0100006f  # 00b4: j 0xc4
    .4byte 0xfff90913  # 00b8: addi s2, s2, -1
    .4byte 0xf80910e3  # 00bc: bnez s2, 0x3c
    .4byte 0x0000000b  # 00c0: bar.sync
    .4byte 0x040c8c13  # 00c4: addi s8, s9, 64
    .4byte 0x100c2faf  # 00c8: lr.w t6, (s8)
    .4byte 0x002f8fb3  # 00cc: add t6, t6, sp
    .4byte 0x19fc2faf  # 00d0: sc.w t6, t6, (s8)
    .4byte 0xfe0f9ae3  # 00d4: bnez t6, 0xc8
    .4byte 0x000c8033  # 00d8: add zero, s9, zero
    .4byte 0x000f8033  # 00dc: add zero, t6, zero
    .4byte 0x0000100b  # 00e0: exit
