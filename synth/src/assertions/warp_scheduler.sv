// At most one warp is granted, and only a ready one.
assert ((grant & (grant - 1)) == 0 && (grant & ~ready) == 0);
// The index is that of the warp granted.
assert (any ? grant == (1 << index) : grant == 0);
