// Two ways to have local memory: an argument, and a variable.
__kernel void with_argument(__global const int *a, __global int *sum, __local int *part) {
    uint l = get_local_id(0);
    part[l] = a[get_global_id(0)];
    for (uint s = get_local_size(0) / 2; s > 0; s /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < s)
            part[l] += part[l + s];
    }
    if (l == 0)
        sum[get_group_id(0)] = part[0];
}

__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void with_variable(__global const int *a, __global int *sum) {
    __local int first, part[8];
    uint l = get_local_id(0);
    if (l == 0)
        first = a[get_global_id(0)];
    part[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    int total = -first;
    for (uint i = 0; i < get_local_size(0); i++)
        total += part[i];
    if (l == 0)
        atomic_add(sum, total);
}
