/* The assignment of k-means (Rodinia): a thread per point finds the nearest centre. Points are stored by feature. */
#include "warploom.h"

void kernel(const float *points, const float *centres, u32 *membership, u32 n, u32 clusters, u32 features) {
    u32 point = global_x();
    if (point >= n)
        return;
    float least = __builtin_inff();
    u32 nearest = 0;
    for (u32 cluster = 0; cluster < clusters; cluster++) {
        float distance = 0;
        for (u32 feature = 0; feature < features; feature++) {
            float difference = points[feature * n + point] - centres[cluster * features + feature];
            distance += difference * difference;
        }
        if (distance < least) {
            least = distance;
            nearest = cluster;
        }
    }
    membership[point] = nearest;
}
