/* Sorting networks of keys with values in shared memory (CUDA SDK, after Batcher 1968): a CTA per array, a thread for two
   elements. Every thread compares at every step of the bitonic network, in a direction that depends on its place; in the odd-even
   merge only those whose partner lies in the same run do. The last array is filled up with what sorts behind everything. */
#include "warploom.h"

enum { BITONIC, ODD_EVEN };

/* Puts the elements at `a` and `b` in order: ascending if `up` is 1, descending if it is 0. */
static inline void compare(u32 *keys, u32 *values, u32 a, u32 b, u32 up) {
    u32 first = keys[a], second = keys[b];
    if ((first > second) == up) {
        u32 value = values[a];
        keys[a] = second;
        keys[b] = first;
        values[a] = values[b];
        values[b] = value;
    }
}

/* The last merge has one direction: its bit of the thread number is 0 everywhere. */
static inline void bitonic(u32 *keys, u32 *values, u32 length, u32 up) {
    u32 tid = tid_x();
    for (u32 size = 2; size <= length; size *= 2) {
        u32 direction = up ^ ((tid & (size / 2)) != 0);
        for (u32 stride = size / 2; stride > 0; stride /= 2) {
            barrier();
            u32 at = 2 * tid - (tid & (stride - 1));
            compare(keys, values, at, at + stride, direction);
        }
    }
}

static inline void odd_even(u32 *keys, u32 *values, u32 length, u32 up) {
    u32 tid = tid_x();
    for (u32 size = 2; size <= length; size *= 2) {
        u32 stride = size / 2, offset = tid & (stride - 1);
        barrier();
        u32 at = 2 * tid - offset;
        compare(keys, values, at, at + stride, up);
        for (stride /= 2; stride > 0; stride /= 2) {
            barrier();
            if (offset >= stride) {
                at = 2 * tid - (tid & (stride - 1));
                compare(keys, values, at - stride, at, up);
            }
        }
    }
}

void kernel(u32 *keys_of_all, u32 *values_of_all, u32 n, u32 network, u32 up) {
    u32 tid = tid_x(), half = ntid_x(), length = 2 * half, first = ctaid_x() * length;
    u32 *keys = SHARED_MEMORY, *values = keys + length;
    for (u32 i = tid; i < length; i += half) {
        u32 inside = first + i < n;
        keys[i] = inside ? keys_of_all[first + i] : -up;
        values[i] = inside ? values_of_all[first + i] : 0;
    }
    if (network == BITONIC)
        bitonic(keys, values, length, up);
    else
        odd_even(keys, values, length, up);
    barrier();
    for (u32 i = tid; i < length; i += half) {
        if (first + i < n) {
            keys_of_all[first + i] = keys[i];
            values_of_all[first + i] = values[i];
        }
    }
}
