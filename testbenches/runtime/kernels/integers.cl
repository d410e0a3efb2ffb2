/* The built-in functions of OpenCL C on integers. */
#include "built_ins.h"

/* Atomics, under their names of OpenCL 1.1 (atomic_) and of the extensions of 1.0 (atom_). */

#define ATOMIC(prefix, space, T) \
    BUILT_IN T prefix##add(volatile space T *p, T v) { return __atomic_fetch_add(p, v, __ATOMIC_RELAXED); } \
    BUILT_IN T prefix##sub(volatile space T *p, T v) { return __atomic_fetch_sub(p, v, __ATOMIC_RELAXED); } \
    BUILT_IN T prefix##xchg(volatile space T *p, T v) { return __atomic_exchange_n(p, v, __ATOMIC_RELAXED); } \
    BUILT_IN T prefix##inc(volatile space T *p) { return __atomic_fetch_add(p, (T)1, __ATOMIC_RELAXED); } \
    BUILT_IN T prefix##dec(volatile space T *p) { return __atomic_fetch_sub(p, (T)1, __ATOMIC_RELAXED); } \
    BUILT_IN T prefix##min(volatile space T *p, T v) { return __atomic_fetch_min(p, v, __ATOMIC_RELAXED); } \
    BUILT_IN T prefix##max(volatile space T *p, T v) { return __atomic_fetch_max(p, v, __ATOMIC_RELAXED); } \
    BUILT_IN T prefix##and(volatile space T *p, T v) { return __atomic_fetch_and(p, v, __ATOMIC_RELAXED); } \
    BUILT_IN T prefix##or(volatile space T *p, T v) { return __atomic_fetch_or(p, v, __ATOMIC_RELAXED); } \
    BUILT_IN T prefix##xor(volatile space T *p, T v) { return __atomic_fetch_xor(p, v, __ATOMIC_RELAXED); } \
    BUILT_IN T prefix##cmpxchg(volatile space T *p, T expected, T v) { \
        __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
        return expected; \
    }

#define ATOMICS(space) \
    ATOMIC(atomic_, space, int) \
    ATOMIC(atomic_, space, uint) \
    ATOMIC(atom_, space, int) \
    ATOMIC(atom_, space, uint)

ATOMICS(__global)
ATOMICS(__local)

/* Integers. Written so that the same text is right for a scalar and for a vector. U is T without sign. */

#define COMMON(T, U, bits) \
    BUILT_IN T min(T a, T b) { return a < b ? a : b; } \
    BUILT_IN T max(T a, T b) { return a > b ? a : b; } \
    BUILT_IN T clamp(T a, T low, T high) { return min(max(a, low), high); } \
    BUILT_IN T rotate(T a, T by) { \
        U n = __builtin_astype(by, U) & (U)(bits - 1), m = ((U)bits - n) & (U)(bits - 1); \
        U u = __builtin_astype(a, U); \
        return __builtin_astype((U)(u << n | u >> m), T); \
    } \
    BUILT_IN T hadd(T a, T b) { return (a >> (T)1) + (b >> (T)1) + (a & b & (T)1); } \
    BUILT_IN T rhadd(T a, T b) { return (a >> (T)1) + (b >> (T)1) + ((a | b) & (T)1); } \
    BUILT_IN T bitselect(T a, T b, T mask) { return (a & ~mask) | (b & mask); }

#define UNSIGNED(T, bits) \
    BUILT_IN T abs(T a) { return a; } \
    BUILT_IN T abs_diff(T a, T b) { return a > b ? a - b : b - a; } \
    BUILT_IN T add_sat(T a, T b) { T sum = a + b; return sum < a ? (T)LARGEST_U##bits : sum; } \
    BUILT_IN T sub_sat(T a, T b) { return a < b ? (T)0 : a - b; }

#define SIGNED(T, U, bits) \
    BUILT_IN U abs(T a) { U u = __builtin_astype(a, U); return a < (T)0 ? (U)0 - u : u; } \
    BUILT_IN U abs_diff(T a, T b) { \
        U u = __builtin_astype(a, U), v = __builtin_astype(b, U); \
        return a > b ? u - v : v - u; \
    } \
    BUILT_IN T add_sat(T a, T b) { \
        T sum = __builtin_astype((U)(__builtin_astype(a, U) + __builtin_astype(b, U)), T); \
        T end = a < (T)0 ? (T)SMALLEST_S##bits : (T)LARGEST_S##bits; \
        return ((a ^ sum) & (b ^ sum)) < (T)0 ? end : sum; \
    } \
    BUILT_IN T sub_sat(T a, T b) { \
        T difference = __builtin_astype((U)(__builtin_astype(a, U) - __builtin_astype(b, U)), T); \
        T end = a < (T)0 ? (T)SMALLEST_S##bits : (T)LARGEST_S##bits; \
        return ((a ^ b) & (a ^ difference)) < (T)0 ? end : difference; \
    }

#define LARGEST_U8 UCHAR_MAX
#define LARGEST_U16 USHRT_MAX
#define LARGEST_U32 UINT_MAX
#define LARGEST_U64 ULONG_MAX
#define LARGEST_S8 CHAR_MAX
#define LARGEST_S16 SHRT_MAX
#define LARGEST_S32 INT_MAX
#define LARGEST_S64 LONG_MAX
#define SMALLEST_S8 CHAR_MIN
#define SMALLEST_S16 SHRT_MIN
#define SMALLEST_S32 INT_MIN
#define SMALLEST_S64 LONG_MIN

#define WITH_SCALAR(T, E) \
    BUILT_IN T min(T a, E b) { return min(a, (T)b); } \
    BUILT_IN T max(T a, E b) { return max(a, (T)b); } \
    BUILT_IN T clamp(T a, E low, E high) { return clamp(a, (T)low, (T)high); }

#define OF_WIDTH(S, U, n, bits) \
    COMMON(S##n, U##n, bits) \
    COMMON(U##n, U##n, bits) \
    SIGNED(S##n, U##n, bits) \
    UNSIGNED(U##n, bits)

#define OF_VECTOR(S, U, n, bits) \
    OF_WIDTH(S, U, n, bits) \
    WITH_SCALAR(S##n, S) \
    WITH_SCALAR(U##n, U) \
    SELECT_VECTOR(S##n, S##n, S##n) \
    SELECT_VECTOR(S##n, U##n, S##n) \
    SELECT_VECTOR(U##n, S##n, S##n) \
    SELECT_VECTOR(U##n, U##n, S##n)

#define OF_TYPE(S, U, bits) \
    OF_WIDTH(S, U, , bits) \
    SELECT(S, S) \
    SELECT(S, U) \
    SELECT(U, S) \
    SELECT(U, U) \
    OF_VECTOR(S, U, 2, bits) \
    OF_VECTOR(S, U, 3, bits) \
    OF_VECTOR(S, U, 4, bits) \
    OF_VECTOR(S, U, 8, bits) \
    OF_VECTOR(S, U, 16, bits)

OF_TYPE(char, uchar, 8)
OF_TYPE(short, ushort, 16)
OF_TYPE(int, uint, 32)
OF_TYPE(long, ulong, 64)

/* Of scalars, and of vectors element by element. */

#define HIGH_HALF(T, wide, bits) \
    BUILT_IN T mul_hi(T a, T b) { return (T)((wide)a * (wide)b >> bits); } \
    BUILT_IN T mad_hi(T a, T b, T c) { return mul_hi(a, b) + c; } \
    VECTORS(OF_2, T, mul_hi, T, T) \
    VECTORS(OF_3, T, mad_hi, T, T, T)

HIGH_HALF(char, int, 8)
HIGH_HALF(uchar, uint, 8)
HIGH_HALF(short, int, 16)
HIGH_HALF(ushort, uint, 16)
HIGH_HALF(int, long, 32)
HIGH_HALF(uint, ulong, 32)

#define COUNT(T, U, bits) \
    BUILT_IN T popcount(T a) { return (T)(bits < 64 ? __builtin_popcount((U)a) : __builtin_popcountl((U)a)); } \
    BUILT_IN T clz(T a) { \
        U u = (U)a; \
        if (u == 0) \
            return bits; \
        return (T)(bits < 64 ? __builtin_clz(u) - (32 - bits) : __builtin_clzl(u)); \
    } \
    VECTORS(OF_1, T, popcount, T) \
    VECTORS(OF_1, T, clz, T)

COUNT(char, uchar, 8)
COUNT(uchar, uchar, 8)
COUNT(short, ushort, 16)
COUNT(ushort, ushort, 16)
COUNT(int, uint, 32)
COUNT(uint, uint, 32)
COUNT(long, ulong, 64)
COUNT(ulong, ulong, 64)

#define LOW_24(T) \
    BUILT_IN T mul24(T a, T b) { return a * b; } \
    BUILT_IN T mad24(T a, T b, T c) { return a * b + c; } \
    VECTORS(OF_2, T, mul24, T, T) \
    VECTORS(OF_3, T, mad24, T, T, T)

LOW_24(int)
LOW_24(uint)

#define UPSAMPLE(T, high, low, bits) \
    BUILT_IN T upsample(high a, low b) { return (T)((ulong)a << bits | b); } \
    VECTORS(OF_2, T, upsample, high, low)

UPSAMPLE(short, char, uchar, 8)
UPSAMPLE(ushort, uchar, uchar, 8)
UPSAMPLE(int, short, ushort, 16)
UPSAMPLE(uint, ushort, ushort, 16)
UPSAMPLE(long, int, uint, 32)
UPSAMPLE(ulong, uint, uint, 32)

BUILT_IN int mad_sat(int a, int b, int c) {
    long sum = (long)a * b + c;
    return (int)(sum < INT_MIN ? INT_MIN : sum > INT_MAX ? INT_MAX : sum);
}
VECTORS(OF_3, int, mad_sat, int, int, int)

BUILT_IN uint mad_sat(uint a, uint b, uint c) {
    ulong sum = (ulong)a * b + c;
    return (uint)(sum > UINT_MAX ? UINT_MAX : sum);
}
VECTORS(OF_3, uint, mad_sat, uint, uint, uint)

/* Whether the highest bit is set. */

#define ANY_ALL_N(n, T) \
    BUILT_IN int any(T##n a) { \
        T bits = 0; \
        for (int k = 0; k < n; k++) \
            bits |= a[k]; \
        return bits < 0; \
    } \
    BUILT_IN int all(T##n a) { \
        T bits = -1; \
        for (int k = 0; k < n; k++) \
            bits &= a[k]; \
        return bits < 0; \
    }
#define ANY_ALL(T) \
    BUILT_IN int any(T a) { return a < 0; } \
    BUILT_IN int all(T a) { return a < 0; } \
    VECTORS(ANY_ALL_N, T)

ANY_ALL(char)
ANY_ALL(short)
ANY_ALL(int)
ANY_ALL(long)

/* Vectors in memory without alignment, and from one type to another. */

OF_ELEMENT(char)
OF_ELEMENT(uchar)
OF_ELEMENT(short)
OF_ELEMENT(ushort)
OF_ELEMENT(int)
OF_ELEMENT(uint)
OF_ELEMENT(long)
OF_ELEMENT(ulong)
