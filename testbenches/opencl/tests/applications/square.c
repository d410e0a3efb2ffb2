/* What the "Hello World" of OpenCL does that has come with macOS since 10.6 and is copied everywhere (hello.c): 1,024 random floats are
   squared, by the same calls in the same order, written anew. The work-group is the largest that the kernel may have. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT 1024

static const char *source =
    "__kernel void square(__global float *input, __global float *output, const unsigned int count) {\n"
    "    int i = get_global_id(0);\n"
    "    if (i < count)\n"
    "        output[i] = input[i] * input[i];\n"
    "}\n";

int main(void) {
    static float data[COUNT], results[COUNT];
    unsigned int count = COUNT, correct = 0;
    for (int i = 0; i < COUNT; i++)
        data[i] = rand() / (float)RAND_MAX;

    cl_platform_id platform;
    cl_device_id device_id;
    int err = clGetPlatformIDs(1, &platform, NULL);
    err |= clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device_id, NULL);
    if (err != CL_SUCCESS)
        return printf("no device: %d\n", err), EXIT_FAILURE;
    cl_context context = clCreateContext(0, 1, &device_id, NULL, NULL, &err);
    if (!context)
        return printf("no context: %d\n", err), EXIT_FAILURE;
    cl_command_queue commands = clCreateCommandQueue(context, device_id, 0, &err);
    if (!commands)
        return printf("no queue: %d\n", err), EXIT_FAILURE;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    if (!program)
        return printf("no program: %d\n", err), EXIT_FAILURE;
    err = clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    if (err != CL_SUCCESS) {
        size_t length;
        char log[2048];
        clGetProgramBuildInfo(program, device_id, CL_PROGRAM_BUILD_LOG, sizeof log, log, &length);
        return printf("%s\n", log), EXIT_FAILURE;
    }
    cl_kernel kernel = clCreateKernel(program, "square", &err);
    if (!kernel || err != CL_SUCCESS)
        return printf("no kernel: %d\n", err), EXIT_FAILURE;
    cl_mem input = clCreateBuffer(context, CL_MEM_READ_ONLY, sizeof(float) * count, NULL, NULL);
    cl_mem output = clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof(float) * count, NULL, NULL);
    if (!input || !output)
        return printf("no buffers\n"), EXIT_FAILURE;
    err = clEnqueueWriteBuffer(commands, input, CL_TRUE, 0, sizeof(float) * count, data, 0, NULL, NULL);
    err |= clSetKernelArg(kernel, 0, sizeof(cl_mem), &input);
    err |= clSetKernelArg(kernel, 1, sizeof(cl_mem), &output);
    err |= clSetKernelArg(kernel, 2, sizeof(unsigned int), &count);
    size_t local, global = count;
    err |= clGetKernelWorkGroupInfo(kernel, device_id, CL_KERNEL_WORK_GROUP_SIZE, sizeof(local), &local, NULL);
    if (err != CL_SUCCESS)
        return printf("arguments: %d\n", err), EXIT_FAILURE;
    err = clEnqueueNDRangeKernel(commands, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
    if (err != CL_SUCCESS)
        return printf("no launch: %d\n", err), EXIT_FAILURE;
    clFinish(commands);
    err = clEnqueueReadBuffer(commands, output, CL_TRUE, 0, sizeof(float) * count, results, 0, NULL, NULL);
    if (err != CL_SUCCESS)
        return printf("no results: %d\n", err), EXIT_FAILURE;
    for (int i = 0; i < COUNT; i++)
        correct += results[i] == data[i] * data[i];
    printf("%u of %u values are right\n", correct, count);

    clReleaseMemObject(input);
    clReleaseMemObject(output);
    clReleaseProgram(program);
    clReleaseKernel(kernel);
    clReleaseCommandQueue(commands);
    clReleaseContext(context);
    return 0;
}
