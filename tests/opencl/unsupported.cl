float scaled(float x) { return x * 2; }

long high(long x) { return mul_hi(x, x); }

__kernel void squares(__global long *a) {
    uint i = get_global_id(0);
    a[i] = high(a[i]);
}

__kernel void scale(__global float *a) {
    uint i = get_global_id(0);
    a[i] = scaled(a[i]);
    a[0] = mad_hi((long)i, 1L, 1L);
}
