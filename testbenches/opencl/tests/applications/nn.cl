/* How far every place is from a target. */
typedef struct {
    float latitude, longitude;
} place;

__kernel void distances(__global const place *places, __global float *distance, int count, place target) {
    int i = get_global_id(0);
    if (i < count) {
        float y = places[i].latitude - target.latitude, x = places[i].longitude - target.longitude;
        distance[i] = sqrt(y * y + x * x);
    }
}
