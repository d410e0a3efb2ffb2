// A warp that can be fetched is there, and not at the end of its entry.
assert ($each(|, (runnable_* & (~occupied_* | reached_*))) == 0);
// A side has warps only of CTAs whose active entry has a path on it; where both paths share the slots, these may also be of a right path.
assert (($each(|, (occupied_* & ~present_*)) & ~($each(|, right_*) & present_1)) == 0);
// Where both share the slots, a warp of the right path is of a CTA whose active entry has one.
assert (($each(|, right_*) & occupied_0 & ~present_1) == 0);
// Where all threads of a CTA wait at a barrier, no warp is there.
assert ((waiting & $each(|, occupied_*)) == 0);
