/* Hotspot: the temperatures of a chip, step by step, with a vector as an argument. */
#include "host.h"
#define SIDE 24
static float power[SIDE][SIDE], now[2][SIDE][SIDE], out[SIDE][SIDE];

int main(void) {
    cl_float4 rates = {{0.05f, 0.8f, 0.7f, 0.1f}};
    int side = SIDE, wrong = 0;
    for (int i = 0; i < SIDE * SIDE; i++)
        power[i / SIDE][i % SIDE] = fraction(), now[0][i / SIDE][i % SIDE] = 80 + 10 * fraction();
    start("hotspot.cl", "");
    cl_kernel heat = kernel("heat");
    cl_mem powers = buffer(sizeof power, power), grids[2] = {buffer(sizeof out, now[0]), buffer(sizeof out, NULL)};
    ARGUMENT(heat, 0, powers);
    ARGUMENT(heat, 3, side);
    ARGUMENT(heat, 4, side);
    ARGUMENT(heat, 5, rates);
    for (int step = 0; step < 4; step++) {
        ARGUMENT(heat, 1, grids[step % 2]);
        ARGUMENT(heat, 2, grids[1 - step % 2]);
        launch(heat, 2, SIDE, SIDE, 8, 8);
        float(*from)[SIDE] = now[step % 2], (*to)[SIDE] = now[1 - step % 2];
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++) {
                float here = from[y][x], north = y > 0 ? from[y - 1][x] : here, south = y < SIDE - 1 ? from[y + 1][x] : here;
                float west = x > 0 ? from[y][x - 1] : here, east = x < SIDE - 1 ? from[y][x + 1] : here;
                to[y][x] = here + rates.s[0] * (power[y][x] + (north + south - 2 * here) * rates.s[1] +
                                                (east + west - 2 * here) * rates.s[2] + (80 - here) * rates.s[3]);
            }
    }
    fetch(grids[0], sizeof out, out);
    for (int i = 0; i < SIDE * SIDE; i++)
        wrong += !near(out[i / SIDE][i % SIDE], now[0][i / SIDE][i % SIDE]);
    return verdict(wrong);
}
