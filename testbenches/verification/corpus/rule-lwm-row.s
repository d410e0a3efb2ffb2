# LWM row: a memory instruction waits, since no row is without a thread in flight.
# core {"mechanism":{"LargeWarps":{"threads":8}},"permutation":"Balanced","stack_depth":48}
# shape {"grid":[2,1,1],"block":[8,1,1],"spare_words":0,"permuted":true,"floats":false}
# memory {"dram_latency":30,"jitter":{"delay":80,"refuse":80,"seed":7},"l2_latency":4}
# data 0
    .globl _start
_start:
    .4byte 0xcc0028f3  # 0000: csrr a7, tid.x
    .4byte 0xcc302c73  # 0004: csrr s8, ctaid.x
    .4byte 0x00800913  # 0008: li s2, 8
    .4byte 0x032c0c33  # 000c: mul s8, s8, s2
    .4byte 0x018888b3  # 0010: add a7, a7, s8
    .4byte 0xccf02df3  # 0014: csrr s11, arguments
    .4byte 0x000da803  # 0018: lw a6, 0(s11)
    .4byte 0x00789c13  # 001c: slli s8, a7, 0x7
    .4byte 0x01880833  # 0020: add a6, a6, s8
    .4byte 0x00000113  # 0024: li sp, 0
    .4byte 0x00000193  # 0028: li gp, 0
    .4byte 0x00000213  # 002c: li tp, 0
    .4byte 0x00000313  # 0030: li t1, 0
    .4byte 0x00000513  # 0034: li a0, 0
    .4byte 0x00000613  # 0038: li a2, 0
    .4byte 0x0ef737b7  # 003c: lui a5, 0xef73
    .4byte 0x031787b3  # 0040: mul a5, a5, a7
    .4byte 0x04f64463  # 0044: blt a2, a5, 0x8c
    .4byte 0x0071f993  # 0048: andi s3, gp, 7
    .4byte 0x00198993  # 004c: addi s3, s3, 1
    .4byte 0xfff98993  # 0050: addi s3, s3, -1
    .4byte 0xfe099ee3  # 0054: bnez s3, 0x50
    .4byte 0x024181b3  # 0058: mul gp, gp, tp
    .4byte 0x022341b3  # 005c: div gp, t1, sp
    .4byte 0x0261b133  # 0060: mulhu sp, gp, t1
    .4byte 0x00380023  # 0064: sb gp, 0(a6)
    .4byte 0x0031b3b3  # 0068: sltu t2, gp, gp
    .4byte 0x0000000b  # 006c: bar.sync
    .4byte 0x00882203  # 0070: lw tp, 8(a6)
    .4byte 0x00119193  # 0074: slli gp, gp, 0x1
    .4byte 0x403103b3  # 0078: sub t2, sp, gp
    .4byte 0x0031b333  # 007c: sltu t1, gp, gp
    .4byte 0x00219233  # 0080: sll tp, gp, sp
    .4byte 0x00a31333  # 0084: sll t1, t1, a0
    .4byte 0x0080006f  # 0088: j 0x90
    .4byte 0x0000000b  # 008c: bar.sync
    .4byte 0xcc302973  # 0090: csrr s2, ctaid.x
    .4byte 0x00197913  # 0094: andi s2, s2, 1
    .4byte 0x00190913  # 0098: addi s2, s2, 1
    .4byte 0x01288c33  # 009c: add s8, a7, s2
    .4byte 0x001c7c13  # 00a0: andi s8, s8, 1
    .4byte 0x040c0263  # 00a4: beqz s8, 0xe8
    .4byte 0x00010113  # 00a8: mv sp, sp
    .4byte 0x0000000b  # 00ac: bar.sync
    .4byte 0x01288c33  # 00b0: add s8, a7, s2
    .4byte 0x001c7c13  # 00b4: andi s8, s8, 1
    .4byte 0x020c0863  # 00b8: beqz s8, 0xe8
    .4byte 0x00010113  # 00bc: mv sp, sp
    .4byte 0x01288c33  # 00c0: add s8, a7, s2
    .4byte 0x001c7c13  # 00c4: andi s8, s8, 1
    .4byte 0x000c0e63  # 00c8: beqz s8, 0xe4
    .4byte 0x00010033  # 00cc: add zero, sp, zero
    .4byte 0x00018033  # 00d0: add zero, gp, zero
    .4byte 0x00020033  # 00d4: add zero, tp, zero
    .4byte 0x00078033  # 00d8: add zero, a5, zero
    .4byte 0x00080033  # 00dc: add zero, a6, zero
    .4byte 0x0000100b  # 00e0: exit
    .4byte 0x00010113  # 00e4: mv sp, sp
    .4byte 0xfff90913  # 00e8: addi s2, s2, -1
    .4byte 0xfa0918e3  # 00ec: bnez s2, 0x9c
    .4byte 0x00010033  # 00f0: add zero, sp, zero
    .4byte 0x00018033  # 00f4: add zero, gp, zero
    .4byte 0x00020033  # 00f8: add zero, tp, zero
    .4byte 0x00078033  # 00fc: add zero, a5, zero
    .4byte 0x00080033  # 0100: add zero, a6, zero
    .4byte 0x0000100b  # 0104: exit
