/* Speckle-reducing diffusion of a picture, two kernels a round, with what the host finds of the picture before each. */
#include "host.h"
#define SIZE 24
#define PIXELS (SIZE * SIZE)
#define AT(picture, x, y, other) ((x) >= 0 && (x) < SIZE && (y) >= 0 && (y) < SIZE ? (picture)[(y) * SIZE + (x)] : (other))

static float evenness(const float *picture) {
    float sum = 0, squares = 0;
    for (int i = 0; i < PIXELS; i++)
        sum += picture[i], squares += picture[i] * picture[i];
    float mean = sum / PIXELS;
    return (squares / PIXELS - mean * mean) / (mean * mean);
}

static void expected(float *picture, float even) {
    static float flow[PIXELS], before[PIXELS];
    memcpy(before, picture, sizeof before);
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++) {
            float v = AT(before, x, y, 0), gradient = 0, sum = 0;
            for (int way = 0; way < 4; way++) {
                float d = AT(before, x + (way == 0) - (way == 1), y + (way == 2) - (way == 3), v) - v;
                gradient += d * d, sum += d;
            }
            gradient /= v * v, sum /= v;
            float uneven = (0.5f * gradient - sum * sum / 16) / ((1 + 0.25f * sum) * (1 + 0.25f * sum));
            flow[y * SIZE + x] = fminf(1, fmaxf(0, 1 / (1 + (uneven - even) / (even * (1 + even)))));
        }
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++) {
            float v = AT(before, x, y, 0), here = AT(flow, x, y, 0);
            picture[y * SIZE + x] += 0.125f * (here * (AT(before, x - 1, y, v) + AT(before, x, y - 1, v) - 2 * v) +
                                               AT(flow, x + 1, y, 0) * (AT(before, x + 1, y, v) - v) +
                                               AT(flow, x, y + 1, 0) * (AT(before, x, y + 1, v) - v));
        }
}

int main(void) {
    static float picture[PIXELS], ours[PIXELS];
    cl_int size = SIZE;
    cl_float rate = 0.5f;
    for (int i = 0; i < PIXELS; i++)
        ours[i] = picture[i] = 1 + fraction() + (i % SIZE > SIZE / 2);
    start("srad.cl", "");
    cl_kernel coefficients = kernel("coefficients"), update = kernel("update");
    cl_mem from = buffer(sizeof picture, picture), to = buffer(sizeof picture, NULL), flow = buffer(sizeof picture, NULL);
    ARGUMENT(coefficients, 1, flow);
    ARGUMENT(coefficients, 2, size);
    ARGUMENT(update, 1, flow);
    ARGUMENT(update, 3, size);
    ARGUMENT(update, 4, rate);
    for (int round = 0; round < 3; round++) {
        cl_float even = evenness(picture);
        ARGUMENT(coefficients, 0, from);
        ARGUMENT(coefficients, 3, even);
        ARGUMENT(update, 0, from);
        ARGUMENT(update, 2, to);
        launch(coefficients, 2, SIZE, SIZE, 8, 8);
        launch(update, 2, SIZE, SIZE, 8, 8);
        expected(ours, evenness(ours));
        cl_mem other = from;
        from = to, to = other;
        fetch(from, sizeof picture, picture);
    }
    int wrong = 0;
    for (int i = 0; i < PIXELS; i++)
        wrong += !near(picture[i], ours[i]);
    return verdict(wrong);
}
