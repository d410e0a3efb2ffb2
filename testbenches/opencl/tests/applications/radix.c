/* Radix sort, four bits at a time: digits are counted, counts summed up, and keys put in their places. */
#include "host.h"
#define ITEMS 64
#define KEYS (8 * ITEMS)
#define COUNTS (16 * ITEMS)

static int by_size(const void *a, const void *b) {
    cl_uint x = *(const cl_uint *)a, y = *(const cl_uint *)b;
    return (x > y) - (x < y);
}

int main(void) {
    cl_uint keys[KEYS], sorted[KEYS], each = COUNTS / ITEMS;
    for (int i = 0; i < KEYS; i++)
        keys[i] = i % 5 ? next(1 << 16) << 16 | next(1 << 16) : next(4);
    start("radix.cl", "");
    cl_kernel count = kernel("count"), sums = kernel("sums"), scatter = kernel("scatter");
    cl_mem from = buffer(sizeof keys, keys), to = buffer(sizeof keys, NULL), counts = buffer(COUNTS * sizeof(cl_uint), NULL);
    ARGUMENT(count, 1, counts);
    ARGUMENT(sums, 0, counts);
    ARGUMENT(sums, 1, each);
    CHECK(clSetKernelArg(sums, 2, ITEMS * sizeof(cl_uint), NULL));
    ARGUMENT(scatter, 2, counts);
    for (cl_uint shift = 0; shift < 32; shift += 4) {
        ARGUMENT(count, 0, from);
        ARGUMENT(count, 2, shift);
        ARGUMENT(scatter, 0, from);
        ARGUMENT(scatter, 1, to);
        ARGUMENT(scatter, 3, shift);
        launch(count, 1, ITEMS, 1, 32, 1);
        launch(sums, 1, ITEMS, 1, ITEMS, 1);
        launch(scatter, 1, ITEMS, 1, 32, 1);
        cl_mem other = from;
        from = to, to = other;
    }
    fetch(from, sizeof sorted, sorted);
    qsort(keys, KEYS, sizeof *keys, by_size);
    int wrong = 0;
    for (int i = 0; i < KEYS; i++)
        wrong += sorted[i] != keys[i];
    return verdict(wrong);
}
