/* A histogram of bytes, with atomic operations on local and global memory. */
#include "host.h"
#define LENGTH 4000
static unsigned char data[LENGTH];
static unsigned bins[256], expected[256];

int main(void) {
    int length = LENGTH, wrong = 0;
    for (int i = 0; i < LENGTH; i++) {
        data[i] = next(16) * next(16);
        expected[data[i]]++;
    }
    start("histogram.cl", "");
    cl_kernel histogram = kernel("histogram");
    cl_mem bytes = buffer(sizeof data, data), counts = buffer(sizeof bins, NULL);
    cl_uint zero = 0;
    CHECK(clEnqueueFillBuffer(queue, counts, &zero, sizeof zero, 0, sizeof bins, 0, NULL, NULL));
    ARGUMENT(histogram, 0, bytes);
    ARGUMENT(histogram, 1, counts);
    ARGUMENT(histogram, 2, length);
    CHECK(clSetKernelArg(histogram, 3, 256 * sizeof(cl_uint), NULL));
    launch(histogram, 1, 256, 1, 64, 1);
    unsigned *map = clEnqueueMapBuffer(queue, counts, CL_TRUE, CL_MAP_READ, 0, sizeof bins, 0, NULL, NULL, NULL);
    for (int i = 0; i < 256; i++)
        wrong += map[i] != expected[i];
    CHECK(clEnqueueUnmapMemObject(queue, counts, map, 0, NULL, NULL));
    return verdict(wrong);
}
