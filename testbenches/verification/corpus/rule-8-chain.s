# 8 chain: PlaceLink of an entry that inherits a link.
# core {"likely_convergence":true,"mechanism":"Tbc","permutation":"Balanced","stack_depth":48}
# shape {"grid":[1,1,1],"block":[4,1,1],"spare_words":0}
# memory {}
# data 0
    .globl _start
_start:
    .4byte 0xcc0028f3  # 0000: csrr a7, tid.x
    .4byte 0x00000113  # 0004: li sp, 0
    .4byte 0xcc302973  # 0008: csrr s2, ctaid.x
    .4byte 0x00197913  # 000c: andi s2, s2, 1
    .4byte 0x00190913  # 0010: addi s2, s2, 1
    .4byte 0x01288c33  # 0014: add s8, a7, s2
    .4byte 0x002c7c13  # 0018: andi s8, s8, 2
    .4byte 0x000c0663  # 001c: beqz s8, 0x28
    .4byte 0x00211133  # 0020: sll sp, sp, sp
    .4byte 0x05c0006f  # 0024: j 0x80
    .4byte 0xcc3029f3  # 0028: csrr s3, ctaid.x
    .4byte 0x0019f993  # 002c: andi s3, s3, 1
    .4byte 0x00198993  # 0030: addi s3, s3, 1
    .4byte 0x01388c33  # 0034: add s8, a7, s3
    .4byte 0x001c7c13  # 0038: andi s8, s8, 1
    .4byte 0x000c0663  # 003c: beqz s8, 0x48
    .4byte 0x00211133  # 0040: sll sp, sp, sp
    .4byte 0x03c0006f  # 0044: j 0x80
    .4byte 0x01388c33  # 0048: add s8, a7, s3
    .4byte 0x001c7c13  # 004c: andi s8, s8, 1
    .4byte 0x000c0663  # 0050: beqz s8, 0x5c
    .4byte 0x00010113  # 0054: mv sp, sp
    .4byte 0x0280006f  # 0058: j 0x80
    .4byte 0xfff98993  # 005c: addi s3, s3, -1
    .4byte 0xfc099ae3  # 0060: bnez s3, 0x34
    .4byte 0x01288c33  # 0064: add s8, a7, s2
    .4byte 0x001c7c13  # 0068: andi s8, s8, 1
    .4byte 0x000c0663  # 006c: beqz s8, 0x78
    .4byte 0x00010113  # 0070: mv sp, sp
    .4byte 0x00c0006f  # 0074: j 0x80
    .4byte 0xfff90913  # 0078: addi s2, s2, -1
    .4byte 0xf8091ce3  # 007c: bnez s2, 0x14
    .4byte 0x0000100b  # 0080: exit
