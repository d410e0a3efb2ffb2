/* European call options on a binomial tree (CUDA SDK, binomialOptions): a CTA per option, backwards from expiry. Values
   of a step stand in global memory; a piece of them comes to shared memory and goes back some steps earlier, shorter by as many. */
#include "elementary.h"

/* An option: price now, strike price, logarithm of what the price gains or loses in a step, discounted probabilities of either. */
struct option {
    float price, strike, deviation, up, down;
};

/* What the option is worth at expiry at this node. */
static inline float at_expiry(const struct option *option, u32 node, u32 steps) {
    float worth = option->price * exponential(option->deviation * (i32)(2 * node - steps)) - option->strike;
    return worth > 0 ? worth : 0;
}

void kernel(const struct option *options, float *values, float *calls, u32 steps, u32 back) {
    u32 tid = tid_x(), threads = ntid_x();
    float *even = SHARED_MEMORY, *odd = even + threads;
    const struct option *option = options + ctaid_x();
    float *nodes = values + (steps + 1) * ctaid_x(), up = option->up, down = option->down;
    for (u32 node = tid; node <= steps; node += threads)
        nodes[node] = at_expiry(option, node, steps);
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
                    odd[tid] = up * even[tid + 1] + down * even[tid];
                barrier();
                if (tid < live - 1)
                    even[tid] = up * odd[tid + 1] + down * odd[tid];
            }
            barrier();
            if (tid <= end)
                nodes[first + tid] = even[tid];
        }
    if (tid == 0)
        calls[ctaid_x()] = even[0];
}
