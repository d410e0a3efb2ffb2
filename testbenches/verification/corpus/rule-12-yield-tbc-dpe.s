# 12 yield (TBC+DPE): Walk activates an entry one path of which runs though the threads of the other wait.
# core {"mechanism":"TbcDualPath","stack_depth":48}
# shape {"grid":[1,1,1],"block":[10,1,1],"spare_words":0,"permuted":false,"floats":false}
# memory {"dram_latency":30,"jitter":{"delay":80,"refuse":80,"seed":7},"l2_latency":4}
# data 0
    .globl _start
_start:
    .4byte 0xcc0028f3  # 0000: csrr a7, tid.x
    .4byte 0x00000113  # 0004: li sp, 0
    .4byte 0x00000613  # 0008: li a2, 0
    .4byte 0x0ef0b7b7  # 000c: lui a5, 0xef0b
    .4byte 0x031787b3  # 0010: mul a5, a5, a7
    .4byte 0x02f64263  # 0014: blt a2, a5, 0x38
    .4byte 0x00088c33  # 0018: add s8, a7, zero
    .4byte 0x001c7c13  # 001c: andi s8, s8, 1
    .4byte 0x000c0663  # 0020: beqz s8, 0x2c
    .4byte 0x00010113  # 0024: mv sp, sp
    .4byte 0x0080006f  # 0028: j 0x30
    .4byte 0x00010113  # 002c: mv sp, sp
    .4byte 0x0000000b  # 0030: bar.sync
    .4byte 0x0080006f  # 0034: j 0x3c
    .4byte 0x0000000b  # 0038: bar.sync
    .4byte 0xcc302973  # 003c: csrr s2, ctaid.x
    .4byte 0x00197913  # 0040: andi s2, s2, 1
    .4byte 0x00190913  # 0044: addi s2, s2, 1
    .4byte 0x01288c33  # 0048: add s8, a7, s2
    .4byte 0x001c7c13  # 004c: andi s8, s8, 1
    .4byte 0x020c0a63  # 0050: beqz s8, 0x84
    .4byte 0x00010113  # 0054: mv sp, sp
    .4byte 0x0000000b  # 0058: bar.sync
    .4byte 0x01288c33  # 005c: add s8, a7, s2
    .4byte 0x001c7c13  # 0060: andi s8, s8, 1
    .4byte 0x020c0063  # 0064: beqz s8, 0x84
    .4byte 0x00010113  # 0068: mv sp, sp
    .4byte 0x01288c33  # 006c: add s8, a7, s2
    .4byte 0x001c7c13  # 0070: andi s8, s8, 1
    .4byte 0x000c0663  # 0074: beqz s8, 0x80
    .4byte 0x00078033  # 0078: add zero, a5, zero
    .4byte 0x0000100b  # 007c: exit
    .4byte 0x00010113  # 0080: mv sp, sp
    .4byte 0xfff90913  # 0084: addi s2, s2, -1
    .4byte 0xfc0910e3  # 0088: bnez s2, 0x48
    .4byte 0x00078033  # 008c: add zero, a5, zero
    .4byte 0x0000100b  # 0090: exit
