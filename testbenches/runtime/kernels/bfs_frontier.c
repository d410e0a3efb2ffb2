/* One level of a breadth-first search (Rodinia) in two launches: the vertices of the frontier mark their neighbours that have not
   been visited, then the marked vertices are the new frontier. Threads that mark the same vertex write the same. */
#include "warploom.h"

enum { EXPAND, ADVANCE };

/* `flags` holds, for every vertex: in the frontier; then, marked; then, visited. */
void kernel(const u32 *first_edge, const u32 *edges, u32 *flags, u32 *distance, u32 *more, u32 n, u32 step) {
    u32 *frontier = flags, *marked = flags + n, *visited = marked + n;
    u32 v = global_x();
    if (v >= n)
        return;
    if (step == EXPAND) {
        if (frontier[v]) {
            frontier[v] = 0;
            for (u32 e = first_edge[v]; e < first_edge[v + 1]; e++) {
                u32 to = edges[e];
                if (!visited[to]) {
                    distance[to] = distance[v] + 1;
                    marked[to] = 1;
                }
            }
        }
    } else if (marked[v]) {
        frontier[v] = 1;
        visited[v] = 1;
        *more = 1;
        marked[v] = 0;
    }
}
