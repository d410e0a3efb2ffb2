/* Elementary functions as short polynomials (after Cephes), without branches. */
#ifndef ELEMENTARY_H
#define ELEMENTARY_H
#include "warploom.h"

/* The logarithm of 2 in two parts; with the first, products of small integers are exact. */
#define LN2_HIGH 0.693359375f
#define LN2_LOW -2.12194440e-4f
#define LOG2_E 1.44269504f
#define ROOT_HALF_BITS 0x3F3504F3

static inline float float_of(u32 bits) {
    union {
        u32 bits;
        float value;
    } of = {bits};
    return of.value;
}

static inline u32 bits_of(float value) {
    union {
        float value;
        u32 bits;
    } of = {value};
    return of.bits;
}

/* e to the power of `x`, which is at most 88; of less than -87 as of -87, so that no result is subnormal. */
static inline float exponential(float x) {
    x = __builtin_fmaxf(x, -87.0f);
    i32 power = __builtin_lrintf(x * LOG2_E);
    float rest = x - power * LN2_HIGH;
    rest = rest - power * LN2_LOW;
    float series = 1.9875691500e-4f;
    series = series * rest + 1.3981999507e-3f;
    series = series * rest + 8.3334519073e-3f;
    series = series * rest + 4.1665795894e-2f;
    series = series * rest + 1.6666665459e-1f;
    series = series * rest + 5.0000001201e-1f;
    return (series * (rest * rest) + rest + 1) * float_of((u32)(power + 127) << 23);
}

/* Natural logarithm of a normal number above 0: of its power of two, and of what is left, from the root of 1/2 to that of 2. */
static inline float logarithm(float x) {
    i32 above = bits_of(x) - ROOT_HALF_BITS;
    float power = above >> 23, rest = float_of((above & 0x7FFFFF) + ROOT_HALF_BITS) - 1;
    float series = 7.0376836292e-2f;
    series = series * rest - 1.1514610310e-1f;
    series = series * rest + 1.1676998740e-1f;
    series = series * rest - 1.2420140846e-1f;
    series = series * rest + 1.4249322787e-1f;
    series = series * rest - 1.6668057665e-1f;
    series = series * rest + 2.0000714765e-1f;
    series = series * rest - 2.4999993993e-1f;
    series = series * rest + 3.3333331174e-1f;
    float square = rest * rest, small = rest * square * series;
    small = power * LN2_LOW + small;
    small = small - 0.5f * square;
    return power * LN2_HIGH + (rest + small);
}

#endif
