/* Merge sort of keys with values (after the CUDA SDK's): each CTA sorts a run in shared memory; then, a launch for twice the length of
   runs, pairs of runs are merged. An element's place is its own in its run and its rank in the other one, by binary search. */
#include "warploom.h"

enum { SORT, MERGE };

/* Where element `i` of `n` comes when runs are merged by twos. `run`, the length of all but the last, is a power of two. Of equal keys, those
   of the first run come first; none is the greatest word. */
static inline u32 place(const u32 *keys, u32 i, u32 run, u32 n) {
    u32 own = i & -run, other = own ^ run, second = own > other, above = keys[i] + second;
    u32 left = other < n ? n - other : 0, length = left < run ? left : run, rank = 0;
    for (u32 step = run; step > 0; step /= 2) {
        u32 next = rank + step;
        if (next <= length && keys[other + next - 1] < above)
            rank = next;
    }
    return (own & other) + (i - own) + rank;
}

/* All have read before one writes. */
static inline void sort(u32 *keys, u32 *values, u32 length) {
    u32 tid = tid_x(), inside = tid < length;
    for (u32 run = 1; run < length; run *= 2) {
        u32 key = 0, value = 0, to = 0;
        if (inside) {
            key = keys[tid];
            value = values[tid];
            to = place(keys, tid, run, length);
        }
        barrier();
        if (inside) {
            keys[to] = key;
            values[to] = value;
        }
        barrier();
    }
}

void kernel(const u32 *keys, const u32 *values, u32 *keys_to, u32 *values_to, u32 n, u32 run, u32 step) {
    u32 i = global_x();
    if (step == MERGE) {
        if (i < n) {
            u32 to = place(keys, i, run, n);
            keys_to[to] = keys[i];
            values_to[to] = values[i];
        }
        return;
    }
    u32 tid = tid_x(), threads = ntid_x(), left = n - ctaid_x() * threads;
    u32 *own_keys = SHARED_MEMORY, *own_values = own_keys + threads;
    if (i < n) {
        own_keys[tid] = keys[i];
        own_values[tid] = values[i];
    }
    barrier();
    sort(own_keys, own_values, left < threads ? left : threads);
    if (i < n) {
        keys_to[i] = own_keys[tid];
        values_to[i] = own_values[tid];
    }
}
