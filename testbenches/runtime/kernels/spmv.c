/* Sparse matrix times vector, compressed sparse rows (Bell and Garland 2009, scalar kernel), fixed point: a thread per row. */
#include "warploom.h"

#define FRACTION 12

void kernel(const u32 *first, const u32 *columns, const i32 *values, const i32 *vector, i32 *product, u32 rows) {
    u32 row = global_x();
    if (row >= rows)
        return;
    i32 sum = 0;
    for (u32 i = first[row]; i < first[row + 1]; i++)
        sum += (values[i] * vector[columns[i]]) >> FRACTION;
    product[row] = sum;
}
