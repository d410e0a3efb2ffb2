__kernel void refused(__global float *a, __global const half *b) {
    double x = a[0];
    a[0] = x + *b;
}
