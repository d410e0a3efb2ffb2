/* Exclusive prefix sums (CUDA SDK, scan: the work-efficient version, after Blelloch): every CTA scans two elements to a thread in
   shared memory, up a tree and down again, and leaves its sum; another launch adds the sums of the CTAs before it. */
#include "warploom.h"

enum { SCAN, ADD };

/* A word is left out every 32, so that the tree's strides meet different banks. */
static inline u32 *at(u32 place) { return (u32 *)SHARED_MEMORY + place + place / 32; }

static void scan(const u32 *from, u32 *to, u32 *sums, u32 n) {
    u32 tid = tid_x(), threads = ntid_x(), first = 2 * threads * ctaid_x() + tid, second = first + threads, distance = 1;
    *at(tid) = first < n ? from[first] : 0;
    *at(tid + threads) = second < n ? from[second] : 0;
    for (u32 live = threads; live > 0; live /= 2) {
        barrier();
        if (tid < live) {
            u32 left = distance * (2 * tid + 1) - 1;
            *at(left + distance) += *at(left);
        }
        distance *= 2;
    }
    if (tid == 0) {
        u32 *root = at(2 * threads - 1);
        sums[ctaid_x()] = *root;
        *root = 0;
    }
    for (u32 live = 1; live <= threads; live *= 2) {
        distance /= 2;
        barrier();
        if (tid < live) {
            u32 left = distance * (2 * tid + 1) - 1, sum = *at(left);
            *at(left) = *at(left + distance);
            *at(left + distance) += sum;
        }
    }
    barrier();
    if (first < n)
        to[first] = *at(tid);
    if (second < n)
        to[second] = *at(tid + threads);
}

static void add(u32 *to, const u32 *sums, u32 n) {
    u32 first = 2 * ntid_x() * ctaid_x() + tid_x(), second = first + ntid_x(), before = sums[ctaid_x()];
    if (first < n)
        to[first] += before;
    if (second < n)
        to[second] += before;
}

void kernel(const u32 *from, u32 *to, u32 *sums, u32 n, u32 step) {
    if (step == SCAN)
        scan(from, to, sums, n);
    else
        add(to, sums, n);
}
