# ITS break: threads that wait for those whose turn is over stop waiting.
# core {"mechanism":{"IndependentThreads":{"barriers":2,"turns":{"quantum":64,"spin":2}}},"permutation":"Balanced","stack_depth":48}
# shape {"grid":[1,1,1],"block":[4,1,1],"spare_words":1,"permuted":true,"floats":false}
# memory {"dram_latency":30,"jitter":{"delay":80,"refuse":80,"seed":7},"l2_latency":4}
# data 0
    .globl _start
_start:
    .4byte 0xcc0028f3  # 0000: csrr a7, tid.x
    .4byte 0xccf02df3  # 0004: csrr s11, arguments
    .4byte 0x004dac83  # 0008: lw s9, 4(s11)
    .4byte 0x00000113  # 000c: li sp, 0
    .4byte 0x00117913  # 0010: andi s2, sp, 1
    .4byte 0x00190913  # 0014: addi s2, s2, 1
    .4byte 0x01288c33  # 0018: add s8, a7, s2
    .4byte 0x001c7c13  # 001c: andi s8, s8, 1
    .4byte 0x000c0863  # 0020: beqz s8, 0x30
    .4byte 0xcc602173  # 0024: csrr sp, ntid.x
    .4byte 0x0000000b  # 0028: bar.sync
    .4byte 0x0680006f  # 002c: j 0x94
    .4byte 0x00117993  # 0030: andi s3, sp, 1
    .4byte 0x00198993  # 0034: addi s3, s3, 1
    .4byte 0x01388c33  # 0038: add s8, a7, s3
    .4byte 0x001c7c13  # 003c: andi s8, s8, 1
    .4byte 0x000c0863  # 0040: beqz s8, 0x50
    .4byte 0x02210133  # 0044: mul sp, sp, sp
    .4byte 0x0000000b  # 0048: bar.sync
    .4byte 0x0480006f  # 004c: j 0x94
    .4byte 0x01388c33  # 0050: add s8, a7, s3
    .4byte 0x001c7c13  # 0054: andi s8, s8, 1
    .4byte 0x000c0863  # 0058: beqz s8, 0x68
    .4byte 0x00211133  # 005c: sll sp, sp, sp
    .4byte 0x0000000b  # 0060: bar.sync
    .4byte 0x0300006f  # 0064: j 0x94
    .4byte 0xfff98993  # 0068: addi s3, s3, -1
    .4byte 0xfc0996e3  # 006c: bnez s3, 0x38
    .4byte 0x01288c33  # 0070: add s8, a7, s2
    .4byte 0x001c7c13  # 0074: andi s8, s8, 1
    .4byte 0x000c1863  # 0078: bnez s8, 0x88
    .4byte 0x00211133  # 007c: sll sp, sp, sp
    .4byte 0x0000000b  # 0080: bar.sync
    .4byte 0x0100006f  # 0084: j 0x94
    .4byte 0xfff90913  # 0088: addi s2, s2, -1
    .4byte 0xf80916e3  # 008c: bnez s2, 0x18
    .4byte 0x0000000b  # 0090: bar.sync
    .4byte 0x040c8c13  # 0094: addi s8, s9, 64
    .4byte 0x100c2faf  # 0098: lr.w t6, (s8)
    .4byte 0x002f8fb3  # 009c: add t6, t6, sp
    .4byte 0x19fc2faf  # 00a0: sc.w t6, t6, (s8)
    .4byte 0xfe0f9ae3  # 00a4: bnez t6, 0x98
    .4byte 0x00010033  # 00a8: add zero, sp, zero
    .4byte 0x000c8033  # 00ac: add zero, s9, zero
    .4byte 0x000f8033  # 00b0: add zero, t6, zero
    .4byte 0x0000100b  # 00b4: exit
