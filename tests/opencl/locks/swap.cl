// As flag.cl, but taken by a swap: of a volatile word, as all atomic functions have it.
__kernel void locked(__global int *lock, volatile __global int *count) {
    int done = 0;
    while (!done) {
        if (atomic_xchg(lock, 1) == 0) {
            count[0] = count[0] + 1;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_xchg(lock, 0);
            done = 1;
        }
    }
}
