/* Pathfinder: dynamic programming over the rows of a grid, a launch for each. */
#include "host.h"
#define ROWS 12
#define COLUMNS 256
static int wall[ROWS][COLUMNS], expected[2][COLUMNS], out[COLUMNS];

int main(void) {
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLUMNS; x++)
            wall[y][x] = next(10);
    memcpy(expected[0], wall[0], sizeof wall[0]);
    for (int y = 1; y < ROWS; y++)
        for (int x = 0; x < COLUMNS; x++) {
            int *from = expected[(y - 1) % 2], best = from[x];
            if (x > 0 && from[x - 1] < best)
                best = from[x - 1];
            if (x < COLUMNS - 1 && from[x + 1] < best)
                best = from[x + 1];
            expected[y % 2][x] = best + wall[y][x];
        }
    start("pathfinder.cl", "");
    cl_kernel step = kernel("step");
    cl_mem walls = buffer(sizeof wall, wall), rows[2] = {buffer(sizeof wall[0], wall[0]), buffer(sizeof wall[0], NULL)};
    int columns = COLUMNS;
    ARGUMENT(step, 0, walls);
    ARGUMENT(step, 4, columns);
    for (int y = 1; y < ROWS; y++) {
        ARGUMENT(step, 1, rows[(y - 1) % 2]);
        ARGUMENT(step, 2, rows[y % 2]);
        ARGUMENT(step, 3, y);
        launch(step, 1, COLUMNS, 1, 64, 1);
    }
    fetch(rows[(ROWS - 1) % 2], sizeof out, out);
    int wrong = 0;
    for (int x = 0; x < COLUMNS; x++)
        wrong += out[x] != expected[(ROWS - 1) % 2][x];
    return verdict(wrong);
}
