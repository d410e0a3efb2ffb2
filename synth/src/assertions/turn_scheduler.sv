// Threads that leave an entry have been in no entry above it.
assert ((left & above) == 0);
// They do not run, and are not at a barrier.
assert ((left & stopped) == 0);
// A turn ends only while others wait or could run, and is not over twice.
assert (!ends || ((ending >> warp) & 1) == 0);
// Of a warp of which nothing runs there is no turn, but a walk.
assert (!stuck || (ending & warp_bit) != 0);
// Whose turn it is next could run.
assert (!rotates || (choice_grant & ~schedulable) == 0);
// Nobody is given a turn that has it.
assert (!rotates || (choice_grant & stopped) == 0);
