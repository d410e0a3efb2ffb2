/* Back propagation, forward pass of a layer (Rodinia): every CTA multiplies a tile of the weights with its inputs and
   sums the columns by a tree over the rows, half of which drop out at every step. */
#include "warploom.h"

void kernel(const float *inputs, float *weights, float *partial, u32 hidden) {
    u32 width = ntid_x(), height = ntid_y(), x = tid_x(), y = tid_y();
    u32 column = ctaid_x() * width + x, row = ctaid_y() * height + y;
    float *nodes = SHARED_MEMORY, *products = nodes + height;
    if (x == 0)
        nodes[y] = inputs[row];
    products[y * width + x] = weights[row * hidden + column];
    barrier();
    products[y * width + x] *= nodes[y];
    barrier();
    for (u32 power_two = 2; power_two <= height; power_two *= 2) {
        if (y % power_two == 0)
            products[y * width + x] += products[(y + power_two / 2) * width + x];
        barrier();
    }
    weights[row * hidden + column] = products[y * width + x];
    if (y == 0)
        partial[ctaid_y() * hidden + column] = products[x];
}
