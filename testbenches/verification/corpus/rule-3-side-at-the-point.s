# 3 side at the point: Commit of a branch that splits, one side of which starts where the sides meet: not pushed.
# core {"likely_convergence":true,"mechanism":"Tbc","permutation":"Balanced","stack_depth":48}
# shape {"grid":[1,1,1],"block":[2,1,1],"spare_words":0}
# memory {}
# data 0
    .globl _start
_start:
    .4byte 0xcc002373  # 0000: csrr t1, tid.x
    .4byte 0x00137913  # 0004: andi s2, t1, 1
    .4byte 0x00190913  # 0008: addi s2, s2, 1
    .4byte 0xfff90913  # 000c: addi s2, s2, -1
    .4byte 0xfe091ee3  # 0010: bnez s2, 0xc
    .4byte 0x0000100b  # 0014: exit
