/* Bucket sort (Narasiman 2014, sort, of which only the name is known): how many words fall into each bucket; where each begins; every word to its bucket;
   then a thread sorts a bucket by insertion. Buckets are of unequal size, and insertions of unequal length. */
#include "warploom.h"

enum { COUNT, SCAN, SCATTER, SORT };

/* Counts become the places where buckets begin. One CTA, which takes as many at a time as it has threads. */
static inline void scan(u32 *counts, u32 buckets) {
    u32 tid = tid_x(), threads = ntid_x(), before = 0;
    u32 *from = SHARED_MEMORY, *to = from + threads;
    for (u32 first = 0; first < buckets; first += threads) {
        u32 i = first + tid, own = i < buckets ? counts[i] : 0;
        from[tid] = own;
        barrier();
        for (u32 distance = 1; distance < threads; distance *= 2) {
            to[tid] = from[tid] + (tid >= distance ? from[tid - distance] : 0);
            barrier();
            u32 *swap = from;
            from = to;
            to = swap;
        }
        if (i < buckets)
            counts[i] = before + from[tid] - own;
        before += from[threads - 1];
        barrier();
    }
}

/* `places`: for each bucket, its count; then where it begins; then, when all words are there, where it ends. */
void kernel(const u32 *words, u32 *sorted, u32 *places, u32 n, u32 buckets, u32 step) {
    u32 i = global_x();
    if (step == SCAN) {
        scan(places, buckets);
    } else if (step == SORT) {
        if (i >= buckets)
            return;
        u32 first = i ? places[i - 1] : 0, end = places[i];
        for (u32 next = first + 1; next < end; next++) {
            u32 word = sorted[next], at = next;
            for (; at > first && sorted[at - 1] > word; at--)
                sorted[at] = sorted[at - 1];
            sorted[at] = word;
        }
    } else if (i < n) {
        u32 word = words[i], bucket = (unsigned long long)word * buckets >> 32;
        if (step == COUNT)
            atomic_add(&places[bucket], 1);
        else
            sorted[atomic_add(&places[bucket], 1)] = word;
    }
}
