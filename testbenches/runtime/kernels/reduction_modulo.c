/* Sums of n words, one per CTA (CUDA SDK, kernel 0 of the reduction sample): the threads that add at a step are those with a
   number that twice the step divides, so that every warp has some of them to the end. */
#include "warploom.h"

void kernel(const u32 *values, u32 *sums_of_all, u32 n) {
    u32 *sums = SHARED_MEMORY;
    u32 tid = tid_x(), i = global_x();
    sums[tid] = i < n ? values[i] : 0;
    barrier();
    for (u32 step = 1; step < ntid_x(); step *= 2) {
        if (tid % (2 * step) == 0)
            sums[tid] += sums[tid + step];
        barrier();
    }
    if (tid == 0)
        sums_of_all[ctaid_x()] = sums[0];
}
