/* What a kernel in C may use. A kernel is `void kernel(...)` with up to 256 words of arguments. */
#ifndef WARPLOOM_H
#define WARPLOOM_H

typedef unsigned int u32;
typedef int i32;

#define WARPLOOM_CSR(name, number) \
    static inline u32 name(void) { \
        u32 value; \
        __asm__("csrr %0, " #number : "=r"(value)); \
        return value; \
    }

/* Place of the thread in its CTA, of the CTA in the grid, and their sizes. */
WARPLOOM_CSR(tid_x, 0xCC0)
WARPLOOM_CSR(tid_y, 0xCC1)
WARPLOOM_CSR(tid_z, 0xCC2)
WARPLOOM_CSR(ctaid_x, 0xCC3)
WARPLOOM_CSR(ctaid_y, 0xCC4)
WARPLOOM_CSR(ctaid_z, 0xCC5)
WARPLOOM_CSR(ntid_x, 0xCC6)
WARPLOOM_CSR(ntid_y, 0xCC7)
WARPLOOM_CSR(ntid_z, 0xCC8)
WARPLOOM_CSR(nctaid_x, 0xCC9)
WARPLOOM_CSR(nctaid_y, 0xCCA)
WARPLOOM_CSR(nctaid_z, 0xCCB)
WARPLOOM_CSR(lane, 0xCCC)

/* Number of the thread in a one-dimensional grid. */
static inline u32 global_x(void) { return ctaid_x() * ntid_x() + tid_x(); }

/* Waits for every live thread of the CTA. External and convergent, so that the compiler keeps it single (crt0.s). */
__attribute__((convergent)) void barrier(void);

/* What the lanes that execute it do together, all at the same place of the program (toolchain/together.rs). */
#define WARPLOOM_TOGETHER(instruction, ...) \
    (__extension__({ \
        u32 result; \
        __asm__ volatile(".insn r " instruction : "=r"(result) : __VA_ARGS__ : "memory"); \
        result; \
    }))

/* No instruction, but a place as well: lanes of a warp that have parted meet before what follows. */
__attribute__((convergent)) static inline void warploom_meet(void) { __asm__ volatile("" ::: "memory"); }

/* Lanes of the warp, among those executing this, whose `value` is not 0. */
__attribute__((convergent)) static inline u32 ballot(u32 value) { return WARPLOOM_TOGETHER("0x0B, 2, 0, %0, %1, x0", "r"(value)); }

/* Shared memory of the CTA: as many bytes as the variables in section .bss.shared, or those that a host asks for. */
#define SHARED_MEMORY ((void *)0x20000000)

static inline u32 atomic_add(u32 *at, u32 value) { return __atomic_fetch_add(at, value, __ATOMIC_RELAXED); }
static inline u32 atomic_or(u32 *at, u32 value) { return __atomic_fetch_or(at, value, __ATOMIC_RELAXED); }
static inline u32 atomic_exchange(u32 *at, u32 value) { return __atomic_exchange_n(at, value, __ATOMIC_RELAXED); }

#define WARPLOOM_ATOMIC(name, operation) \
    static inline u32 name(u32 *at, u32 value) { \
        u32 old; \
        __asm__ volatile(#operation " %0, %2, (%1)" : "=r"(old) : "r"(at), "r"(value) : "memory"); \
        return old; \
    }

WARPLOOM_ATOMIC(atomic_min, amominu.w)
WARPLOOM_ATOMIC(atomic_max, amomaxu.w)

__attribute__((convergent)) static inline u32 warploom_ballot(u32 value) { return ballot(value); }

/* For cores with warp instructions (--isa rv32ima_xwarp). The next two: lanes whose `predicate` is not 0 store `value` one behind the other from
   `base` on, and all are told how many. */
__attribute__((convergent)) static inline u32 warploom_cond_acc(u32 *base, u32 predicate, u32 value) {
    return WARPLOOM_TOGETHER("0x2B, 2, 0, %0, %1, %2", "r"((u32)base | (predicate != 0)), "r"(value));
}
__attribute__((convergent)) static inline u32 warploom_cond_acc_h(unsigned short *base, u32 predicate, u32 value) {
    return WARPLOOM_TOGETHER("0x2B, 1, 0, %0, %1, %2", "r"((u32)base | (predicate != 0)), "r"(value));
}
/* With `shift` a number of 0 to 31, `base` + (the number of lanes whose `predicate` is not 0 << shift). */
#define warploom_tree_traverse(base, predicate, shift) \
    WARPLOOM_TOGETHER("0x2B, 4, %3, %0, %1, %2", "r"((u32)(base)), "r"((u32)(predicate)), "i"(shift))

/* Bits of `value` that are set. */
static inline u32 warploom_popc(u32 value) {
    u32 count;
    __asm__(".insn i 0x13, 1, %0, %1, 0x602" : "=r"(count) : "r"(value));
    __builtin_assume(count <= 32);
    return count;
}

#endif
