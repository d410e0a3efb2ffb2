/* Diffusion that takes away the speckle of an image (Rodinia, srad_v1): sums of the image and of its squares, by trees over several
   launches; then for each pixel how it differs from its neighbours and how much may flow; then the flow. Neighbours are looked up in
   tables, which end at the edges. */
#include "warploom.h"

enum { PREPARE, REDUCE, COEFFICIENTS, FLOW };

static inline float square(float x) { return x * x; }

/* Sums of `count` elements, every so many words: of each CTA's, to the first of them. What the last CTA has beyond a power of two, one
   thread adds. */
static inline void reduce(float *sums, float *squares, u32 count, u32 stride) {
    u32 tid = tid_x(), threads = ntid_x(), first = threads * ctaid_x(), i = first + tid;
    float *sum = SHARED_MEMORY, *squared = sum + threads;
    if (i < count) {
        sum[tid] = sums[i * stride];
        squared[tid] = squares[i * stride];
    }
    barrier();
    u32 own = count - first < threads ? count - first : threads, full = 1;
    while (2 * full <= own)
        full *= 2;
    for (u32 span = 2; span <= full; span *= 2) {
        if (((tid + 1) & (span - 1)) == 0 && tid < full) {
            sum[tid] += sum[tid - span / 2];
            squared[tid] += squared[tid - span / 2];
        }
        barrier();
    }
    if (tid == full - 1) {
        for (u32 j = full; j < own; j++) {
            sum[tid] += sum[j];
            squared[tid] += squared[j];
        }
        sums[first * stride] = sum[tid];
        squares[first * stride] = squared[tid];
    }
}

/* The image is stored by columns. Work is, a word per pixel each: sums, squares, coefficients, differences to the north, south, west
   and east. */
void kernel(float *image, float *work, const u32 *neighbours, u32 side, u32 count, u32 stride, float speckle, u32 step) {
    u32 i = global_x(), n = side * side;
    float *sums = work, *squares = sums + n, *coefficients = squares + n;
    float *norths = coefficients + n, *souths = norths + n, *wests = souths + n, *easts = wests + n;
    if (step == REDUCE) {
        reduce(sums, squares, count, stride);
        return;
    }
    if (i >= n)
        return;
    u32 row = i % side, column = i / side;
    const u32 *north_of = neighbours, *south_of = north_of + side, *west_of = south_of + side, *east_of = west_of + side;
    if (step == PREPARE) {
        sums[i] = image[i];
        squares[i] = square(image[i]);
    } else if (step == COEFFICIENTS) {
        float here = image[i];
        float north = image[north_of[row] + side * column] - here, south = image[south_of[row] + side * column] - here;
        float west = image[row + side * west_of[column]] - here, east = image[row + side * east_of[column]] - here;
        float gradient = (north * north + south * south + west * west + east * east) / (here * here);
        float laplacian = (north + south + west + east) / here;
        float variation = (0.5f * gradient - 1 / 16.0f * (laplacian * laplacian)) / square(1 + 0.25f * laplacian);
        float coefficient = 1 / (1 + (variation - speckle) / (speckle * (1 + speckle)));
        if (coefficient < 0)
            coefficient = 0;
        else if (coefficient > 1)
            coefficient = 1;
        norths[i] = north;
        souths[i] = south;
        wests[i] = west;
        easts[i] = east;
        coefficients[i] = coefficient;
    } else {
        float here = coefficients[i], south = coefficients[south_of[row] + side * column];
        float east = coefficients[row + side * east_of[column]];
        float divergence = here * norths[i] + south * souths[i] + here * wests[i] + east * easts[i];
        image[i] += 0.25f * 0.5f * divergence;
    }
}
