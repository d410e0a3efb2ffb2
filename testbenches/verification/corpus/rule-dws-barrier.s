# DWS barrier: a warp-split comes to a barrier: its threads are parked.
# core {"mechanism":{"Subdivision":{"splits":2,"threshold":50}},"permutation":"Random","stack_depth":48}
# shape {"grid":[1,1,1],"block":[2,1,1],"spare_words":0}
# memory {"dram_latency":30,"jitter":{"delay":80,"refuse":80,"seed":7},"l2_latency":4}
# data 0
    .globl _start
_start:
    .4byte 0xcc0028f3  # 0000: csrr a7, tid.x
    .4byte 0x00289e93  # 0004: slli t4, a7, 0x2
    .4byte 0x20000c37  # 0008: lui s8, 0x20000
    .4byte 0x018e8eb3  # 000c: add t4, t4, s8
    .4byte 0x00188e13  # 0010: addi t3, a7, 1
    .4byte 0x00200913  # 0014: li s2, 2
    .4byte 0x032e7e33  # 0018: remu t3, t3, s2
    .4byte 0x002e1e13  # 001c: slli t3, t3, 0x2
    .4byte 0x20000c37  # 0020: lui s8, 0x20000
    .4byte 0x018e0e33  # 0024: add t3, t3, s8
    .4byte 0x011ea023  # 0028: sw a7, 0(t4)
    .4byte 0x00000113  # 002c: li sp, 0
    .4byte 0xcc0027f3  # 0030: csrr a5, tid.x
    .4byte 0x00078263  # 0034: beqz a5, 0x38
    .4byte 0x002ea023  # 0038: sw sp, 0(t4)
    .4byte 0x0000000b  # 003c: bar.sync
    .4byte 0x002e212f  # 0040: amoadd.w sp, sp, (t3)
    .4byte 0x0000000b  # 0044: bar.sync
    .4byte 0x000ea103  # 0048: lw sp, 0(t4)
    .4byte 0x00010033  # 004c: add zero, sp, zero
    .4byte 0x0000100b  # 0050: exit
