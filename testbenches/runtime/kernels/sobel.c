/* Sobel filter (CUDA SDK, SobelFilter), scaled in fixed point: a CTA per row of an image of bytes. Pixels of the border take the
   nearest pixel for those outside, results are clamped to a byte. */
#include "warploom.h"

#define FRACTION 8

typedef unsigned char u8;

static inline i32 magnitude(i32 value) { return value < 0 ? -value : value; }

void kernel(const u8 *image, u8 *edges, u32 width, u32 height, u32 scale) {
    u32 y = ctaid_x();
    for (u32 x = tid_x(); x < width; x += ntid_x()) {
        const u8 *at = image + y * width + x;
        i32 left = -1, right = 1, up = -(i32)width, down = width;
        if (x == 0 || x == width - 1 || y == 0 || y == height - 1) {
            if (x == 0)
                left = 0;
            if (x == width - 1)
                right = 0;
            if (y == 0)
                up = 0;
            if (y == height - 1)
                down = 0;
        }
        i32 horizontal = at[up + right] + 2 * at[right] + at[down + right] - at[up + left] - 2 * at[left] - at[down + left];
        i32 vertical = at[up + left] + 2 * at[up] + at[up + right] - at[down + left] - 2 * at[down] - at[down + right];
        u32 sum = (magnitude(horizontal) + magnitude(vertical)) * scale >> FRACTION;
        if (sum > 0xFF)
            sum = 0xFF;
        edges[y * width + x] = sum;
    }
}
