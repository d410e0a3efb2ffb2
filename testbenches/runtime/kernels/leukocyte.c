/* Cells in a picture from a microscope (Rodinia, leukocyte: GICOV): a thread per pixel takes the gradient at points of circles around it, in
   the direction away from it. A cell's rim is where the mean is large against the variance; the best circle counts. */
#include "warploom.h"

struct offset {
    i32 column, row;
};

struct direction {
    float cosine, sine;
};

/* `gradient`: of all pixels along rows, then along columns; there are `margin` more pixels on each side than have a score. The mean is kept as
   points come, for the variance. */
void kernel(const float *gradient, const struct offset *offsets, const struct direction *directions, float *scores, u32 side, u32 margin,
            u32 circles, u32 points) {
    u32 pixel = global_x(), width = side + 2 * margin;
    if (pixel >= side * side)
        return;
    const float *along_row = gradient + (pixel / side + margin) * width + pixel % side + margin;
    const float *along_column = along_row + width * width;
    float best = 0, score = 0;
    for (u32 circle = 0; circle < circles; circle++) {
        float sum = 0, mean = 0, squares = 0;
        for (u32 point = 0; point < points; point++) {
            struct offset offset = offsets[circle * points + point];
            i32 at = offset.row * (i32)width + offset.column;
            float outwards = along_row[at] * directions[point].cosine + along_column[at] * directions[point].sine;
            float difference = outwards - mean;
            sum += outwards;
            mean += difference / (point + 1);
            squares += difference * (outwards - mean);
        }
        mean = sum / points;
        float variance = squares / (points - 1), ratio = mean * mean / variance;
        if (ratio > best) {
            best = ratio;
            score = mean / __builtin_sqrtf(variance);
        }
    }
    scores[pixel] = score;
}
