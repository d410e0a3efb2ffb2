// What has no function in Rust to be compared with.
__kernel void special(__global const float *a, __global float *out) {
    uint column = get_global_id(0), columns = get_global_size(0);
    float x = a[column];
    int sign;
    out[column] = erf(x);
    out[column + columns] = erfc(x);
    out[column + 2 * columns] = tgamma(x);
    out[column + 3 * columns] = lgamma(x);
    out[column + 4 * columns] = lgamma_r(x, &sign);
    out[column + 5 * columns] = sign;
}
