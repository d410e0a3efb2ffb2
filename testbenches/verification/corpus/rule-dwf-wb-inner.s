# DWF-WB inner: threads of warps that have diverged do so again: there is no other barrier.
# core {"mechanism":{"WarpBarriers":{"age_limit":64,"lut_entries":8,"policy":"Oldest","relief":2,"sides":1}},"permutation":"Balanced","stack_depth":48}
# shape {"grid":[1,1,1],"block":[4,1,1],"spare_words":1,"permuted":true,"floats":false}
# memory {"dram_latency":30,"jitter":{"delay":80,"refuse":80,"seed":7},"l2_latency":4}
# data 0
    .globl _start
_start:
    .4byte 0xcc0028f3  # 0000: csrr a7, tid.x
    .4byte 0x00000113  # 0004: li sp, 0
    .4byte 0x00088c33  # 0008: add s8, a7, zero
    .4byte 0x001c7c13  # 000c: andi s8, s8, 1
    .4byte 0x020c0063  # 0010: beqz s8, 0x30
    .4byte 0x00088c33  # 0014: add s8, a7, zero
    .4byte 0x002c7c13  # 0018: andi s8, s8, 2
    .4byte 0x000c0663  # 001c: beqz s8, 0x28
    .4byte 0x00010113  # 0020: mv sp, sp
    .4byte 0x0080006f  # 0024: j 0x2c
    .4byte 0x00010113  # 0028: mv sp, sp
    .4byte 0x01c0006f  # 002c: j 0x48
    .4byte 0x00088c33  # 0030: add s8, a7, zero
    .4byte 0x001c7c13  # 0034: andi s8, s8, 1
    .4byte 0x000c0663  # 0038: beqz s8, 0x44
    .4byte 0x00010113  # 003c: mv sp, sp
    .4byte 0x0080006f  # 0040: j 0x48
    .4byte 0x00010113  # 0044: mv sp, sp
    .4byte 0x0000100b  # 0048: exit
