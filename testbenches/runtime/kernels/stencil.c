/* One step of a 7-point stencil in three dimensions (Parboil): a thread per column, through all planes. A point of the
   surface does not stay as it is there, but goes halfway to its neighbour inside. */
#include "warploom.h"

#define NEIGHBOURS (1 / 36.0f)
#define CENTRE (1 / 6.0f)

static inline i32 inside(u32 at, u32 side) { return at - 1 < side - 2; }

/* Of the neighbour away from the faces that the point is on. */
static inline i32 inwards(u32 at, u32 side) { return (at == 0) - (at == side - 1); }

void kernel(const float *from, float *to, u32 side, u32 planes) {
    u32 x = global_x(), y = ctaid_y() * ntid_y() + tid_y();
    if (x >= side || y >= side)
        return;
    i32 row = side, plane = side * side;
    for (u32 z = 0; z < planes; z++) {
        u32 i = (z * side + y) * side + x;
        const float *at = from + i;
        if (inside(x, side) && inside(y, side) && inside(z, planes)) {
            float around = at[-1] + at[1] + at[-row] + at[row] + at[-plane] + at[plane];
            to[i] = around * NEIGHBOURS - at[0] * CENTRE;
        } else {
            float inner = at[inwards(x, side) + inwards(y, side) * row + inwards(z, planes) * plane];
            to[i] = (at[0] + inner) * 0.5f;
        }
    }
}
