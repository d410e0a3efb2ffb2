/* A queue with few places: even threads put an item, and wait while it is full; odd ones take one, and wait while it is empty. What is in the queue,
   and where, is not atomic; a lock guards it. */
#include "locks.h"

#define PLACES 2

struct queue {
    u32 lock, put, taken, items[PLACES];
};

void kernel(struct queue *all, const u32 *items, u32 *received, u32 n) {
    volatile struct queue *queue = all;
    u32 thread = global_x(), pair = thread / 2, takes = thread % 2;
    if (pair >= n)
        return;
    u32 full = takes ? 0 : PLACES;
    for (;;) {
        take(&all->lock);
        if (queue->put - queue->taken != full)
            break;
        give(&all->lock);
    }
    if (takes) {
        u32 taken = queue->taken;
        received[pair] = queue->items[taken % PLACES];
        queue->taken = taken + 1;
    } else {
        u32 put = queue->put;
        queue->items[put % PLACES] = items[pair];
        queue->put = put + 1;
    }
    give(&all->lock);
}
