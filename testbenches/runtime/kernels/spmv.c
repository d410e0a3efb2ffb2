/* Sparse matrix times vector, compressed sparse rows (Bell and Garland 2009, scalar kernel): a thread per row. */
#include "warploom.h"

void kernel(const u32 *first, const u32 *columns, const float *values, const float *vector, float *product, u32 rows) {
    u32 row = global_x();
    if (row >= rows)
        return;
    float sum = 0;
    for (u32 i = first[row]; i < first[row + 1]; i++)
        sum += values[i] * vector[columns[i]];
    product[row] = sum;
}
