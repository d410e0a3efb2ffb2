/* Gaussian elimination with two kernels in turn; the solution is put in again. */
#include "host.h"
#define SIZE 20
static float a[SIZE][SIZE], b[SIZE], upper[SIZE][SIZE], right[SIZE], x[SIZE];

int main(void) {
    int size = SIZE, wrong = 0;
    for (int y = 0; y < SIZE; y++) {
        for (int i = 0; i < SIZE; i++)
            a[y][i] = fraction() + (y == i ? SIZE : 0);
        b[y] = 10 * fraction();
    }
    start("gaussian.cl", "");
    cl_kernel factors = kernel("factors"), eliminate = kernel("eliminate");
    cl_mem matrix = buffer(sizeof a, a), vector = buffer(sizeof b, b), factor = buffer(sizeof b, NULL);
    ARGUMENT(factors, 0, matrix);
    ARGUMENT(factors, 1, factor);
    ARGUMENT(factors, 2, size);
    ARGUMENT(eliminate, 0, matrix);
    ARGUMENT(eliminate, 1, vector);
    ARGUMENT(eliminate, 2, factor);
    ARGUMENT(eliminate, 3, size);
    for (int column = 0; column < SIZE - 1; column++) {
        ARGUMENT(factors, 3, column);
        launch(factors, 1, 32, 1, 32, 1);
        ARGUMENT(eliminate, 4, column);
        launch(eliminate, 2, 24, 24, 8, 8);
    }
    fetch(matrix, sizeof upper, upper);
    fetch(vector, sizeof right, right);
    for (int y = SIZE - 1; y >= 0; y--) {
        x[y] = right[y];
        for (int i = y + 1; i < SIZE; i++)
            x[y] -= upper[y][i] * x[i];
        x[y] /= upper[y][y];
    }
    for (int y = 0; y < SIZE; y++) {
        float sum = 0;
        for (int i = 0; i < SIZE; i++)
            sum += a[y][i] * x[i];
        wrong += fabsf(sum - b[y]) > 1e-3f;
    }
    return verdict(wrong);
}
