/* AES-128 in electronic code book mode, by tables (after Manavski 2007): a thread per word, four to a block of sixteen bytes; they hand
   their words to each other through shared memory, once a round. SHIFT says by how many columns each row is shifted more than the one before. */
#include "warploom.h"

#define ROUNDS 10

static inline u32 byte(u32 word, u32 number) { return word >> (24 - 8 * number) & 0xff; }

/* `tables`: a round's effect on each of a column's four bytes, 256 words each; then the S-box. */
void kernel(const u32 *from, u32 *to, const u32 *keys, const u32 *tables) {
    u32 tid = tid_x(), column = tid & 3, i = global_x();
    u32 a = tid, b = (tid & ~3u) + ((column + SHIFT) & 3), c = (tid & ~3u) + ((column + 2 * SHIFT) & 3), d = (tid & ~3u) + ((column + 3 * SHIFT) & 3);
    u32 *state = SHARED_MEMORY, *next = state + ntid_x();
    state[tid] = from[i] ^ keys[column];
    barrier();
    for (u32 round = 1; round < ROUNDS; round++) {
        u32 word = tables[byte(state[a], 0)] ^ tables[256 + byte(state[b], 1)] ^ tables[512 + byte(state[c], 2)] ^
                   tables[768 + byte(state[d], 3)];
        next[tid] = word ^ keys[4 * round + column];
        barrier();
        u32 *old = state;
        state = next;
        next = old;
    }
    const u32 *box = tables + 1024;
    u32 word = box[byte(state[a], 0)] << 24 | box[byte(state[b], 1)] << 16 | box[byte(state[c], 2)] << 8 | box[byte(state[d], 3)];
    to[i] = word ^ keys[4 * ROUNDS + column];
}
