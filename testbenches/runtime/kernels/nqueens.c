/* Queens on a chessboard (Chen's kernel, which comes with GPGPU-Sim): a thread per placement of the first rows counts how many ways
   lead to the last row, by backtracking with a stack in shared memory. */
#include "warploom.h"

typedef unsigned short u16;

/* What a level of the stack holds, a bit per square of its row: taken by column, by either diagonal, and taken or tried. */
enum { COLUMNS, LEFT, RIGHT, TRIED, FIELDS };

void kernel(const u32 *columns, const u32 *left, const u32 *right, u32 *solutions, u32 n, u32 board, i32 rows) {
    u32 i = global_x(), size = ntid_x(), count = 0;
    if (i >= n)
        return;
    u16 *stack = SHARED_MEMORY;
    u16 *bottom = stack + tid_x(), *top = bottom;
    top[COLUMNS * size] = columns[i];
    top[LEFT * size] = left[i];
    top[RIGHT * size] = right[i];
    top[TRIED * size] = columns[i] | left[i] | right[i];
    i32 level = 0;
    while (level >= 0) {
        u32 tried = top[TRIED * size];
        if ((tried & board) == board) {
            level--;
            top -= FIELDS * size;
        } else {
            u32 square = (tried + 1) & ~tried;
            top[TRIED * size] = tried | square;
            if (level + 1 == rows) {
                count++;
                level--;
                top -= FIELDS * size;
            } else {
                u32 column = top[COLUMNS * size] | square;
                u32 to_left = (top[LEFT * size] | square) << 1, to_right = (top[RIGHT * size] | square) >> 1;
                level++;
                top += FIELDS * size;
                top[COLUMNS * size] = column;
                top[LEFT * size] = to_left;
                top[RIGHT * size] = to_right;
                top[TRIED * size] = column | to_left | to_right;
            }
        }
    }
    solutions[i] = count;
}
