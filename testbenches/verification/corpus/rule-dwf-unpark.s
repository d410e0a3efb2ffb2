# DWF unpark: a slot is given to threads without one.
# core {"mechanism":{"WarpFormation":{"age_limit":64,"lut_entries":8,"policy":"Majority","relief":2,"sides":1}},"stack_depth":48}
# shape {"grid":[1,1,1],"block":[1,1,1],"spare_words":0,"permuted":false,"floats":false}
# memory {"dram_latency":30,"jitter":{"delay":80,"refuse":80,"seed":7},"l2_latency":4}
# data 0
    .globl _start
_start:
    .4byte 0x0000100b  # 0000: exit
