/* Every function of OpenCL 1.2, as it should be called and as it should not: a line each with the code that came back. */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *name_of(cl_int code) {
    switch (code) {
#define CODE(name) case name: return #name;
    CODE(CL_SUCCESS) CODE(CL_DEVICE_NOT_FOUND) CODE(CL_DEVICE_NOT_AVAILABLE) CODE(CL_COMPILER_NOT_AVAILABLE)
    CODE(CL_MEM_OBJECT_ALLOCATION_FAILURE) CODE(CL_OUT_OF_RESOURCES) CODE(CL_OUT_OF_HOST_MEMORY)
    CODE(CL_PROFILING_INFO_NOT_AVAILABLE) CODE(CL_MEM_COPY_OVERLAP) CODE(CL_BUILD_PROGRAM_FAILURE) CODE(CL_MAP_FAILURE)
    CODE(CL_MISALIGNED_SUB_BUFFER_OFFSET) CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
    CODE(CL_COMPILE_PROGRAM_FAILURE) CODE(CL_LINKER_NOT_AVAILABLE) CODE(CL_LINK_PROGRAM_FAILURE)
    CODE(CL_DEVICE_PARTITION_FAILED) CODE(CL_KERNEL_ARG_INFO_NOT_AVAILABLE) CODE(CL_INVALID_VALUE)
    CODE(CL_INVALID_DEVICE_TYPE) CODE(CL_INVALID_PLATFORM) CODE(CL_INVALID_DEVICE) CODE(CL_INVALID_CONTEXT)
    CODE(CL_INVALID_QUEUE_PROPERTIES) CODE(CL_INVALID_COMMAND_QUEUE) CODE(CL_INVALID_HOST_PTR)
    CODE(CL_INVALID_MEM_OBJECT) CODE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR) CODE(CL_INVALID_IMAGE_SIZE)
    CODE(CL_INVALID_SAMPLER) CODE(CL_INVALID_BINARY) CODE(CL_INVALID_BUILD_OPTIONS) CODE(CL_INVALID_PROGRAM)
    CODE(CL_INVALID_PROGRAM_EXECUTABLE) CODE(CL_INVALID_KERNEL_NAME) CODE(CL_INVALID_KERNEL_DEFINITION)
    CODE(CL_INVALID_KERNEL) CODE(CL_INVALID_ARG_INDEX) CODE(CL_INVALID_ARG_VALUE) CODE(CL_INVALID_ARG_SIZE)
    CODE(CL_INVALID_KERNEL_ARGS) CODE(CL_INVALID_WORK_DIMENSION) CODE(CL_INVALID_WORK_GROUP_SIZE)
    CODE(CL_INVALID_WORK_ITEM_SIZE) CODE(CL_INVALID_GLOBAL_OFFSET) CODE(CL_INVALID_EVENT_WAIT_LIST)
    CODE(CL_INVALID_EVENT) CODE(CL_INVALID_OPERATION) CODE(CL_INVALID_GL_OBJECT) CODE(CL_INVALID_BUFFER_SIZE)
    CODE(CL_INVALID_MIP_LEVEL) CODE(CL_INVALID_GLOBAL_WORK_SIZE) CODE(CL_INVALID_PROPERTY)
    CODE(CL_INVALID_IMAGE_DESCRIPTOR) CODE(CL_INVALID_COMPILER_OPTIONS) CODE(CL_INVALID_LINKER_OPTIONS)
    }
    return "another code";
}

static cl_int error;
static void told(const char *function, const char *how, cl_int code) {
    printf("| `%s` | %s | `%s` |\n", function, how, name_of(code));
}
/* A call that returns its code, and one that leaves it in `error`. */
#define T(function, how, ...) told(#function, how, function(__VA_ARGS__))
#define H(function, how, ...) (error = 1, function(__VA_ARGS__), told(#function, how, error))

static cl_platform_id platform;
static cl_device_id device;
static cl_context context, other;
static cl_command_queue queue, plain;
static cl_mem buffer, part;
static cl_program program;
static cl_kernel kernel;
static size_t size;
static char text[4096];

static const char *SOURCE =
    "typedef struct { int x, y; } pair;\n"
    "__kernel void scale(__global int *a, int k, __local int *t, pair p) { a[get_global_id(0)] *= k + p.x; }\n"
    "__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void fixed(__global int *a) { a[get_global_id(0)] = 1; }\n"
    "__kernel void stop(__global int *a) { a[0x1000000] = 1; }\n";

static void platforms(void) {
    cl_uint count;
    T(clGetPlatformIDs, "", 1, &platform, &count);
    T(clGetPlatformIDs, "nowhere to write", 0, NULL, NULL);
    T(clGetPlatformInfo, "", platform, CL_PLATFORM_NAME, sizeof text, text, &size);
    T(clGetPlatformInfo, "too little room", platform, CL_PLATFORM_NAME, 2, text, NULL);
    T(clGetPlatformInfo, "an unknown name", platform, 0x1234, sizeof text, text, NULL);
    T(clUnloadPlatformCompiler, "", platform);
    T(clUnloadCompiler, "");
    T(clGetDeviceIDs, "", platform, CL_DEVICE_TYPE_ALL, 1, &device, &count);
    T(clGetDeviceIDs, "a type that it has not", platform, CL_DEVICE_TYPE_CPU, 1, &device, NULL);
    T(clGetDeviceIDs, "no type", platform, 0, 1, &device, NULL);
    T(clGetDeviceIDs, "no entries, but a place", platform, CL_DEVICE_TYPE_GPU, 0, &device, NULL);
    T(clGetDeviceInfo, "", device, CL_DEVICE_NAME, sizeof text, text, &size);
    T(clGetDeviceInfo, "no device", NULL, CL_DEVICE_NAME, sizeof text, text, &size);
    T(clGetDeviceInfo, "an unknown name", device, 0x4321, sizeof text, text, &size);
    cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    T(clCreateSubDevices, "there are no parts", device, equally, 0, NULL, &count);
    T(clRetainDevice, "", device);
    T(clReleaseDevice, "", device);
}

static void contexts(void) {
    cl_context_properties right[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0}, wrong[] = {77, 1, 0};
    context = clCreateContext(right, 1, &device, NULL, NULL, &error);
    told("clCreateContext", "", error);
    H(clCreateContext, "an unknown property", wrong, 1, &device, NULL, NULL, &error);
    H(clCreateContext, "no devices", right, 0, NULL, NULL, NULL, &error);
    other = clCreateContextFromType(right, CL_DEVICE_TYPE_GPU, NULL, NULL, &error);
    told("clCreateContextFromType", "", error);
    H(clCreateContextFromType, "a type that there is not", right, CL_DEVICE_TYPE_CPU, NULL, NULL, &error);
    T(clGetContextInfo, "", context, CL_CONTEXT_DEVICES, sizeof text, text, &size);
    T(clGetContextInfo, "no context", NULL, CL_CONTEXT_DEVICES, sizeof text, text, &size);
    T(clRetainContext, "", context);
    T(clReleaseContext, "", context);
    cl_context gone = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    clReleaseContext(gone);
    T(clReleaseContext, "a released one", gone);
    queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &error);
    told("clCreateCommandQueue", "", error);
    plain = clCreateCommandQueue(context, device, 0, &error);
    H(clCreateCommandQueue, "an unknown property", context, device, 1 << 9, &error);
    T(clGetCommandQueueInfo, "", queue, CL_QUEUE_PROPERTIES, sizeof text, text, &size);
    T(clGetCommandQueueInfo, "an unknown name", queue, 1, sizeof text, text, &size);
    T(clSetCommandQueueProperty, "", plain, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_TRUE, NULL);
    T(clRetainCommandQueue, "", queue);
    T(clReleaseCommandQueue, "", queue);
    T(clReleaseCommandQueue, "a buffer's context instead of a queue", (cl_command_queue)context);
}

static void buffers(void) {
    static int values[256];
    buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof values, values, &error);
    told("clCreateBuffer", "", error);
    H(clCreateBuffer, "no bytes", context, 0, 0, NULL, &error);
    H(clCreateBuffer, "more than there are", context, 0, (size_t)1 << 40, NULL, &error);
    H(clCreateBuffer, "contents that are not said", context, CL_MEM_COPY_HOST_PTR, 4, NULL, &error);
    H(clCreateBuffer, "two ways of access", context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 4, NULL, &error);
    cl_buffer_region half = {512, 512}, crooked = {4, 4}, beyond = {512, 1024};
    part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &error);
    told("clCreateSubBuffer", "", error);
    H(clCreateSubBuffer, "a crooked place", buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &crooked, &error);
    H(clCreateSubBuffer, "behind the end", buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &beyond, &error);
    H(clCreateSubBuffer, "a part of a part", part, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &error);
    T(clRetainMemObject, "", buffer);
    T(clReleaseMemObject, "", buffer);
    T(clGetMemObjectInfo, "", part, CL_MEM_OFFSET, sizeof text, text, &size);
    T(clGetMemObjectInfo, "no buffer", NULL, CL_MEM_OFFSET, sizeof text, text, &size);
    T(clSetMemObjectDestructorCallback, "no function", buffer, NULL, NULL);
    T(clEnqueueReadBuffer, "", queue, buffer, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL);
    T(clEnqueueReadBuffer, "behind the end", queue, buffer, CL_TRUE, 4, sizeof values, values, 0, NULL, NULL);
    T(clEnqueueReadBuffer, "to nowhere", queue, buffer, CL_TRUE, 0, 4, NULL, 0, NULL, NULL);
    T(clEnqueueReadBuffer, "events that are not there", queue, buffer, CL_TRUE, 0, 4, values, 1, NULL, NULL);
    T(clEnqueueWriteBuffer, "", queue, buffer, CL_FALSE, 0, sizeof values, values, 0, NULL, NULL);
    T(clEnqueueWriteBuffer, "no bytes", queue, buffer, CL_FALSE, 0, 0, values, 0, NULL, NULL);
    T(clEnqueueCopyBuffer, "", queue, buffer, buffer, 0, 512, 512, 0, NULL, NULL);
    T(clEnqueueCopyBuffer, "over itself", queue, buffer, buffer, 0, 4, 512, 0, NULL, NULL);
    T(clEnqueueCopyBuffer, "over a part of it", queue, buffer, part, 512, 0, 4, 0, NULL, NULL);
    T(clEnqueueFillBuffer, "", queue, buffer, values, 4, 0, 512, 0, NULL, NULL);
    T(clEnqueueFillBuffer, "a pattern of three bytes", queue, buffer, values, 3, 0, 512, 0, NULL, NULL);
    size_t origin[3] = {0, 0, 0}, region[3] = {4, 4, 2}, none[3] = {4, 0, 1}, next[3] = {8, 0, 0};
    T(clEnqueueReadBufferRect, "", queue, buffer, CL_TRUE, next, origin, region, 16, 0, 0, 0, values, 0, NULL, NULL);
    T(clEnqueueReadBufferRect, "no rows", queue, buffer, CL_TRUE, origin, origin, none, 0, 0, 0, 0, values, 0, NULL, NULL);
    T(clEnqueueWriteBufferRect, "", queue, buffer, CL_TRUE, origin, origin, region, 16, 64, 0, 0, values, 0, NULL, NULL);
    T(clEnqueueWriteBufferRect, "rows that overlap", queue, buffer, CL_TRUE, origin, origin, region, 3, 0, 0, 0, values, 0, NULL, NULL);
    T(clEnqueueCopyBufferRect, "", queue, buffer, buffer, origin, next, region, 16, 64, 16, 64, 0, NULL, NULL);
    T(clEnqueueCopyBufferRect, "over itself", queue, buffer, buffer, origin, origin, region, 16, 64, 16, 64, 0, NULL, NULL);
    void *map = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, 64, 0, NULL, NULL, &error);
    told("clEnqueueMapBuffer", "", error);
    H(clEnqueueMapBuffer, "behind the end", queue, buffer, CL_TRUE, CL_MAP_READ, 1024, 4, 0, NULL, NULL, &error);
    T(clEnqueueUnmapMemObject, "", queue, buffer, map, 0, NULL, NULL);
    T(clEnqueueUnmapMemObject, "for the second time", queue, buffer, map, 0, NULL, NULL);
    T(clEnqueueMigrateMemObjects, "", queue, 1, &buffer, 0, 0, NULL, NULL);
    T(clEnqueueMigrateMemObjects, "none", queue, 0, NULL, 0, 0, NULL, NULL);
    cl_mem sealed = clCreateBuffer(context, CL_MEM_HOST_NO_ACCESS, 64, NULL, NULL);
    T(clEnqueueReadBuffer, "one that the host may not read", queue, sealed, CL_TRUE, 0, 4, values, 0, NULL, NULL);
    clReleaseMemObject(sealed);
    T(clReleaseMemObject, "a released one", sealed);
}

static void programs(void) {
    program = clCreateProgramWithSource(context, 1, &SOURCE, NULL, &error);
    told("clCreateProgramWithSource", "", error);
    H(clCreateProgramWithSource, "no text", context, 0, NULL, NULL, &error);
    H(clCreateKernel, "before it is built", program, "scale", &error);
    T(clBuildProgram, "an unknown option", program, 1, &device, "-O9", NULL, NULL);
    T(clBuildProgram, "", program, 1, &device, "-DN=4 -cl-mad-enable", NULL, NULL);
    T(clGetProgramBuildInfo, "", program, device, CL_PROGRAM_BUILD_LOG, sizeof text, text, &size);
    T(clGetProgramBuildInfo, "no device", program, NULL, CL_PROGRAM_BUILD_LOG, sizeof text, text, &size);
    const char *broken = "__kernel void f(__global int *a) { a[0] = b; }";
    cl_program wrong = clCreateProgramWithSource(context, 1, &broken, NULL, NULL);
    T(clBuildProgram, "an error in the source", wrong, 0, NULL, NULL, NULL, NULL);
    T(clCompileProgram, "an error in the source", wrong, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL);
    T(clGetProgramInfo, "the names of kernels that there are not", wrong, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, &size);
    T(clGetProgramInfo, "", program, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, &size);
    size_t bytes;
    clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL);
    unsigned char *binary = malloc(bytes);
    T(clGetProgramInfo, "its binary", program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL);
    cl_program again = clCreateProgramWithBinary(context, 1, &device, &bytes, (const unsigned char **)&binary, NULL, &error);
    told("clCreateProgramWithBinary", "", error);
    T(clBuildProgram, "of a binary", again, 0, NULL, NULL, NULL, NULL);
    binary[0] = 0;
    H(clCreateProgramWithBinary, "what is none", context, 1, &device, &bytes, (const unsigned char **)&binary, NULL, &error);
    free(binary);
    H(clCreateProgramWithBuiltInKernels, "there are none", context, 1, &device, "fft", &error);
    T(clRetainProgram, "", again);
    T(clReleaseProgram, "", again);
    const char *caller = "#include \"twice.h\"\n__kernel void call(__global int *a) { a[0] = twice(a[0]); }";
    const char *header = "int twice(int x);", *callee = "int twice(int x) { return 2 * x; }";
    cl_program main = clCreateProgramWithSource(context, 1, &caller, NULL, NULL);
    cl_program head = clCreateProgramWithSource(context, 1, &header, NULL, NULL);
    cl_program twice = clCreateProgramWithSource(context, 1, &callee, NULL, NULL);
    const char *name = "twice.h";
    T(clCompileProgram, "", main, 0, NULL, NULL, 1, &head, &name, NULL, NULL);
    T(clCompileProgram, "without a kernel", twice, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL);
    cl_program both[] = {main, twice};
    cl_program linked = clLinkProgram(context, 0, NULL, NULL, 2, both, NULL, NULL, &error);
    told("clLinkProgram", "", error);
    H(clLinkProgram, "without a function that it needs", context, 0, NULL, NULL, 1, both, NULL, NULL, &error);
    H(clLinkProgram, "what is not compiled", context, 0, NULL, NULL, 1, &head, NULL, NULL, &error);
    H(clCreateKernel, "of a linked program", linked, "call", &error);
}

static void kernels(void) {
    cl_uint count;
    kernel = clCreateKernel(program, "scale", &error);
    told("clCreateKernel", "", error);
    H(clCreateKernel, "a name that there is not", program, "scala", &error);
    T(clCreateKernelsInProgram, "", program, 0, NULL, &count);
    cl_kernel few[1];
    T(clCreateKernelsInProgram, "too little room", program, 1, few, &count);
    T(clBuildProgram, "while it has kernels", program, 0, NULL, NULL, NULL, NULL);
    T(clRetainKernel, "", kernel);
    T(clReleaseKernel, "", kernel);
    T(clGetKernelInfo, "", kernel, CL_KERNEL_FUNCTION_NAME, sizeof text, text, &size);
    T(clGetKernelArgInfo, "", kernel, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, &size);
    T(clGetKernelArgInfo, "beyond the last", kernel, 9, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, &size);
    T(clGetKernelWorkGroupInfo, "", kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof text, text, &size);
    T(clGetKernelWorkGroupInfo, "an unknown name", kernel, device, 5, sizeof text, text, &size);
    size_t global = 64, local = 16, odd = 7, most = 4096, zero = 0, far = (size_t)1 << 33;
    T(clEnqueueNDRangeKernel, "arguments that are not set", queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
    int k = 3, pair[2] = {1, 2};
    T(clSetKernelArg, "a buffer", kernel, 0, sizeof buffer, &buffer);
    T(clSetKernelArg, "a number", kernel, 1, sizeof k, &k);
    T(clSetKernelArg, "local memory", kernel, 2, 64, NULL);
    T(clSetKernelArg, "a structure", kernel, 3, sizeof pair, pair);
    T(clSetKernelArg, "beyond the last", kernel, 4, 4, &k);
    T(clSetKernelArg, "a number of another size", kernel, 1, 8, pair);
    T(clSetKernelArg, "no value", kernel, 1, 4, NULL);
    T(clSetKernelArg, "local memory with a value", kernel, 2, 4, &k);
    T(clSetKernelArg, "local memory of no bytes", kernel, 2, 0, NULL);
    T(clSetKernelArg, "a queue as a buffer", kernel, 0, sizeof buffer, &queue);
    T(clEnqueueNDRangeKernel, "", queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
    T(clEnqueueNDRangeKernel, "groups as they come", queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
    T(clEnqueueNDRangeKernel, "an offset", queue, kernel, 1, &local, &global, &local, 0, NULL, NULL);
    T(clEnqueueNDRangeKernel, "four dimensions", queue, kernel, 4, NULL, &global, &local, 0, NULL, NULL);
    T(clEnqueueNDRangeKernel, "no size", queue, kernel, 1, NULL, NULL, &local, 0, NULL, NULL);
    T(clEnqueueNDRangeKernel, "no work-items", queue, kernel, 1, NULL, &zero, &local, 0, NULL, NULL);
    T(clEnqueueNDRangeKernel, "more than there are numbers", queue, kernel, 1, NULL, &far, &local, 0, NULL, NULL);
    T(clEnqueueNDRangeKernel, "an offset beyond that", queue, kernel, 1, &far, &global, &local, 0, NULL, NULL);
    T(clEnqueueNDRangeKernel, "groups that do not fit", queue, kernel, 1, NULL, &global, &odd, 0, NULL, NULL);
    T(clEnqueueNDRangeKernel, "groups too large for the core", queue, kernel, 1, NULL, &most, &most, 0, NULL, NULL);
    T(clEnqueueNDRangeKernel, "an empty group", queue, kernel, 1, NULL, &global, &zero, 0, NULL, NULL);
    cl_kernel fixed = clCreateKernel(program, "fixed", NULL);
    clSetKernelArg(fixed, 0, sizeof buffer, &buffer);
    T(clEnqueueNDRangeKernel, "other groups than the kernel requires", queue, fixed, 1, NULL, &global, &local, 0, NULL, NULL);
    T(clEnqueueNDRangeKernel, "groups that are left open, though it requires some", queue, fixed, 1, NULL, &global, NULL, 0, NULL, NULL);
    T(clEnqueueTask, "", queue, kernel, 0, NULL, NULL);
    clSetKernelArg(kernel, 2, 1 << 20, NULL);
    T(clEnqueueNDRangeKernel, "more local memory than there is", queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
    T(clEnqueueNativeKernel, "there are none", queue, NULL, NULL, 0, 0, NULL, NULL, 0, NULL, NULL);
    cl_kernel gone = clCreateKernel(program, "fixed", NULL);
    clReleaseKernel(gone);
    T(clReleaseKernel, "a released one", gone);
}

static void CL_CALLBACK count_up(cl_event event, cl_int status, void *data) {
    (void)event;
    *(int *)data += 1 + status;
}

static void events(void) {
    cl_event event, unprofiled, user = clCreateUserEvent(context, &error);
    int value = 0, calls = 0;
    told("clCreateUserEvent", "", error);
    clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4, &value, 0, NULL, &event);
    T(clWaitForEvents, "", 1, &event);
    T(clWaitForEvents, "none", 0, NULL);
    T(clGetEventInfo, "", event, CL_EVENT_COMMAND_TYPE, sizeof text, text, &size);
    T(clGetEventInfo, "an unknown name", event, 1, sizeof text, text, &size);
    T(clGetEventProfilingInfo, "", event, CL_PROFILING_COMMAND_END, sizeof text, text, &size);
    T(clGetEventProfilingInfo, "an unknown name", event, 1, sizeof text, text, &size);
    clEnqueueReadBuffer(plain, buffer, CL_TRUE, 0, 4, &value, 0, NULL, &unprofiled);
    T(clGetEventProfilingInfo, "of a queue without", unprofiled, CL_PROFILING_COMMAND_END, sizeof text, text, &size);
    T(clSetEventCallback, "", user, CL_COMPLETE, count_up, &calls);
    T(clSetEventCallback, "for what is no state", user, 7, count_up, &calls);
    T(clEnqueueWriteBuffer, "behind a user event", queue, buffer, CL_FALSE, 0, 4, &value, 1, &user, &event);
    T(clSetUserEventStatus, "one that is none", user, 1);
    T(clSetUserEventStatus, "", user, CL_COMPLETE);
    T(clSetUserEventStatus, "for the second time", user, CL_COMPLETE);
    T(clSetUserEventStatus, "of a command's event", event, CL_COMPLETE);
    printf("| | callbacks | %d |\n", calls);
    cl_event failed = clCreateUserEvent(context, NULL), behind;
    clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 4, &value, 1, &failed, &behind);
    clSetUserEventStatus(failed, -7);
    T(clWaitForEvents, "one behind a failed one", 1, &behind);
    cl_event foreign = clCreateUserEvent(other, NULL);
    T(clEnqueueWriteBuffer, "behind an event of another context", queue, buffer, CL_FALSE, 0, 4, &value, 1, &foreign, NULL);
    T(clRetainEvent, "", event);
    T(clReleaseEvent, "", event);
    T(clEnqueueMarker, "", queue, &event);
    T(clEnqueueMarker, "no event", queue, NULL);
    T(clEnqueueMarkerWithWaitList, "", queue, 1, &event, NULL);
    T(clEnqueueBarrier, "", queue);
    T(clEnqueueBarrierWithWaitList, "", queue, 0, NULL, NULL);
    T(clEnqueueWaitForEvents, "", queue, 1, &event);
    T(clEnqueueWaitForEvents, "none", queue, 0, NULL);
    T(clFlush, "", queue);
    T(clFlush, "no queue", NULL);
    T(clFinish, "", queue);
    cl_kernel stop = clCreateKernel(program, "stop", NULL);
    clSetKernelArg(stop, 0, sizeof buffer, &buffer);
    T(clEnqueueTask, "a kernel that traps", plain, stop, 0, NULL, &event);
    T(clWaitForEvents, "that kernel", 1, &event);
    T(clFinish, "its queue", plain);
}

static void absent(void) {
    cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8};
    size_t origin[3] = {0}, region[3] = {1, 1, 1};
    cl_uint count = 7;
    H(clCreateImage, "", context, 0, &format, &desc, NULL, &error);
    H(clCreateImage2D, "", context, 0, &format, 8, 8, 0, NULL, &error);
    H(clCreateImage3D, "", context, 0, &format, 8, 8, 8, 0, 0, NULL, &error);
    T(clGetSupportedImageFormats, "there are 0", context, 0, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &count);
    printf("| | formats | %u |\n", count);
    T(clGetImageInfo, "of a buffer", buffer, CL_IMAGE_WIDTH, sizeof text, text, &size);
    T(clEnqueueReadImage, "", queue, buffer, CL_TRUE, origin, region, 0, 0, text, 0, NULL, NULL);
    T(clEnqueueWriteImage, "", queue, buffer, CL_TRUE, origin, region, 0, 0, text, 0, NULL, NULL);
    T(clEnqueueFillImage, "", queue, buffer, text, origin, region, 0, NULL, NULL);
    T(clEnqueueCopyImage, "", queue, buffer, buffer, origin, origin, region, 0, NULL, NULL);
    T(clEnqueueCopyImageToBuffer, "", queue, buffer, buffer, origin, region, 0, 0, NULL, NULL);
    T(clEnqueueCopyBufferToImage, "", queue, buffer, buffer, 0, origin, region, 0, NULL, NULL);
    H(clEnqueueMapImage, "", queue, buffer, CL_TRUE, CL_MAP_READ, origin, region, &size, NULL, 0, NULL, NULL, &error);
    H(clCreateSampler, "", context, CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &error);
    T(clRetainSampler, "a buffer", (cl_sampler)buffer);
    T(clReleaseSampler, "a buffer", (cl_sampler)buffer);
    T(clGetSamplerInfo, "a buffer", (cl_sampler)buffer, CL_SAMPLER_CONTEXT, sizeof text, text, &size);
    printf("| `clGetExtensionFunctionAddress` | an unknown name | %s |\n", clGetExtensionFunctionAddress("clNothing") ? "something" : "null");
    printf("| `clGetExtensionFunctionAddressForPlatform` | an unknown name | %s |\n",
           clGetExtensionFunctionAddressForPlatform(platform, "clNothing") ? "something" : "null");
}

int main(void) {
    platforms();
    contexts();
    buffers();
    programs();
    kernels();
    events();
    absent();
    return 0;
}
