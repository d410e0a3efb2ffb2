// A warp is launched only where none is resident.
assert (!launched || ((resident_warps >> launching_warp) & 1) == 0);
// A warp that ends is resident.
assert (!finished_valid || ((resident_warps >> finished_warp) & 1) != 0);
