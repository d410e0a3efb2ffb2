/* Greatest common divisor of a[i] and b[i], by subtraction: every thread takes its own way. */
#include "warploom.h"

void kernel(const u32 *a, const u32 *b, u32 *divisor, u32 n) {
    u32 i = global_x();
    if (i >= n)
        return;
    u32 x = a[i], y = b[i];
    while (x != y) {
        if (x > y)
            x -= y;
        else
            y -= x;
    }
    divisor[i] = x;
}
