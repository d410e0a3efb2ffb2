/* K-means: points to their nearest centres on the device, new centres on the host. */
#include "host.h"
#define COUNT 300
#define CLUSTERS 5
#define FEATURES 6
static float points[FEATURES][COUNT], centres[CLUSTERS][FEATURES];
static int cluster[COUNT];

static int nearest(int point, float *second) {
    float least = INFINITY;
    int best = 0;
    *second = INFINITY;
    for (int c = 0; c < CLUSTERS; c++) {
        float distance = 0;
        for (int f = 0; f < FEATURES; f++)
            distance += (points[f][point] - centres[c][f]) * (points[f][point] - centres[c][f]);
        if (distance < least)
            *second = least, least = distance, best = c;
        else if (distance < *second)
            *second = distance;
    }
    *second -= least;
    return best;
}

int main(void) {
    int count = COUNT, clusters = CLUSTERS, features = FEATURES, wrong = 0;
    for (int point = 0; point < COUNT; point++)
        for (int f = 0; f < FEATURES; f++)
            points[f][point] = fraction() + (point % CLUSTERS) * 0.4f;
    for (int c = 0; c < CLUSTERS; c++)
        for (int f = 0; f < FEATURES; f++)
            centres[c][f] = points[f][7 * c];
    start("kmeans.cl", "-cl-mad-enable");
    cl_kernel k = kernel("nearest");
    cl_mem all = buffer(sizeof points, points), middle = buffer(sizeof centres, centres), out = buffer(sizeof cluster, NULL);
    ARGUMENT(k, 0, all);
    ARGUMENT(k, 1, middle);
    ARGUMENT(k, 2, out);
    ARGUMENT(k, 3, count);
    ARGUMENT(k, 4, clusters);
    ARGUMENT(k, 5, features);
    for (int round = 0; round < 4; round++) {
        CHECK(clEnqueueWriteBuffer(queue, middle, CL_FALSE, 0, sizeof centres, centres, 0, NULL, NULL));
        launch(k, 1, 320, 1, 64, 1);
        fetch(out, sizeof cluster, cluster);
        for (int point = 0; point < COUNT; point++) {
            float margin;
            int expected = nearest(point, &margin);
            wrong += cluster[point] != expected && margin > 1e-5f;
        }
        for (int c = 0; c < CLUSTERS; c++) {
            float sum[FEATURES] = {0}, members = 0;
            for (int point = 0; point < COUNT; point++)
                if (cluster[point] == c) {
                    members++;
                    for (int f = 0; f < FEATURES; f++)
                        sum[f] += points[f][point];
                }
            for (int f = 0; f < FEATURES && members > 0; f++)
                centres[c][f] = sum[f] / members;
        }
    }
    return verdict(wrong);
}
