// The threads of a group try one after the other.
__kernel void locked(volatile __global int *lock, volatile __global int *count) {
    for (uint turn = 0; turn < get_local_size(0); turn++) {
        if (turn == get_local_id(0)) {
            while (atomic_cmpxchg(lock, 0, 1) != 0)
                ;
            count[0] = count[0] + 1;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_xchg(lock, 0);
        }
    }
}
