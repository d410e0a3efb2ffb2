/* A store that may lie behind the end of memory. */
__kernel void store(__global int *x, int far) {
    int i = get_global_id(0);
    if (i == 20)
        x[far * i] = 1;
    x[i] = i + far;
}
