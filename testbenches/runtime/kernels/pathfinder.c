/* Several rows of the cheapest path through a grid (Rodinia): a CTA loads a stretch of a row's costs and computes in shared memory,
   and the stretch that is right shrinks by a column on both sides with every row. */
#include "warploom.h"

static inline i32 least(i32 a, i32 b) { return a < b ? a : b; }

static inline u32 in_range(i32 x, i32 least, i32 most) { return x >= least && x <= most; }

/* `from` holds the costs up to row `row`; `steps` more rows follow. */
void kernel(const i32 *wall, const i32 *from, i32 *to, i32 columns, i32 row, i32 steps) {
    i32 size = ntid_x(), tx = tid_x(), x = (i32)ctaid_x() * (size - 2 * steps) - steps + tx;
    i32 *before = SHARED_MEMORY, *after = before + size;
    u32 inside = in_range(x, 0, columns - 1);
    if (inside)
        before[tx] = from[x];
    barrier();
    i32 west = tx - (x > 0), east = tx + (x < columns - 1);
    u32 computed = 0;
    for (i32 i = 0; i < steps; i++) {
        computed = 0;
        if (in_range(tx, i + 1, size - i - 2) && inside) {
            computed = 1;
            i32 cheapest = least(least(before[west], before[tx]), before[east]);
            after[tx] = cheapest + wall[(row + 1 + i) * columns + x];
        }
        barrier();
        if (i == steps - 1)
            break;
        if (computed)
            before[tx] = after[tx];
        barrier();
    }
    if (computed)
        to[x] = after[tx];
}
