/* AES-128 of a block, for the device and for the host, which compares. Bytes of the state as FIPS 197 has them, column by column. */
static uchar doubled(uchar a) { return a << 1 ^ (a >> 7 ? 0x1b : 0); }

static void encrypt(CONSTANT const uchar *box, CONSTANT const uchar *key, uchar *state) {
    for (int i = 0; i < 16; i++)
        state[i] ^= key[i];
    for (int round = 1; round <= 10; round++) {
        uchar moved[16];
        for (int i = 0; i < 16; i++)
            moved[i] = box[state[(i + 4 * (i % 4)) % 16]];
        for (int i = 0; i < 16; i++) {
            int column = i / 4 * 4;
            uchar a = moved[i], b = moved[column + (i + 1) % 4], c = moved[column + (i + 2) % 4], d = moved[column + (i + 3) % 4];
            state[i] = (round == 10 ? a : doubled(a) ^ doubled(b) ^ b ^ c ^ d) ^ key[16 * round + i];
        }
    }
}
