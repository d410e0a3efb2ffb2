# LWM end: a large warp comes to the end of its entry.
# core {"mechanism":{"LargeWarps":{"threads":8}},"permutation":"Balanced","stack_depth":48}
# shape {"grid":[1,1,1],"block":[4,1,1],"spare_words":0,"permuted":true,"floats":false}
# memory {"dram_latency":30,"jitter":{"delay":80,"refuse":80,"seed":7},"l2_latency":4}
# data 0
    .globl _start
_start:
    .4byte 0xcc0028f3  # 0000: csrr a7, tid.x
    .4byte 0x00000113  # 0004: li sp, 0
    .4byte 0x00088c33  # 0008: add s8, a7, zero
    .4byte 0x001c7c13  # 000c: andi s8, s8, 1
    .4byte 0x000c0663  # 0010: beqz s8, 0x1c
    .4byte 0x00010113  # 0014: mv sp, sp
    .4byte 0x0080006f  # 0018: j 0x20
    .4byte 0x00010113  # 001c: mv sp, sp
    .4byte 0x0000100b  # 0020: exit
