// The C++ bindings of Khronos: objects that retain and release, exceptions, a kernel as a function.
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
// Else it builds for OpenCL 2.0.
#define CL_HPP_CL_1_2_DEFAULT_BUILD
#include <CL/opencl.hpp>
#include <iostream>
#include <numeric>
#include <vector>

int main() try {
    cl::Context context(CL_DEVICE_TYPE_GPU);
    auto devices = context.getInfo<CL_CONTEXT_DEVICES>();
    cl::CommandQueue queue(context, devices.at(0), CL_QUEUE_PROFILING_ENABLE);
    cl::Program program(context, R"(
        __kernel void saxpy(__global const float *x, __global float *y, float a) {
            size_t i = get_global_id(0);
            y[i] = a * x[i] + y[i];
        })", true);
    std::vector<float> x(256), y(256, 1.0f);
    std::iota(x.begin(), x.end(), 0.0f);
    cl::Buffer xs(context, x.begin(), x.end(), true), ys(context, y.begin(), y.end(), false);
    cl::KernelFunctor<cl::Buffer, cl::Buffer, float> saxpy(program, "saxpy");
    cl::Event event = saxpy(cl::EnqueueArgs(queue, cl::NDRange(256), cl::NDRange(64)), xs, ys, 2.0f);
    event.wait();
    auto taken = event.getProfilingInfo<CL_PROFILING_COMMAND_END>() - event.getProfilingInfo<CL_PROFILING_COMMAND_START>();
    cl::copy(queue, ys, y.begin(), y.end());
    for (size_t i = 0; i < y.size(); i++)
        if (y[i] != 2.0f * i + 1.0f || taken == 0)
            return 1;
    try {
        cl::Kernel none(program, "none");
        return 2;
    } catch (const cl::Error &error) {
        return error.err() == CL_INVALID_KERNEL_NAME ? 0 : 3;
    }
} catch (const cl::Error &error) {
    std::cerr << error.what() << ": " << error.err() << "\n";
    return 4;
}
