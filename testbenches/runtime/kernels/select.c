/* The scan of select.h: a ballot says who has found something, and counts of its bits where each stores. */
#include "warploom.h"

#include "select.h"

static inline u32 *append(u32 *end, u32 found, u32 value) {
    u32 all = ballot(found), before = (1u << lane()) - 1;
    if (found)
        end[warploom_popc(all & before)] = value;
    return end + warploom_popc(all);
}
