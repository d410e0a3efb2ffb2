# LWM rest: a sub-warp issues that is not the last of its instruction.
# core {"mechanism":{"LargeWarps":{"threads":8}},"permutation":"Balanced","stack_depth":48}
# shape {"grid":[1,1,1],"block":[5,1,1],"spare_words":0,"permuted":true,"floats":false}
# memory {"dram_latency":30,"jitter":{"delay":80,"refuse":80,"seed":7},"l2_latency":4}
# data 0
    .globl _start
_start:
    .4byte 0x0000100b  # 0000: exit
