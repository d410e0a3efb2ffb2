# 12 push (DPE): a branch with the entry's RPC is served, whose other path lives: the sides get an entry of their own.
# core {"mechanism":{"DualPath":"Full"},"permutation":"Balanced","stack_depth":48}
# shape {"grid":[1,1,1],"block":[3,1,1],"spare_words":0}
# memory {"dram_latency":30,"jitter":{"delay":80,"refuse":80,"seed":7},"l2_latency":4}
# data 0
    .globl _start
_start:
    .4byte 0xcc0028f3  # 0000: csrr a7, tid.x
    .4byte 0x00000113  # 0004: li sp, 0
    .4byte 0x00100193  # 0008: li gp, 1
    .4byte 0x0011f913  # 000c: andi s2, gp, 1
    .4byte 0x00190913  # 0010: addi s2, s2, 1
    .4byte 0x01288c33  # 0014: add s8, a7, s2
    .4byte 0x002c7c13  # 0018: andi s8, s8, 2
    .4byte 0x020c0263  # 001c: beqz s8, 0x40
    .4byte 0x00010113  # 0020: mv sp, sp
    .4byte 0x0000000b  # 0024: bar.sync
    .4byte 0x00210133  # 0028: add sp, sp, sp
    .4byte 0x01288c33  # 002c: add s8, a7, s2
    .4byte 0x001c7c13  # 0030: andi s8, s8, 1
    .4byte 0x000c0463  # 0034: beqz s8, 0x3c
    .4byte 0x0000100b  # 0038: exit
    .4byte 0x00010113  # 003c: mv sp, sp
    .4byte 0xfff90913  # 0040: addi s2, s2, -1
    .4byte 0xfc0918e3  # 0044: bnez s2, 0x14
    .4byte 0x0000100b  # 0048: exit
