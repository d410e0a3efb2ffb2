/* European call options on a binomial tree (CUDA SDK, binomialOptions), fixed point: a CTA per option, backwards from expiry. Values
   of a step stand in global memory; a piece of them comes to shared memory and goes back some steps earlier, shorter by as many. */
#include "warploom.h"

#define FRACTION 16

/* An option: price at the lowest end of the tree, strike price, growth from a node to the one above, discounted probabilities. */
struct option {
    u32 lowest, strike, growth, up, down;
};

static inline u32 multiply(u32 a, u32 b) { return (unsigned long long)a * b >> FRACTION; }

/* What the option is worth at expiry at this node: the growth by repeated squaring. */
static inline u32 at_expiry(const struct option *option, u32 node) {
    u32 price = option->lowest, growth = option->growth;
    for (; node > 0; node >>= 1) {
        if (node & 1)
            price = multiply(price, growth);
        growth = multiply(growth, growth);
    }
    return price > option->strike ? price - option->strike : 0;
}

void kernel(const struct option *options, u32 *values, u32 *calls, u32 steps, u32 back) {
    u32 tid = tid_x(), threads = ntid_x();
    u32 *even = SHARED_MEMORY, *odd = even + threads;
    const struct option *option = options + ctaid_x();
    u32 *nodes = values + (steps + 1) * ctaid_x(), up = option->up, down = option->down;
    for (u32 node = tid; node <= steps; node += threads)
        nodes[node] = at_expiry(option, node);
    for (u32 step = steps; step > 0; step -= back)
        for (u32 first = 0; first < step; first += threads - back) {
            u32 start = step - first < threads - 1 ? step - first : threads - 1, end = start - back;
            barrier();
            if (tid <= start)
                even[tid] = nodes[first + tid];
            /* `back` is even. */
            for (u32 live = start; live > end; live -= 2) {
                barrier();
                if (tid < live)
                    odd[tid] = multiply(up, even[tid + 1]) + multiply(down, even[tid]);
                barrier();
                if (tid < live - 1)
                    even[tid] = multiply(up, odd[tid + 1]) + multiply(down, odd[tid]);
            }
            barrier();
            if (tid <= end)
                nodes[first + tid] = even[tid];
        }
    if (tid == 0)
        calls[ctaid_x()] = even[0];
}
