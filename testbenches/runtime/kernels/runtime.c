/* What the compiler takes for granted: memory blocks and 64-bit division. Linked in where it is used. */
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
