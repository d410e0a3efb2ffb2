/* The look-ups of index_tree.h, by the instruction that goes down a tree. */
#include "warploom.h"

#define DESCEND warploom_tree_traverse
#include "index_tree.h"
