/* DXT1 compression (CUDA SDK, dxtc): a CTA per block of 4 x 4 pixels. Its first threads sort the pixels along the line that fits them
   best; then every thread tries some of the ways to cut the sorted pixels into four groups; the one with the least error writes. */
#include "warploom.h"

#define PIXELS 16
#define CHANNELS 3
#define MOMENTS 9 /* r g b rr gg bb rg gb br */
#define AXIS_BITS 12
#define FACTOR_BITS 24
#define NO_ERROR_YET 0x7FFFFFFF

struct shared {
    i32 moments[PIXELS][MOMENTS];
    i32 sorted[PIXELS][CHANNELS];
    i32 along[PIXELS];
    u32 ranks[PIXELS];
    u32 thread_results[]; /* errors, then ways */
};

static inline i32 magnitude(i32 value) { return value < 0 ? -value : value; }
static inline i32 channel(u32 pixel, u32 c) { return pixel >> (8 * c) & 0xFF; }
static inline i32 clamp(i32 value) { return value < 0 ? 0 : value > 255 ? 255 : value; }

/* Sums of the channels and of their products over all pixels, by a tree, to the first row. */
static inline void sum_moments(struct shared *shared, const u32 *pixels) {
    u32 tid = tid_x(), threads = ntid_x();
    for (u32 i = tid; i < PIXELS; i += threads) {
        i32 *moments = shared->moments[i], r = channel(pixels[i], 0), g = channel(pixels[i], 1), b = channel(pixels[i], 2);
        moments[0] = r, moments[1] = g, moments[2] = b;
        moments[3] = r * r, moments[4] = g * g, moments[5] = b * b;
        moments[6] = r * g, moments[7] = g * b, moments[8] = b * r;
    }
    barrier();
    for (u32 half = PIXELS / 2; half > 0; half /= 2) {
        for (u32 i = tid; i < half; i += threads)
            for (u32 m = 0; m < MOMENTS; m++)
                shared->moments[i][m] += shared->moments[i + half][m];
        barrier();
    }
}

/* The direction in which the pixels differ most, by the power method on their covariances. */
static inline void best_axis(const i32 *m, i32 *axis) {
    i32 rr = (PIXELS * m[3] - m[0] * m[0]) >> 8, gg = (PIXELS * m[4] - m[1] * m[1]) >> 8, bb = (PIXELS * m[5] - m[2] * m[2]) >> 8;
    i32 rg = (PIXELS * m[6] - m[0] * m[1]) >> 8, gb = (PIXELS * m[7] - m[1] * m[2]) >> 8, br = (PIXELS * m[8] - m[2] * m[0]) >> 8;
    i32 r = 1 << (AXIS_BITS - 1), g = r, b = r;
    for (u32 i = 0; i < 4; i++) {
        i32 x = rr * r + rg * g + br * b, y = rg * r + gg * g + gb * b, z = br * r + gb * g + bb * b;
        u32 bits = 32 - __builtin_clz(magnitude(x) | magnitude(y) | magnitude(z) | 1);
        u32 shift = bits > AXIS_BITS ? bits - AXIS_BITS : 0;
        r = x >> shift, g = y >> shift, b = z >> shift;
    }
    axis[0] = r, axis[1] = g, axis[2] = b;
}

static inline void sort(struct shared *shared, const u32 *pixels) {
    u32 tid = tid_x(), threads = ntid_x();
    if (tid < PIXELS) {
        i32 axis[CHANNELS];
        best_axis(shared->moments[0], axis);
        for (u32 i = tid; i < PIXELS; i += threads) {
            u32 pixel = pixels[i];
            shared->along[i] = channel(pixel, 0) * axis[0] + channel(pixel, 1) * axis[1] + channel(pixel, 2) * axis[2];
        }
    }
    barrier();
    for (u32 i = tid; i < PIXELS; i += threads) {
        i32 here = shared->along[i];
        u32 rank = 0;
        for (u32 j = 0; j < PIXELS; j++)
            rank += (shared->along[j] < here) | ((shared->along[j] == here) & (j < i));
        shared->ranks[i] = rank;
        for (u32 c = 0; c < CHANNELS; c++)
            shared->sorted[rank][c] = channel(pixels[i], c);
    }
    barrier();
}

/* To five or six bits, and what they stand for. */
static inline u32 round_to(i32 value, u32 c, i32 *expanded) {
    if (c == 1) {
        u32 six = (value * 253 + 505) >> 10;
        *expanded = six << 2 | six >> 4;
        return six;
    }
    u32 five = (value * 249 + 1014) >> 11;
    *expanded = five << 3 | five >> 2;
    return five;
}

/* The end colours with the least squares for a way to group the sorted pixels, two bits each; returns the error, less what does not
   depend on the way. Weights are in thirds. */
static inline i32 fit(const struct shared *shared, u32 way, u32 *start, u32 *end) {
    i32 alpha2 = 0, beta2 = 0, alpha_beta = 0, alpha_x[CHANNELS] = {0, 0, 0};
    for (u32 i = 0; i < PIXELS; i++, way >>= 2) {
        i32 beta = 3 * (way & 1);
        if (way & 2)
            beta = 1 + (way & 1);
        i32 alpha = 3 - beta;
        alpha2 += alpha * alpha;
        beta2 += beta * beta;
        alpha_beta += alpha * beta;
        for (u32 c = 0; c < CHANNELS; c++)
            alpha_x[c] += alpha * shared->sorted[i][c];
    }
    i32 factor = (3 << FACTOR_BITS) / (alpha2 * beta2 - alpha_beta * alpha_beta), error = 0;
    *start = *end = 0;
    for (u32 c = 0; c < CHANNELS; c++) {
        i32 ax = alpha_x[c], bx = 3 * shared->moments[0][c] - ax, a, b;
        u32 bits = c == 1 ? 6 : 5;
        i32 exact_a = (long long)(ax * beta2 - bx * alpha_beta) * factor >> FACTOR_BITS;
        i32 exact_b = (long long)(bx * alpha2 - ax * alpha_beta) * factor >> FACTOR_BITS;
        *start = *start << bits | round_to(clamp(exact_a), c, &a);
        *end = *end << bits | round_to(clamp(exact_b), c, &b);
        error += a * a * alpha2 + b * b * beta2 + 2 * a * b * alpha_beta - 6 * (a * ax + b * bx);
    }
    return error;
}

/* The way with the least error of all threads; of equals the first. */
static inline u32 best_way(struct shared *shared, i32 error, u32 way) {
    u32 tid = tid_x(), threads = ntid_x();
    i32 *errors = (i32 *)shared->thread_results;
    u32 *ways = shared->thread_results + threads;
    errors[tid] = error;
    ways[tid] = way;
    barrier();
    for (u32 live = threads; live > 1;) {
        u32 half = (live + 1) / 2;
        if (tid < live - half) {
            i32 other = errors[tid + half];
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
    sum_moments(shared, pixels);
    sort(shared, pixels);

    i32 least = NO_ERROR_YET;
    u32 best = count, start = 0, end = 0;
    for (u32 way = tid_x(); way < count; way += ntid_x()) {
        u32 a, b;
        i32 error = fit(shared, ways[way], &a, &b);
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
