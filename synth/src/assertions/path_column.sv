// No thread is on both sides of a branch, or at the branches of both paths.
assert ((low_0 & top_0) == 0 && (low_1 & top_1) == 0 && ((low_0 | top_0) & (low_1 | top_1)) == 0);
// The sides have live threads only.
assert (((low_0 | top_0 | low_1 | top_1) & ~live) == 0);
// A home warp starts when none of its threads lives.
assert ((launch_home_warp & live) == 0);
