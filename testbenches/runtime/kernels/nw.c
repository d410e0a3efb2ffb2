/* Needleman-Wunsch (Rodinia): the blocks of one anti-diagonal of the matrix of scores, a CTA each, which goes through the
   anti-diagonals of its block in shared memory. Row and column 0 of the matrix are given. */
#include "warploom.h"

static inline i32 most(i32 a, i32 b) { return a > b ? a : b; }

/* A score from its three neighbours. `score` has a row and a column more than `similar`. */
static inline void cell(i32 *score, const i32 *similar, u32 size, u32 x, u32 y, i32 penalty) {
    i32 *at = score + y * (size + 1) + x, *above = at - (size + 1);
    at[0] = most(most(above[-1] + similar[(y - 1) * size + x - 1], at[-1] - penalty), above[0] - penalty);
}

/* The blocks x = first, first + 1, ... of those with x + y = diagonal; `n` is the side of `similarity`. */
void kernel(i32 *matrix, const i32 *similarity, u32 n, i32 penalty, u32 diagonal, u32 first) {
    u32 size = ntid_x(), tx = tid_x(), row = size + 1, stride = n + 1;
    u32 x = (first + ctaid_x()) * size, y = diagonal * size - x;
    i32 *score = SHARED_MEMORY, *similar = score + row * row, *block = matrix + y * stride + x;
    if (tx == 0)
        score[0] = block[0];
    for (u32 i = 0; i < size; i++)
        similar[i * size + tx] = similarity[(y + i) * n + x + tx];
    barrier();
    score[(tx + 1) * row] = block[(tx + 1) * stride];
    barrier();
    score[tx + 1] = block[tx + 1];
    barrier();
    for (u32 m = 0; m < size; m++) {
        if (tx <= m)
            cell(score, similar, size, tx + 1, m - tx + 1, penalty);
        barrier();
    }
    for (u32 m = size - 1; m-- > 0;) {
        if (tx <= m)
            cell(score, similar, size, tx + size - m, size - tx, penalty);
        barrier();
    }
    for (u32 i = 1; i <= size; i++)
        block[i * stride + tx + 1] = score[i * row + tx + 1];
}
