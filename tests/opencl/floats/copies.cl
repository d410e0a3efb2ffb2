// Tiles go to local memory and back, turned around and shuffled.
#define TILE 16
__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void copies(
    __global const float *a, __global float *b, __global float4 *c, __global float *last) {
    __local float tile[TILE], turned[TILE];
    uint group = get_group_id(0), l = get_local_id(0);
    prefetch(a + TILE * group, TILE);
    event_t event = async_work_group_copy(tile, a + TILE * group, TILE, 0);
    wait_group_events(1, &event);
    turned[l] = tile[TILE - 1 - l];
    turned[l + 8] = tile[7 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
    event = async_work_group_strided_copy(b + group, turned, TILE, get_num_groups(0), 0);
    if (l < 4)
        c[4 * group + l] = shuffle2(vload4(l, tile), vload2(l, turned).xyxy, (uint4)(3, 4, 0, 5));
    wait_group_events(1, &event);
    if (l == 0)
        atomic_xchg(last, tile[0]);
}
