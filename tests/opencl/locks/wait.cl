// Nobody goes on before everyone has the lock.
__kernel void locked(volatile __global int *lock, volatile __global int *count) {
    while (atomic_cmpxchg(lock, 0, 1) != 0)
        ;
    count[0] = count[0] + 1;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(lock, 0);
}
