/* The nearest centre of every point. */
__kernel void nearest(__global const float *points, __global const float *centres, __global int *cluster, int count, int clusters, int features) {
    int point = get_global_id(0);
    if (point >= count)
        return;
    float least = FLT_MAX;
    int best = 0;
    for (int c = 0; c < clusters; c++) {
        float distance = 0;
        for (int f = 0; f < features; f++) {
            float d = points[f * count + point] - centres[c * features + f];
            distance += d * d;
            if (distance >= least)
                break;
        }
        if (distance < least) {
            least = distance;
            best = c;
        }
    }
    cluster[point] = best;
}
