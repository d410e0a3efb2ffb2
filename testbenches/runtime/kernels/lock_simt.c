/* The same with a lock that ends in a warp as well: who has it is inside the `if`, where the threads of a warp meet before they try again. */
#include "locks.h"

void kernel(u32 *lock, volatile u32 *count, volatile u32 *order, u32 n) {
    u32 thread = global_x();
    if (thread >= n)
        return;
    for (u32 done = 0; !done;) {
        if (atomic_exchange(lock, 1) == 0) {
            u32 place = *count;
            order[place] = thread;
            *count = place + 1;
            give(lock);
            done = 1;
        }
    }
}
