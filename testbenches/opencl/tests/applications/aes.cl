#define CONSTANT __constant
#include "aes.h"

__kernel void aes(__constant const uchar *box, __constant const uchar *key, __global uchar16 *blocks) {
    uchar state[16];
    vstore16(blocks[get_global_id(0)], 0, state);
    encrypt(box, key, state);
    blocks[get_global_id(0)] = vload16(0, state);
}
