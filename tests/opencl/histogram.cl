__kernel void histogram(__global const uchar *values, __global uint *bins, ulong offset, char stride) {
    uint i = get_global_id(0);
    atomic_inc(&bins[(values[i] * stride + (uint)(offset >> 32)) & 7]);
    atomic_max((__global int *)&bins[8], (int)values[i]);
    atomic_cmpxchg(&bins[9], 0, (uint)offset);
}
