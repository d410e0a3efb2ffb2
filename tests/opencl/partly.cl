// One kernel for this core among others that need what it has not.
typedef struct {
    double x, y;
} point;

double squared(double x) { return x * x; }

__kernel void precise(__global float *a) {
    uint i = get_global_id(0);
    a[i] = squared(a[i]) + 1.0;
}

__kernel void good(__global float *a, int k) {
    uint i = get_global_id(0);
#ifdef cl_khr_fp64
    double x = a[i];
#else
    float x = a[i];
#endif
    a[i] = 0.5 * x + sqrt(k);
}

__kernel void moved(__global point *to, __global const point *from) { to[get_global_id(0)] = from[get_global_id(0)]; }

__kernel void valued(__global float *a, double k) { a[0] = k; }

__kernel void pictured(read_only image2d_t image, sampler_t sampler, __global float4 *a) {
    a[0] = read_imagef(image, sampler, (int2)(0, 0));
}

__kernel void extended(__global float4 *a) {
    a[0].x = vendor_extension(a[1], 7);
}

__kernel void wide(__global long *a) { a[0] = mad_hi(a[0], 1L, 1L); }
