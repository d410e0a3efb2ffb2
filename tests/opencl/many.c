#include "warploom.h"

void kernel(int *out, int a, int b, int c, int d, int e, int f, long long g, int h, const int *i, unsigned n) {
    int all[] = {a, b, c, d, e, f, (int)g, (int)(g >> 32), h, i[1]};
    if (global_x() < n)
        for (int k = 0; k < 10; k++)
            out[10 * global_x() + k] = all[k];
}
