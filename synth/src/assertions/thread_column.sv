// No thread is on both sides of a branch.
assert ((low & top) == 0);
// The sides have live threads only.
assert (((low | top) & ~live) == 0);
// A home warp starts when none of its threads lives.
assert ((launch_home_warp & live) == 0);
