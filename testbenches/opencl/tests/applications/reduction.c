/* A sum of 64-bit numbers in two launches, the second over the sums of the first: a part of a buffer. */
#include "host.h"
#define COUNT 4096
static cl_long numbers[COUNT];

int main(void) {
    cl_long expected = 0, sum;
    for (int i = 0; i < COUNT; i++)
        expected += numbers[i] = ((cl_long)next(1 << 20) << 30) - next(1 << 20);
    start("reduction.cl", "");
    cl_kernel reduce = kernel("reduce");
    cl_mem all = buffer(sizeof numbers, numbers), sums = buffer(1024, NULL);
    cl_buffer_region first = {0, 64 * sizeof(cl_long)}, last = {512, sizeof(cl_long)};
    cl_mem partial = clCreateSubBuffer(sums, 0, CL_BUFFER_CREATE_TYPE_REGION, &first, NULL);
    cl_mem total = clCreateSubBuffer(sums, 0, CL_BUFFER_CREATE_TYPE_REGION, &last, NULL);
    CHECK(clSetKernelArg(reduce, 2, 64 * sizeof(cl_long), NULL));
    ARGUMENT(reduce, 0, all);
    ARGUMENT(reduce, 1, partial);
    launch(reduce, 1, COUNT, 1, 64, 1);
    ARGUMENT(reduce, 0, partial);
    ARGUMENT(reduce, 1, total);
    launch(reduce, 1, 64, 1, 64, 1);
    fetch(total, sizeof sum, &sum);
    return verdict(sum != expected);
}
