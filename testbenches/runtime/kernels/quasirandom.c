/* Quasirandom numbers in three dimensions, then normally distributed ones from them (CUDA SDK, quasirandomGenerator): direction
   vectors exclusive-ored by the bits of the position, and Moro's approximation of the inverse of the cumulative normal distribution,
   fixed point: a rational function in the centre, logarithms in the tails. */
#include "warploom.h"

#define RESOLUTION 31
#define FRACTION 24
#define FIXED(x) ((i32)((x) * (1 << FRACTION) + ((x) < 0 ? -0.5 : 0.5)))
#define LN2 FIXED(0.69314718056)

enum { GENERATE, INVERT };

static inline i32 multiply(i32 a, i32 b) { return (long long)a * b >> FRACTION; }

/* Twelve bits of the quotient, then as many again from the remainder; |a| < 0.5, b from 0.0625 to 4. */
static inline i32 divide(i32 a, i32 b) {
    i32 high = a * (1 << 6) / (b >> 6);
    i32 rest = a - (i32)((long long)high * b >> 12);
    return high * (1 << 12) + rest * (1 << 16) / (b >> 8);
}

/* Natural logarithm of a number with `point` fraction bits: of its power of two, and a series for what is left. */
static inline i32 logarithm(u32 x, i32 point) {
    i32 zeros = __builtin_clz(x), mantissa = x << zeros >> 8; /* 0.5 to 1 */
    i32 s = divide((mantissa - FIXED(1)) / 2, (mantissa + FIXED(1)) / 2), square = multiply(s, s);
    i32 series = FIXED(2.0) + multiply(square, FIXED(2.0 / 3) + multiply(square, FIXED(2.0 / 5) + multiply(square, FIXED(2.0 / 7))));
    return multiply(s, series) + (32 - zeros - point) * LN2;
}

/* `x` has no integer bits and is not 0. */
static inline i32 inverse_normal(u32 x) {
    u32 upper = x >= 0x80000000;
    if (upper)
        x = -x;
    i32 y = (0x80000000 - x) >> (32 - FRACTION), z;
    if (y < FIXED(0.42)) {
        z = multiply(y, y);
        i32 over = FIXED(2.50662823884) +
                   multiply(z, FIXED(-18.61500062529) + multiply(z, FIXED(41.39119773534) + multiply(z, FIXED(-25.44106049637))));
        i32 under =
            FIXED(1) +
            multiply(z, FIXED(-8.4735109309) +
                            multiply(z, FIXED(23.08336743743) + multiply(z, FIXED(-21.06224101826) + multiply(z, FIXED(3.13082909833)))));
        z = divide(multiply(y, over), under);
    } else {
        static const i32 factors[] = {FIXED(0.000000288817), FIXED(0.0000321767881768), FIXED(0.0003951896511919), FIXED(0.0038405729373609),
                                      FIXED(0.0276438810333863), FIXED(0.1607979714918209), FIXED(0.9761690190917186), FIXED(0.3374754822726147)};
        i32 t = logarithm(-logarithm(x, 32), FRACTION);
        z = FIXED(0.0000003960315187);
        for (u32 i = 0; i < sizeof factors / sizeof factors[0]; i++)
            z = factors[i] + multiply(t, z);
    }
    return upper ? z : -z;
}

/* A row of threads per dimension. */
static inline void generate(const u32 *directions, u32 *values, u32 n, u32 first) {
    directions += RESOLUTION * tid_y();
    values += n * tid_y();
    for (u32 position = global_x(); position < n; position += ntid_x() * nctaid_x()) {
        u32 value = 0, bits = first + position;
        for (u32 bit = 0; bit < RESOLUTION; bit++, bits >>= 1)
            if (bits & 1)
                value ^= directions[bit];
        values[position] = value + 1;
    }
}

void kernel(const u32 *directions, u32 *values, i32 *normals, u32 n, u32 first, u32 step) {
    if (step == GENERATE)
        generate(directions, values, n, first);
    else
        for (u32 i = global_x(); i < n; i += ntid_x() * nctaid_x())
            normals[i] = inverse_normal(2 * values[i]);
}
