# DWF evict: an entry of the table gives way while threads wait to be fetched.
# core {"l1_sets":32,"l1_ways":4,"lanes":8,"line_bytes":32,"mechanism":{"WarpFormation":{"age_limit":64,"lut_entries":8,"policy":"Oldest","relief":16,"sides":2}},"mshrs":8,"permutation":"Balanced","shared_bytes":16384,"stack_depth":64,"warps":8}
# shape {"grid":[4,1,1],"block":[5,2,1],"spare_words":0,"permuted":true,"floats":false}
# memory {"dram_latency":30,"l2_latency":4}
# data 0
    .globl _start
_start:
    .4byte 0xcc0028f3  # 0000: csrr a7, tid.x
    .4byte 0xcc102973  # 0004: csrr s2, tid.y
    .4byte 0xcc6029f3  # 0008: csrr s3, ntid.x
    .4byte 0x03390933  # 000c: mul s2, s2, s3
    .4byte 0x012888b3  # 0010: add a7, a7, s2
    .4byte 0xcc302c73  # 0014: csrr s8, ctaid.x
    .4byte 0x00a00913  # 0018: li s2, 10
    .4byte 0x032c0c33  # 001c: mul s8, s8, s2
    .4byte 0x018888b3  # 0020: add a7, a7, s8
    .4byte 0x00000137  # 0024: lui sp, 0x0
    .4byte 0x01110133  # 0028: add sp, sp, a7
    .4byte 0x00210133  # 002c: add sp, sp, sp
    .4byte 0xcc302973  # 0030: csrr s2, ctaid.x
    .4byte 0x00197913  # 0034: andi s2, s2, 1
    .4byte 0x00190913  # 0038: addi s2, s2, 1
    .4byte 0x01288c33  # 003c: add s8, a7, s2
    .4byte 0x001c7c13  # 0040: andi s8, s8, 1
    .4byte 0x020c0863  # 0044: beqz s8, 0x74
    .4byte 0x00010113  # 0048: mv sp, sp
    .4byte 0x0000000b  # 004c: bar.sync
    .4byte 0x01288c33  # 0050: add s8, a7, s2
    .4byte 0x001c7c13  # 0054: andi s8, s8, 1
    .4byte 0x000c0e63  # 0058: beqz s8, 0x74
    .4byte 0x00010113  # 005c: mv sp, sp
    .4byte 0x01288c33  # 0060: add s8, a7, s2
    .4byte 0x001c7c13  # 0064: andi s8, s8, 1
    .4byte 0x000c0463  # 0068: beqz s8, 0x70
    .4byte 0x0000100b  # 006c: exit
    .4byte 0x00010113  # 0070: mv sp, sp
    .4byte 0xfff90913  # 0074: addi s2, s2, -1
    .4byte 0xfc0912e3  # 0078: bnez s2, 0x3c
    .4byte 0x0000100b  # 007c: exit
