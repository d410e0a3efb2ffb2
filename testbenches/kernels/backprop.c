/* Back propagation, forward pass of a layer (Rodinia): every CTA multiplies a tile of the weights with its inputs and
   sums the columns by a tree over the rows, half of which drop out at every step. Fixed point. */
#include "warploom.h"

#define FRACTION 12

void kernel(const i32 *inputs, i32 *weights, i32 *partial, u32 hidden) {
    u32 tile = ntid_x(), x = tid_x(), y = tid_y();
    u32 column = ctaid_x() * tile + x, row = ctaid_y() * tile + y;
    i32 *nodes = SHARED_MEMORY, *products = nodes + tile;
    if (x == 0)
        nodes[y] = inputs[row];
    products[y * tile + x] = weights[row * hidden + column];
    barrier();
    products[y * tile + x] = (products[y * tile + x] * nodes[y]) >> FRACTION;
    barrier();
    for (u32 power_two = 2; power_two <= tile; power_two *= 2) {
        if (y % power_two == 0)
            products[y * tile + x] += products[(y + power_two / 2) * tile + x];
        barrier();
    }
    weights[row * hidden + column] = products[y * tile + x];
    if (x == 0)
        partial[ctaid_y() * hidden + ctaid_x() * tile + y] = products[y];
}
