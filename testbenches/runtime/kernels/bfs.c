/* One level of a breadth-first search: threads of vertices at `level` visit their neighbours. */
#include "warploom.h"

void kernel(const u32 *first_edge, const u32 *edges, u32 *distance, u32 *parent, u32 *visited, u32 n, u32 level) {
    u32 v = global_x();
    if (v >= n || distance[v] != level)
        return;
    for (u32 e = first_edge[v]; e < first_edge[v + 1]; e++) {
        u32 to = edges[e];
        if (atomic_min(&distance[to], level + 1) == 0xFFFFFFFF) {
            parent[to] = v;
            atomic_add(visited, 1);
        }
    }
}
