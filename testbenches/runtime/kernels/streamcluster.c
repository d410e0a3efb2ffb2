/* What it is worth to open a centre at a point (Rodinia, streamcluster: pgain): a thread per point computes what it would cost there. Those
   that would go there say so, and how much is gained; others, what is lost if their centre is closed and they go there. */
#include "warploom.h"

struct point {
    float weight, cost;
    u32 centre;
};

/* Coordinates are stored by dimension. Work is a row for each point, a column for each centre and one for the candidate; then a flag for each
   point. `columns`: of the points that are centres. */
void kernel(const struct point *points, const float *coordinates, const u32 *columns, float *work, u32 n, u32 dimensions, u32 candidate,
            u32 centres) {
    u32 i = global_x();
    if (i >= n)
        return;
    float *row = work + i * (centres + 1);
    u32 *switches = (u32 *)work + n * (centres + 1);
    float distance = 0;
    for (u32 dimension = 0; dimension < dimensions; dimension++) {
        float difference = coordinates[dimension * n + i] - coordinates[dimension * n + candidate];
        distance += difference * difference;
    }
    float cost = distance * points[i].weight;
    if (cost < points[i].cost) {
        switches[i] = 1;
        row[centres] += cost - points[i].cost;
    } else {
        row[columns[points[i].centre]] += points[i].cost - cost;
    }
}
