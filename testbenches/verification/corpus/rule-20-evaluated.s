# 20 evaluated: the predictor is told how well a side compacts.
# core {"likely_convergence":true,"mechanism":{"Capri":{"entries":2,"history":"Latest"}},"stack_depth":48}
# shape {"grid":[1,1,1],"block":[1,1,1],"spare_words":0}
# memory {"dram_latency":30,"l2_latency":4}
# data 0
    .globl _start
_start:
    .4byte 0xcc002373  # 0000: csrr t1, tid.x
    .4byte 0x00030263  # 0004: beqz t1, 0x8
    .4byte 0x0000100b  # 0008: exit
