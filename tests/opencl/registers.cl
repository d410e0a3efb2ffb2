// More values than registers, over barriers and calls; and a kernel that another one calls.
uint __attribute__((noinline)) mixed(uint x) {
    uint y = x * 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    return x + y;
}

__kernel __attribute__((noinline)) void alone(__global uint *a) {
    __global uint *own = a + 14 * get_global_id(0);
    uint v[14];
    for (int i = 0; i < 14; i++)
        v[i] = own[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 14; i++)
        v[i] += mixed(v[(i + 1) % 14]);
    for (int i = 0; i < 14; i++)
        own[i] = v[i];
}

__kernel void caller(__global uint *a) {
    __global uint *own = a + 14 * get_global_id(0);
    uint v[14];
    for (int i = 0; i < 14; i++)
        v[i] = own[i];
    alone(a);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 14; i++)
        own[i] ^= v[i];
}
