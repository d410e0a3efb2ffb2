/* Several steps of a processor's temperature (Rodinia): a CTA loads a tile and computes in shared memory, and the part
   of the tile that is right shrinks by a point on every side with every step. */
#include "warploom.h"

/* Inverse thermal resistances along both axes of the chip and to the air, a step over the capacity, the air's temperature. */
#define ACROSS 0.2f
#define DOWN 0.15f
#define UP 0.002f
#define STEP 0.25f
#define AIR 80.0f

static inline u32 in_range(i32 x, i32 least, i32 most) { return x >= least && x <= most; }

void kernel(const float *power, const float *from, float *to, i32 n, i32 steps) {
    i32 size = ntid_x(), tx = tid_x(), ty = tid_y(), inner = size - 2 * steps;
    i32 left = (i32)ctaid_x() * inner - steps, top = (i32)ctaid_y() * inner - steps;
    i32 x = left + tx, y = top + ty, at = ty * size + tx;
    float *now = SHARED_MEMORY, *next = now + size * size, *heat = next + size * size;
    u32 inside = in_range(x, 0, n - 1) && in_range(y, 0, n - 1);
    if (inside) {
        now[at] = from[y * n + x];
        heat[at] = power[y * n + x];
    }
    barrier();

    /* A neighbour outside the grid is as warm as the point itself. */
    i32 west = at - (x > 0), east = at + (x < n - 1), north = y > 0 ? at - size : at, south = y < n - 1 ? at + size : at;
    u32 computed = 0;
    for (i32 i = 0; i < steps; i++) {
        computed = 0;
        if (in_range(tx, i + 1, size - i - 2) && in_range(ty, i + 1, size - i - 2) && inside) {
            computed = 1;
            float here = now[at];
            float flow = heat[at] + (now[south] + now[north] - 2 * here) * DOWN + (now[east] + now[west] - 2 * here) * ACROSS +
                         (AIR - here) * UP;
            next[at] = here + STEP * flow;
        }
        barrier();
        if (i == steps - 1)
            break;
        if (computed)
            now[at] = next[at];
        barrier();
    }
    if (computed)
        to[y * n + x] = next[at];
}
