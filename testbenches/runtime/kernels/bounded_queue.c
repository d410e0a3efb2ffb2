/* A queue with few places: even threads put an item, and wait while it is full; odd ones take one, and wait while it is empty. What is in the queue,
   and where, is not atomic; a lock guards it. The lock has to call threads in turn: who finds the queue full could else take it again, for ever. */
#include "locks.h"

#define PLACES 2

struct queue {
    struct turns turns;
    volatile u32 put, taken, items[PLACES];
};

void kernel(struct queue *queue, const u32 *items, u32 *received, u32 n) {
    u32 thread = global_x(), pair = thread / 2, takes = thread % 2;
    if (pair >= n)
        return;
    u32 useless = takes ? 0 : PLACES, ticket;
    for (;;) {
        ticket = take_turn(&queue->turns);
        if (queue->put - queue->taken != useless)
            break;
        give_turn(&queue->turns, ticket);
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
    give_turn(&queue->turns, ticket);
}
