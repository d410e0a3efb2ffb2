/* Distances of records to a place (Rodinia, nn): a thread per record. Degrees are taken for coordinates of a plane. */
#include "warploom.h"

struct place {
    float latitude, longitude;
};

void kernel(const struct place *records, float *distances, u32 n, float latitude, float longitude) {
    u32 i = global_x();
    if (i >= n)
        return;
    float north = latitude - records[i].latitude, east = longitude - records[i].longitude;
    distances[i] = __builtin_sqrtf(north * north + east * east);
}
