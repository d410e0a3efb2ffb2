/* Breadth-first search on a random graph with hubs, a launch for each level. */
#include "host.h"
#define NODES 500
#define MOST (NODES * 24)
static int first[NODES + 1], edges[MOST], level[NODES], expected[NODES], list[NODES];

int main(void) {
    for (int node = 0, edge = 0; node < NODES; node++) {
        int degree = next(8) == 0 ? 1 + next(23) : 1 + next(3);
        for (int i = 0; i < degree; i++)
            edges[edge++] = next(NODES);
        first[node + 1] = edge;
    }
    memset(level, -1, sizeof level);
    memset(expected, -1, sizeof expected);
    level[0] = expected[0] = 0;
    for (int from = 0, to = 1; from < to; from++)
        for (int edge = first[list[from]]; edge < first[list[from] + 1]; edge++)
            if (expected[edges[edge]] < 0) {
                expected[edges[edge]] = expected[list[from]] + 1;
                list[to++] = edges[edge];
            }
    start("bfs.cl", "");
    cl_kernel visit = kernel("visit");
    cl_mem firsts = buffer(sizeof first, first), all = buffer(sizeof edges, edges), levels = buffer(sizeof level, level);
    int more = 1, nodes = NODES, zero = 0;
    cl_mem flag = buffer(sizeof more, &more);
    ARGUMENT(visit, 0, firsts);
    ARGUMENT(visit, 1, all);
    ARGUMENT(visit, 2, levels);
    ARGUMENT(visit, 3, flag);
    ARGUMENT(visit, 5, nodes);
    for (int now = 0; more; now++) {
        CHECK(clEnqueueWriteBuffer(queue, flag, CL_TRUE, 0, sizeof zero, &zero, 0, NULL, NULL));
        ARGUMENT(visit, 4, now);
        launch(visit, 1, 512, 1, 64, 1);
        fetch(flag, sizeof more, &more);
    }
    fetch(levels, sizeof level, level);
    int wrong = 0;
    for (int node = 0; node < NODES; node++)
        wrong += level[node] != expected[node];
    return verdict(wrong);
}
