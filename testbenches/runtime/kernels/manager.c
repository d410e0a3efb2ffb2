/* Persistent threads, as in ray tracers on GPUs: the first thread of a warp fetches tasks for all of it, without a barrier. It takes for granted that the
   threads of a warp, as launched, meet behind every branch. A task is the number of steps from a number to 1 (Collatz). */
#include "warploom.h"

void kernel(const u32 *numbers, u32 *steps, u32 *next, u32 n, u32 lanes) {
    u32 number_in_warp = tid_x() % lanes, others = ntid_x() - (tid_x() - number_in_warp);
    u32 size = others < lanes ? others : lanes;
    volatile u32 *fetched = (volatile u32 *)SHARED_MEMORY + tid_x() / lanes;
    for (;;) {
        if (number_in_warp == 0)
            *fetched = atomic_add(next, size);
        u32 first = *fetched;
        if (first >= n)
            break;
        u32 task = first + number_in_warp;
        if (task < n) {
            u32 count = 0;
            for (u32 x = numbers[task]; x > 1; count++)
                x = x % 2 ? 3 * x + 1 : x / 2;
            steps[task] = count;
        }
    }
}
