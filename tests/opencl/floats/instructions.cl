// Functions that are an instruction, or a few.
#define KERNEL(name, value) \
    __kernel void k_##name(__global float *a, float x, float y, float z) { a[0] = value; }

KERNEL(sqrt, sqrt(x))
KERNEL(fma, fma(x, y, z))
KERNEL(mad, mad(x, y, z))
KERNEL(fabs, fabs(x))
KERNEL(copysign, copysign(x, y))
KERNEL(fmin, fmin(x, y))
KERNEL(fmax, fmax(x, y))
KERNEL(clamp, clamp(x, y, z))
KERNEL(contracted, x * y + z)
KERNEL(divide, native_divide(x, y))
KERNEL(floor, floor(x))
KERNEL(rint, rint(x))
KERNEL(isnan, isnan(x))
