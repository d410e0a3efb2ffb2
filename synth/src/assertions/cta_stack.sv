// No thread of a warp that arrives is on both sides, and none but its own is on one.
assert (!arrive_valid || ((arrive_low & arrive_top) == 0 && ((arrive_low | arrive_top) & ~arrive_mask) == 0));
// An entry that becomes active has threads.
assert (!activate_valid || $each(|, members_*) != 0);
// Threads in no warp yet are threads of the entry.
assert ($each(|, (formable_* & ~members_*)) == 0);
