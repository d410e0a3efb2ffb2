/* The assignment of k-means (Rodinia), on integers: a thread per point finds the nearest centre. Points are stored by feature. */
#include "warploom.h"

void kernel(const i32 *points, const i32 *centres, u32 *membership, u32 n, u32 clusters, u32 features) {
    u32 point = global_x();
    if (point >= n)
        return;
    u32 least = 0xffffffff, nearest = 0;
    for (u32 cluster = 0; cluster < clusters; cluster++) {
        u32 distance = 0;
        for (u32 feature = 0; feature < features; feature++) {
            i32 difference = points[feature * n + point] - centres[cluster * features + feature];
            distance += difference * difference;
        }
        if (distance < least) {
            least = distance;
            nearest = cluster;
        }
    }
    membership[point] = nearest;
}
