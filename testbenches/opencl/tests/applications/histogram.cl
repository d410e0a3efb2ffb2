/* Counts of bytes: in local memory first, and then in global memory. */
__kernel void histogram(__global const uchar *data, __global uint *bins, int length, __local uint *mine) {
    int id = get_local_id(0), size = get_local_size(0);
    for (int bin = id; bin < 256; bin += size)
        mine[bin] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < length; i += get_global_size(0))
        atomic_inc(&mine[data[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int bin = id; bin < 256; bin += size)
        if (mine[bin])
            atomic_add(&bins[bin], mine[bin]);
}
