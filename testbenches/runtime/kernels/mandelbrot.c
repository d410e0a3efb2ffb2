/* Iterations until escape, fixed point with 12 fraction bits. */
#include "warploom.h"

#define FRACTION 12

void kernel(u32 *iterations, u32 width, u32 n, i32 left, i32 top, i32 step, u32 limit) {
    u32 i = global_x();
    if (i >= n)
        return;
    i32 cr = left + (i32)(i % width) * step, ci = top + (i32)(i / width) * step;
    i32 zr = 0, zi = 0;
    u32 k = 0;
    while (k < limit) {
        i32 rr = (zr * zr) >> FRACTION, ii = (zi * zi) >> FRACTION;
        if (rr + ii > 4 << FRACTION)
            break;
        zi = ((zr * zi) >> (FRACTION - 1)) + ci;
        zr = rr - ii + cr;
        k++;
    }
    iterations[i] = k;
}
