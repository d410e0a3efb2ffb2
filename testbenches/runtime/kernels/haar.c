/* One-dimensional Haar transform (CUDA SDK, dwtHaar1D): all levels that fit in a CTA, two elements to a thread. At
   every level half of the threads that still run drop out. */
#include "warploom.h"

#define HALF_ROOT 0.70710678f /* 1/sqrt(2) */

/* `length` elements in all; the details of a level stand behind those of the next one. */
void kernel(const float *from, float *details, float *approximations, u32 length) {
    float *values = SHARED_MEMORY;
    u32 tid = tid_x(), cta = ctaid_x(), threads = ntid_x();
    from += 2 * threads * cta;
    values[tid] = from[tid];
    values[tid + threads] = from[tid + threads];
    barrier();
    float first = values[2 * tid], second = values[2 * tid + 1];
    barrier();
    length /= 2;
    details[length + threads * cta + tid] = (first - second) * HALF_ROOT;
    values[tid] = (first + second) * HALF_ROOT;
    barrier();
    u32 running = threads / 2, place = 2 * tid, distance = 1;
    for (u32 live = threads; live > 1; live /= 2) {
        length /= 2;
        if (tid < running) {
            float a = values[place], b = values[place + distance];
            details[length + running * cta + tid] = (a - b) * HALF_ROOT;
            values[place] = (a + b) * HALF_ROOT;
            running /= 2;
            place *= 2;
            distance *= 2;
        }
        barrier();
    }
    if (tid == 0)
        approximations[cta] = values[0];
}
