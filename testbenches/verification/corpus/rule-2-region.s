# 2 region: Commit of a branch that splits its entry and reconverges elsewhere: the entry goes to that point.
# core {"likely_convergence":true,"mechanism":"Tbc","permutation":"Balanced","stack_depth":48}
# shape {"grid":[2,1,1],"block":[2,1,1],"spare_words":0}
# memory {}
# data 0
    .globl _start
_start:
    .4byte 0xcc0028f3  # 0000: csrr a7, tid.x
    .4byte 0xcc302c73  # 0004: csrr s8, ctaid.x
    .4byte 0x00200913  # 0008: li s2, 2
    .4byte 0x032c0c33  # 000c: mul s8, s8, s2
    .4byte 0x018888b3  # 0010: add a7, a7, s8
    .4byte 0x00000113  # 0014: li sp, 0
    .4byte 0x30bd43b7  # 0018: lui t2, 0x30bd4
    .4byte 0x031383b3  # 001c: mul t2, t2, a7
    .4byte 0x0003d663  # 0020: bgez t2, 0x2c
    .4byte 0x0000000b  # 0024: bar.sync
    .4byte 0x0080006f  # 0028: j 0x30
    .4byte 0x0000000b  # 002c: bar.sync
    .4byte 0xcc302973  # 0030: csrr s2, ctaid.x
    .4byte 0x00197913  # 0034: andi s2, s2, 1
    .4byte 0x00190913  # 0038: addi s2, s2, 1
    .4byte 0x01288c33  # 003c: add s8, a7, s2
    .4byte 0x001c7c13  # 0040: andi s8, s8, 1
    .4byte 0x020c0a63  # 0044: beqz s8, 0x78
    .4byte 0x00010113  # 0048: mv sp, sp
    .4byte 0x0000000b  # 004c: bar.sync
    .4byte 0x01288c33  # 0050: add s8, a7, s2
    .4byte 0x001c7c13  # 0054: andi s8, s8, 1
    .4byte 0x020c0063  # 0058: beqz s8, 0x78
    .4byte 0x00010113  # 005c: mv sp, sp
    .4byte 0x01288c33  # 0060: add s8, a7, s2
    .4byte 0x001c7c13  # 0064: andi s8, s8, 1
    .4byte 0x000c0663  # 0068: beqz s8, 0x74
    .4byte 0x00038033  # 006c: add zero, t2, zero
    .4byte 0x0000100b  # 0070: exit
    .4byte 0x00010113  # 0074: mv sp, sp
    .4byte 0xfff90913  # 0078: addi s2, s2, -1
    .4byte 0xfc0910e3  # 007c: bnez s2, 0x3c
    .4byte 0x00038033  # 0080: add zero, t2, zero
    .4byte 0x0000100b  # 0084: exit
