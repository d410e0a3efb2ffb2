# 12 drained (DPE): Settle postpones an activation until the warp's buffers are empty.
# core {"l1_sets":32,"l1_ways":4,"lanes":8,"line_bytes":32,"mechanism":{"DualPath":"Full"},"mshrs":8,"shared_bytes":16384,"stack_depth":64,"warps":8}
# shape {"grid":[1,1,1],"block":[13,1,1],"spare_words":0}
# memory {"dram_latency":30,"l2_latency":4}
# data 0
    .globl _start
_start:
    .4byte 0xcc0028f3  # 0000: csrr a7, tid.x
    .4byte 0xccf02df3  # 0004: csrr s11, arguments
    .4byte 0x000da803  # 0008: lw a6, 0(s11)
    .4byte 0x00789c13  # 000c: slli s8, a7, 0x7
    .4byte 0x01880833  # 0010: add a6, a6, s8
    .4byte 0x00000113  # 0014: li sp, 0
    .4byte 0x00000193  # 0018: li gp, 0
    .4byte 0x00000513  # 001c: li a0, 0
    .4byte 0x00082103  # 0020: lw sp, 0(a6)
    .4byte 0x00088c33  # 0024: add s8, a7, zero
    .4byte 0x002c7c13  # 0028: andi s8, s8, 2
    .4byte 0x040c1463  # 002c: bnez s8, 0x74
    .4byte 0x00088c33  # 0030: add s8, a7, zero
    .4byte 0x004c7c13  # 0034: andi s8, s8, 4
    .4byte 0x020c0063  # 0038: beqz s8, 0x58
    .4byte 0x00088c33  # 003c: add s8, a7, zero
    .4byte 0x001c7c13  # 0040: andi s8, s8, 1
    .4byte 0x000c0663  # 0044: beqz s8, 0x50
    .4byte 0x00018193  # 0048: mv gp, gp
    .4byte 0x0080006f  # 004c: j 0x54
    .4byte 0x00010113  # 0050: mv sp, sp
    .4byte 0x01c0006f  # 0054: j 0x70
    .4byte 0x00088c33  # 0058: add s8, a7, zero
    .4byte 0x001c7c13  # 005c: andi s8, s8, 1
    .4byte 0x000c0663  # 0060: beqz s8, 0x6c
    .4byte 0x00a191b3  # 0064: sll gp, gp, a0
    .4byte 0x0080006f  # 0068: j 0x70
    .4byte 0x00010113  # 006c: mv sp, sp
    .4byte 0x0440006f  # 0070: j 0xb4
    .4byte 0x00088c33  # 0074: add s8, a7, zero
    .4byte 0x002c7c13  # 0078: andi s8, s8, 2
    .4byte 0x020c0063  # 007c: beqz s8, 0x9c
    .4byte 0x00088c33  # 0080: add s8, a7, zero
    .4byte 0x001c7c13  # 0084: andi s8, s8, 1
    .4byte 0x000c0663  # 0088: beqz s8, 0x94
    .4byte 0x00010113  # 008c: mv sp, sp
    .4byte 0x0080006f  # 0090: j 0x98
    .4byte 0x00010113  # 0094: mv sp, sp
    .4byte 0x01c0006f  # 0098: j 0xb4
    .4byte 0x00088c33  # 009c: add s8, a7, zero
    .4byte 0x001c7c13  # 00a0: andi s8, s8, 1
    .4byte 0x000c0663  # 00a4: beqz s8, 0xb0
    .4byte 0x00010113  # 00a8: mv sp, sp
    .4byte 0x0080006f  # 00ac: j 0xb4
    .4byte 0x00010113  # 00b0: mv sp, sp
    .4byte 0x00010033  # 00b4: add zero, sp, zero
    .4byte 0x00080033  # 00b8: add zero, a6, zero
    .4byte 0x0000100b  # 00bc: exit
