// What the second program of the course "Hands On OpenCL" does (vadd_cpp.cpp of HandsOnOpenCL/Exercises-Solutions, by Mattson, Gaster,
// Deakin, McIntosh-Smith): the sum of two vectors of floats through the C++ bindings, by the same calls in the same order, written anew.
// The kernel is in a file of its own there. That the work-group is left to the device is as it is there.
#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_CL_1_2_DEFAULT_BUILD
#include <CL/opencl.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

static const std::string source = R"(
__kernel void vadd(__global float *a, __global float *b, __global float *c, const unsigned int count) {
    int i = get_global_id(0);
    if (i < count)
        c[i] = a[i] + b[i];
})";

int main() {
    const int length = 1024;
    std::vector<float> h_a(length), h_b(length), h_c(length, 0xdeadbeef);
    for (int i = 0; i < length; i++) {
        h_a[i] = rand() / (float)RAND_MAX;
        h_b[i] = rand() / (float)RAND_MAX;
    }
    try {
        cl::Context context(CL_DEVICE_TYPE_DEFAULT);
        cl::Program program(context, source, true);
        cl::CommandQueue queue(context);
        cl::KernelFunctor<cl::Buffer, cl::Buffer, cl::Buffer, int> vadd(program, "vadd");
        cl::Buffer d_a(context, h_a.begin(), h_a.end(), true);
        cl::Buffer d_b(context, h_b.begin(), h_b.end(), true);
        cl::Buffer d_c(context, CL_MEM_WRITE_ONLY, sizeof(float) * length);
        vadd(cl::EnqueueArgs(queue, cl::NDRange(length)), d_a, d_b, d_c, length);
        queue.finish();
        cl::copy(queue, d_c, h_c.begin(), h_c.end());
    } catch (const cl::Error &error) {
        std::printf("%s: %d\n", error.what(), error.err());
        return 1;
    }
    int correct = 0;
    for (int i = 0; i < length; i++)
        correct += std::fabs(h_a[i] + h_b[i] - h_c[i]) < 0.001f;
    std::printf("%d of %d sums are right\n", correct, length);
    return 0;
}
