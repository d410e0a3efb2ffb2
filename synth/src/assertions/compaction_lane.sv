// It selects a thread that is pending.
assert (!valid || (((load ? threads : pending) >> home_warp) & 1) != 0);
// At most one.
assert ((picked & (picked - 1)) == 0);
