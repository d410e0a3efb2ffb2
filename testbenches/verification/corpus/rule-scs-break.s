# SCS break: threads that wait for the running ones, or for threads at a barrier, get an entry of their own.
# core {"mechanism":{"SchedulableStack":{"quantum":16,"spin":1}},"stack_depth":48}
# shape {"grid":[1,1,1],"block":[4,1,1],"spare_words":0,"permuted":false,"floats":false}
# memory {}
# data 0
    .globl _start
_start:
    .4byte 0xcc0028f3  # 0000: csrr a7, tid.x
    .4byte 0x00000113  # 0004: li sp, 0
    .4byte 0x00088c33  # 0008: add s8, a7, zero
    .4byte 0x001c7c13  # 000c: andi s8, s8, 1
    .4byte 0x040c0463  # 0010: beqz s8, 0x58
    .4byte 0x00088c33  # 0014: add s8, a7, zero
    .4byte 0x001c7c13  # 0018: andi s8, s8, 1
    .4byte 0x020c0063  # 001c: beqz s8, 0x3c
    .4byte 0x00088c33  # 0020: add s8, a7, zero
    .4byte 0x001c7c13  # 0024: andi s8, s8, 1
    .4byte 0x000c0663  # 0028: beqz s8, 0x34
    .4byte 0x00210133  # 002c: add sp, sp, sp
    .4byte 0x0080006f  # 0030: j 0x38
    .4byte 0x00010113  # 0034: mv sp, sp
    .4byte 0x01c0006f  # 0038: j 0x54
    .4byte 0x00088c33  # 003c: add s8, a7, zero
    .4byte 0x001c7c13  # 0040: andi s8, s8, 1
    .4byte 0x000c0663  # 0044: beqz s8, 0x50
    .4byte 0x00010113  # 0048: mv sp, sp
    .4byte 0x0080006f  # 004c: j 0x54
    .4byte 0x00010113  # 0050: mv sp, sp
    .4byte 0x0440006f  # 0054: j 0x98
    .4byte 0x00088c33  # 0058: add s8, a7, zero
    .4byte 0x001c7c13  # 005c: andi s8, s8, 1
    .4byte 0x020c0063  # 0060: beqz s8, 0x80
    .4byte 0x00088c33  # 0064: add s8, a7, zero
    .4byte 0x001c7c13  # 0068: andi s8, s8, 1
    .4byte 0x000c0663  # 006c: beqz s8, 0x78
    .4byte 0x00010113  # 0070: mv sp, sp
    .4byte 0x0080006f  # 0074: j 0x7c
    .4byte 0x00010113  # 0078: mv sp, sp
    .4byte 0x01c0006f  # 007c: j 0x98
    .4byte 0x00088c33  # 0080: add s8, a7, zero
    .4byte 0x001c7c13  # 0084: andi s8, s8, 1
    .4byte 0x000c0663  # 0088: beqz s8, 0x94
    .4byte 0x00010113  # 008c: mv sp, sp
    .4byte 0x0080006f  # 0090: j 0x98
    .4byte 0x00010113  # 0094: mv sp, sp
    .4byte 0x0000100b  # 0098: exit
