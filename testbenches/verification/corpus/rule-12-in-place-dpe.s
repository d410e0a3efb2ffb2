# 12 in place (DPE): a branch with the entry's RPC is served, one side of which starts there: the other takes the path's place.
# core {"mechanism":{"DualPath":"Full"},"permutation":"Balanced","stack_depth":48}
# shape {"grid":[1,1,1],"block":[7,1,1],"spare_words":0}
# memory {"dram_latency":30,"jitter":{"delay":80,"refuse":80,"seed":7},"l2_latency":4}
# data 288317499
    .globl _start
_start:
    .4byte 0xcc0028f3  # 0000: csrr a7, tid.x
    .4byte 0xccf02df3  # 0004: csrr s11, arguments
    .4byte 0x000da803  # 0008: lw a6, 0(s11)
    .4byte 0x00789c13  # 000c: slli s8, a7, 0x7
    .4byte 0x01880833  # 0010: add a6, a6, s8
    .4byte 0x1a7a8137  # 0014: lui sp, 0x1a7a8
    .4byte 0x03110133  # 0018: mul sp, sp, a7
    .4byte 0xdf0f91b7  # 001c: lui gp, 0xdf0f9
    .4byte 0x0111c1b3  # 0020: xor gp, gp, a7
    .4byte 0x01b00393  # 0024: li t2, 27
    .4byte 0x0023ca63  # 0028: blt t2, sp, 0x3c
    .4byte 0x00482183  # 002c: lw gp, 4(a6)
    .4byte 0x00717133  # 0030: and sp, sp, t2
    .4byte 0x0033d463  # 0034: bge t2, gp, 0x3c
    .4byte 0x00010113  # 0038: mv sp, sp
    .4byte 0x00010033  # 003c: add zero, sp, zero
    .4byte 0x00018033  # 0040: add zero, gp, zero
    .4byte 0x00080033  # 0044: add zero, a6, zero
    .4byte 0x0000100b  # 0048: exit
