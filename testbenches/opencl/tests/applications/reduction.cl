/* The sum of each work-group's numbers. */
__kernel void reduce(__global const long *numbers, __global long *sums, __local long *part) {
    int id = get_local_id(0);
    part[id] = numbers[get_global_id(0)];
    for (int left = get_local_size(0) / 2; left > 0; left /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (id < left)
            part[id] += part[id + left];
    }
    if (id == 0)
        sums[get_group_id(0)] = part[0];
}
