/* The conversions of OpenCL C that saturate or name a rounding mode. They are many: compiled only for kernels that use one. */
#include "built_ins.h"

/* A float as an integer that is a float still. */
static float rounded(float a) { return __builtin_truncf(a); }
static float rounded_rtz(float a) { return __builtin_truncf(a); }
static float rounded_rte(float a) { return __builtin_rintf(a); }
static float rounded_rtp(float a) { return __builtin_ceilf(a); }
static float rounded_rtn(float a) { return __builtin_floorf(a); }

/* 32 bits to a float, in a mode of its own. */
#define FROM_32(T, instruction, letter) \
    static float to_float##letter##_rtz(T a) { float f; __asm__(instruction " %0, %1, rtz" : "=f"(f) : "r"(a)); return f; } \
    static float to_float##letter##_rtp(T a) { float f; __asm__(instruction " %0, %1, rup" : "=f"(f) : "r"(a)); return f; } \
    static float to_float##letter##_rtn(T a) { float f; __asm__(instruction " %0, %1, rdn" : "=f"(f) : "r"(a)); return f; }

FROM_32(int, "fcvt.s.w", i)
FROM_32(uint, "fcvt.s.wu", j)

/* 64 bits: the highest 24 that there are, and one more if the mode says so for what is left. */
static float from_64(ulong a, bool up) {
    if (a == 0)
        return 0;
    int shift = 40 - __builtin_clzl(a);
    if (shift <= 0)
        return (float)(uint)a;
    uint high = (uint)(a >> shift);
    high += up && (ulong)high << shift != a;
    return (float)high * as_float((uint)(127 + shift) << 23);
}
static float to_floatm_rtz(ulong a) { return from_64(a, false); }
static float to_floatm_rtp(ulong a) { return from_64(a, true); }
static float to_floatm_rtn(ulong a) { return from_64(a, false); }
static float to_floatl_rtz(long a) { return a < 0 ? -from_64(0 - (ulong)a, false) : from_64((ulong)a, false); }
static float to_floatl_rtp(long a) { return a < 0 ? -from_64(0 - (ulong)a, false) : from_64((ulong)a, true); }
static float to_floatl_rtn(long a) { return a < 0 ? -from_64(0 - (ulong)a, true) : from_64((ulong)a, false); }

#define CONVERSION(T, F, suffix, expression) \
    BUILT_IN T convert_##T##suffix(F a) { return expression; } \
    CONVERSION_N(2, T, F, suffix) \
    CONVERSION_N(3, T, F, suffix) \
    CONVERSION_N(4, T, F, suffix) \
    CONVERSION_N(8, T, F, suffix) \
    CONVERSION_N(16, T, F, suffix)
#define CONVERSION_N(n, T, F, suffix) \
    BUILT_IN T##n convert_##T##n##suffix(F##n a) { \
        T##n result; \
        for (int k = 0; k < n; k++) \
            result[k] = convert_##T##suffix(a[k]); \
        return result; \
    }

/* Among integers the mode says nothing. */
#define IN_ALL_MODES(define, T, F, suffix, expression) \
    define(T, F, suffix, expression) \
    define(T, F, suffix##_rte, expression) \
    define(T, F, suffix##_rtz, expression) \
    define(T, F, suffix##_rtp, expression) \
    define(T, F, suffix##_rtn, expression)
#define IN_MODES(define, T, F, expression) \
    define(T, F, _rte, expression) \
    define(T, F, _rtz, expression) \
    define(T, F, _rtp, expression) \
    define(T, F, _rtn, expression)

/* NaN is 0. The ends of long are no floats, their neighbours outside are. */
#define SATURATED_FLOAT(T, suffix, low, high) \
    ({ \
        float r = rounded##suffix(a); \
        r != r ? (T)0 : r <= (float)(low) ? (T)(low) : r >= (float)(high) ? (T)(high) : (T)r; \
    })

#define TO_INTEGER_FROM(T, F, low, high) \
    IN_MODES(CONVERSION, T, F, (T)a) \
    IN_ALL_MODES(CONVERSION, T, F, _sat, (T)((long)a < (long)(low) ? (low) : (long)a > (long)(high) ? (high) : a))
/* From ulong: only the higher end, as there is no wider type with a sign. */
#define TO_INTEGER_FROM_ULONG(T, high) \
    IN_MODES(CONVERSION, T, ulong, (T)a) \
    IN_ALL_MODES(CONVERSION, T, ulong, _sat, a > (ulong)(high) ? (T)(high) : (T)a)
#define TO_INTEGER_FROM_FLOAT(T, low, high) \
    CONVERSION(T, float, _rte, (T)rounded_rte(a)) \
    CONVERSION(T, float, _rtz, (T)a) \
    CONVERSION(T, float, _rtp, (T)rounded_rtp(a)) \
    CONVERSION(T, float, _rtn, (T)rounded_rtn(a)) \
    CONVERSION(T, float, _sat, SATURATED_FLOAT(T, , low, high)) \
    CONVERSION(T, float, _sat_rte, SATURATED_FLOAT(T, _rte, low, high)) \
    CONVERSION(T, float, _sat_rtz, SATURATED_FLOAT(T, _rtz, low, high)) \
    CONVERSION(T, float, _sat_rtp, SATURATED_FLOAT(T, _rtp, low, high)) \
    CONVERSION(T, float, _sat_rtn, SATURATED_FLOAT(T, _rtn, low, high))

#define TO_INTEGER(T, low, high) \
    TO_INTEGER_FROM(T, char, low, high) \
    TO_INTEGER_FROM(T, uchar, low, high) \
    TO_INTEGER_FROM(T, short, low, high) \
    TO_INTEGER_FROM(T, ushort, low, high) \
    TO_INTEGER_FROM(T, int, low, high) \
    TO_INTEGER_FROM(T, uint, low, high) \
    TO_INTEGER_FROM(T, long, low, high) \
    TO_INTEGER_FROM_ULONG(T, high) \
    TO_INTEGER_FROM_FLOAT(T, low, high)

TO_INTEGER(char, CHAR_MIN, CHAR_MAX)
TO_INTEGER(uchar, 0, UCHAR_MAX)
TO_INTEGER(short, SHRT_MIN, SHRT_MAX)
TO_INTEGER(ushort, 0, USHRT_MAX)
TO_INTEGER(int, INT_MIN, INT_MAX)
TO_INTEGER(uint, 0, UINT_MAX)
TO_INTEGER(long, LONG_MIN, LONG_MAX)

/* Every signed number but those below 0 is a ulong. */
#define TO_ULONG_FROM(F) \
    IN_MODES(CONVERSION, ulong, F, (ulong)a) \
    IN_ALL_MODES(CONVERSION, ulong, F, _sat, a < 0 ? 0 : (ulong)a)
#define TO_ULONG_FROM_UNSIGNED(F) \
    IN_MODES(CONVERSION, ulong, F, (ulong)a) \
    IN_ALL_MODES(CONVERSION, ulong, F, _sat, (ulong)a)

TO_ULONG_FROM(char)
TO_ULONG_FROM(short)
TO_ULONG_FROM(int)
TO_ULONG_FROM(long)
TO_ULONG_FROM_UNSIGNED(uchar)
TO_ULONG_FROM_UNSIGNED(ushort)
TO_ULONG_FROM_UNSIGNED(uint)
TO_ULONG_FROM_UNSIGNED(ulong)
TO_INTEGER_FROM_FLOAT(ulong, 0, ULONG_MAX)

/* Numbers of up to 16 bits, and floats, are floats as they are. */
#define TO_FLOAT_EXACTLY(F) IN_MODES(CONVERSION, float, F, (float)a)
#define TO_FLOAT(F, letter) \
    CONVERSION(float, F, _rte, (float)a) \
    CONVERSION(float, F, _rtz, to_float##letter##_rtz(a)) \
    CONVERSION(float, F, _rtp, to_float##letter##_rtp(a)) \
    CONVERSION(float, F, _rtn, to_float##letter##_rtn(a))

TO_FLOAT_EXACTLY(char)
TO_FLOAT_EXACTLY(uchar)
TO_FLOAT_EXACTLY(short)
TO_FLOAT_EXACTLY(ushort)
TO_FLOAT_EXACTLY(float)
TO_FLOAT(int, i)
TO_FLOAT(uint, j)
TO_FLOAT(long, l)
TO_FLOAT(ulong, m)
