/* One step of a finite-difference stencil of radius 4 in three dimensions (CUDA SDK, FDTD3d): a thread per column goes
   through all planes with what is before and behind it in registers, the plane itself in shared memory. The volume has a border as
   wide as the radius on all sides; no side of a CTA is shorter than that. */
#include "warploom.h"

#define RADIUS 4
#define PITCH (32 + 2 * RADIUS) /* of the tile: room for the widest CTA */

void kernel(const float *from, float *to, const float *factors, u32 n, u32 planes) {
    u32 x = tid_x(), y = tid_y(), width = ntid_x(), height = ntid_y();
    u32 column = global_x(), row = ctaid_y() * height + y, side = n + 2 * RADIUS, plane = side * side;
    u32 at = (row + RADIUS) * side + column + RADIUS;
    u32 loads = column < n + RADIUS && row < n + RADIUS, stores = column < n && row < n;
    /* The first threads also load the tile's border: rows above and below, columns left and right. */
    u32 loads_above = loads && y < RADIUS, loads_below = loads_above && row + height < n + RADIUS;
    u32 loads_left = loads && x < RADIUS, loads_right = loads_left && column + width < n + RADIUS;
    float *here = (float *)SHARED_MEMORY + (y + RADIUS) * PITCH + x + RADIUS;
    float behind[RADIUS] = {0, 0, 0, 0}, current = 0, front[RADIUS] = {0, 0, 0, 0};
    from += at;
    to += at + RADIUS * plane;
    /* One plane before the first: every turn of the loop begins with a step forwards. */
    if (loads) {
        for (u32 i = 0; i < RADIUS - 1; i++, from += plane)
            behind[RADIUS - 2 - i] = *from;
        current = *from;
        for (u32 i = 0; i < RADIUS; i++)
            front[i] = *(from += plane);
        from -= (RADIUS - 1) * plane;
    }
    for (; planes > 0; planes--, from += plane, to += plane) {
        for (u32 i = RADIUS - 1; i > 0; i--)
            behind[i] = behind[i - 1];
        behind[0] = current;
        current = front[0];
        for (u32 i = 0; i < RADIUS - 1; i++)
            front[i] = front[i + 1];
        if (loads)
            front[RADIUS - 1] = from[RADIUS * plane];
        barrier();
        if (loads_above)
            here[-RADIUS * PITCH] = from[-RADIUS * (i32)side];
        if (loads_below)
            here[height * PITCH] = from[height * side];
        if (loads_left)
            here[-RADIUS] = from[-RADIUS];
        if (loads_right)
            here[width] = from[width];
        *here = current;
        barrier();
        if (stores) {
            float value = factors[0] * current;
            for (i32 i = 1; i <= RADIUS; i++)
                value += factors[i] * (front[i - 1] + behind[i - 1] + here[-i * PITCH] + here[i * PITCH] + here[-i] + here[i]);
            *to = value;
        }
    }
}
