# ITS pass: threads come to a point where others wait, not for them.
# core {"mechanism":{"IndependentThreads":{"barriers":2,"turns":{"quantum":64,"spin":2}}},"permutation":"Balanced","stack_depth":48}
# shape {"grid":[3,1,1],"block":[4,1,1],"spare_words":679,"permuted":true,"floats":false}
# memory {"dram_latency":30,"jitter":{"delay":80,"refuse":80,"seed":7},"l2_latency":4}
# data 0
    .globl _start
_start:
    .4byte 0xcc0028f3  # 0000: csrr a7, tid.x
    .4byte 0xcc302c73  # 0004: csrr s8, ctaid.x
    .4byte 0x00400913  # 0008: li s2, 4
    .4byte 0x032c0c33  # 000c: mul s8, s8, s2
    .4byte 0x018888b3  # 0010: add a7, a7, s8
    .4byte 0xccf02df3  # 0014: csrr s11, arguments
    .4byte 0x004dac83  # 0018: lw s9, 4(s11)
    .4byte 0x00000113  # 001c: li sp, 0
    .4byte 0x00000193  # 0020: li gp, 0
    .4byte 0x03700493  # 0024: li s1, 55
    .4byte 0x00e00613  # 0028: li a2, 14
    .4byte 0x2b3756b7  # 002c: lui a3, 0x2b375
    .4byte 0x0116c6b3  # 0030: xor a3, a3, a7
    .4byte 0xd6bc37b7  # 0034: lui a5, 0xd6bc3
    .4byte 0x011787b3  # 0038: add a5, a5, a7
    .4byte 0x00167913  # 003c: andi s2, a2, 1
    .4byte 0x00190913  # 0040: addi s2, s2, 1
    .4byte 0x01288c33  # 0044: add s8, a7, s2
    .4byte 0x004c7c13  # 0048: andi s8, s8, 4
    .4byte 0x000c0863  # 004c: beqz s8, 0x5c
    .4byte 0x530a83b7  # 0050: lui t2, 0x530a8
    .4byte 0x0000000b  # 0054: bar.sync
    .4byte 0x0680006f  # 0058: j 0xc0
    .4byte 0x0076f993  # 005c: andi s3, a3, 7
    .4byte 0x00198993  # 0060: addi s3, s3, 1
    .4byte 0x01388c33  # 0064: add s8, a7, s3
    .4byte 0x008c7c13  # 0068: andi s8, s8, 8
    .4byte 0x000c1863  # 006c: bnez s8, 0x7c
    .4byte 0x023187b3  # 0070: mul a5, gp, gp
    .4byte 0x0000000b  # 0074: bar.sync
    .4byte 0x0480006f  # 0078: j 0xc0
    .4byte 0x01388c33  # 007c: add s8, a7, s3
    .4byte 0x008c7c13  # 0080: andi s8, s8, 8
    .4byte 0x000c1863  # 0084: bnez s8, 0x94
    .4byte 0x002794b3  # 0088: sll s1, a5, sp
    .4byte 0x0000000b  # 008c: bar.sync
    .4byte 0x0300006f  # 0090: j 0xc0
    .4byte 0xfff98993  # 0094: addi s3, s3, -1
    .4byte 0xfc0996e3  # 0098: bnez s3, 0x64
    .4byte 0x01288c33  # 009c: add s8, a7, s2
    .4byte 0x008c7c13  # 00a0: andi s8, s8, 8
    .4byte 0x000c1863  # 00a4: bnez s8, 0xb4
    .4byte 0x0091f7b3  # 00a8: and a5, gp, s1
    .4byte 0x0000000b  # 00ac: bar.sync
    .4byte 0x0100006f  # 00b0: j 0xc0
    .4byte 0xfff90913  # 00b4: addi s2, s2, -1
    .4byte 0xf80916e3  # 00b8: bnez s2, 0x44
    .4byte 0x0000000b  # 00bc: bar.sync
    .4byte 0x044c8c13  # 00c0: addi s8, s9, 68
    .4byte 0x02210fb3  # 00c4: mul t6, sp, sp
    .4byte 0x100c2faf  # 00c8: lr.w t6, (s8)
    .4byte 0x002f8fb3  # 00cc: add t6, t6, sp
    .4byte 0x19fc2faf  # 00d0: sc.w t6, t6, (s8)
    .4byte 0xfe0f98e3  # 00d4: bnez t6, 0xc4
    .4byte 0x00078033  # 00d8: add zero, a5, zero
    .4byte 0x000c8033  # 00dc: add zero, s9, zero
    .4byte 0x000f8033  # 00e0: add zero, t6, zero
    .4byte 0x0000100b  # 00e4: exit
