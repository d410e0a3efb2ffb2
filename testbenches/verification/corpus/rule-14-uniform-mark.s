# 14 uniform mark: a warp goes on at a branch marked uniform without gathering.
# core {"mechanism":"TbcPlus","permutation":"Random","stack_depth":48}
# shape {"grid":[1,1,1],"block":[1,1,1],"spare_words":0}
# memory {"dram_latency":30,"jitter":{"delay":80,"refuse":80,"seed":7},"l2_latency":4}
# data 0
    .globl _start
_start:
    .4byte 0x00000113  # 0000: li sp, 0
    .4byte 0x00010263  # 0004: beqz sp, 0x8
    .4byte 0x0000100b  # 0008: exit
