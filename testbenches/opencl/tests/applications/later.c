/* A kernel of integers, one with floats, and the first once more, each a program of its own. The device's clock does not go back. */
#include "host.h"

static cl_ulong last;
static int wrong;

static void launched(cl_kernel kernel) {
    cl_event event;
    cl_ulong times[4];
    size_t size = 64;
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, &event));
    for (int i = 0; i < 4; i++) {
        CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + i, sizeof *times, &times[i], NULL));
        wrong += times[i] < last;
        last = times[i];
    }
}

int main(void) {
    cl_int code;
    start("later.cl", "-DTYPE=int");
    queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &code);
    check(code, "clCreateCommandQueue");
    cl_kernel integers = kernel("triple");
    const char *source = "__kernel void halve(__global float *a) { a[get_global_id(0)] *= 0.5f; }";
    program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    CHECK(clBuildProgram(program, 1, &device, "", NULL, NULL));
    cl_kernel floats = kernel("halve");
    int numbers[64];
    float fractions[64];
    for (int i = 0; i < 64; i++)
        numbers[i] = i, fractions[i] = i;
    cl_mem of_integers = buffer(sizeof numbers, numbers), of_floats = buffer(sizeof fractions, fractions);
    ARGUMENT(integers, 0, of_integers);
    ARGUMENT(floats, 0, of_floats);
    launched(integers);
    launched(floats);
    launched(integers);
    fetch(of_integers, sizeof numbers, numbers);
    fetch(of_floats, sizeof fractions, fractions);
    for (int i = 0; i < 64; i++)
        wrong += (numbers[i] != 9 * i) + (fractions[i] != 0.5f * i);
    return verdict(wrong);
}
