# 23 serial: constrained: the warps of a path that has waited for room are formed when the other one has none.
# core {"mechanism":"TbcDualPathConstrained","stack_depth":48}
# shape {"grid":[1,1,1],"block":[4,1,1],"spare_words":0,"permuted":false,"floats":false}
# memory {"dram_latency":30,"jitter":{"delay":80,"refuse":80,"seed":7},"l2_latency":4}
# data 0
    .globl _start
_start:
    .4byte 0xcc0028f3  # 0000: csrr a7, tid.x
    .4byte 0x00000113  # 0004: li sp, 0
    .4byte 0xcc302973  # 0008: csrr s2, ctaid.x
    .4byte 0x00197913  # 000c: andi s2, s2, 1
    .4byte 0x00190913  # 0010: addi s2, s2, 1
    .4byte 0x01288c33  # 0014: add s8, a7, s2
    .4byte 0x001c7c13  # 0018: andi s8, s8, 1
    .4byte 0x020c0863  # 001c: beqz s8, 0x4c
    .4byte 0x00010113  # 0020: mv sp, sp
    .4byte 0x0000000b  # 0024: bar.sync
    .4byte 0x01288c33  # 0028: add s8, a7, s2
    .4byte 0x001c7c13  # 002c: andi s8, s8, 1
    .4byte 0x000c0e63  # 0030: beqz s8, 0x4c
    .4byte 0x00010113  # 0034: mv sp, sp
    .4byte 0x01288c33  # 0038: add s8, a7, s2
    .4byte 0x001c7c13  # 003c: andi s8, s8, 1
    .4byte 0x000c0463  # 0040: beqz s8, 0x48
    .4byte 0x0000100b  # 0044: exit
    .4byte 0x00010113  # 0048: mv sp, sp
    .4byte 0xfff90913  # 004c: addi s2, s2, -1
    .4byte 0xfc0912e3  # 0050: bnez s2, 0x14
    .4byte 0x0000100b  # 0054: exit
