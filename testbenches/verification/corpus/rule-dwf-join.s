# DWF join: threads join a warp at their PC that has not been fetched.
# core {"mechanism":{"WarpFormation":{"age_limit":64,"lut_entries":8,"policy":"Majority","relief":2,"sides":1}},"stack_depth":48}
# shape {"grid":[1,2,2],"block":[5,3,1],"spare_words":0,"permuted":false,"floats":false}
# memory {"dram_latency":30,"jitter":{"delay":80,"refuse":80,"seed":7},"l2_latency":4}
# data 0
    .globl _start
_start:
    .4byte 0xcc0028f3  # 0000: csrr a7, tid.x
    .4byte 0xcc102973  # 0004: csrr s2, tid.y
    .4byte 0xcc6029f3  # 0008: csrr s3, ntid.x
    .4byte 0x03390933  # 000c: mul s2, s2, s3
    .4byte 0x012888b3  # 0010: add a7, a7, s2
    .4byte 0xcc302c73  # 0014: csrr s8, ctaid.x
    .4byte 0xcc402973  # 0018: csrr s2, ctaid.y
    .4byte 0xcc9029f3  # 001c: csrr s3, nctaid.x
    .4byte 0x03390933  # 0020: mul s2, s2, s3
    .4byte 0x012c0c33  # 0024: add s8, s8, s2
    .4byte 0xcc502973  # 0028: csrr s2, ctaid.z
    .4byte 0xcc9029f3  # 002c: csrr s3, nctaid.x
    .4byte 0x03390933  # 0030: mul s2, s2, s3
    .4byte 0xcca029f3  # 0034: csrr s3, nctaid.y
    .4byte 0x03390933  # 0038: mul s2, s2, s3
    .4byte 0x012c0c33  # 003c: add s8, s8, s2
    .4byte 0x00f00913  # 0040: li s2, 15
    .4byte 0x032c0c33  # 0044: mul s8, s8, s2
    .4byte 0x018888b3  # 0048: add a7, a7, s8
    .4byte 0x00000113  # 004c: li sp, 0
    .4byte 0x00000193  # 0050: li gp, 0
    .4byte 0x00015337  # 0054: lui t1, 0x15
    .4byte 0x01134333  # 0058: xor t1, t1, a7
    .4byte 0xcc302973  # 005c: csrr s2, ctaid.x
    .4byte 0x00397913  # 0060: andi s2, s2, 3
    .4byte 0x00190913  # 0064: addi s2, s2, 1
    .4byte 0x01288c33  # 0068: add s8, a7, s2
    .4byte 0x001c7c13  # 006c: andi s8, s8, 1
    .4byte 0x000c0663  # 0070: beqz s8, 0x7c
    .4byte 0x00219133  # 0074: sll sp, gp, sp
    .4byte 0x0580006f  # 0078: j 0xd0
    .4byte 0x0071f993  # 007c: andi s3, gp, 7
    .4byte 0x00198993  # 0080: addi s3, s3, 1
    .4byte 0x01388c33  # 0084: add s8, a7, s3
    .4byte 0x008c7c13  # 0088: andi s8, s8, 8
    .4byte 0x000c1663  # 008c: bnez s8, 0x98
    .4byte 0x00332233  # 0090: slt tp, t1, gp
    .4byte 0x03c0006f  # 0094: j 0xd0
    .4byte 0x01388c33  # 0098: add s8, a7, s3
    .4byte 0x001c7c13  # 009c: andi s8, s8, 1
    .4byte 0x000c0663  # 00a0: beqz s8, 0xac
    .4byte 0x00010113  # 00a4: mv sp, sp
    .4byte 0x0280006f  # 00a8: j 0xd0
    .4byte 0xfff98993  # 00ac: addi s3, s3, -1
    .4byte 0xfc099ae3  # 00b0: bnez s3, 0x84
    .4byte 0x01288c33  # 00b4: add s8, a7, s2
    .4byte 0x001c7c13  # 00b8: andi s8, s8, 1
    .4byte 0x000c0663  # 00bc: beqz s8, 0xc8
    .4byte 0x00010113  # 00c0: mv sp, sp
    .4byte 0x00c0006f  # 00c4: j 0xd0
    .4byte 0xfff90913  # 00c8: addi s2, s2, -1
    .4byte 0xf8091ee3  # 00cc: bnez s2, 0x68
    .4byte 0x0000100b  # 00d0: exit
