/* Whether the way over a node is shorter. */
__kernel void over(__global int *distance, int nodes, int middle) {
    int to = get_global_id(0), from = get_global_id(1);
    if (to < nodes && from < nodes) {
        int way = distance[from * nodes + middle] + distance[middle * nodes + to];
        if (way < distance[from * nodes + to])
            distance[from * nodes + to] = way;
    }
}
