#include "include/beside.h"
#ifdef WITH_MORE
#include "more.h"
#endif

__kernel void options(__global int *out) {
    out[0] = BESIDE;
    out[1] = NUMBER;
#ifdef FLAG
    out[2] = FLAG;
#endif
#ifdef __FAST_RELAXED_MATH__
    out[3] = 1;
#endif
#ifdef WITH_MORE
    out[4] = more(40);
#endif
}
