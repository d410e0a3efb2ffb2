# 12 yield (DPE): an entry becomes active one path of which runs though the threads of the other wait.
# core {"l1_sets":32,"l1_ways":4,"lanes":8,"line_bytes":32,"mechanism":{"DualPath":"Full"},"mshrs":8,"shared_bytes":16384,"stack_depth":64,"warps":8}
# shape {"grid":[1,1,1],"block":[4,1,1],"spare_words":0}
# memory {"dram_latency":30,"l2_latency":4}
# data 0
    .globl _start
_start:
    .4byte 0xcc0028f3  # 0000: csrr a7, tid.x
    .4byte 0x4d46c137  # 0004: lui sp, 0x4d46c
    .4byte 0x01110133  # 0008: add sp, sp, a7
    .4byte 0x03788513  # 000c: addi a0, a7, 55
    .4byte 0xbe12b6b7  # 0010: lui a3, 0xbe12b
    .4byte 0x031686b3  # 0014: mul a3, a3, a7
    .4byte 0x0026fe63  # 0018: bgeu a3, sp, 0x34
    .4byte 0x00357993  # 001c: andi s3, a0, 3
    .4byte 0x00198993  # 0020: addi s3, s3, 1
    .4byte 0xfff98993  # 0024: addi s3, s3, -1
    .4byte 0xfe099ee3  # 0028: bnez s3, 0x24
    .4byte 0x0000000b  # 002c: bar.sync
    .4byte 0x0080006f  # 0030: j 0x38
    .4byte 0x0000000b  # 0034: bar.sync
    .4byte 0xcc302973  # 0038: csrr s2, ctaid.x
    .4byte 0x00197913  # 003c: andi s2, s2, 1
    .4byte 0x00190913  # 0040: addi s2, s2, 1
    .4byte 0x01288c33  # 0044: add s8, a7, s2
    .4byte 0x001c7c13  # 0048: andi s8, s8, 1
    .4byte 0x020c0a63  # 004c: beqz s8, 0x80
    .4byte 0x00010113  # 0050: mv sp, sp
    .4byte 0x0000000b  # 0054: bar.sync
    .4byte 0x01288c33  # 0058: add s8, a7, s2
    .4byte 0x001c7c13  # 005c: andi s8, s8, 1
    .4byte 0x020c0063  # 0060: beqz s8, 0x80
    .4byte 0x00010113  # 0064: mv sp, sp
    .4byte 0x01288c33  # 0068: add s8, a7, s2
    .4byte 0x001c7c13  # 006c: andi s8, s8, 1
    .4byte 0x000c0663  # 0070: beqz s8, 0x7c
    .4byte 0x00068033  # 0074: add zero, a3, zero
    .4byte 0x0000100b  # 0078: exit
    .4byte 0x00010113  # 007c: mv sp, sp
    .4byte 0xfff90913  # 0080: addi s2, s2, -1
    .4byte 0xfc0910e3  # 0084: bnez s2, 0x44
    .4byte 0x00068033  # 0088: add zero, a3, zero
    .4byte 0x0000100b  # 008c: exit
