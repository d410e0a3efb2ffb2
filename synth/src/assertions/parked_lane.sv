// A thread without a slot can go on, or waits: not both.
assert ((is_parked & is_waiting) == 0);
// It lives.
assert (((is_parked | is_waiting) & ~is_live) == 0);
// Only a thread that lives and has a slot loses it.
assert (!(parks || waits || $each(|, arrives_*)) || (is_live[row] && (!is_parked[row] || take && take_row == row) && !is_waiting[row]));
// Only such a thread ends.
assert (!ends || (is_live[end_row] && !is_parked[end_row] && !is_waiting[end_row]));
// Only a thread that can go on gets a slot.
assert (!take || is_parked[take_row]);
// Whoever returns from the barrier of its warp has been nowhere else.
assert ($each(|, (returns_* & (~is_live | is_parked | is_waiting))) == 0);
// A thread starts where the one before it has ended.
assert (!launches || !is_live[row]);
