// A ticket each, called in turn; one thread of the group draws, for all.
__kernel void locked(volatile __global int *next, volatile __global int *count, volatile __global int *called) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        int ticket = atomic_inc(next);
        while (atomic_add(called, 0) != ticket)
            ;
        count[0] = count[0] + get_local_size(0);
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_inc(called);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}
