/* Included before every OpenCL C kernel: what OpenCL C 1.2 does not declare and costs nothing to have. */
size_t __attribute__((overloadable, const)) get_global_linear_id(void);
size_t __attribute__((overloadable, const)) get_local_linear_id(void);
size_t __attribute__((overloadable, const)) get_enqueued_local_size(uint dimension);

/* What the work-items of a warp do together; but for the ballot on cores with warp instructions. */
uint __attribute__((overloadable)) warploom_ballot(uint value);
uint __attribute__((overloadable, const)) warploom_popc(uint value);
uint __attribute__((overloadable)) warploom_cond_acc(__global uint *base, uint predicate, uint value);
uint __attribute__((overloadable)) warploom_cond_acc(__local uint *base, uint predicate, uint value);
uint __attribute__((overloadable)) warploom_cond_acc_h(__global ushort *base, uint predicate, uint value);
uint __attribute__((overloadable)) warploom_cond_acc_h(__local ushort *base, uint predicate, uint value);
/* The shift is in the instruction: a constant. */
#define warploom_tree_traverse(base, predicate, shift) \
    ({ \
        uint warploom_result; \
        __asm__ volatile(".insn r 0x2B, 4, %3, %0, %1, %2" \
            : "=r"(warploom_result) : "r"((uint)(base)), "r"((uint)(predicate)), "i"(shift)); \
        warploom_result; \
    })

/* What clang 14 does declare, but only where numbers of 16 bits can be computed with. */
#define WARPLOOM_LOAD(name, n, space) float##n __attribute__((overloadable, pure)) name##n(size_t, const space half *);
#define WARPLOOM_STORE(name, n, suffix, space) void __attribute__((overloadable)) name##n##suffix(float##n, size_t, space half *);
#define WARPLOOM_STORES(name, n, space) \
    WARPLOOM_STORE(name, n, , space) \
    WARPLOOM_STORE(name, n, _rte, space) \
    WARPLOOM_STORE(name, n, _rtz, space) \
    WARPLOOM_STORE(name, n, _rtp, space) \
    WARPLOOM_STORE(name, n, _rtn, space)
#define WARPLOOM_HALVES(n) \
    WARPLOOM_LOAD(vload_half, n, __constant) \
    WARPLOOM_LOAD(vloada_half, n, __constant) \
    WARPLOOM_HALVES_IN(n, __global) \
    WARPLOOM_HALVES_IN(n, __local) \
    WARPLOOM_HALVES_IN(n, __private)
#define WARPLOOM_HALVES_IN(n, space) \
    WARPLOOM_LOAD(vload_half, n, space) \
    WARPLOOM_LOAD(vloada_half, n, space) \
    WARPLOOM_STORES(vstore_half, n, space) \
    WARPLOOM_STORES(vstorea_half, n, space)
WARPLOOM_HALVES()
WARPLOOM_HALVES(2)
WARPLOOM_HALVES(3)
WARPLOOM_HALVES(4)
WARPLOOM_HALVES(8)
WARPLOOM_HALVES(16)
