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

/* A lock that calls threads in the order in which they have drawn tickets. Whoever waits gets it, which `take` does not promise: others may always
   come first. */
struct turns {
    u32 drawn;
    volatile u32 called;
};

static inline u32 take_turn(struct turns *turns) {
    u32 ticket = atomic_add(&turns->drawn, 1);
    while (turns->called != ticket)
        ;
    return ticket;
}

static inline void give_turn(struct turns *turns, u32 ticket) {
    fence();
    turns->called = ticket + 1;
}

#endif
