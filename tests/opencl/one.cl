__kernel void bad(__global float *a) { a[0] = (double)a[0] * a[1] * a[2]; }
__kernel void only(__global float *a) { a[get_global_id(0)] *= 3; }
