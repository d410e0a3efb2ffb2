/* Quasirandom numbers in three dimensions, then normally distributed ones from them (CUDA SDK, quasirandomGenerator): direction
   vectors exclusive-ored by the bits of the position, and Moro's approximation of the inverse of the cumulative normal distribution:
   a rational function in the centre, logarithms in the tails. */
#include "elementary.h"

#define RESOLUTION 31

enum { GENERATE, INVERT };

/* `x` has no integer bits. The upper half is the lower one, mirrored: there is no probability of 1. */
static inline float inverse_normal(u32 x) {
    u32 upper = x >= 0x80000000;
    if (upper)
        x = ~x;
    float probability = x * 0x1p-32f + 0x1p-33f, y = probability - 0.5f, z;
    if (y > -0.42f) {
        z = y * y;
        float over = ((-25.44106049637f * z + 41.39119773534f) * z - 18.61500062529f) * z + 2.50662823884f;
        float under = (((3.13082909833f * z - 21.06224101826f) * z + 23.08336743743f) * z - 8.4735109309f) * z + 1;
        z = y * over / under;
    } else {
        z = logarithm(-logarithm(probability));
        float series = 0.0000003960315187f;
        series = series * z + 0.0000002888167364f;
        series = series * z + 0.0000321767881768f;
        series = series * z + 0.0003951896511919f;
        series = series * z + 0.0038405729373609f;
        series = series * z + 0.0276438810333863f;
        series = series * z + 0.1607979714918209f;
        series = series * z + 0.9761690190917186f;
        series = series * z + 0.3374754822726147f;
        z = -series;
    }
    return upper ? -z : z;
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

void kernel(const u32 *directions, u32 *values, float *normals, u32 n, u32 first, u32 step) {
    if (step == GENERATE)
        generate(directions, values, n, first);
    else
        for (u32 i = global_x(); i < n; i += ntid_x() * nctaid_x())
            normals[i] = inverse_normal(2 * values[i]);
}
