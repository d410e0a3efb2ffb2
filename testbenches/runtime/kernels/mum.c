/* Longest matches of queries in a text, by a suffix tree (after MUMmerGPU, Schatz et al. 2007): a thread per query walks down from
   the root as far as the query goes on in the text, for every place in the query; a suffix link takes it from one place to the
   next, and what is known to match is not compared again. */
#include "warploom.h"

typedef unsigned char u8;

/* `start`: of the edge to the node, in the text; `depth`: symbols from the root. A leaf has no children and its parent's link. */
struct node {
    u32 children[4], start, depth, link, unused;
};

void kernel(const struct node *tree, const u8 *text, const u8 *queries, const u32 *first, u32 *length, u32 *place, u32 n) {
    u32 thread = global_x();
    if (thread >= n)
        return;
    u32 end = first[thread + 1], node = 0, matched = 0, found = 0;
    for (u32 begin = first[thread]; begin < end; begin++) {
        const u8 *query = queries + begin;
        u32 left = end - begin, depth = tree[node].depth, at = depth;
        while (at < left) {
            u32 child = tree[node].children[query[at]];
            if (child == 0)
                break;
            u32 start = tree[child].start, edge = tree[child].depth - depth, same = 0;
            found = start - depth;
            if (matched > at) {
                same = matched - at;
                if (same > edge)
                    same = edge;
            }
            while (same < edge && at + same < left && text[start + same] == query[at + same])
                same++;
            at += same;
            if (same < edge)
                break;
            node = child;
            depth = at;
        }
        length[begin] = at;
        place[begin] = found;
        matched = at ? at - 1 : 0;
        found = at ? found + 1 : 0;
        node = tree[node].link;
    }
}
