// Threads that leave an entry have been in no entry above it.
assert ((left & above) == 0);
// They do not run, and are not at a barrier.
assert ((left & stopped) == 0);
// A turn ends only while others wait or could run, and is not over twice.
assert (!ends || ((ending >> warp) & 1) == 0);
// Of a warp of which nothing runs there is no turn, but a walk.
assert (!stuck || (ending & warp_bit) != 0);
// When others are to run, somebody could.
assert (!rotates || candidates != 0);
