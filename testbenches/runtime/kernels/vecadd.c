/* c[i] = a[i] + b[i] */
#include "warploom.h"

void kernel(const u32 *a, const u32 *b, u32 *c, u32 n) {
    u32 i = global_x();
    if (i < n)
        c[i] = a[i] + b[i];
}
