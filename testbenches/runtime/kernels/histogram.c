/* How often every character occurs in a text (after the CUDA SDK's sample): a CTA counts in shared memory, then adds its counts to
   all. The text is in words of four characters. */
#include "warploom.h"

#define BINS 128

void kernel(const u32 *text, u32 *counts_of_all, u32 n) {
    u32 *counts = SHARED_MEMORY;
    u32 tid = tid_x(), size = ntid_x(), stride = nctaid_x() * size;
    for (u32 bin = tid; bin < BINS; bin += size)
        counts[bin] = 0;
    barrier();
    for (u32 i = global_x(); i < n; i += stride) {
        u32 word = text[i];
        atomic_add(&counts[word & 0x7f], 1);
        atomic_add(&counts[word >> 8 & 0x7f], 1);
        atomic_add(&counts[word >> 16 & 0x7f], 1);
        atomic_add(&counts[word >> 24 & 0x7f], 1);
    }
    barrier();
    for (u32 bin = tid; bin < BINS; bin += size)
        if (counts[bin])
            atomic_add(&counts_of_all[bin], counts[bin]);
}
