// The sum, the smallest and the largest of a work-group's numbers.
__kernel void sum(__global const float *a, __global float4 *out, __local float4 *part) {
    uint l = get_local_id(0);
    float x = a[get_global_id(0)];
    part[l] = (float4)(x, x, x, fabs(x));
    for (uint s = get_local_size(0) / 2; s > 0; s /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < s) {
            float4 p = part[l], q = part[l + s];
            part[l] = (float4)(p.x + q.x, fmin(p.y, q.y), fmax(p.z, q.z), hypot(p.w, q.w));
        }
    }
    if (l == 0)
        out[get_group_id(0)] = part[0];
}
