# 12 suspended (DPE): an entry is pushed, and suspends a path beside the one that diverged.
# core {"mechanism":{"DualPath":"Full"},"permutation":"Balanced","stack_depth":48}
# shape {"grid":[1,1,1],"block":[3,1,1],"spare_words":0}
# memory {"dram_latency":30,"jitter":{"delay":80,"refuse":80,"seed":7},"l2_latency":4}
# data 0
    .globl _start
_start:
    .4byte 0xcc0028f3  # 0000: csrr a7, tid.x
    .4byte 0xccf02df3  # 0004: csrr s11, arguments
    .4byte 0x000da803  # 0008: lw a6, 0(s11)
    .4byte 0x00789c13  # 000c: slli s8, a7, 0x7
    .4byte 0x01880833  # 0010: add a6, a6, s8
    .4byte 0x00000113  # 0014: li sp, 0
    .4byte 0xcc0021f3  # 0018: csrr gp, tid.x
    .4byte 0x00000213  # 001c: li tp, 0
    .4byte 0x00000313  # 0020: li t1, 0
    .4byte 0x00000393  # 0024: li t2, 0
    .4byte 0x00000413  # 0028: li s0, 0
    .4byte 0x00000493  # 002c: li s1, 0
    .4byte 0x00000513  # 0030: li a0, 0
    .4byte 0x00000593  # 0034: li a1, 0
    .4byte 0x00000613  # 0038: li a2, 0
    .4byte 0x00000693  # 003c: li a3, 0
    .4byte 0x00000793  # 0040: li a5, 0
    .4byte 0x0031f913  # 0044: andi s2, gp, 3
    .4byte 0x00190913  # 0048: addi s2, s2, 1
    .4byte 0x01288c33  # 004c: add s8, a7, s2
    .4byte 0x008c7c13  # 0050: andi s8, s8, 8
    .4byte 0x020c0663  # 0054: beqz s8, 0x80
    .4byte 0x02210133  # 0058: mul sp, sp, sp
    .4byte 0x0000000b  # 005c: bar.sync
    .4byte 0x00010113  # 0060: mv sp, sp
    .4byte 0x01288c33  # 0064: add s8, a7, s2
    .4byte 0x001c7c13  # 0068: andi s8, s8, 1
    .4byte 0x000c0863  # 006c: beqz s8, 0x7c
    .4byte 0x00010033  # 0070: add zero, sp, zero
    .4byte 0x00080033  # 0074: add zero, a6, zero
    .4byte 0x0000100b  # 0078: exit
    .4byte 0x00211133  # 007c: sll sp, sp, sp
    .4byte 0xfff90913  # 0080: addi s2, s2, -1
    .4byte 0xfc0914e3  # 0084: bnez s2, 0x4c
    .4byte 0x00282423  # 0088: sw sp, 8(a6)
    .4byte 0x00382623  # 008c: sw gp, 12(a6)
    .4byte 0x00482823  # 0090: sw tp, 16(a6)
    .4byte 0x00682c23  # 0094: sw t1, 24(a6)
    .4byte 0x00782e23  # 0098: sw t2, 28(a6)
    .4byte 0x02882023  # 009c: sw s0, 32(a6)
    .4byte 0x02982223  # 00a0: sw s1, 36(a6)
    .4byte 0x02a82423  # 00a4: sw a0, 40(a6)
    .4byte 0x02b82623  # 00a8: sw a1, 44(a6)
    .4byte 0x02c82823  # 00ac: sw a2, 48(a6)
    .4byte 0x02d82a23  # 00b0: sw a3, 52(a6)
    .4byte 0x02f82e23  # 00b4: sw a5, 60(a6)
    .4byte 0x0000100b  # 00b8: exit
