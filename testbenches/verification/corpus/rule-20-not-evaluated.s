# 20 not evaluated: an entry is activated that is no side of a branch running for the first time.
# core {"likely_convergence":true,"mechanism":"Tbc","permutation":"Balanced","stack_depth":48}
# shape {"grid":[1,1,1],"block":[1,2,1],"spare_words":0}
# memory {}
# data 0
    .globl _start
_start:
    .4byte 0xcc0028f3  # 0000: csrr a7, tid.x
    .4byte 0xcc102973  # 0004: csrr s2, tid.y
    .4byte 0xcc6029f3  # 0008: csrr s3, ntid.x
    .4byte 0x03390933  # 000c: mul s2, s2, s3
    .4byte 0x012888b3  # 0010: add a7, a7, s2
    .4byte 0x00088113  # 0014: mv sp, a7
    .4byte 0x00010263  # 0018: beqz sp, 0x1c
    .4byte 0x0000100b  # 001c: exit
