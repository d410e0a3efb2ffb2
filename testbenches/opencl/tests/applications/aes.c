/* AES-128, block by block; the first block is the example of FIPS 197. Bytes, tables in constant memory, a file that is included. */
#include "host.h"
typedef unsigned char uchar;
#define CONSTANT
#include "aes.h"
#define BLOCKS 64

static uchar times(uchar a, uchar b) {
    uchar product = 0;
    for (; b; b >>= 1, a = doubled(a))
        product ^= b & 1 ? a : 0;
    return product;
}

static uchar turned(uchar a, int bits) { return a << bits | a >> (8 - bits); }

int main(void) {
    static uchar box[256], key[176], blocks[BLOCKS][16], expected[BLOCKS][16];
    for (int a = 0; a < 256; a++) {
        uchar inverse = 0;
        for (int b = 1; b < 256; b++)
            inverse = times(a, b) == 1 ? b : inverse;
        box[a] = inverse ^ turned(inverse, 1) ^ turned(inverse, 2) ^ turned(inverse, 3) ^ turned(inverse, 4) ^ 0x63;
    }
    uchar constant = 1;
    for (int i = 0; i < 176; i++) {
        int of_first = i % 16 < 4, before = i - 4;
        /* The first word of a round turns the last of the one before, and has its constant. */
        uchar last = i < 16 ? 0 : of_first ? box[key[i / 4 * 4 - 4 + (i + 1) % 4]] ^ (i % 16 ? 0 : constant) : key[before];
        key[i] = i < 16 ? i : key[i - 16] ^ last;
        constant = i >= 16 && i % 16 == 0 ? doubled(constant) : constant;
    }
    for (int i = 0; i < BLOCKS; i++)
        for (int j = 0; j < 16; j++)
            blocks[i][j] = i ? next(256) : 0x11 * j;
    memcpy(expected, blocks, sizeof blocks);
    for (int i = 0; i < BLOCKS; i++)
        encrypt(box, key, expected[i]);
    start("aes.cl", "");
    cl_kernel aes = kernel("aes");
    cl_mem of_box = buffer(sizeof box, box), of_key = buffer(sizeof key, key), of_blocks = buffer(sizeof blocks, blocks);
    ARGUMENT(aes, 0, of_box);
    ARGUMENT(aes, 1, of_key);
    ARGUMENT(aes, 2, of_blocks);
    launch(aes, 1, BLOCKS, 1, 32, 1);
    fetch(of_blocks, sizeof blocks, blocks);
    static const uchar of_standard[16] = {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a};
    return verdict((memcmp(blocks[0], of_standard, 16) != 0) + (memcmp(blocks, expected, sizeof blocks) != 0));
}
