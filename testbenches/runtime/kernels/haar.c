/* One-dimensional Haar transform (CUDA SDK, dwtHaar1D), fixed point: all levels that fit in a CTA, two elements to a thread. At
   every level half of the threads that still run drop out. */
#include "warploom.h"

#define FRACTION 16
#define HALF_ROOT 46341 /* 1/sqrt(2) */

static inline i32 scale(i32 value) { return (long long)value * HALF_ROOT >> FRACTION; }

/* `length` elements in all; the details of a level stand behind those of the next one. */
void kernel(const i32 *from, i32 *details, i32 *approximations, u32 length) {
    i32 *values = SHARED_MEMORY;
    u32 tid = tid_x(), cta = ctaid_x(), threads = ntid_x();
    from += 2 * threads * cta;
    values[tid] = from[tid];
    values[tid + threads] = from[tid + threads];
    barrier();
    i32 first = values[2 * tid], second = values[2 * tid + 1];
    barrier();
    length /= 2;
    details[length + threads * cta + tid] = scale(first - second);
    values[tid] = scale(first + second);
    barrier();
    u32 running = threads / 2, place = 2 * tid, distance = 1;
    for (u32 live = threads; live > 1; live /= 2) {
        length /= 2;
        if (tid < running) {
            i32 a = values[place], b = values[place + distance];
            details[length + running * cta + tid] = scale(a - b);
            values[place] = scale(a + b);
            running /= 2;
            place *= 2;
            distance *= 2;
        }
        barrier();
    }
    if (tid == 0)
        approximations[cta] = values[0];
}
