/* One pass of a separable convolution (CUDA SDK, convolutionSeparable): along the rows or along the columns of an n x n
   image that is 0 outside. A CTA does `steps` of its width; what its taps reach comes to shared memory first, with `halo` widths on
   either side. */
#include "warploom.h"

#define RADIUS 8

enum { ROWS, COLUMNS };

void kernel(const float *from, float *to, const float *taps, u32 n, u32 steps, u32 halo, u32 pass) {
    u32 x = tid_x(), y = tid_y(), column = global_x(), row = ctaid_y() * ntid_y() + y;
    u32 tid = x, threads = ntid_x(), cta = ctaid_x(), line_tid = y, line = row, stride = 1, first_pixel = row * n;
    if (pass == COLUMNS) {
        tid = y, threads = ntid_y(), cta = ctaid_y(), line_tid = x, line = column, stride = n, first_pixel = column;
    }
    /* A word more, so that the lines of a column begin in different banks. */
    float *tile = (float *)SHARED_MEMORY + line_tid * ((steps + 2 * halo) * threads + 1) + tid;
    u32 place = (cta * steps - halo) * threads + tid;
    for (u32 i = 0; i < steps + 2 * halo; i++) {
        u32 at = place + i * threads;
        tile[i * threads] = at < n && line < n ? from[first_pixel + at * stride] : 0;
    }
    barrier();
    for (u32 i = halo; i < halo + steps; i++) {
        u32 at = place + i * threads;
        if (at < n && line < n) {
            const float *centre = tile + i * threads;
            float sum = 0;
            for (i32 j = -RADIUS; j <= RADIUS; j++)
                sum += taps[RADIUS - j] * centre[j];
            to[first_pixel + at * stride] = sum;
        }
    }
}
