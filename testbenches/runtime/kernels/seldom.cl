/* Built-in functions of OpenCL C that few kernels use: copies of a work-group, shuffles, and float numbers of 16 bits in
 * memory. Compiled only for kernels that use one. */
#include "built_ins.h"

/* Copies: every work-item copies its share at once, and waits for the others when it waits for the copy. */

static size_t item(void) {
    return (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
}
static size_t items(void) { return get_local_size(0) * get_local_size(1) * get_local_size(2); }

#define COPY(T, to, from) \
    BUILT_IN event_t async_work_group_copy(to T *p, const from T *q, size_t n, event_t event) { \
        for (size_t k = item(); k < n; k += items()) \
            p[k] = q[k]; \
        return event; \
    }
#define COPIES_OF(T) \
    COPY(T, __local, __global) \
    COPY(T, __global, __local) \
    BUILT_IN event_t async_work_group_strided_copy(__local T *p, const __global T *q, size_t n, size_t s, event_t event) { \
        for (size_t k = item(); k < n; k += items()) \
            p[k] = q[k * s]; \
        return event; \
    } \
    BUILT_IN event_t async_work_group_strided_copy(__global T *p, const __local T *q, size_t n, size_t s, event_t event) { \
        for (size_t k = item(); k < n; k += items()) \
            p[k * s] = q[k]; \
        return event; \
    } \
    BUILT_IN void prefetch(const __global T *p, size_t n) {}
#define COPIES_OF_N(n, T) COPIES_OF(T##n)
#define COPIES(T) \
    COPIES_OF(T) \
    VECTORS(COPIES_OF_N, T)

/* By the name that clang gives it, with a pointer that OpenCL 1.2 has no word for. */
void wait(int n, event_t *events) __asm__("_Z17wait_group_eventsiPU9CLgeneric9ocl_event");
void wait(int n, event_t *events) { barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); }

/* Shuffles. The mask's elements are as wide as those that are shuffled. */

#define SHUFFLE(n, m, T, U) \
    BUILT_IN T##n shuffle(T##m a, U##n mask) { \
        T##n result; \
        for (int k = 0; k < n; k++) \
            result[k] = a[mask[k] & (m - 1)]; \
        return result; \
    } \
    BUILT_IN T##n shuffle2(T##m a, T##m b, U##n mask) { \
        T##n result; \
        for (int k = 0; k < n; k++) \
            result[k] = mask[k] & m ? b[mask[k] & (m - 1)] : a[mask[k] & (m - 1)]; \
        return result; \
    }
#define SHUFFLES_OF(m, T, U) \
    SHUFFLE(2, m, T, U) \
    SHUFFLE(4, m, T, U) \
    SHUFFLE(8, m, T, U) \
    SHUFFLE(16, m, T, U)
#define SHUFFLES(T, U) \
    SHUFFLES_OF(2, T, U) \
    SHUFFLES_OF(4, T, U) \
    SHUFFLES_OF(8, T, U) \
    SHUFFLES_OF(16, T, U)

#define OF_TYPE(T, U) \
    COPIES(T) \
    SHUFFLES(T, U)

OF_TYPE(char, uchar)
OF_TYPE(uchar, uchar)
OF_TYPE(short, ushort)
OF_TYPE(ushort, ushort)
OF_TYPE(int, uint)
OF_TYPE(uint, uint)
OF_TYPE(long, ulong)
OF_TYPE(ulong, ulong)
OF_TYPE(float, uint)

/* Numbers of 16 bits. */

static float from_half(ushort half_bits) {
    uint magnitude = half_bits & 0x7FFF, sign = (uint)(half_bits & 0x8000) << 16;
    float finite = as_float(magnitude << 13) * 0x1p112f;
    return as_float((magnitude < 0x7C00 ? as_uint(finite) : magnitude << 13 | 0x7F800000) | sign);
}

enum { RTE, RTZ, RTP, RTN };

/* All beyond the largest number is next to it: the mode says whether that is infinity. */
static ushort to_half(float a, int mode) {
    uint magnitude = as_uint(a) & 0x7FFFFFFF, sign = as_uint(a) >> 31, kept, rest;
    if (magnitude >= 0x7F800000)
        return (ushort)(sign << 15 | 0x7C00 | (magnitude > 0x7F800000 ? 0x200 : 0));
    if (magnitude > 0x477FFFFF)
        magnitude = 0x477FFFFF;
    if (magnitude >= 0x38800000) {
        kept = (magnitude >> 13) - (112 << 10);
        rest = magnitude << 19;
    } else {
        int exponent = (int)(magnitude >> 23), shift = exponent < 95 ? 31 : 126 - exponent;
        uint significand = exponent == 0 ? magnitude : (magnitude & 0x7FFFFF) | 0x800000;
        kept = significand >> shift;
        rest = significand << (32 - shift);
    }
    bool up = mode == (sign ? RTN : RTP) && rest != 0;
    bool to_nearest = mode == RTE && (rest > 0x80000000 || (rest == 0x80000000 && kept & 1));
    return (ushort)(sign << 15 | (kept + (up || to_nearest)));
}

/* The aligned ones have room for four where there are three. */
#define LOAD_HALVES(n, name, stride, space) \
    BUILT_IN float##n name##n(size_t i, const space half *p) { \
        float##n result; \
        for (int k = 0; k < n; k++) \
            result[k] = from_half(((const space ushort *)p)[i * stride + k]); \
        return result; \
    }
#define LOAD(space) \
    BUILT_IN float vload_half(size_t i, const space half *p) { return from_half(((const space ushort *)p)[i]); } \
    BUILT_IN float vloada_half(size_t i, const space half *p) { return from_half(((const space ushort *)p)[i]); } \
    LOAD_HALVES(2, vload_half, 2, space) \
    LOAD_HALVES(3, vload_half, 3, space) \
    LOAD_HALVES(4, vload_half, 4, space) \
    LOAD_HALVES(8, vload_half, 8, space) \
    LOAD_HALVES(16, vload_half, 16, space) \
    LOAD_HALVES(2, vloada_half, 2, space) \
    LOAD_HALVES(3, vloada_half, 4, space) \
    LOAD_HALVES(4, vloada_half, 4, space) \
    LOAD_HALVES(8, vloada_half, 8, space) \
    LOAD_HALVES(16, vloada_half, 16, space)

LOAD(__global)
LOAD(__constant)
LOAD(__local)
LOAD(__private)

#define STORE_HALVES(n, name, stride, space, suffix, mode) \
    BUILT_IN void name##n##suffix(float##n v, size_t i, space half *p) { \
        for (int k = 0; k < n; k++) \
            ((space ushort *)p)[i * stride + k] = to_half(v[k], mode); \
    }
#define STORE_IN(space, suffix, mode) \
    BUILT_IN void vstore_half##suffix(float v, size_t i, space half *p) { ((space ushort *)p)[i] = to_half(v, mode); } \
    BUILT_IN void vstorea_half##suffix(float v, size_t i, space half *p) { ((space ushort *)p)[i] = to_half(v, mode); } \
    STORE_HALVES(2, vstore_half, 2, space, suffix, mode) \
    STORE_HALVES(3, vstore_half, 3, space, suffix, mode) \
    STORE_HALVES(4, vstore_half, 4, space, suffix, mode) \
    STORE_HALVES(8, vstore_half, 8, space, suffix, mode) \
    STORE_HALVES(16, vstore_half, 16, space, suffix, mode) \
    STORE_HALVES(2, vstorea_half, 2, space, suffix, mode) \
    STORE_HALVES(3, vstorea_half, 4, space, suffix, mode) \
    STORE_HALVES(4, vstorea_half, 4, space, suffix, mode) \
    STORE_HALVES(8, vstorea_half, 8, space, suffix, mode) \
    STORE_HALVES(16, vstorea_half, 16, space, suffix, mode)
#define STORE(space) \
    STORE_IN(space, , RTE) \
    STORE_IN(space, _rte, RTE) \
    STORE_IN(space, _rtz, RTZ) \
    STORE_IN(space, _rtp, RTP) \
    STORE_IN(space, _rtn, RTN)

STORE(__global)
STORE(__local)
STORE(__private)
