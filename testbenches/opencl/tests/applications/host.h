/* What the hosts of these applications share: a device, a program from a file beside them, and a verdict. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call) check((call), #call)
#define ARGUMENT(kernel, index, value) CHECK(clSetKernelArg(kernel, index, sizeof(value), &(value)))

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;

static inline void check(cl_int code, const char *what) {
    if (code != CL_SUCCESS) {
        fprintf(stderr, "%s: %d\n", what, code);
        exit(1);
    }
}

static inline void start(const char *file, const char *options) {
    cl_platform_id platform;
    cl_int code;
    CHECK(clGetPlatformIDs(1, &platform, NULL));
    CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &code);
    check(code, "clCreateCommandQueue");
    static char text[65536];
    FILE *opened = fopen(file, "r");
    if (!opened) {
        perror(file);
        exit(1);
    }
    text[fread(text, 1, sizeof text - 1, opened)] = 0;
    fclose(opened);
    const char *source = text;
    program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    check(code, "clCreateProgramWithSource");
    if (clBuildProgram(program, 1, &device, options, NULL, NULL) != CL_SUCCESS) {
        static char log[65536];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fprintf(stderr, "%s\n", log);
        exit(1);
    }
}

static inline cl_kernel kernel(const char *name) {
    cl_int code;
    cl_kernel made = clCreateKernel(program, name, &code);
    check(code, name);
    return made;
}

static inline cl_mem buffer(size_t bytes, const void *contents) {
    cl_int code;
    cl_mem_flags flags = CL_MEM_READ_WRITE | (contents ? CL_MEM_COPY_HOST_PTR : 0);
    cl_mem made = clCreateBuffer(context, flags, bytes, (void *)contents, &code);
    check(code, "clCreateBuffer");
    return made;
}

static inline void launch(cl_kernel kernel, cl_uint dimensions, size_t x, size_t y, size_t local_x, size_t local_y) {
    size_t global[2] = {x, y}, local[2] = {local_x, local_y};
    CHECK(clEnqueueNDRangeKernel(queue, kernel, dimensions, NULL, global, local, 0, NULL, NULL));
}

static inline void fetch(cl_mem from, size_t bytes, void *to) {
    CHECK(clEnqueueReadBuffer(queue, from, CL_TRUE, 0, bytes, to, 0, NULL, NULL));
}

static inline unsigned next(unsigned limit) {
    static unsigned state = 12345;
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % limit;
}

static inline float fraction(void) { return next(1 << 20) / 1048576.0f; }

static inline int near(float a, float b) { return fabsf(a - b) <= 1e-4f * (1.0f + fabsf(b)); }

static inline int verdict(int wrong) {
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
