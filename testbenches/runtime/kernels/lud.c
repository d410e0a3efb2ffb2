/* LU decomposition in place (Rodinia): blocks down the diagonal, and for each of them three launches: the block
   itself, the row and the column of blocks that it begins, the blocks behind those. L has ones in its diagonal, not stored. */
#include "warploom.h"

enum { DIAGONAL, PERIMETER, INTERNAL };

/* `from` less the products of `count` neighbours in a row with as many in a column. */
static inline float eliminate(float from, const float *row, const float *column, u32 stride, u32 count) {
    for (u32 j = 0; j < count; j++)
        from -= row[j] * column[j * stride];
    return from;
}

/* A thread's column of a block. */
static inline void copy(float *to, u32 to_stride, const float *from, u32 from_stride, u32 count) {
    for (u32 i = 0; i < count; i++)
        to[i * to_stride] = from[i * from_stride];
}

/* A thread per row and column of the block. */
static void diagonal(float *matrix, u32 n, u32 size) {
    float *block = SHARED_MEMORY;
    u32 tid = tid_x();
    copy(block + tid, size, matrix + tid, n, size);
    barrier();
    for (u32 i = 0; i + 1 < size; i++) {
        if (tid > i) {
            float *at = block + tid * size + i;
            *at = eliminate(*at, block + tid * size, block + i, size, i) / block[i * size + i];
        }
        barrier();
        if (tid > i) {
            float *row = block + (i + 1) * size;
            row[tid] = eliminate(row[tid], row, block + tid, size, i + 1);
        }
        barrier();
    }
    copy(matrix + tid, n, block + tid, size, size);
}

/* One half of the threads has a block of the row, a column of it each, the other one a block of the column, a row of it each. */
static void perimeter(float *matrix, u32 n, u32 size) {
    float *corner = SHARED_MEMORY, *right = corner + size * size, *below = right + size * size;
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
        float *row = below + x * size;
        for (u32 i = 0; i < size; i++)
            row[i] = eliminate(row[i], row, corner + i, size, i) / corner[i * size + i];
    }
    barrier();
    if (tid < size)
        copy(matrix + away + tid, n, right + tid, size, size);
    else
        copy(matrix + away * n + x, n, below + x, size, size);
}

/* A thread per element of a block. */
static void internal(float *matrix, u32 n, u32 size) {
    float *above = SHARED_MEMORY, *left = above + size * size;
    u32 x = tid_x(), y = tid_y();
    u32 column = (ctaid_x() + 1) * size + x, row = (ctaid_y() + 1) * size + y;
    above[y * size + x] = matrix[y * n + column];
    left[y * size + x] = matrix[row * n + x];
    barrier();
    matrix[row * n + column] = eliminate(matrix[row * n + column], left + y * size, above + x, size, size);
}

void kernel(float *matrix, u32 n, u32 offset, u32 size, u32 step) {
    matrix += offset * n + offset;
    if (step == DIAGONAL)
        diagonal(matrix, n, size);
    else if (step == PERIMETER)
        perimeter(matrix, n, size);
    else
        internal(matrix, n, size);
}
