# SCS turn: a branch or jump ends the turn of its threads.
# core {"mechanism":{"SchedulableStack":{"quantum":16,"spin":1}},"stack_depth":48}
# shape {"grid":[2,1,1],"block":[4,1,1],"spare_words":0,"permuted":false,"floats":false}
# memory {}
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
    .4byte 0x020c0863  # 002c: beqz s8, 0x5c
    .4byte 0x00010113  # 0030: mv sp, sp
    .4byte 0x0000000b  # 0034: bar.sync
    .4byte 0x01288c33  # 0038: add s8, a7, s2
    .4byte 0x001c7c13  # 003c: andi s8, s8, 1
    .4byte 0x000c0e63  # 0040: beqz s8, 0x5c
    .4byte 0x00010113  # 0044: mv sp, sp
    .4byte 0x01288c33  # 0048: add s8, a7, s2
    .4byte 0x001c7c13  # 004c: andi s8, s8, 1
    .4byte 0x000c0463  # 0050: beqz s8, 0x58
    .4byte 0x0000100b  # 0054: exit
    .4byte 0x00010113  # 0058: mv sp, sp
    .4byte 0xfff90913  # 005c: addi s2, s2, -1
    .4byte 0xfc0912e3  # 0060: bnez s2, 0x24
    .4byte 0x0000100b  # 0064: exit
