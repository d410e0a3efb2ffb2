// Who has had the lock says so, and everyone goes on together.
__kernel void locked(volatile __global int *lock, volatile __global int *count) {
    int done = 0;
    while (!done) {
        if (atomic_cmpxchg(lock, 0, 1) == 0) {
            count[0] = count[0] + 1;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_xchg(lock, 0);
            done = 1;
        }
    }
}
