/* The look-ups of index_tree.h: a ballot, and a count of its bits. */
#include "warploom.h"

#define DESCEND(base, greater, shift) ((base) + (warploom_popc(ballot(greater)) << (shift)))
#include "index_tree.h"
