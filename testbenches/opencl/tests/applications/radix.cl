#define DIGITS 16
#define KEYS 8

static uint digit(uint key, uint shift) { return key >> shift & (DIGITS - 1); }

/* How often each digit comes in the keys of a work-item: digit by digit, and within it work-item by work-item. */
__kernel void count(__global const uint *keys, __global uint *counts, uint shift) {
    uint mine = get_global_id(0), all = get_global_size(0), found[DIGITS] = {0};
    for (int i = 0; i < KEYS; i++)
        found[digit(keys[mine * KEYS + i], shift)]++;
    for (int i = 0; i < DIGITS; i++)
        counts[i * all + mine] = found[i];
}

/* The sums of all before each of them, by one work-group. */
__kernel void sums(__global uint *counts, uint each, __local uint *total) {
    uint mine = get_local_id(0), all = get_local_size(0), sum = 0;
    for (uint i = 0; i < each; i++)
        sum += counts[mine * each + i];
    total[mine] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 1; step < all; step *= 2) {
        uint before = mine >= step ? total[mine - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        total[mine] += before;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    sum = total[mine] - sum;
    for (uint i = 0; i < each; i++) {
        uint count = counts[mine * each + i];
        counts[mine * each + i] = sum;
        sum += count;
    }
}

__kernel void scatter(__global const uint *keys, __global uint *sorted, __global uint *places, uint shift) {
    uint mine = get_global_id(0), all = get_global_size(0);
    for (int i = 0; i < KEYS; i++) {
        uint key = keys[mine * KEYS + i];
        sorted[places[digit(key, shift) * all + mine]++] = key;
    }
}
