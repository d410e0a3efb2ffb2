// A warp that can be fetched is there, and not at the end of its entry.
assert ((runnable_0 & (~occupied_0 | reached_0)) == 0 && (runnable_1 & (~occupied_1 | reached_1)) == 0);
// A side has warps only of CTAs whose active entry has a path on it.
assert ((occupied_0 & ~present_0) == 0 && (occupied_1 & ~present_1) == 0);
// Where all threads of a CTA wait at a barrier, no warp is there.
assert ((waiting & (occupied_0 | occupied_1)) == 0);
