# DWF mix: a control instruction of threads of several CTAs is served.
# core {"mechanism":{"WarpFormation":{"age_limit":64,"lut_entries":8,"policy":"Majority","relief":2,"scope":"Core","sides":1}},"permutation":"Balanced","stack_depth":48}
# shape {"grid":[2,1,1],"block":[4,1,1],"spare_words":0,"permuted":true,"floats":false}
# memory {"dram_latency":30,"jitter":{"delay":80,"refuse":80,"seed":7},"l2_latency":4}
# data 0
    .globl _start
_start:
    .4byte 0xcc0028f3  # 0000: csrr a7, tid.x
    .4byte 0xcc302c73  # 0004: csrr s8, ctaid.x
    .4byte 0x00400913  # 0008: li s2, 4
    .4byte 0x032c0c33  # 000c: mul s8, s8, s2
    .4byte 0x018888b3  # 0010: add a7, a7, s8
    .4byte 0x00000113  # 0014: li sp, 0
    .4byte 0xcc302973  # 0018: csrr s2, ctaid.x
    .4byte 0x00197913  # 001c: andi s2, s2, 1
    .4byte 0x00190913  # 0020: addi s2, s2, 1
    .4byte 0x01288c33  # 0024: add s8, a7, s2
    .4byte 0x001c7c13  # 0028: andi s8, s8, 1
    .4byte 0x020c0263  # 002c: beqz s8, 0x50
    .4byte 0x00010113  # 0030: mv sp, sp
    .4byte 0x0000000b  # 0034: bar.sync
    .4byte 0x00010113  # 0038: mv sp, sp
    .4byte 0x01288c33  # 003c: add s8, a7, s2
    .4byte 0x001c7c13  # 0040: andi s8, s8, 1
    .4byte 0x000c0463  # 0044: beqz s8, 0x4c
    .4byte 0x0000100b  # 0048: exit
    .4byte 0x00010113  # 004c: mv sp, sp
    .4byte 0xfff90913  # 0050: addi s2, s2, -1
    .4byte 0xfc0918e3  # 0054: bnez s2, 0x24
    .4byte 0x0000100b  # 0058: exit
