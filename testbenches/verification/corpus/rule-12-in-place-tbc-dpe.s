# 12 in place (TBC+DPE): Commit of a branch with the entry's RPC, one side of which starts there: the other takes the path's place.
# core {"mechanism":"TbcDualPath","stack_depth":48}
# shape {"grid":[1,1,1],"block":[8,1,1],"spare_words":0,"permuted":false,"floats":false}
# memory {"dram_latency":30,"jitter":{"delay":80,"refuse":80,"seed":7},"l2_latency":4}
# data 0
    .globl _start
_start:
    .4byte 0xcc0028f3  # 0000: csrr a7, tid.x
    .4byte 0x02388113  # 0004: addi sp, a7, 35
    .4byte 0x00717913  # 0008: andi s2, sp, 7
    .4byte 0x00190913  # 000c: addi s2, s2, 1
    .4byte 0x01288c33  # 0010: add s8, a7, s2
    .4byte 0x002c7c13  # 0014: andi s8, s8, 2
    .4byte 0x000c1663  # 0018: bnez s8, 0x24
    .4byte 0x02210133  # 001c: mul sp, sp, sp
    .4byte 0x05c0006f  # 0020: j 0x7c
    .4byte 0xcc3029f3  # 0024: csrr s3, ctaid.x
    .4byte 0x0019f993  # 0028: andi s3, s3, 1
    .4byte 0x00198993  # 002c: addi s3, s3, 1
    .4byte 0x01388c33  # 0030: add s8, a7, s3
    .4byte 0x002c7c13  # 0034: andi s8, s8, 2
    .4byte 0x000c1663  # 0038: bnez s8, 0x44
    .4byte 0x02210133  # 003c: mul sp, sp, sp
    .4byte 0x03c0006f  # 0040: j 0x7c
    .4byte 0x01388c33  # 0044: add s8, a7, s3
    .4byte 0x001c7c13  # 0048: andi s8, s8, 1
    .4byte 0x000c0663  # 004c: beqz s8, 0x58
    .4byte 0x00010113  # 0050: mv sp, sp
    .4byte 0x0280006f  # 0054: j 0x7c
    .4byte 0xfff98993  # 0058: addi s3, s3, -1
    .4byte 0xfc099ae3  # 005c: bnez s3, 0x30
    .4byte 0x01288c33  # 0060: add s8, a7, s2
    .4byte 0x001c7c13  # 0064: andi s8, s8, 1
    .4byte 0x000c0663  # 0068: beqz s8, 0x74
    .4byte 0x00010113  # 006c: mv sp, sp
    .4byte 0x00c0006f  # 0070: j 0x7c
    .4byte 0xfff90913  # 0074: addi s2, s2, -1
    .4byte 0xf8091ce3  # 0078: bnez s2, 0x10
    .4byte 0x00010033  # 007c: add zero, sp, zero
    .4byte 0x0000100b  # 0080: exit
