# 12 both (DPE): both paths of an entry have come to a branch that diverges: the entry of the second is pushed beneath the first's.
# core {"mechanism":{"DualPath":"Full"},"permutation":"Balanced","stack_depth":48}
# shape {"grid":[1,1,1],"block":[4,1,1],"spare_words":0}
# memory {"dram_latency":30,"jitter":{"delay":80,"refuse":80,"seed":7},"l2_latency":4}
# data 0
    .globl _start
_start:
    .4byte 0xcc0028f3  # 0000: csrr a7, tid.x
    .4byte 0x00000113  # 0004: li sp, 0
    .4byte 0x00117913  # 0008: andi s2, sp, 1
    .4byte 0x00190913  # 000c: addi s2, s2, 1
    .4byte 0x00088c33  # 0010: add s8, a7, zero
    .4byte 0x001c7c13  # 0014: andi s8, s8, 1
    .4byte 0x020c0063  # 0018: beqz s8, 0x38
    .4byte 0x00088c33  # 001c: add s8, a7, zero
    .4byte 0x002c7c13  # 0020: andi s8, s8, 2
    .4byte 0x000c0663  # 0024: beqz s8, 0x30
    .4byte 0x00010113  # 0028: mv sp, sp
    .4byte 0x0080006f  # 002c: j 0x34
    .4byte 0x00010113  # 0030: mv sp, sp
    .4byte 0x01c0006f  # 0034: j 0x50
    .4byte 0x00088c33  # 0038: add s8, a7, zero
    .4byte 0x002c7c13  # 003c: andi s8, s8, 2
    .4byte 0x000c0663  # 0040: beqz s8, 0x4c
    .4byte 0x00010113  # 0044: mv sp, sp
    .4byte 0x0080006f  # 0048: j 0x50
    .4byte 0x00010113  # 004c: mv sp, sp
    .4byte 0xfff90913  # 0050: addi s2, s2, -1
    .4byte 0xfa091ee3  # 0054: bnez s2, 0x10
    .4byte 0x0000100b  # 0058: exit
