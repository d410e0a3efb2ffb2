/* One compare-and-exchange step of a bitonic sort of a power-of-two number of words. */
#include "warploom.h"

void kernel(u32 *values, u32 pairs, u32 distance, u32 run) {
    u32 i = global_x();
    if (i >= pairs)
        return;
    u32 low = (i / distance) * distance * 2 + i % distance, high = low + distance;
    u32 a = values[low], b = values[high];
    if ((low & run) == 0) {
        if (a > b) {
            values[low] = b;
            values[high] = a;
        }
    } else {
        if (a < b) {
            values[low] = b;
            values[high] = a;
        }
    }
}
