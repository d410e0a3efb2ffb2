/* LU decomposition in place (Rodinia), fixed point: blocks down the diagonal, and for each of them three launches: the block
   itself, the row and the column of blocks that it begins, the blocks behind those. L has ones in its diagonal, not stored. */
#include "warploom.h"

#define FRACTION 14

enum { DIAGONAL, PERIMETER, INTERNAL };

static inline i32 divide(i32 a, i32 b) { return a * (1 << FRACTION) / b; }

/* `from` less the products of `count` neighbours in a row with as many in a column. */
static inline i32 eliminate(i32 from, const i32 *row, const i32 *column, u32 stride, u32 count) {
    for (u32 j = 0; j < count; j++)
        from -= (row[j] * column[j * stride]) >> FRACTION;
    return from;
}

/* A thread's column of a block. */
static inline void copy(i32 *to, u32 to_stride, const i32 *from, u32 from_stride, u32 count) {
    for (u32 i = 0; i < count; i++)
        to[i * to_stride] = from[i * from_stride];
}

/* A thread per row and column of the block. */
static void diagonal(i32 *matrix, u32 n, u32 size) {
    i32 *block = SHARED_MEMORY;
    u32 tid = tid_x();
    copy(block + tid, size, matrix + tid, n, size);
    barrier();
    for (u32 i = 0; i + 1 < size; i++) {
        if (tid > i) {
            i32 *at = block + tid * size + i;
            *at = divide(eliminate(*at, block + tid * size, block + i, size, i), block[i * size + i]);
        }
        barrier();
        if (tid > i) {
            i32 *row = block + (i + 1) * size;
            row[tid] = eliminate(row[tid], row, block + tid, size, i + 1);
        }
        barrier();
    }
    copy(matrix + tid, n, block + tid, size, size);
}

/* One half of the threads has a block of the row, a column of it each, the other one a block of the column, a row of it each. */
static void perimeter(i32 *matrix, u32 n, u32 size) {
    i32 *corner = SHARED_MEMORY, *right = corner + size * size, *below = right + size * size;
    u32 tid = tid_x(), x = tid - size, half = size / 2, away = (ctaid_x() + 1) * size;
    if (tid < size) {
        copy(corner + tid, size, matrix + tid, n, half);
        copy(right + tid, size, matrix + away + tid, n, size);
    } else {
        copy(corner + half * size + x, size, matrix + half * n + x, n, size - half);
        copy(below + x, size, matrix + away * n + x, n, size);
    }
    barrier();
    if (tid < size) {
        for (u32 i = 1; i < size; i++)
            right[i * size + tid] = eliminate(right[i * size + tid], corner + i * size, right + tid, size, i);
    } else {
        i32 *row = below + x * size;
        for (u32 i = 0; i < size; i++)
            row[i] = divide(eliminate(row[i], row, corner + i, size, i), corner[i * size + i]);
    }
    barrier();
    if (tid < size)
        copy(matrix + away + tid, n, right + tid, size, size);
    else
        copy(matrix + away * n + x, n, below + x, size, size);
}

/* A thread per element of a block. */
static void internal(i32 *matrix, u32 n, u32 size) {
    i32 *above = SHARED_MEMORY, *left = above + size * size;
    u32 x = tid_x(), y = tid_y();
    u32 column = (ctaid_x() + 1) * size + x, row = (ctaid_y() + 1) * size + y;
    above[y * size + x] = matrix[y * n + column];
    left[y * size + x] = matrix[row * n + x];
    barrier();
    matrix[row * n + column] = eliminate(matrix[row * n + column], left + y * size, above + x, size, size);
}

void kernel(i32 *matrix, u32 n, u32 offset, u32 size, u32 step) {
    matrix += offset * n + offset;
    if (step == DIAGONAL)
        diagonal(matrix, n, size);
    else if (step == PERIMETER)
        perimeter(matrix, n, size);
    else
        internal(matrix, n, size);
}
