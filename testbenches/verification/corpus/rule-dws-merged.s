# DWS merged: warp-splits that have met go on as one.
# core {"mechanism":{"Subdivision":{"splits":2,"threshold":50}},"permutation":"Random","stack_depth":48}
# shape {"grid":[2,2,1],"block":[3,1,2],"spare_words":0}
# memory {"dram_latency":30,"jitter":{"delay":80,"refuse":80,"seed":7},"l2_latency":4}
# data 0
    .globl _start
_start:
    .4byte 0xcc0028f3  # 0000: csrr a7, tid.x
    .4byte 0xcc202973  # 0004: csrr s2, tid.z
    .4byte 0xcc6029f3  # 0008: csrr s3, ntid.x
    .4byte 0x03390933  # 000c: mul s2, s2, s3
    .4byte 0xcc7029f3  # 0010: csrr s3, ntid.y
    .4byte 0x03390933  # 0014: mul s2, s2, s3
    .4byte 0x012888b3  # 0018: add a7, a7, s2
    .4byte 0xcc302c73  # 001c: csrr s8, ctaid.x
    .4byte 0xcc402973  # 0020: csrr s2, ctaid.y
    .4byte 0xcc9029f3  # 0024: csrr s3, nctaid.x
    .4byte 0x03390933  # 0028: mul s2, s2, s3
    .4byte 0x012c0c33  # 002c: add s8, s8, s2
    .4byte 0x00600913  # 0030: li s2, 6
    .4byte 0x032c0c33  # 0034: mul s8, s8, s2
    .4byte 0x018888b3  # 0038: add a7, a7, s8
    .4byte 0xccf02df3  # 003c: csrr s11, arguments
    .4byte 0x020da703  # 0040: lw a4, 32(s11)
    .4byte 0x00000137  # 0044: lui sp, 0x0
    .4byte 0x01110133  # 0048: add sp, sp, a7
    .4byte 0x00000193  # 004c: li gp, 0
    .4byte 0x00000213  # 0050: li tp, 0
    .4byte 0x00000393  # 0054: li t2, 0
    .4byte 0x00000413  # 0058: li s0, 0
    .4byte 0x00000493  # 005c: li s1, 0
    .4byte 0x000005b7  # 0060: lui a1, 0x0
    .4byte 0x011585b3  # 0064: add a1, a1, a7
    .4byte 0x000007b7  # 0068: lui a5, 0x0
    .4byte 0x011787b3  # 006c: add a5, a5, a7
    .4byte 0x00127913  # 0070: andi s2, tp, 1
    .4byte 0x00190913  # 0074: addi s2, s2, 1
    .4byte 0x01288c33  # 0078: add s8, a7, s2
    .4byte 0x008c7c13  # 007c: andi s8, s8, 8
    .4byte 0x000c1663  # 0080: bnez s8, 0x8c
    .4byte 0x00040113  # 0084: mv sp, s0
    .4byte 0x0700006f  # 0088: j 0xf8
    .4byte 0x01288c33  # 008c: add s8, a7, s2
    .4byte 0x001c7c13  # 0090: andi s8, s8, 1
    .4byte 0x040c0e63  # 0094: beqz s8, 0xf0
    .4byte 0x0015f993  # 0098: andi s3, a1, 1
    .4byte 0x00198993  # 009c: addi s3, s3, 1
    .4byte 0x01388c33  # 00a0: add s8, a7, s3
    .4byte 0x001c7c13  # 00a4: andi s8, s8, 1
    .4byte 0x000c0663  # 00a8: beqz s8, 0xb4
    .4byte 0x02710133  # 00ac: mul sp, sp, t2
    .4byte 0x0480006f  # 00b0: j 0xf8
    .4byte 0x01388c33  # 00b4: add s8, a7, s3
    .4byte 0x001c7c13  # 00b8: andi s8, s8, 1
    .4byte 0x000c0c63  # 00bc: beqz s8, 0xd4
    .4byte 0x01388c33  # 00c0: add s8, a7, s3
    .4byte 0x001c7c13  # 00c4: andi s8, s8, 1
    .4byte 0x000c0663  # 00c8: beqz s8, 0xd4
    .4byte 0x029101b3  # 00cc: mul gp, sp, s1
    .4byte 0x0280006f  # 00d0: j 0xf8
    .4byte 0xfff98993  # 00d4: addi s3, s3, -1
    .4byte 0xfc0994e3  # 00d8: bnez s3, 0xa0
    .4byte 0x01288c33  # 00dc: add s8, a7, s2
    .4byte 0x001c7c13  # 00e0: andi s8, s8, 1
    .4byte 0x000c0663  # 00e4: beqz s8, 0xf0
    .4byte 0x02f18233  # 00e8: mul tp, gp, a5
    .4byte 0x00c0006f  # 00ec: j 0xf8
    .4byte 0xfff90913  # 00f0: addi s2, s2, -1
    .4byte 0xf80912e3  # 00f4: bnez s2, 0x78
    .4byte 0xfe272e23  # 00f8: sw sp, -4(a4)
    .4byte 0xffc72103  # 00fc: lw sp, -4(a4)
    .4byte 0x00010033  # 0100: add zero, sp, zero
    .4byte 0x00018033  # 0104: add zero, gp, zero
    .4byte 0x00020033  # 0108: add zero, tp, zero
    .4byte 0x00070033  # 010c: add zero, a4, zero
    .4byte 0x0000100b  # 0110: exit
