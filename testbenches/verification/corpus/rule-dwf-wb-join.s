# DWF-WB join: threads of warps that have diverged join a warp of such threads.
# core {"mechanism":{"WarpBarriers":{"age_limit":64,"lut_entries":8,"policy":"Oldest","relief":2,"sides":1}},"permutation":"Balanced","stack_depth":48}
# shape {"grid":[1,1,1],"block":[8,1,1],"spare_words":0,"permuted":true,"floats":false}
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
    .4byte 0x000c0663  # 001c: beqz s8, 0x28
    .4byte 0x00010113  # 0020: mv sp, sp
    .4byte 0x0740006f  # 0024: j 0x98
    .4byte 0x01288c33  # 0028: add s8, a7, s2
    .4byte 0x001c7c13  # 002c: andi s8, s8, 1
    .4byte 0x060c0063  # 0030: beqz s8, 0x90
    .4byte 0xcc3029f3  # 0034: csrr s3, ctaid.x
    .4byte 0x0019f993  # 0038: andi s3, s3, 1
    .4byte 0x00198993  # 003c: addi s3, s3, 1
    .4byte 0x01388c33  # 0040: add s8, a7, s3
    .4byte 0x001c7c13  # 0044: andi s8, s8, 1
    .4byte 0x000c0663  # 0048: beqz s8, 0x54
    .4byte 0x00010113  # 004c: mv sp, sp
    .4byte 0x0480006f  # 0050: j 0x98
    .4byte 0x01388c33  # 0054: add s8, a7, s3
    .4byte 0x001c7c13  # 0058: andi s8, s8, 1
    .4byte 0x000c0c63  # 005c: beqz s8, 0x74
    .4byte 0x01388c33  # 0060: add s8, a7, s3
    .4byte 0x001c7c13  # 0064: andi s8, s8, 1
    .4byte 0x000c0663  # 0068: beqz s8, 0x74
    .4byte 0x00010113  # 006c: mv sp, sp
    .4byte 0x0280006f  # 0070: j 0x98
    .4byte 0xfff98993  # 0074: addi s3, s3, -1
    .4byte 0xfc0994e3  # 0078: bnez s3, 0x40
    .4byte 0x01288c33  # 007c: add s8, a7, s2
    .4byte 0x001c7c13  # 0080: andi s8, s8, 1
    .4byte 0x000c0663  # 0084: beqz s8, 0x90
    .4byte 0x00010113  # 0088: mv sp, sp
    .4byte 0x00c0006f  # 008c: j 0x98
    .4byte 0xfff90913  # 0090: addi s2, s2, -1
    .4byte 0xf80910e3  # 0094: bnez s2, 0x14
    .4byte 0x0000100b  # 0098: exit
