# DWF barrier: a warp comes to a barrier: its threads are parked.
# core {"mechanism":{"WarpFormation":{"age_limit":64,"lut_entries":8,"policy":"Majority","relief":2,"sides":1}},"stack_depth":48}
# shape {"grid":[1,1,1],"block":[1,1,1],"spare_words":0,"permuted":false,"floats":false}
# memory {"dram_latency":30,"jitter":{"delay":80,"refuse":80,"seed":7},"l2_latency":4}
# data 0
    .globl _start
_start:
    .4byte 0xcc0028f3  # 0000: csrr a7, tid.x
    .4byte 0x00289e93  # 0004: slli t4, a7, 0x2
    .4byte 0x20000c37  # 0008: lui s8, 0x20000
    .4byte 0x018e8eb3  # 000c: add t4, t4, s8
    .4byte 0x011ea023  # 0010: sw a7, 0(t4)
    .4byte 0x00000113  # 0014: li sp, 0
    .4byte 0x004e9b93  # 0018: slli s7, t4, 0x4
    .4byte 0x006bdb93  # 001c: srli s7, s7, 0x6
    .4byte 0x20000c37  # 0020: lui s8, 0x20000
    .4byte 0x017c0c33  # 0024: add s8, s8, s7
    .4byte 0x002ea023  # 0028: sw sp, 0(t4)
    .4byte 0x0000000b  # 002c: bar.sync
    .4byte 0x002c0023  # 0030: sb sp, 0(s8)
    .4byte 0x0000000b  # 0034: bar.sync
    .4byte 0x000ea103  # 0038: lw sp, 0(t4)
    .4byte 0x0000000b  # 003c: bar.sync
    .4byte 0x00010033  # 0040: add zero, sp, zero
    .4byte 0x0000100b  # 0044: exit
