/* A tile of a matrix, through local memory. */
__kernel __attribute__((reqd_work_group_size(8, 8, 1))) void transpose(__global const float *from, __global float *to, int width, int height) {
    __local float tile[8][9];
    int x = get_local_id(0), y = get_local_id(1), left = 8 * get_group_id(0), top = 8 * get_group_id(1);
    if (left + x < width && top + y < height)
        tile[y][x] = from[(top + y) * width + left + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (top + x < height && left + y < width)
        to[(left + y) * height + top + x] = tile[x][y];
}
