/* c = a * b, n x n floats, a tile at a time through shared memory; a CTA is a tile x tile square of threads. */
#include "warploom.h"

void kernel(const float *a, const float *b, float *c, u32 n) {
    u32 tile = ntid_x(), x = tid_x(), y = tid_y();
    float *tile_a = SHARED_MEMORY, *tile_b = tile_a + tile * tile;
    u32 row = ctaid_y() * tile + y, column = ctaid_x() * tile + x;
    float sum = 0;
    for (u32 base = 0; base < n; base += tile) {
        tile_a[y * tile + x] = row < n && base + x < n ? a[row * n + base + x] : 0;
        tile_b[y * tile + x] = base + y < n && column < n ? b[(base + y) * n + column] : 0;
        barrier();
        for (u32 k = 0; k < tile; k++)
            sum += tile_a[y * tile + k] * tile_b[k * tile + x];
        barrier();
    }
    if (row < n && column < n)
        c[row * n + column] = sum;
}
