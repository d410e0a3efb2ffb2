/* What the four work-items of a warp do together: all functions, and both kinds of memory. */
__kernel void together(__global uint *words, __global ushort *halves, __global uint *results) {
    __local uint found[4];
    __local ushort small[4];
    uint i = get_local_id(0), odd = i & 1;
    results[i] = warploom_ballot(odd);
    results[4 + i] = warploom_popc(5 * i);
    results[8 + i] = warploom_cond_acc(words, odd, 100 + i);
    results[12 + i] = warploom_cond_acc(found, !odd, 7 * i);
    results[16 + i] = found[odd];
    results[20 + i] = warploom_cond_acc_h(halves, i, i);
    results[24 + i] = warploom_cond_acc_h(small, i == 2, 9);
    results[28 + i] = small[0] + warploom_tree_traverse(i, i > 1, 5);
}
