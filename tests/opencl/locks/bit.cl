// As flag.cl, but taken by setting a bit.
__kernel void locked(__global int *lock, volatile __global int *count) {
    int done = 0;
    while (!done) {
        if ((atomic_or(lock, 4) & 4) == 0) {
            count[0] = count[0] + 1;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_and(lock, ~4);
            done = 1;
        }
    }
}
