/* Sparse matrix times vector, with rows of very different lengths. */
#include "host.h"
#define ROWS 300
#define MOST (ROWS * 40)
static int first[ROWS + 1], column[MOST];
static float value[MOST], x[ROWS], y[ROWS];

int main(void) {
    int rows = ROWS, wrong = 0;
    for (int row = 0, i = 0; row < ROWS; row++) {
        for (int length = next(10) ? next(6) : next(40); length > 0; length--, i++)
            column[i] = next(ROWS), value[i] = fraction() - 0.5f;
        first[row + 1] = i;
        x[row] = fraction();
    }
    start("spmv.cl", "");
    cl_kernel multiply = kernel("multiply");
    cl_mem arguments[] = {buffer(sizeof first, first), buffer(sizeof column, column), buffer(sizeof value, value),
                          buffer(sizeof x, x), buffer(sizeof y, NULL)};
    for (int i = 0; i < 5; i++)
        ARGUMENT(multiply, i, arguments[i]);
    ARGUMENT(multiply, 5, rows);
    launch(multiply, 1, 320, 1, 64, 1);
    fetch(arguments[4], sizeof y, y);
    for (int row = 0; row < ROWS; row++) {
        float sum = 0;
        for (int i = first[row]; i < first[row + 1]; i++)
            sum += value[i] * x[column[i]];
        wrong += !near(y[row], sum);
    }
    return verdict(wrong);
}
