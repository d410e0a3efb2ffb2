/* Nearest neighbours: distances on the device, with a structure as an argument. */
#include "host.h"
#define COUNT 500
typedef struct {
    float latitude, longitude;
} place;
static place places[COUNT];
static float distance[COUNT];

int main(void) {
    place target = {30, 90};
    int count = COUNT, wrong = 0;
    for (int i = 0; i < COUNT; i++)
        places[i] = (place){180 * fraction() - 90, 360 * fraction() - 180};
    start("nn.cl", "");
    cl_kernel distances = kernel("distances");
    cl_mem all = buffer(sizeof places, places), out = buffer(sizeof distance, NULL);
    ARGUMENT(distances, 0, all);
    ARGUMENT(distances, 1, out);
    ARGUMENT(distances, 2, count);
    ARGUMENT(distances, 3, target);
    size_t global = 512;
    CHECK(clEnqueueNDRangeKernel(queue, distances, 1, NULL, &global, NULL, 0, NULL, NULL));
    fetch(out, sizeof distance, distance);
    for (int i = 0; i < COUNT; i++)
        wrong += !near(distance[i], hypotf(places[i].latitude - 30, places[i].longitude - 90));
    return verdict(wrong);
}
