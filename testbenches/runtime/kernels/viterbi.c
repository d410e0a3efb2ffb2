/* Viterbi decoding of a convolutional code with 64 states and two bits per bit (the code of a benchmark of Narasiman 2014 is not
   known): a CTA per frame, a thread per state. For every received symbol each state takes the better of two predecessors; at the end
   one thread goes back along the best path. */
#include "warploom.h"

#define STATES 64
#define TAIL 6 /* zeros at the end of a frame: the last state is 0 */
#define FAR 0x10000

struct shared {
    u32 metrics[2][STATES];
    unsigned char from_upper[][STATES];
};

static inline u32 distance(u32 a, u32 b) { return ((a ^ b) & 1) + ((a ^ b) >> 1); }

/* `codes` has the symbol for a state and the bit before it, `symbols` one per word. */
void kernel(const u32 *symbols, const u32 *codes, u32 *decoded, u32 *distances, u32 bits, u32 frame) {
    struct shared *shared = SHARED_MEMORY;
    u32 tid = tid_x(), threads = ntid_x(), cta = ctaid_x();
    u32 length = bits - cta * frame < frame ? bits - cta * frame : frame, steps = length + TAIL;
    u32 *before = shared->metrics[0], *after = shared->metrics[1];
    symbols += cta * (frame + TAIL);
    for (u32 state = tid; state < STATES; state += threads)
        before[state] = state == 0 ? 0 : FAR;
    barrier();
    for (u32 step = 0; step < steps; step++) {
        u32 symbol = symbols[step];
        for (u32 state = tid; state < STATES; state += threads) {
            u32 lower = state / 2, upper = lower + STATES / 2;
            u32 by_lower = before[lower] + distance(codes[state], symbol);
            u32 by_upper = before[upper] + distance(codes[state + STATES], symbol);
            if (by_upper < by_lower) {
                after[state] = by_upper;
                shared->from_upper[step][state] = 1;
            } else {
                after[state] = by_lower;
                shared->from_upper[step][state] = 0;
            }
        }
        barrier();
        u32 *swap = before;
        before = after;
        after = swap;
    }
    if (tid == 0) {
        u32 state = 0, word = 0;
        for (u32 step = steps; step-- > 0;) {
            if (step < length)
                word |= (state & 1) << step;
            state = state / 2 + (shared->from_upper[step][state] ? STATES / 2 : 0);
        }
        decoded[cta] = word;
        distances[cta] = before[0];
    }
}
