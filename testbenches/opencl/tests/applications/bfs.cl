/* A level of a breadth-first search: every node of it looks at its neighbours. */
__kernel void visit(__global const int *first, __global const int *edges, __global int *level, __global int *more, int now, int nodes) {
    int node = get_global_id(0);
    if (node >= nodes || level[node] != now)
        return;
    for (int edge = first[node]; edge < first[node + 1]; edge++) {
        int other = edges[edge];
        if (level[other] < 0) {
            level[other] = now + 1;
            *more = 1;
        }
    }
}
