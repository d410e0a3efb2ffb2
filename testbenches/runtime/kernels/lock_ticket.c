/* Every thread draws a ticket and waits until it is called: threads come in the order of their tickets. What they count is not atomic. */
#include "locks.h"

void kernel(u32 *next, volatile u32 *called, volatile u32 *tickets, volatile u32 *count, volatile u32 *order, u32 n) {
    u32 thread = global_x();
    if (thread >= n)
        return;
    u32 ticket = atomic_add(next, 1);
    tickets[thread] = ticket;
    while (*called != ticket)
        ;
    u32 place = *count;
    order[place] = thread;
    *count = place + 1;
    fence();
    *called = ticket + 1;
}
