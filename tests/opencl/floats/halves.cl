// Every number of 16 bits to a float and back, and floats to 16 bits in every mode.
__kernel void back(__global half *all) {
    uint i = get_global_id(0);
    vstore_half(vload_half(i, all), i, all);
}

__kernel void halves(__global const float *a, __global half *out, __global half *three) {
    uint i = get_global_id(0);
    vstore_half(a[i], 5 * i, out);
    vstore_half_rte(a[i], 5 * i + 1, out);
    vstore_half_rtz(a[i], 5 * i + 2, out);
    vstore_half_rtp(a[i], 5 * i + 3, out);
    vstore_half_rtn(a[i], 5 * i + 4, out);
    if (i == 0) {
        vstore_half3((float3)(1, 2, 3), 1, three);
        vstorea_half3((float3)(4, 5, 6), 2, three);
        vstore_half3_rtz(vload_half3(1, three) + vloada_half3(2, three), 0, three);
    }
}
