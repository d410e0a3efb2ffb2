// Functions that are an instruction, or a few.
#define KERNEL(name, value) \
    __kernel void k_##name(__global float *a) { a[3] = value; }
#define X a[0]
#define Y a[1]
#define Z a[2]

KERNEL(sqrt, sqrt(X))
KERNEL(fma, fma(X, Y, Z))
KERNEL(mad, mad(X, Y, Z))
KERNEL(fabs, fabs(X))
KERNEL(copysign, copysign(X, Y))
KERNEL(fmin, fmin(X, Y))
KERNEL(fmax, fmax(X, Y))
KERNEL(clamp, clamp(X, Y, Z))
KERNEL(contracted, X * Y + Z)
KERNEL(divide, native_divide(X, Y))
KERNEL(floor, floor(X))
KERNEL(rint, rint(X))
KERNEL(isnan, isnan(X))
