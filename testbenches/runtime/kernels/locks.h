/* Locks as threads that run by themselves take them: who waits goes round in a loop, and who has the lock is behind it. */
#ifndef LOCKS_H
#define LOCKS_H

#include "warploom.h"

/* What was written before is seen before what is written after. */
static inline void fence(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

static inline void take(u32 *lock) {
    while (atomic_exchange(lock, 1))
        ;
}

static inline void give(u32 *lock) {
    fence();
    atomic_exchange(lock, 0);
}

#endif
