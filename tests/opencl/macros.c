#include "warploom.h"
#include "beside.h"

void kernel(int *out) { out[0] = BESIDE + NUMBER; }
