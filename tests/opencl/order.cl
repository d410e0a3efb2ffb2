/* Which thread comes first depends on the machine. */
__kernel void order(__global int *out, __global int *next, int n) {
    int i = get_global_id(0);
    for (int k = 0; k < n; k++)
        if ((i * 7 & 15) == k)
            out[atomic_inc(next)] = i;
}
