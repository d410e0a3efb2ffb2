float scaled(float x) { return x * 2; }

__kernel void roots(__global float *a) {
    uint i = get_global_id(0);
    a[i] = sqrt(a[i]);
}

__kernel void scale(__global float *a) {
    uint i = get_global_id(0);
    a[i] = scaled(a[i]);
    printf("%u\n", i);
}
