/* One launch and a look at its results, and then as many more as the argument says: the microseconds of one of them are printed. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void check(cl_int code, const char *what) {
    if (code != CL_SUCCESS) {
        fprintf(stderr, "%s: %d\n", what, code);
        exit(1);
    }
}

static double microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

int main(int count, char **arguments) {
    const int further = count == 2 ? atoi(arguments[1]) : 0;
    cl_platform_id platform;
    cl_device_id device;
    cl_int code, n = 3, numbers[64];
    static char text[4096];
    const char *source = text;
    FILE *file = fopen("first.cl", "r");
    if (!file || !fread(text, 1, sizeof text - 1, file))
        return 1;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, "first", &code);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof numbers, NULL, &code);
    check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof n, &n), "clSetKernelArg");
    size_t size = 64;
    double begin = 0;
    for (int launch = 0; launch <= further; launch++) {
        check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, &size, 0, NULL, NULL), "clEnqueueNDRangeKernel");
        if (launch == 0) {
            check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL), "clEnqueueReadBuffer");
            for (int i = 0; i < 64; i++)
                if (numbers[i] != (i & 1 ? 3 : i))
                    return 1;
            begin = microseconds();
        }
    }
    check(clFinish(queue), "clFinish");
    if (further)
        printf("%.0f\n", (microseconds() - begin) / further);
    return 0;
}
