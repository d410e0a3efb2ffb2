# 3 empty side: Commit of a branch one side of which nobody takes: nothing is pushed.
# core {"likely_convergence":true,"mechanism":"Tbc","permutation":"Balanced","stack_depth":48}
# shape {"grid":[1,1,1],"block":[1,1,1],"spare_words":0}
# memory {}
# data 0
    .globl _start
_start:
    .4byte 0x00000113  # 0000: li sp, 0
    .4byte 0x00010263  # 0004: beqz sp, 0x8
    .4byte 0x0000100b  # 0008: exit
