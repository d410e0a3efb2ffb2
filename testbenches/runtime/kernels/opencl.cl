/* The built-in functions of OpenCL C that are of work-items, in OpenCL C. Like all others (integers.cl, floats.cl, conversions.cl,
 * seldom.cl) they are compiled to bitcode and linked into a kernel before it is optimised, so that they are inlined. */

#include "built_ins.h"

#define CSR(number) ({ uint value; __asm__("csrr %0, " #number : "=r"(value)); value; })

/* Work items. */

#define OF_DIMENSION(name, x, y, z, beyond) \
    BUILT_IN size_t name(uint dimension) { \
        switch (dimension) { \
        case 0: return x; \
        case 1: return y; \
        case 2: return z; \
        default: return beyond; \
        } \
    }

OF_DIMENSION(get_local_id, CSR(0xCC0), CSR(0xCC1), CSR(0xCC2), 0)
OF_DIMENSION(get_group_id, CSR(0xCC3), CSR(0xCC4), CSR(0xCC5), 0)
OF_DIMENSION(get_local_size, CSR(0xCC6), CSR(0xCC7), CSR(0xCC8), 1)
OF_DIMENSION(get_enqueued_local_size, CSR(0xCC6), CSR(0xCC7), CSR(0xCC8), 1)
OF_DIMENSION(get_num_groups, CSR(0xCC9), CSR(0xCCA), CSR(0xCCB), 1)
OF_DIMENSION(get_global_size, CSR(0xCC9) * CSR(0xCC6), CSR(0xCCA) * CSR(0xCC7), CSR(0xCCB) * CSR(0xCC8), 1)

/* What the launch is not told is compiled in, where it is known. */
#ifndef WARPLOOM_OFFSET_X
#define WARPLOOM_OFFSET_X 0
#endif
#ifndef WARPLOOM_OFFSET_Y
#define WARPLOOM_OFFSET_Y 0
#endif
#ifndef WARPLOOM_OFFSET_Z
#define WARPLOOM_OFFSET_Z 0
#endif
OF_DIMENSION(get_global_offset, WARPLOOM_OFFSET_X, WARPLOOM_OFFSET_Y, WARPLOOM_OFFSET_Z, 0)
OF_DIMENSION(get_global_id, CSR(0xCC3) * CSR(0xCC6) + CSR(0xCC0) + WARPLOOM_OFFSET_X,
    CSR(0xCC4) * CSR(0xCC7) + CSR(0xCC1) + WARPLOOM_OFFSET_Y, CSR(0xCC5) * CSR(0xCC8) + CSR(0xCC2) + WARPLOOM_OFFSET_Z, 0)

BUILT_IN uint get_work_dim(void) {
#ifdef WARPLOOM_DIMENSIONS
    return WARPLOOM_DIMENSIONS;
#else
    /* The last dimension with more than one work item. */
    return get_global_size(2) > 1 ? 3 : get_global_size(1) > 1 ? 2 : 1;
#endif
}

BUILT_IN size_t get_local_linear_id(void) {
    return (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
}

#define NUMBER(dimension) (get_global_id(dimension) - get_global_offset(dimension))
BUILT_IN size_t get_global_linear_id(void) {
    return (NUMBER(2) * get_global_size(1) + NUMBER(1)) * get_global_size(0) + NUMBER(0);
}

/* Synchronisation. */

BUILT_IN void barrier(cl_mem_fence_flags flags) {
    __asm__ volatile(".insn r 0x0B, 0, 0, x0, x0, x0" ::: "memory"); /* bar.sync */
}

#define FENCE(name) \
    BUILT_IN void name(cl_mem_fence_flags flags) { __asm__ volatile("fence" ::: "memory"); }

FENCE(mem_fence)
FENCE(read_mem_fence)
FENCE(write_mem_fence)

/* Work items of a warp together. */

#define TOGETHER(instruction, ...) \
    ({ \
        uint result; \
        __asm__ volatile(".insn r " instruction : "=r"(result) : __VA_ARGS__ : "memory"); \
        result; \
    })

BUILT_IN uint warploom_ballot(uint value) { return TOGETHER("0x0B, 2, 0, %0, %1, x0", "r"(value)); }

BUILT_IN uint warploom_popc(uint value) {
    uint count;
    __asm__(".insn i 0x13, 1, %0, %1, 0x602" : "=r"(count) : "r"(value));
    return count;
}

#define ACCUMULATE(space) \
    BUILT_IN uint warploom_cond_acc(space uint *base, uint predicate, uint value) { \
        return TOGETHER("0x2B, 2, 0, %0, %1, %2", "r"((uint)base | (predicate != 0)), "r"(value)); \
    } \
    BUILT_IN uint warploom_cond_acc_h(space ushort *base, uint predicate, uint value) { \
        return TOGETHER("0x2B, 1, 0, %0, %1, %2", "r"((uint)base | (predicate != 0)), "r"(value)); \
    }

ACCUMULATE(__global)
ACCUMULATE(__local)
