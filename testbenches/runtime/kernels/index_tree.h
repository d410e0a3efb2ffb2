/* Look-ups in an index tree (Narasiman 2014, 6.2): a warp per query, a key per lane. A node is a line of 32 words, its unused keys larger than any;
   a row of 32 nodes holds a node and its children. The nodes have no pointers, since rows and nodes lie breadth first. What differs is DESCEND:
   `base` + (the number of lanes with `greater` << `shift`). */

#define NODE 32
#define LOG_NODE 5
#define LOG_ROW 10

/* `places` holds what an absent key gives; `fan`: children of a node. */
void kernel(const u32 *tree, const u32 *queries, u32 *places, u32 n, u32 levels, u32 fan, u32 lanes) {
    u32 warps = ntid_x() / lanes;
    for (u32 query = ctaid_x() * warps + tid_x() / lanes; query < n; query += nctaid_x() * warps) {
        u32 key = queries[query], row = 0;
        for (u32 level = 0; level < levels; level++) {
            u32 at = (row << LOG_ROW) + lane(), first = at + NODE, upper = tree[at];
            u32 below = DESCEND(first, key > upper, LOG_NODE), lower = tree[below];
            if (key == upper)
                places[query] = at;
            if (key == lower)
                places[query] = below;
            u32 child = (below - first) >> LOG_NODE;
            row = DESCEND(row * fan * fan + 1 + child * fan, key > lower, 0);
        }
    }
}
