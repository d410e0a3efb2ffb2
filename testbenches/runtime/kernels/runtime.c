/* What the compiler takes for granted: memory blocks, division and conversions of 64 bits. Linked in where it is used. */
#include "warploom.h"

typedef unsigned long long u64;
typedef long long i64;

void *memcpy(void *to, const void *from, u32 bytes) {
    unsigned char *t = to;
    const unsigned char *f = from;
    for (u32 i = 0; i < bytes; i++)
        t[i] = f[i];
    return to;
}

void *memmove(void *to, const void *from, u32 bytes) {
    unsigned char *t = to;
    const unsigned char *f = from;
    if (t <= f)
        return memcpy(to, from, bytes);
    while (bytes-- > 0)
        t[bytes] = f[bytes];
    return to;
}

void *memset(void *to, int value, u32 bytes) {
    unsigned char *t = to;
    for (u32 i = 0; i < bytes; i++)
        t[i] = (unsigned char)value;
    return to;
}

/* Bit by bit. Division by 0 as in RV32M: all ones, and the dividend as remainder. */
static u64 divide(u64 a, u64 b, u64 *remainder) {
    u64 quotient = 0, rest = 0;
    for (int bit = 63; bit >= 0; bit--) {
        rest = rest << 1 | (a >> bit & 1);
        u64 fits = rest >= b;
        rest -= fits ? b : 0;
        quotient |= fits << bit;
    }
    *remainder = rest;
    return quotient;
}

static u64 magnitude(i64 a) { return a < 0 ? 0 - (u64)a : (u64)a; }

u64 __udivdi3(u64 a, u64 b) {
    u64 rest;
    return divide(a, b, &rest);
}

u64 __umoddi3(u64 a, u64 b) {
    u64 rest;
    divide(a, b, &rest);
    return rest;
}

i64 __divdi3(i64 a, i64 b) {
    u64 rest, quotient = divide(magnitude(a), magnitude(b), &rest);
    return (i64)((a ^ b) < 0 ? 0 - quotient : quotient);
}

i64 __moddi3(i64 a, i64 b) {
    u64 rest;
    divide(magnitude(a), magnitude(b), &rest);
    return (i64)(a < 0 ? 0 - rest : rest);
}

/* A float has room for 24 bits: what is behind them is one bit that is not 0 if they are not, and the conversion rounds. */
float __floatundisf(u64 a) {
    u32 high = (u32)(a >> 32);
    if (high == 0)
        return (float)(u32)a;
    int shift = 32 - __builtin_clz(high);
    u32 kept = (u32)(a >> shift) | ((a & ((1ull << shift) - 1)) != 0);
    float scale;
    u32 bits = (u32)(127 + shift) << 23;
    __asm__("fmv.w.x %0, %1" : "=f"(scale) : "r"(bits));
    return (float)kept * scale;
}

float __floatdisf(i64 a) { return a < 0 ? -__floatundisf(magnitude(a)) : __floatundisf((u64)a); }

/* What is no integer of 64 bits gives the nearest that there is, NaN the largest: as in RV64F. */
u64 __fixunssfdi(float a) {
    if (a <= 0)
        return 0;
    if (!(a < 0x1p64f))
        return ~0ull;
    u32 high = (u32)(a * 0x1p-32f);
    return (u64)high << 32 | (u32)(a - (float)high * 0x1p32f);
}

i64 __fixsfdi(float a) {
    if (!(a < 0x1p63f))
        return 0x7FFFFFFFFFFFFFFFll;
    if (a <= -0x1p63f)
        return -0x7FFFFFFFFFFFFFFFll - 1;
    return a < 0 ? -(i64)__fixunssfdi(-a) : (i64)__fixunssfdi(a);
}
