# 8 inherit: Commit of a branch that splits and reuses a linked entry's slot.
# core {"likely_convergence":true,"mechanism":"Tbc","permutation":"Balanced","stack_depth":48}
# shape {"grid":[2,1,1],"block":[3,1,1],"spare_words":0}
# memory {}
# data 0
    .globl _start
_start:
    .4byte 0xcc0028f3  # 0000: csrr a7, tid.x
    .4byte 0xcc302c73  # 0004: csrr s8, ctaid.x
    .4byte 0x00300913  # 0008: li s2, 3
    .4byte 0x032c0c33  # 000c: mul s8, s8, s2
    .4byte 0x018888b3  # 0010: add a7, a7, s8
    .4byte 0x00000113  # 0014: li sp, 0
    .4byte 0x00117913  # 0018: andi s2, sp, 1
    .4byte 0x00190913  # 001c: addi s2, s2, 1
    .4byte 0x01288c33  # 0020: add s8, a7, s2
    .4byte 0x002c7c13  # 0024: andi s8, s8, 2
    .4byte 0x000c0663  # 0028: beqz s8, 0x34
    .4byte 0x00010113  # 002c: mv sp, sp
    .4byte 0x0740006f  # 0030: j 0xa4
    .4byte 0x01288c33  # 0034: add s8, a7, s2
    .4byte 0x001c7c13  # 0038: andi s8, s8, 1
    .4byte 0x060c0063  # 003c: beqz s8, 0x9c
    .4byte 0xcc3029f3  # 0040: csrr s3, ctaid.x
    .4byte 0x0019f993  # 0044: andi s3, s3, 1
    .4byte 0x00198993  # 0048: addi s3, s3, 1
    .4byte 0x01388c33  # 004c: add s8, a7, s3
    .4byte 0x001c7c13  # 0050: andi s8, s8, 1
    .4byte 0x000c0663  # 0054: beqz s8, 0x60
    .4byte 0x00010113  # 0058: mv sp, sp
    .4byte 0x0480006f  # 005c: j 0xa4
    .4byte 0x01388c33  # 0060: add s8, a7, s3
    .4byte 0x001c7c13  # 0064: andi s8, s8, 1
    .4byte 0x000c0c63  # 0068: beqz s8, 0x80
    .4byte 0x01388c33  # 006c: add s8, a7, s3
    .4byte 0x001c7c13  # 0070: andi s8, s8, 1
    .4byte 0x000c0663  # 0074: beqz s8, 0x80
    .4byte 0x00010113  # 0078: mv sp, sp
    .4byte 0x0280006f  # 007c: j 0xa4
    .4byte 0xfff98993  # 0080: addi s3, s3, -1
    .4byte 0xfc0994e3  # 0084: bnez s3, 0x4c
    .4byte 0x01288c33  # 0088: add s8, a7, s2
    .4byte 0x001c7c13  # 008c: andi s8, s8, 1
    .4byte 0x000c0663  # 0090: beqz s8, 0x9c
    .4byte 0x00010113  # 0094: mv sp, sp
    .4byte 0x00c0006f  # 0098: j 0xa4
    .4byte 0xfff90913  # 009c: addi s2, s2, -1
    .4byte 0xf80910e3  # 00a0: bnez s2, 0x20
    .4byte 0x0000100b  # 00a4: exit
