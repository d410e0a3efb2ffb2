/* Floyd-Warshall: all shortest ways, a launch for each node. */
#include "host.h"
#define NODES 22
static int distance[NODES][NODES], expected[NODES][NODES];

int main(void) {
    int nodes = NODES, wrong = 0;
    for (int from = 0; from < NODES; from++)
        for (int to = 0; to < NODES; to++)
            distance[from][to] = expected[from][to] = from == to ? 0 : next(4) ? 1000000 : 1 + next(50);
    for (int middle = 0; middle < NODES; middle++)
        for (int from = 0; from < NODES; from++)
            for (int to = 0; to < NODES; to++) {
                int way = expected[from][middle] + expected[middle][to];
                if (way < expected[from][to])
                    expected[from][to] = way;
            }
    start("floyd.cl", "");
    cl_kernel over = kernel("over");
    cl_mem matrix = buffer(sizeof distance, distance);
    ARGUMENT(over, 0, matrix);
    ARGUMENT(over, 1, nodes);
    for (int middle = 0; middle < NODES; middle++) {
        ARGUMENT(over, 2, middle);
        launch(over, 2, 24, 24, 8, 8);
    }
    fetch(matrix, sizeof distance, distance);
    for (int i = 0; i < NODES * NODES; i++)
        wrong += distance[i / NODES][i % NODES] != expected[i / NODES][i % NODES];
    return verdict(wrong);
}
