# ITS stuck: no other thread can run: all who wait at convergence barriers stop waiting.
# core {"mechanism":{"IndependentThreads":{"barriers":2,"turns":{"quantum":64,"spin":2}}},"permutation":"Balanced","stack_depth":48}
# shape {"grid":[1,1,1],"block":[2,1,1],"spare_words":1,"permuted":true,"floats":false}
# memory {"dram_latency":30,"jitter":{"delay":80,"refuse":80,"seed":7},"l2_latency":4}
# data 0
    .globl _start
_start:
    .4byte 0xcc0028f3  # 0000: csrr a7, tid.x
    .4byte 0xccf02df3  # 0004: csrr s11, arguments
    .4byte 0x000da803  # 0008: lw a6, 0(s11)
    .4byte 0x00789c13  # 000c: slli s8, a7, 0x7
    .4byte 0x01880833  # 0010: add a6, a6, s8
    .4byte 0x20000c37  # 0014: lui s8, 0x20000
    .4byte 0x008c0c13  # 0018: addi s8, s8, 8
    .4byte 0x000c2023  # 001c: sw zero, 0(s8)
    .4byte 0x0000000b  # 0020: bar.sync
    .4byte 0x00000113  # 0024: li sp, 0
    .4byte 0x00000193  # 0028: li gp, 0
    .4byte 0x00000213  # 002c: li tp, 0
    .4byte 0x8f044337  # 0030: lui t1, 0x8f044
    .4byte 0x01134333  # 0034: xor t1, t1, a7
    .4byte 0x7c4f53b7  # 0038: lui t2, 0x7c4f5
    .4byte 0x031383b3  # 003c: mul t2, t2, a7
    .4byte 0x00500413  # 0040: li s0, 5
    .4byte 0xc314d4b7  # 0044: lui s1, 0xc314d
    .4byte 0x031484b3  # 0048: mul s1, s1, a7
    .4byte 0x7db2b5b7  # 004c: lui a1, 0x7db2b
    .4byte 0x0115c5b3  # 0050: xor a1, a1, a7
    .4byte 0xcc302973  # 0054: csrr s2, ctaid.x
    .4byte 0x00397913  # 0058: andi s2, s2, 3
    .4byte 0x00190913  # 005c: addi s2, s2, 1
    .4byte 0x00715663  # 0060: bge sp, t2, 0x6c
    .4byte 0x0000000b  # 0064: bar.sync
    .4byte 0x0280006f  # 0068: j 0x90
    .4byte 0x00031a63  # 006c: bnez t1, 0x80
    .4byte 0x00584203  # 0070: lbu tp, 5(a6)
    .4byte 0x009194b3  # 0074: sll s1, gp, s1
    .4byte 0x02459633  # 0078: mulh a2, a1, tp
    .4byte 0x0080006f  # 007c: j 0x84
    .4byte 0x6ff44613  # 0080: xori a2, s0, 1791
    .4byte 0xfff90913  # 0084: addi s2, s2, -1
    .4byte 0xfc091ce3  # 0088: bnez s2, 0x60
    .4byte 0x0000000b  # 008c: bar.sync
    .4byte 0x0000000b  # 0090: bar.sync
    .4byte 0x20000c37  # 0094: lui s8, 0x20000
    .4byte 0x008c0c13  # 0098: addi s8, s8, 8
    .4byte 0x000c2103  # 009c: lw sp, 0(s8)
    .4byte 0x0000000b  # 00a0: bar.sync
    .4byte 0x00010033  # 00a4: add zero, sp, zero
    .4byte 0x00020033  # 00a8: add zero, tp, zero
    .4byte 0x00038033  # 00ac: add zero, t2, zero
    .4byte 0x00048033  # 00b0: add zero, s1, zero
    .4byte 0x00060033  # 00b4: add zero, a2, zero
    .4byte 0x00080033  # 00b8: add zero, a6, zero
    .4byte 0x0000100b  # 00bc: exit
