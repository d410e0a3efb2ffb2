/* One step of a Laplace solver in three dimensions (GPGPU-Sim's LPS, after Giles): a thread per column of a tile goes
   through the planes, three of which are in shared memory. Some of the threads also load the points around the tile. The surface
   of the grid stays as it is. */
#include "warploom.h"

#define SIXTH (1 / 6.0f)

void kernel(const float *from, float *to, u32 side, u32 planes) {
    u32 tx = tid_x(), ty = tid_y(), width = ntid_x(), height = ntid_y();
    u32 x = global_x(), y = ctaid_y() * height + ty;
    u32 row = width + 2, plane = row * (height + 2), layer = side * side;
    float *tile = SHARED_MEMORY;

    /* The first two rows of threads have the rows above and below the tile, the others the columns beside it. */
    u32 k = ty * width + tx, halo = k < 2 * (width + height), halo_at = 0, halo_from = 0;
    if (halo) {
        u32 i, j;
        if (ty < 2) {
            i = tx + 1;
            j = ty * (height + 1);
        } else {
            i = k % 2 * (width + 1);
            j = k / 2 - width + 1;
        }
        halo_at = plane + j * row + i;
        i += ctaid_x() * width - 1;
        j += ctaid_y() * height - 1;
        halo_from = j * side + i;
        halo = i < side && j < side;
    }
    u32 at = plane + (ty + 1) * row + tx + 1, here = y * side + x, active = x < side && y < side;

    if (active)
        tile[at + plane] = from[here];
    if (halo)
        tile[halo_at + plane] = from[halo_from];
    for (u32 z = 0; z < planes; z++) {
        u32 now = here;
        if (active) {
            here += layer;
            tile[at - plane] = tile[at];
            tile[at] = tile[at + plane];
            if (z < planes - 1)
                tile[at + plane] = from[here];
        }
        if (halo) {
            halo_from += layer;
            tile[halo_at - plane] = tile[halo_at];
            tile[halo_at] = tile[halo_at + plane];
            if (z < planes - 1)
                tile[halo_at + plane] = from[halo_from];
        }
        barrier();
        if (active) {
            float next;
            if (x == 0 || x == side - 1 || y == 0 || y == side - 1 || z == 0 || z == planes - 1)
                next = tile[at];
            else
                next = (tile[at - 1] + tile[at + 1] + tile[at - row] + tile[at + row] + tile[at - plane] + tile[at + plane]) * SIXTH;
            to[now] = next;
        }
        barrier();
    }
}
