/* Bitonic sort of one segment per CTA in shared memory (CUDA SDK): a thread per element, and only the lower one of the two
   that a step compares does the exchange. The last segment is filled up with the largest word. */
#include "warploom.h"

void kernel(u32 *values, u32 n) {
    u32 *segment = SHARED_MEMORY;
    u32 tid = tid_x(), size = ntid_x(), i = global_x();
    segment[tid] = i < n ? values[i] : 0xffffffff;
    barrier();
    for (u32 k = 2; k <= size; k *= 2) {
        for (u32 j = k / 2; j > 0; j /= 2) {
            u32 ixj = tid ^ j;
            if (ixj > tid) {
                u32 a = segment[tid], b = segment[ixj];
                if ((tid & k) == 0) {
                    if (a > b) {
                        segment[tid] = b;
                        segment[ixj] = a;
                    }
                } else {
                    if (a < b) {
                        segment[tid] = b;
                        segment[ixj] = a;
                    }
                }
            }
            barrier();
        }
    }
    if (i < n)
        values[i] = segment[tid];
}
