// One bit of each word for every pair of arguments: a scalar's relation is 1, a vector's element -1.
int4 bits_of(float4 a, float4 b) {
    int4 bits = -isequal(a, b) & 1;
    bits |= isnotequal(a, b) & 2;
    bits |= isgreater(a, b) & 4;
    bits |= isgreaterequal(a, b) & 8;
    bits |= isless(a, b) & 16;
    bits |= islessequal(a, b) & 32;
    bits |= islessgreater(a, b) & 64;
    bits |= isordered(a, b) & 128;
    bits |= isunordered(a, b) & 256;
    bits |= isfinite(a) & 512;
    bits |= isinf(a) & 1024;
    bits |= isnan(a) & 2048;
    bits |= isnormal(a) & 4096;
    bits |= signbit(a) & 8192;
    return bits;
}

__kernel void relations(__global const float *a, __global const float *b, __global int *out, __global float *chosen) {
    uint i = get_global_id(0);
    float x = a[i], y = b[i];
    int scalar = isequal(x, y) | isnotequal(x, y) << 1 | isgreater(x, y) << 2 | isgreaterequal(x, y) << 3 |
                 isless(x, y) << 4 | islessequal(x, y) << 5 | islessgreater(x, y) << 6 | isordered(x, y) << 7 |
                 isunordered(x, y) << 8 | isfinite(x) << 9 | isinf(x) << 10 | isnan(x) << 11 | isnormal(x) << 12 |
                 signbit(x) << 13;
    int4 vector = bits_of((float4)(x, y, x, 0), (float4)(y, x, x, x));
    int summary = any(isnan((float2)(x, y))) | all(isfinite((float3)(x, y, x))) << 1 | any(vector << 31) << 2;
    out[3 * i] = scalar;
    out[3 * i + 1] = vector.x;
    out[3 * i + 2] = summary;
    chosen[4 * i] = select(x, y, isless(x, y));
    chosen[4 * i + 1] = select((float2)(x, y), (float2)(y, x), isless((float2)(x, y), (float2)(y, x))).y;
    chosen[4 * i + 2] = bitselect(x, y, as_float(0x80000000));
    chosen[4 * i + 3] = bitselect((float4)x, (float4)y, as_float4((int4)0x7FFFFFFF)).w;
}
