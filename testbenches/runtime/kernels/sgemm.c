/* c = alpha * a * b + beta * c on row-major matrices of floats (BLAS's sgemm): a tile of a and one of b at a time through shared memory,
   and a column of WORK results in the registers of a thread, so that a word of b is read from there once for all of them. A CTA has
   tile x tile / WORK threads. */
#include "warploom.h"

#define WORK 4

struct sizes {
    u32 m, n, k;
};

void kernel(const float *a, const float *b, float *c, const struct sizes *sizes, float alpha, float beta) {
    u32 m = sizes->m, n = sizes->n, depth = sizes->k;
    u32 tile = ntid_x(), x = tid_x(), y = tid_y() * WORK;
    float *tile_a = SHARED_MEMORY, *tile_b = tile_a + tile * tile;
    u32 row = ctaid_y() * tile + y, column = ctaid_x() * tile + x;
    float sum[WORK] = {0, 0, 0, 0};
    for (u32 base = 0; base < depth; base += tile) {
        /* All loads are on their way before the first is waited for. */
        float next_a[WORK], next_b[WORK];
        for (u32 i = 0; i < WORK; i++) {
            next_a[i] = row + i < m && base + x < depth ? a[(row + i) * depth + base + x] : 0;
            next_b[i] = base + y + i < depth && column < n ? b[(base + y + i) * n + column] : 0;
        }
        for (u32 i = 0; i < WORK; i++) {
            tile_a[(y + i) * tile + x] = next_a[i];
            tile_b[(y + i) * tile + x] = next_b[i];
        }
        barrier();
        for (u32 k = 0; k < tile; k++) {
            float of_b = tile_b[k * tile + x];
            for (u32 i = 0; i < WORK; i++)
                sum[i] += tile_a[(y + i) * tile + k] * of_b;
        }
        barrier();
    }
    for (u32 i = 0; i < WORK; i++)
        if (row + i < m && column < n) {
            float *result = &c[(row + i) * n + column];
            *result = beta * *result + alpha * sum[i];
        }
}
