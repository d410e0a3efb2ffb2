/* Calls one after the other, as the numbers of the command line say: with any handle there has ever been, of any kind, alive or released. */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 4096
enum kind { NONE, CONTEXT, QUEUE, BUFFER, PROGRAM, KERNEL, EVENT };
static void *handles[MOST];
static enum kind kinds[MOST];
static int count = 1; /* The first is null. */
static char **numbers;
static unsigned char memory[4096];

static unsigned pick(unsigned limit) { return *numbers ? (unsigned)strtoul(*numbers++, NULL, 10) % limit : 0; }
/* Mostly one of this kind. */
static void *a_handle(enum kind kind) {
    int place = pick(count), wrong = pick(16) == 0;
    for (int i = 0; i < count && !wrong && kinds[place] != kind; i++)
        place = (place + 1) % count;
    return handles[place];
}
static void *keep(enum kind kind, void *handle) {
    if (handle && count < MOST)
        handles[count] = handle, kinds[count++] = kind;
    return handle;
}
/* Whether to block: not before every event of the host has its end, since nobody else would set one. */
static cl_bool blocking(void) {
    cl_bool blocks = pick(2);
    for (int i = 0; i < count && blocks; i++)
        if (kinds[i] == EVENT)
            clSetUserEventStatus(handles[i], CL_COMPLETE);
    return blocks;
}
/* Sizes that fit, and some that do not. */
static size_t length(void) {
    static const size_t lengths[] = {0, 1, 4, 16, 64, 100, 128, 256, 1000, 4096, (size_t)1 << 33};
    return lengths[pick(sizeof lengths / sizeof *lengths)];
}
static size_t inside(void) { return length() % 4097; }

static const char *sources[] = {"__kernel void f(__global int *a, int n, __local int *t) { t[0] = n; if (n > 3) a[get_global_id(0) & 15] = t[0]; }",
                                "__kernel void g(", "__kernel void h(__global int *a) { *a = 1 / 0; }"};

static void call(cl_device_id device) {
    size_t a[3] = {inside(), pick(9), pick(3)}, b[3] = {inside(), pick(9), pick(3)}, c[3] = {inside(), 1 + pick(4), 1 + pick(2)};
    cl_event waits[2] = {a_handle(EVENT), a_handle(EVENT)}, event = NULL;
    cl_uint waiting = pick(8) == 0 ? pick(3) : 0;
    const cl_event *list = waiting ? waits : NULL;
    cl_int code;
    size_t size;
    switch (pick(40)) {
    case 0: keep(CONTEXT, clCreateContext(NULL, pick(2), &device, NULL, NULL, &code)); break;
    case 1: keep(QUEUE, clCreateCommandQueue(a_handle(CONTEXT), device, pick(5), &code)); break;
    case 2: case 3: keep(BUFFER, clCreateBuffer(a_handle(CONTEXT), pick(64), length(), pick(2) ? memory : NULL, &code)); break;
    case 4: {
        cl_buffer_region region = {length(), length()};
        keep(BUFFER, clCreateSubBuffer(a_handle(BUFFER), pick(64), CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
        break;
    }
    case 5: keep(PROGRAM, clCreateProgramWithSource(a_handle(CONTEXT), 1, &sources[pick(3)], NULL, &code)); break;
    case 6: clBuildProgram(a_handle(PROGRAM), 0, NULL, pick(2) ? "" : "-DN=3", NULL, NULL); break;
    case 7: keep(KERNEL, clCreateKernel(a_handle(PROGRAM), pick(2) ? "f" : "h", &code)); break;
    case 8: case 9: {
        void *handle = a_handle(BUFFER);
        clSetKernelArg(a_handle(KERNEL), pick(4), inside() % 17, pick(4) ? &handle : NULL);
        break;
    }
    case 10: case 11: clSetKernelArg(a_handle(KERNEL), pick(3), pick(2) ? 4 : 8, pick(2) ? &waits[0] : NULL); break;
    case 12: case 13:
        a[0] = a[0] % 100, b[0] = b[0] % 65;
        clEnqueueNDRangeKernel(a_handle(QUEUE), a_handle(KERNEL), pick(4), pick(8) ? NULL : c, a, pick(2) ? b : NULL, waiting, list, &event);
        break;
    case 14: clEnqueueTask(a_handle(QUEUE), a_handle(KERNEL), waiting, list, &event); break;
    case 15: clEnqueueReadBuffer(a_handle(QUEUE), a_handle(BUFFER), blocking(), inside(), inside(), memory, waiting, list, pick(2) ? &event : NULL); break;
    case 16: clEnqueueWriteBuffer(a_handle(QUEUE), a_handle(BUFFER), blocking(), inside(), inside(), memory, waiting, list, &event); break;
    case 17: clEnqueueCopyBuffer(a_handle(QUEUE), a_handle(BUFFER), a_handle(BUFFER), inside(), inside(), length(), waiting, list, &event); break;
    case 18: clEnqueueFillBuffer(a_handle(QUEUE), a_handle(BUFFER), memory, inside(), inside(), length(), waiting, list, &event); break;
    case 19: clEnqueueCopyBufferRect(a_handle(QUEUE), a_handle(BUFFER), a_handle(BUFFER), a, b, c, inside(), inside(), inside(), inside(), waiting, list, &event); break;
    case 20: keep(EVENT, clCreateUserEvent(a_handle(CONTEXT), &code)); break;
    case 21: case 22: clSetUserEventStatus(a_handle(EVENT), -(int)pick(2)); break;
    case 23: clGetEventInfo(a_handle(EVENT), CL_EVENT_COMMAND_TYPE + pick(6), inside(), memory, &size); break;
    case 24: clGetEventProfilingInfo(a_handle(EVENT), CL_PROFILING_COMMAND_QUEUED + pick(5), inside(), memory, &size); break;
    case 25: clGetMemObjectInfo(a_handle(BUFFER), CL_MEM_TYPE + pick(10), inside(), memory, &size); break;
    case 26: clGetProgramInfo(a_handle(PROGRAM), (cl_program_info[]){CL_PROGRAM_CONTEXT, CL_PROGRAM_SOURCE, CL_PROGRAM_KERNEL_NAMES, CL_PROGRAM_BINARY_SIZES}[pick(4)], inside(), memory, &size); break;
    case 27: clGetKernelInfo(a_handle(KERNEL), CL_KERNEL_FUNCTION_NAME + pick(6), inside(), memory, &size); break;
    case 28: clGetKernelArgInfo(a_handle(KERNEL), pick(5), CL_KERNEL_ARG_ADDRESS_QUALIFIER + pick(6), inside(), memory, &size); break;
    case 29: {
        void *buffer = a_handle(BUFFER), *queue = a_handle(QUEUE), *map = clEnqueueMapBuffer(queue, buffer, CL_FALSE, pick(8), inside(), inside(), waiting, list, &event, &code);
        keep(EVENT, event), event = NULL;
        clEnqueueUnmapMemObject(pick(2) ? queue : a_handle(QUEUE), pick(2) ? buffer : a_handle(BUFFER), pick(4) ? map : memory, 0, NULL, &event);
        break;
    }
    case 30: if (pick(8) == 0) clReleaseContext(a_handle(CONTEXT)); break;
    case 31: if (pick(4) == 0) clReleaseCommandQueue(a_handle(QUEUE)); break;
    case 32: clReleaseMemObject(a_handle(BUFFER)); break;
    case 33: clReleaseProgram(a_handle(PROGRAM)); break;
    case 34: clReleaseKernel(a_handle(KERNEL)); break;
    case 35: clReleaseEvent(a_handle(EVENT)); break;
    case 36: clRetainMemObject(a_handle(BUFFER)); break;
    case 37: clEnqueueMarkerWithWaitList(a_handle(QUEUE), waiting, list, &event); break;
    case 38: clFlush(a_handle(QUEUE)); break;
    case 39: clEnqueueMigrateMemObjects(a_handle(QUEUE), 1, (cl_mem[]){a_handle(BUFFER)}, pick(4), waiting, list, &event); break;
    }
    keep(EVENT, event);
}

int main(int arguments, char **texts) {
    (void)arguments;
    numbers = texts + 1;
    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL))
        return 1;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    keep(CONTEXT, context);
    keep(QUEUE, clCreateCommandQueue(context, device, 0, &code));
    cl_mem buffer = keep(BUFFER, clCreateBuffer(context, 0, 256, NULL, &code));
    cl_program program = keep(PROGRAM, clCreateProgramWithSource(context, 1, sources, NULL, &code));
    clBuildProgram(program, 0, NULL, "", NULL, NULL);
    cl_kernel kernel = keep(KERNEL, clCreateKernel(program, "f", &code));
    clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    clSetKernelArg(kernel, 1, 4, &code);
    clSetKernelArg(kernel, 2, 64, NULL);
    while (*numbers)
        call(device);
    puts("done");
    return 0;
}
