// The same in C, with the lock taken in a function.
#include "warploom.h"

static int taken(u32 *lock) { return atomic_exchange(lock, 1) == 0; }

void kernel(u32 *lock, volatile u32 *count) {
    for (int done = 0; !done;) {
        if (taken(lock)) {
            count[0] = count[0] + 1;
            __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
            done = 1;
        }
    }
}
