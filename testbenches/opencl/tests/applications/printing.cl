/* Each of the first work-items of a launch says so. */
__kernel void say(int round) {
    if (get_global_id(0) < 2)
        printf("round %d: item %d of %d, %v2f\n", round, (int)get_global_id(0), (int)get_global_size(0), (float2)(round, 0.5f));
}
