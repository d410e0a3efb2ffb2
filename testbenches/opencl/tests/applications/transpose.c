/* A matrix with sides that are no multiples of the tiles. */
#include "host.h"
#define WIDTH 50
#define HEIGHT 37
static float from[HEIGHT][WIDTH], to[WIDTH][HEIGHT];

int main(void) {
    int width = WIDTH, height = HEIGHT, wrong = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        from[i / WIDTH][i % WIDTH] = fraction();
    start("transpose.cl", "");
    cl_kernel transpose = kernel("transpose");
    cl_mem a = buffer(sizeof from, from), b = buffer(sizeof to, NULL);
    ARGUMENT(transpose, 0, a);
    ARGUMENT(transpose, 1, b);
    ARGUMENT(transpose, 2, width);
    ARGUMENT(transpose, 3, height);
    launch(transpose, 2, 56, 40, 8, 8);
    fetch(b, sizeof to, to);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            wrong += to[x][y] != from[y][x];
    return verdict(wrong);
}
