/* Locks of ranges: every thread adds 1 to the cells from `first` to `last`, while nobody else has a range that overlaps with it. Ranges that are had stand in a
   table with a lock of its own; who finds no place, or an overlap, tries again. A range is a word, last + 1 above first; 0 is a free place. */
#include "locks.h"

#define PLACES 8

static int overlap(u32 one, u32 other) { return (one & 0xffff) < other >> 16 && (other & 0xffff) < one >> 16; }

void kernel(u32 *lock, volatile u32 *table, const u32 *ranges, volatile u32 *cells, u32 n) {
    u32 thread = global_x();
    if (thread >= n)
        return;
    u32 range = ranges[thread], place;
    for (;;) {
        u32 blocked = 0;
        take(lock);
        place = PLACES;
        for (u32 i = 0; i < PLACES; i++) {
            u32 other = table[i];
            place = other ? place : i;
            blocked |= overlap(range, other);
        }
        if (!blocked && place < PLACES)
            break;
        give(lock);
    }
    table[place] = range;
    give(lock);
    for (u32 cell = range & 0xffff; cell < range >> 16; cell++)
        cells[cell] = cells[cell] + 1;
    fence();
    table[place] = 0;
}
