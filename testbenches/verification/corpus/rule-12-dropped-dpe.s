# 12 dropped (DPE): an instruction of a path about to be suspended is dropped from the warp buffer.
# core {"mechanism":{"DualPath":"Full"},"permutation":"Balanced","stack_depth":48}
# shape {"grid":[1,1,1],"block":[4,2,1],"spare_words":0}
# memory {"dram_latency":30,"jitter":{"delay":80,"refuse":80,"seed":7},"l2_latency":4}
# data 0
    .globl _start
_start:
    .4byte 0xcc0028f3  # 0000: csrr a7, tid.x
    .4byte 0xcc102973  # 0004: csrr s2, tid.y
    .4byte 0xcc6029f3  # 0008: csrr s3, ntid.x
    .4byte 0x03390933  # 000c: mul s2, s2, s3
    .4byte 0x012888b3  # 0010: add a7, a7, s2
    .4byte 0xccf02df3  # 0014: csrr s11, arguments
    .4byte 0x000da803  # 0018: lw a6, 0(s11)
    .4byte 0x00789c13  # 001c: slli s8, a7, 0x7
    .4byte 0x01880833  # 0020: add a6, a6, s8
    .4byte 0x00000113  # 0024: li sp, 0
    .4byte 0xcc0021f3  # 0028: csrr gp, tid.x
    .4byte 0x00000213  # 002c: li tp, 0
    .4byte 0x00000313  # 0030: li t1, 0
    .4byte 0x00000393  # 0034: li t2, 0
    .4byte 0x00000413  # 0038: li s0, 0
    .4byte 0x00000493  # 003c: li s1, 0
    .4byte 0x00000513  # 0040: li a0, 0
    .4byte 0x00000593  # 0044: li a1, 0
    .4byte 0x00000613  # 0048: li a2, 0
    .4byte 0x00000693  # 004c: li a3, 0
    .4byte 0x00000793  # 0050: li a5, 0
    .4byte 0x0031f913  # 0054: andi s2, gp, 3
    .4byte 0x00190913  # 0058: addi s2, s2, 1
    .4byte 0x01288c33  # 005c: add s8, a7, s2
    .4byte 0x001c7c13  # 0060: andi s8, s8, 1
    .4byte 0x040c0a63  # 0064: beqz s8, 0xb8
    .4byte 0x00010113  # 0068: mv sp, sp
    .4byte 0x0000000b  # 006c: bar.sync
    .4byte 0x00010113  # 0070: mv sp, sp
    .4byte 0x01288c33  # 0074: add s8, a7, s2
    .4byte 0x002c7c13  # 0078: andi s8, s8, 2
    .4byte 0x020c0c63  # 007c: beqz s8, 0xb4
    .4byte 0x00282423  # 0080: sw sp, 8(a6)
    .4byte 0x00382623  # 0084: sw gp, 12(a6)
    .4byte 0x00482823  # 0088: sw tp, 16(a6)
    .4byte 0x00682c23  # 008c: sw t1, 24(a6)
    .4byte 0x00782e23  # 0090: sw t2, 28(a6)
    .4byte 0x02882023  # 0094: sw s0, 32(a6)
    .4byte 0x02982223  # 0098: sw s1, 36(a6)
    .4byte 0x02a82423  # 009c: sw a0, 40(a6)
    .4byte 0x02b82623  # 00a0: sw a1, 44(a6)
    .4byte 0x02c82823  # 00a4: sw a2, 48(a6)
    .4byte 0x02d82a23  # 00a8: sw a3, 52(a6)
    .4byte 0x02f82e23  # 00ac: sw a5, 60(a6)
    .4byte 0x0000100b  # 00b0: exit
    .4byte 0x00210133  # 00b4: add sp, sp, sp
    .4byte 0xfff90913  # 00b8: addi s2, s2, -1
    .4byte 0xfa0910e3  # 00bc: bnez s2, 0x5c
    .4byte 0x00080033  # 00c0: add zero, a6, zero
    .4byte 0x0000100b  # 00c4: exit
