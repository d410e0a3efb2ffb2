/* DXT1 compression (CUDA SDK, dxtc): a CTA per block of 4 x 4 pixels. Its first threads sort the pixels along the line that fits them
   best; then every thread tries some of the ways to cut the sorted pixels into four groups; the one with the least error writes. */
#include "warploom.h"

#define PIXELS 16
#define CHANNELS 3
#define COVARIANCES 6 /* rr rg br gg gb bb */

struct shared {
    float sums[PIXELS][CHANNELS];
    float covariances[PIXELS][COVARIANCES];
    float sorted[PIXELS][CHANNELS];
    float along[PIXELS];
    u32 ranks[PIXELS];
    u32 thread_results[]; /* errors, then ways */
};

/* From 0 to 1. */
static inline float channel(u32 pixel, u32 c) { return (pixel >> (8 * c) & 0xFF) * (1 / 255.0f); }

/* Of a row of numbers for each pixel, by a tree, to the first row. All threads call it together: it has barriers. */
__attribute__((convergent)) static inline void sum_rows(float *rows, u32 width) {
    u32 tid = tid_x(), threads = ntid_x();
    barrier();
    for (u32 half = PIXELS / 2; half > 0; half /= 2) {
        for (u32 i = tid; i < half; i += threads)
            for (u32 m = 0; m < width; m++)
                rows[i * width + m] += rows[(i + half) * width + m];
        barrier();
    }
}

static inline void covary(struct shared *shared, const u32 *pixels) {
    u32 tid = tid_x(), threads = ntid_x();
    for (u32 i = tid; i < PIXELS; i += threads)
        for (u32 c = 0; c < CHANNELS; c++)
            shared->sums[i][c] = channel(pixels[i], c);
    sum_rows(shared->sums[0], CHANNELS);
    for (u32 i = tid; i < PIXELS; i += threads) {
        const float *sums = shared->sums[0];
        float r = channel(pixels[i], 0) - sums[0] / PIXELS, g = channel(pixels[i], 1) - sums[1] / PIXELS;
        float b = channel(pixels[i], 2) - sums[2] / PIXELS, *covariances = shared->covariances[i];
        covariances[0] = r * r, covariances[1] = r * g, covariances[2] = b * r;
        covariances[3] = g * g, covariances[4] = g * b, covariances[5] = b * b;
    }
    sum_rows(shared->covariances[0], COVARIANCES);
}

/* The direction in which the pixels differ most, by the power method; none if they do not. */
static inline void best_axis(const float *m, float *axis) {
    float r = 1, g = 1, b = 1;
    for (u32 i = 0; i < 8; i++) {
        float x = m[0] * r + m[1] * g + m[2] * b, y = m[1] * r + m[3] * g + m[4] * b, z = m[2] * r + m[4] * g + m[5] * b;
        float largest = __builtin_fmaxf(__builtin_fmaxf(__builtin_fabsf(x), __builtin_fabsf(y)), __builtin_fabsf(z));
        float scale = largest > 0 ? 1 / largest : 0;
        r = x * scale, g = y * scale, b = z * scale;
    }
    axis[0] = r, axis[1] = g, axis[2] = b;
}

static inline void sort(struct shared *shared, const u32 *pixels) {
    u32 tid = tid_x(), threads = ntid_x();
    if (tid < PIXELS) {
        float axis[CHANNELS];
        best_axis(shared->covariances[0], axis);
        for (u32 i = tid; i < PIXELS; i += threads) {
            u32 pixel = pixels[i];
            shared->along[i] = channel(pixel, 0) * axis[0] + channel(pixel, 1) * axis[1] + channel(pixel, 2) * axis[2];
        }
    }
    barrier();
    for (u32 i = tid; i < PIXELS; i += threads) {
        float here = shared->along[i];
        u32 rank = 0;
        for (u32 j = 0; j < PIXELS; j++)
            rank += (shared->along[j] < here) | ((shared->along[j] == here) & (j < i));
        shared->ranks[i] = rank;
        for (u32 c = 0; c < CHANNELS; c++)
            shared->sorted[rank][c] = channel(pixels[i], c);
    }
    barrier();
}

/* From 0 to 1 to so many bits, and what they stand for. */
static inline u32 round_to(float value, u32 bits, float *expanded) {
    u32 most = (1 << bits) - 1;
    u32 code = __builtin_lrintf(__builtin_fminf(__builtin_fmaxf(value, 0), 1) * most);
    *expanded = code * (1.0f / most);
    return code;
}

/* The end colours with the least squares for a way to group the sorted pixels, two bits each; returns the error, less what does not
   depend on the way. Weights are in thirds. */
static inline float fit(const struct shared *shared, u32 way, u32 *start, u32 *end) {
    u32 alpha2 = 0, beta2 = 0, both = 0;
    float alpha_x[CHANNELS] = {0, 0, 0}, error = 0;
    for (u32 i = 0; i < PIXELS; i++, way >>= 2) {
        u32 beta = 3 * (way & 1);
        if (way & 2)
            beta = 1 + (way & 1);
        u32 alpha = 3 - beta;
        alpha2 += alpha * alpha;
        beta2 += beta * beta;
        both += alpha * beta;
        for (u32 c = 0; c < CHANNELS; c++)
            alpha_x[c] += alpha * shared->sorted[i][c];
    }
    float factor = 3.0f / (alpha2 * beta2 - both * both);
    *start = *end = 0;
    for (u32 c = 0; c < CHANNELS; c++) {
        float ax = alpha_x[c], bx = 3 * shared->sums[0][c] - ax, a, b;
        u32 bits = c == 1 ? 6 : 5;
        *start = *start << bits | round_to((ax * beta2 - bx * both) * factor, bits, &a);
        *end = *end << bits | round_to((bx * alpha2 - ax * both) * factor, bits, &b);
        error += a * a * alpha2 + b * b * beta2 + 2 * (a * b * both - 3 * (a * ax + b * bx));
    }
    return error;
}

/* The way with the least error of all threads; of equals the first. */
static inline u32 best_way(struct shared *shared, float error, u32 way) {
    u32 tid = tid_x(), threads = ntid_x();
    float *errors = (float *)shared->thread_results;
    u32 *ways = shared->thread_results + threads;
    errors[tid] = error;
    ways[tid] = way;
    barrier();
    for (u32 live = threads; live > 1;) {
        u32 half = (live + 1) / 2;
        if (tid < live - half) {
            float other = errors[tid + half];
            if (other < errors[tid] || (other == errors[tid] && ways[tid + half] < ways[tid])) {
                errors[tid] = other;
                ways[tid] = ways[tid + half];
            }
        }
        barrier();
        live = half;
    }
    return ways[0];
}

void kernel(const u32 *pixels, u32 *blocks, const u32 *ways, u32 count) {
    struct shared *shared = SHARED_MEMORY;
    pixels += PIXELS * ctaid_x();
    covary(shared, pixels);
    sort(shared, pixels);

    float least = __builtin_inff();
    u32 best = count, start = 0, end = 0;
    for (u32 way = tid_x(); way < count; way += ntid_x()) {
        u32 a, b;
        float error = fit(shared, ways[way], &a, &b);
        if (error < least) {
            least = error;
            best = way;
            start = a;
            end = b;
        }
    }
    if (best_way(shared, least, best) == best) {
        u32 codes = ways[best], indices = 0;
        if (start < end) {
            u32 larger = end;
            end = start;
            start = larger;
            codes ^= 0x55555555;
        }
        for (u32 i = 0; i < PIXELS; i++)
            indices |= (codes >> (2 * shared->ranks[i]) & 3) << (2 * i);
        blocks[2 * ctaid_x()] = start | end << 16;
        blocks[2 * ctaid_x() + 1] = indices;
    }
}
