/* The scan of select.h, by the instruction that stores what lanes have found. */
#include "warploom.h"

#include "select.h"

static inline u32 *append(u32 *end, u32 found, u32 value) { return end + warploom_cond_acc(end, found, value); }
