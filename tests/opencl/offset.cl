__kernel void numbers(__global uint *out) {
    uint i = get_global_linear_id();
    __global uint *own = out + 7 * i;
    for (uint d = 0; d < 3; d++) {
        own[d] = get_global_id(d);
        own[3 + d] = get_global_offset(d);
    }
    own[6] = get_work_dim();
}
