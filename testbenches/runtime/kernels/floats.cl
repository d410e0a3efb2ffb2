/* The built-in functions of OpenCL C on floats. Those that need series and tables are libclc's (libclc.cl). */
#include "built_ins.h"

/* With a pointer to a second result, of type P, in any memory. */
#define OF_1_POINTER(n, name, P, space) \
    BUILT_IN float##n name(float##n a, space P##n *p) { \
        float##n result; \
        for (int k = 0; k < n; k++) { \
            P second; \
            result[k] = name(a[k], &second); \
            (*p)[k] = second; \
        } \
        return result; \
    }
#define OF_2_POINTER(n, name, P, space) \
    BUILT_IN float##n name(float##n a, float##n b, space P##n *p) { \
        float##n result; \
        for (int k = 0; k < n; k++) { \
            P second; \
            result[k] = name(a[k], b[k], &second); \
            (*p)[k] = second; \
        } \
        return result; \
    }

#define FUNCTION_1(name) VECTORS(OF_1, float, name, float)
#define FUNCTION_2(name) VECTORS(OF_2, float, name, float, float)
#define FUNCTION_3(name) VECTORS(OF_3, float, name, float, float, float)
#define FUNCTION_1_POINTER(name, P) \
    BUILT_IN float name(float a, __global P *p) { P second; float result = name(a, &second); *p = second; return result; } \
    BUILT_IN float name(float a, __local P *p) { P second; float result = name(a, &second); *p = second; return result; } \
    VECTORS(OF_1_POINTER, name, P, __private) \
    VECTORS(OF_1_POINTER, name, P, __global) \
    VECTORS(OF_1_POINTER, name, P, __local)

/* One instruction each. */

#define INSTRUCTION_1(name) \
    BUILT_IN float name(float a) { return __builtin_##name##f(a); } \
    FUNCTION_1(name)
#define INSTRUCTION_2(name) \
    BUILT_IN float name(float a, float b) { return __builtin_##name##f(a, b); } \
    FUNCTION_2(name)

INSTRUCTION_1(sqrt)
INSTRUCTION_1(fabs)
INSTRUCTION_2(copysign)
INSTRUCTION_2(fmin)
INSTRUCTION_2(fmax)

BUILT_IN float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
FUNCTION_3(fma)
BUILT_IN float mad(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
FUNCTION_3(mad)

/* Some instructions each (rounding.ll). */
INSTRUCTION_1(rint)
INSTRUCTION_1(floor)
INSTRUCTION_1(ceil)
INSTRUCTION_1(trunc)
INSTRUCTION_1(round)

/* From libclc. */

#define LIBCLC_1(name) \
    float libclc_##name(float); \
    BUILT_IN float name(float a) { return libclc_##name(a); } \
    FUNCTION_1(name)
#define LIBCLC_2(name) \
    float libclc_##name(float, float); \
    BUILT_IN float name(float a, float b) { return libclc_##name(a, b); } \
    FUNCTION_2(name)
#define LIBCLC_WITH_INT(name) \
    float libclc_##name(float, int); \
    BUILT_IN float name(float a, int b) { return libclc_##name(a, b); } \
    VECTORS(OF_2, float, name, float, int)

LIBCLC_1(acos)
LIBCLC_1(acosh)
LIBCLC_1(acospi)
LIBCLC_1(asin)
LIBCLC_1(asinh)
LIBCLC_1(asinpi)
LIBCLC_1(atan)
LIBCLC_2(atan2)
LIBCLC_1(atanh)
LIBCLC_1(atanpi)
LIBCLC_2(atan2pi)
LIBCLC_1(cbrt)
LIBCLC_1(cos)
LIBCLC_1(cosh)
LIBCLC_1(erf)
LIBCLC_1(exp10)
LIBCLC_1(expm1)
LIBCLC_2(hypot)
LIBCLC_1(log)
LIBCLC_1(log2)
LIBCLC_1(log10)
LIBCLC_1(log1p)
LIBCLC_2(pow)
LIBCLC_WITH_INT(pown)
LIBCLC_2(powr)
LIBCLC_1(sin)
LIBCLC_1(sinh)
LIBCLC_1(tan)
LIBCLC_1(tanh)

float libclc_sincos(float, float *);
BUILT_IN float sincos(float a, float *p) { return libclc_sincos(a, p); }
FUNCTION_1_POINTER(sincos, float)

/* From libclc, but for what it does not do well. */

/* It has no subnormal results. */
float libclc_exp(float);
BUILT_IN float exp(float a) {
    bool is_small = a < -87;
    float result = libclc_exp(is_small ? a + 32 : a);
    return is_small ? result * 0x1.c8464fp-47f : result;
}
FUNCTION_1(exp)
float libclc_exp2(float);
BUILT_IN float exp2(float a) {
    bool is_small = a < -126;
    float result = libclc_exp2(is_small ? a + 64 : a);
    return is_small ? result * 0x1p-64f : result;
}
FUNCTION_1(exp2)
float libclc_rootn(float, int);
BUILT_IN float rootn(float a, int n) { return n == 1 ? a : n == -1 ? 1 / a : libclc_rootn(a, n); }
VECTORS(OF_2, float, rootn, float, int)

/* It has the other sign of some zeros. */
float libclc_sinpi(float);
BUILT_IN float sinpi(float a) {
    float result = libclc_sinpi(a);
    return result != 0 ? result : copysign(0.0f, a);
}
FUNCTION_1(sinpi)
float libclc_cospi(float);
BUILT_IN float cospi(float a) { return libclc_cospi(a) + 0.0f; }
FUNCTION_1(cospi)
float libclc_tanpi(float);
BUILT_IN float tanpi(float a) {
    float result = libclc_tanpi(a), half_turns = a * 0.5f;
    return result != 0 ? result : copysign(0.0f, trunc(half_turns) == half_turns ? a : -a);
}
FUNCTION_1(tanpi)

/* It is wrong at minus infinity, and at negative numbers so small that their sign makes no difference. */
static float for_lgamma(float a) { return fabs(a) < 0x1p-30f || fabs(a) == INFINITY ? fabs(a) : a; }
float libclc_lgamma(float);
BUILT_IN float lgamma(float a) { return libclc_lgamma(for_lgamma(a)); }
FUNCTION_1(lgamma)
float libclc_lgamma_r(float, int *);
BUILT_IN float lgamma_r(float a, int *sign) {
    float result = libclc_lgamma_r(for_lgamma(a), sign);
    *sign = a < 0 && a > -0x1p-30f ? -1 : *sign;
    return result;
}
FUNCTION_1_POINTER(lgamma_r, int)

/* From what is above. */

BUILT_IN float rsqrt(float a) { return 1 / sqrt(a); }
FUNCTION_1(rsqrt)
BUILT_IN float fdim(float a, float b) { return a != a || b != b ? NAN : fmax(a - b, 0.0f); }
FUNCTION_2(fdim)
BUILT_IN float maxmag(float a, float b) {
    float x = fabs(a), y = fabs(b);
    return x > y ? a : y > x ? b : fmax(a, b);
}
FUNCTION_2(maxmag)
BUILT_IN float minmag(float a, float b) {
    float x = fabs(a), y = fabs(b);
    return x < y ? a : y < x ? b : fmin(a, b);
}
FUNCTION_2(minmag)
BUILT_IN float nan(uint code) { return as_float(0x7FC00000 | code); }
VECTORS(OF_1, float, nan, uint)

/* The next float: one more or less among the integers that are in order as the floats are. */
BUILT_IN float nextafter(float a, float b) {
    if (a != a || b != b)
        return NAN;
    if (a == b)
        return b;
    if (a == 0)
        return copysign(as_float(1), b);
    return as_float(as_int(a) + ((a < b) == (a > 0) ? 1 : -1));
}
FUNCTION_2(nextafter)

/* A factor is a float, so it may take three; one that goes down leaves the bits for the last to round. */
BUILT_IN float ldexp(float a, int exponent) {
    for (int k = 0; k < 2 && exponent > 127; k++) {
        a *= 0x1p127f;
        exponent -= 127;
    }
    for (int k = 0; k < 2 && exponent < -126; k++) {
        a *= 0x1p-102f;
        exponent += 102;
    }
    return a * as_float(((exponent < -126 ? -126 : exponent > 127 ? 127 : exponent) + 127) << 23);
}
VECTORS(OF_2, float, ldexp, float, int)

/* The exponent of a finite float that is not 0. */
static int exponent_of(float a) {
    bool subnormal = fabs(a) < FLT_MIN;
    a = subnormal ? a * 0x1p24f : a;
    return (as_int(a) >> 23 & 0xFF) - (subnormal ? 127 + 24 : 127);
}

BUILT_IN int ilogb(float a) {
    if (a == 0)
        return FP_ILOGB0;
    return fabs(a) < INFINITY ? exponent_of(a) : a == a ? INT_MAX : FP_ILOGBNAN;
}
VECTORS(OF_1, int, ilogb, float)
BUILT_IN float logb(float a) {
    if (a == 0)
        return -INFINITY;
    return fabs(a) < INFINITY ? (float)exponent_of(a) : a * a;
}
FUNCTION_1(logb)
BUILT_IN float frexp(float a, int *exponent) {
    bool is_number = a != 0 && fabs(a) < INFINITY;
    *exponent = is_number ? exponent_of(a) + 1 : 0;
    return is_number ? ldexp(a, -*exponent) : a;
}
FUNCTION_1_POINTER(frexp, int)
/* a modulo b, of positive numbers, by long division, and the last bits of the quotient. */
static float modulo(float a, float b, uint *quotient) {
    int exponent = exponent_of(b), steps = exponent_of(a) - exponent;
    *quotient = 0;
    if (steps < 0)
        return a;
    uint rest = (uint)(ldexp(a, -exponent - steps) * 0x1p23f), divisor = (uint)(ldexp(b, -exponent) * 0x1p23f);
    for (;; steps--) {
        bool fits = rest >= divisor;
        rest -= fits ? divisor : 0;
        *quotient = *quotient << 1 | fits;
        if (steps == 0)
            return ldexp((float)rest, exponent - 23);
        rest <<= 1;
    }
}

/* Of what there is no remainder. */
static bool is_indivisible(float a, float b) { return !(fabs(a) < INFINITY) || b == 0 || b != b; }

BUILT_IN float fmod(float a, float b) {
    uint quotient;
    if (is_indivisible(a, b))
        return NAN;
    return a == 0 || fabs(b) == INFINITY ? a : copysign(modulo(fabs(a), fabs(b), &quotient), a);
}
FUNCTION_2(fmod)
BUILT_IN float remquo(float a, float b, int *quotient) {
    float divisor = fabs(b);
    *quotient = 0;
    if (is_indivisible(a, b))
        return NAN;
    if (a == 0 || divisor == INFINITY)
        return a;
    uint bits;
    float rest = modulo(fabs(a), divisor, &bits);
    if (rest > divisor - rest || (rest == divisor - rest && bits & 1)) {
        rest -= divisor;
        bits++;
    }
    bits &= 0x7F;
    *quotient = (a < 0) == (b < 0) ? (int)bits : -(int)bits;
    return a < 0 ? -rest : rest;
}
BUILT_IN float remquo(float a, float b, __global int *p) { int q; float r = remquo(a, b, &q); *p = q; return r; }
BUILT_IN float remquo(float a, float b, __local int *p) { int q; float r = remquo(a, b, &q); *p = q; return r; }
VECTORS(OF_2_POINTER, remquo, int, __private)
VECTORS(OF_2_POINTER, remquo, int, __global)
VECTORS(OF_2_POINTER, remquo, int, __local)
BUILT_IN float remainder(float a, float b) {
    int quotient;
    return remquo(a, b, &quotient);
}
FUNCTION_2(remainder)

BUILT_IN float modf(float a, float *integer) {
    *integer = trunc(a);
    return copysign(fabs(a) == INFINITY ? 0.0f : a - *integer, a);
}
FUNCTION_1_POINTER(modf, float)
/* Below 1, also of a small negative number. */
BUILT_IN float fract(float a, float *integer) {
    *integer = floor(a);
    if (a == 0 || fabs(a) == INFINITY)
        return copysign(0.0f, a);
    return a == a ? fmin(a - *integer, 0x1.fffffep-1f) : a;
}
FUNCTION_1_POINTER(fract, float)

__constant float ERFC[] = {
    -0x1.afd102p-6f, -0x1.08644p-4f, 0x1.0e14eep-4f, 0x1.701248p-4f, -0x1.d2df4ep-4f,
    -0x1.4c36e8p-3f, 0x1.433e14p-3f, 0x1.19f90ap-1f, 0x1.559474p-1f, 0x1.fe8bf8p-2f,
};

/* 1 - erf(a) where that cancels: exp(-a * a) times a polynomial in t, for which the square is split in two and the result
 * may be subnormal. libclc is off by 63 units near 8. */
static float erfc_of_large(float a) {
    float t = 2 / (2 + a), u = t - 0x1.ed88dp-2f, p = ERFC[0];
    for (int k = 1; k < 10; k++)
        p = fma(p, u, ERFC[k]);
    float square = a * a, rest = fma(a, a, -square);
    bool is_small = square > 64;
    float result = libclc_exp(is_small ? 32 - square : -square) * (1 - rest) * (p * t);
    return is_small ? result * 0x1.c8464fp-47f : result;
}
BUILT_IN float erfc(float a) {
    if (a != a)
        return a;
    if (fabs(a) < 0.5f)
        return 1 - erf(a);
    float large = erfc_of_large(fmin(fabs(a), 11.0f));
    return a < 0 ? 2 - large : large;
}
FUNCTION_1(erfc)

__constant float GAMMA[] = {
    0x1.03e9ep-6f, -0x1.84c736p-6f, 0x1.946236p-6f, -0x1.291e44p-5f, 0x1.e133a6p-5f, -0x1.3e555cp-4f,
    0x1.2838bcp-3f, -0x1.b7717ep-4f, 0x1.a8c4ep-2f, 0x1.08ea4ep-5f, 0x1.c5bf8ap-1f,
};

/* Of 1 and more: a polynomial between 1 and 2, and factors. Their product needs more bits than a float has, and may be larger than the
 * result is. */
static float gamma_from_1(float a) {
    float product = 0x1p-24f, rest = 0;
    while (a > 2) {
        a -= 1;
        float next = product * a;
        rest = fma(rest, a, fma(product, a, -next));
        product = next;
    }
    float u = a - 1.5f, p = GAMMA[0];
    for (int k = 1; k < 11; k++)
        p = fma(p, u, GAMMA[k]);
    return fma(product, p, rest * p) * 0x1p24f;
}
/* libclc is off by 200 units. */
BUILT_IN float tgamma(float a) {
    if (a == 0)
        return copysign(INFINITY, a);
    if (a > -0.5f && a < 1) {
        float b = a + 1;
        return b < 1 ? gamma_from_1(b + 1) / b / a : gamma_from_1(b) / a;
    }
    if (a >= 1)
        return a > 36 ? INFINITY : gamma_from_1(a);
    if (a == floor(a))
        return NAN;
    /* By reflection. Where the result is subnormal, the gamma function of -a would be infinite. */
    float b = -a, more = 1;
    if (b < 1)
        return -M_PI_F / (a * sinpi(a)) / (gamma_from_1(b + 1) / b);
    if (b > 43)
        return (int)floor(a) & 1 ? -0.0f : 0.0f;
    for (int k = 0; k < 8 && b > 24; k++) {
        b -= 1;
        more *= b;
    }
    return -M_PI_F / (a * sinpi(a)) / gamma_from_1(b) / more;
}
FUNCTION_1(tgamma)

/* native_ and half_ may be of any accuracy, and of 8192 units: they are what they are without it. */

#define PRECISE_1(name) \
    BUILT_IN float native_##name(float a) { return name(a); } \
    FUNCTION_1(native_##name) \
    BUILT_IN float half_##name(float a) { return name(a); } \
    FUNCTION_1(half_##name)
#define PRECISE_2(name) \
    BUILT_IN float native_##name(float a, float b) { return name(a, b); } \
    FUNCTION_2(native_##name) \
    BUILT_IN float half_##name(float a, float b) { return name(a, b); } \
    FUNCTION_2(half_##name)

static BUILT_IN float recip(float a) { return 1 / a; }
static BUILT_IN float divide(float a, float b) { return a / b; }

PRECISE_1(cos)
PRECISE_2(divide)
PRECISE_1(exp)
PRECISE_1(exp2)
PRECISE_1(exp10)
PRECISE_1(log)
PRECISE_1(log2)
PRECISE_1(log10)
PRECISE_2(powr)
PRECISE_1(recip)
PRECISE_1(rsqrt)
PRECISE_1(sin)
PRECISE_1(sqrt)
PRECISE_1(tan)

/* Common functions. */

BUILT_IN float max(float a, float b) { return fmax(a, b); }
FUNCTION_2(max)
BUILT_IN float min(float a, float b) { return fmin(a, b); }
FUNCTION_2(min)
BUILT_IN float clamp(float a, float low, float high) { return fmin(fmax(a, low), high); }
FUNCTION_3(clamp)
BUILT_IN float degrees(float a) { return a * 57.295779513082320877f; }
FUNCTION_1(degrees)
BUILT_IN float radians(float a) { return a * 0.017453292519943295769f; }
FUNCTION_1(radians)
BUILT_IN float mix(float a, float b, float share) { return a + (b - a) * share; }
FUNCTION_3(mix)
BUILT_IN float step(float edge, float a) { return a < edge ? 0.0f : 1.0f; }
FUNCTION_2(step)
BUILT_IN float smoothstep(float low, float high, float a) {
    float t = clamp((a - low) / (high - low), 0.0f, 1.0f);
    return t * t * (3 - 2 * t);
}
FUNCTION_3(smoothstep)
BUILT_IN float sign(float a) { return a == 0 ? a : a == a ? copysign(1.0f, a) : 0.0f; }
FUNCTION_1(sign)

/* A vector and numbers. */
#define AND_NUMBERS(n) \
    BUILT_IN float##n fmax(float##n a, float b) { return fmax(a, (float##n)b); } \
    BUILT_IN float##n fmin(float##n a, float b) { return fmin(a, (float##n)b); } \
    BUILT_IN float##n max(float##n a, float b) { return fmax(a, (float##n)b); } \
    BUILT_IN float##n min(float##n a, float b) { return fmin(a, (float##n)b); } \
    BUILT_IN float##n clamp(float##n a, float low, float high) { return clamp(a, (float##n)low, (float##n)high); } \
    BUILT_IN float##n mix(float##n a, float##n b, float share) { return mix(a, b, (float##n)share); } \
    BUILT_IN float##n step(float edge, float##n a) { return step((float##n)edge, a); } \
    BUILT_IN float##n smoothstep(float low, float high, float##n a) { \
        return smoothstep((float##n)low, (float##n)high, a); \
    } \
    BUILT_IN float##n ldexp(float##n a, int exponent) { return ldexp(a, (int##n)exponent); }

AND_NUMBERS(2)
AND_NUMBERS(3)
AND_NUMBERS(4)
AND_NUMBERS(8)
AND_NUMBERS(16)

/* Geometry. */

BUILT_IN float3 cross(float3 a, float3 b) { return a.yzx * b.zxy - a.zxy * b.yzx; }
BUILT_IN float4 cross(float4 a, float4 b) { return (float4)(cross(a.xyz, b.xyz), 0.0f); }

BUILT_IN float dot(float a, float b) { return a * b; }
BUILT_IN float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
BUILT_IN float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
BUILT_IN float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

/* A factor that keeps squares of large and small numbers among the floats, if the sum of the squares is not among them. */
static float scale_of(float squares) { return squares == INFINITY ? 0x1p-66f : squares < FLT_MIN ? 0x1p86f : 1.0f; }

#define METRIC(T) \
    BUILT_IN float length(T a) { \
        float scale = scale_of(dot(a, a)); \
        return sqrt(dot(a * scale, a * scale)) / scale; \
    } \
    BUILT_IN T normalize(T a) { \
        a *= scale_of(dot(a, a)); \
        float squares = dot(a, a); \
        return squares == 0 ? a : a * rsqrt(squares); \
    } \
    BUILT_IN float distance(T a, T b) { return length(a - b); } \
    BUILT_IN float fast_length(T a) { return sqrt(dot(a, a)); } \
    BUILT_IN float fast_distance(T a, T b) { return fast_length(a - b); } \
    BUILT_IN T fast_normalize(T a) { \
        float squares = dot(a, a); \
        return squares == 0 ? a : a * rsqrt(squares); \
    }

METRIC(float)
METRIC(float2)
METRIC(float3)
METRIC(float4)

/* Relations: 1 for a scalar that holds, -1 for an element of a vector, as comparisons have it. */

#define RELATIONS(T, I) \
    BUILT_IN I isequal(T a, T b) { return a == b; } \
    BUILT_IN I isnotequal(T a, T b) { return a != b; } \
    BUILT_IN I isgreater(T a, T b) { return a > b; } \
    BUILT_IN I isgreaterequal(T a, T b) { return a >= b; } \
    BUILT_IN I isless(T a, T b) { return a < b; } \
    BUILT_IN I islessequal(T a, T b) { return a <= b; } \
    BUILT_IN I islessgreater(T a, T b) { return (a < b) | (a > b); } \
    BUILT_IN I isfinite(T a) { return fabs(a) < (T)INFINITY; } \
    BUILT_IN I isinf(T a) { return fabs(a) == (T)INFINITY; } \
    BUILT_IN I isnan(T a) { return a != a; } \
    BUILT_IN I isnormal(T a) { return (fabs(a) >= (T)FLT_MIN) & (fabs(a) < (T)INFINITY); } \
    BUILT_IN I isordered(T a, T b) { return (a == a) & (b == b); } \
    BUILT_IN I isunordered(T a, T b) { return (a != a) | (b != b); } \
    BUILT_IN I signbit(T a) { return __builtin_astype(a, I) < (I)0; } \
    BUILT_IN T bitselect(T a, T b, T mask) { \
        I m = __builtin_astype(mask, I); \
        return __builtin_astype((I)((__builtin_astype(a, I) & ~m) | (__builtin_astype(b, I) & m)), T); \
    }

#define RELATIONS_OF_VECTOR(n) \
    RELATIONS(float##n, int##n) \
    SELECT_VECTOR(float##n, int##n, int##n) \
    SELECT_VECTOR(float##n, uint##n, int##n)

RELATIONS(float, int)
SELECT(float, int)
SELECT(float, uint)
RELATIONS_OF_VECTOR(2)
RELATIONS_OF_VECTOR(3)
RELATIONS_OF_VECTOR(4)
RELATIONS_OF_VECTOR(8)
RELATIONS_OF_VECTOR(16)

OF_ELEMENT(float)
CONVERT(char, float)
CONVERT(uchar, float)
CONVERT(short, float)
CONVERT(ushort, float)
CONVERT(int, float)
CONVERT(uint, float)
CONVERT(long, float)
CONVERT(ulong, float)
CONVERT(float, float)

#define EXCHANGE(space) \
    BUILT_IN float atomic_xchg(volatile space float *p, float v) { \
        return as_float(__atomic_exchange_n((volatile space int *)p, as_int(v), __ATOMIC_RELAXED)); \
    }

EXCHANGE(__global)
EXCHANGE(__local)
