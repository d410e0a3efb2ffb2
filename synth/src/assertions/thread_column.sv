// No thread is on both sides of a branch.
assert ((low & top) == 0);
// The sides have live threads only.
assert (((low | top) & ~live) == 0);
