/* b = transpose of a, rows x columns words; tiles turn in shared memory, whose rows are padded by one word. */
#include "warploom.h"

void kernel(const u32 *a, u32 *b, u32 rows, u32 columns) {
    u32 *square = SHARED_MEMORY;
    u32 tile = ntid_x(), x = tid_x(), y = tid_y();
    u32 row = ctaid_y() * tile + y, column = ctaid_x() * tile + x;
    if (row < rows && column < columns)
        square[y * (tile + 1) + x] = a[row * columns + column];
    barrier();
    row = ctaid_x() * tile + y;
    column = ctaid_y() * tile + x;
    if (row < columns && column < rows)
        b[row * rows + column] = square[x * (tile + 1) + y];
}
