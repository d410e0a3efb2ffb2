/* One level of a quicksort after Cederman and Tsigas (2009): a CTA per segment. Elements go to either end of the segment's
   place in the other buffer, in any order; both sides are segments of the next level. Short segments are sorted at once. */
#include "warploom.h"

struct segment {
    u32 begin, end, least, greatest;
};

struct sides {
    u32 low, high, greatest_low, least_high;
};

/* The pivot lies halfway between the extremes: neither side is empty. */
static void split(struct segment all, const u32 *from, u32 *to, struct segment *segments, u32 *count) {
    struct sides *sides = SHARED_MEMORY;
    u32 tid = tid_x(), size = ntid_x();
    if (tid == 0)
        *sides = (struct sides){0, 0, all.least, all.greatest};
    barrier();
    u32 pivot = all.least + (all.greatest - all.least) / 2, greatest_low = all.least, least_high = all.greatest;
    for (u32 i = all.begin + tid; i < all.end; i += size) {
        u32 value = from[i];
        if (value <= pivot) {
            to[all.begin + atomic_add(&sides->low, 1)] = value;
            if (value > greatest_low)
                greatest_low = value;
        } else {
            to[all.end - 1 - atomic_add(&sides->high, 1)] = value;
            if (value < least_high)
                least_high = value;
        }
    }
    atomic_max(&sides->greatest_low, greatest_low);
    atomic_min(&sides->least_high, least_high);
    barrier();
    if (tid == 0) {
        struct segment *next = segments + atomic_add(count, 2);
        u32 middle = all.begin + sides->low;
        next[0] = (struct segment){all.begin, middle, all.least, sides->greatest_low};
        next[1] = (struct segment){middle, all.end, sides->least_high, all.greatest};
    }
}

/* Every element counts those that come before it. */
static void rank(const u32 *from, u32 *sorted, u32 length) {
    u32 *values = SHARED_MEMORY;
    u32 tid = tid_x(), size = ntid_x();
    for (u32 i = tid; i < length; i += size)
        values[i] = from[i];
    barrier();
    for (u32 i = tid; i < length; i += size) {
        u32 before = 0;
        for (u32 j = 0; j < length; j++)
            before += (values[j] < values[i]) | ((values[j] == values[i]) & (j < i));
        sorted[before] = values[i];
    }
}

void kernel(const u32 *from, u32 *to, u32 *sorted, const struct segment *segments, struct segment *next, u32 *count, u32 few) {
    struct segment segment = segments[ctaid_x()];
    u32 length = segment.end - segment.begin;
    if (segment.least == segment.greatest)
        for (u32 i = segment.begin + tid_x(); i < segment.end; i += ntid_x())
            sorted[i] = segment.least;
    else if (length <= few)
        rank(from + segment.begin, sorted + segment.begin, length);
    else
        split(segment, from, to, next, count);
}
