/* sum of n words: every CTA sums a slice in shared memory, then adds its part to *total */
#include "warploom.h"

void kernel(const u32 *values, u32 *partial, u32 *total, u32 n) {
    u32 *sums = SHARED_MEMORY;
    u32 t = tid_x(), threads = ntid_x(), i = global_x();
    sums[t] = i < n ? values[i] : 0;
    barrier();
    for (u32 live = threads; live > 1;) {
        u32 half = (live + 1) / 2;
        if (t < live - half)
            sums[t] += sums[t + half];
        barrier();
        live = half;
    }
    if (t == 0) {
        partial[ctaid_x()] = sums[0];
        atomic_add(total, sums[0]);
    }
}
