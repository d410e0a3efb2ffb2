/* The cheapest way to each place of a row from those of the row above. */
__kernel void step(__global const int *wall, __global const int *from, __global int *to, int row, int columns) {
    int x = get_global_id(0);
    int best = from[x];
    if (x > 0 && from[x - 1] < best)
        best = from[x - 1];
    if (x < columns - 1 && from[x + 1] < best)
        best = from[x + 1];
    to[x] = best + wall[row * columns + x];
}
