# LWM once: a jump issues in one sub-warp that stands for several.
# core {"mechanism":{"LargeWarps":{"threads":8}},"permutation":"Balanced","stack_depth":48}
# shape {"grid":[2,1,1],"block":[1,5,1],"spare_words":0,"permuted":true,"floats":false}
# memory {"dram_latency":30,"jitter":{"delay":80,"refuse":80,"seed":7},"l2_latency":4}
# data 0
    .globl _start
_start:
    .4byte 0xcc0028f3  # 0000: csrr a7, tid.x
    .4byte 0xcc102973  # 0004: csrr s2, tid.y
    .4byte 0xcc6029f3  # 0008: csrr s3, ntid.x
    .4byte 0x03390933  # 000c: mul s2, s2, s3
    .4byte 0x012888b3  # 0010: add a7, a7, s2
    .4byte 0xcc302c73  # 0014: csrr s8, ctaid.x
    .4byte 0x00500913  # 0018: li s2, 5
    .4byte 0x032c0c33  # 001c: mul s8, s8, s2
    .4byte 0x018888b3  # 0020: add a7, a7, s8
    .4byte 0x00000113  # 0024: li sp, 0
    .4byte 0x00088c33  # 0028: add s8, a7, zero
    .4byte 0x001c7c13  # 002c: andi s8, s8, 1
    .4byte 0x000c0663  # 0030: beqz s8, 0x3c
    .4byte 0x00010113  # 0034: mv sp, sp
    .4byte 0x0080006f  # 0038: j 0x40
    .4byte 0x00010113  # 003c: mv sp, sp
    .4byte 0x0000100b  # 0040: exit
